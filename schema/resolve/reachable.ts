/** Checks that paths in arc.yaml exist or will be made. */
import path from "node:path";
import type { Path } from "../document/document.ts";
import type { Findings } from "../document/findings.ts";
import { isPattern, type ListFolder, matchingFiles } from "../document/patterns.ts";
import { outputFolder } from "../document/places.ts";
import { circleRemedy, circleTold, linkCircle } from "./link-circle.ts";

/** Files that the project's actions write. */
export class MadeFiles {
  readonly #files = new Set<string>();
  /** Without the trailing slash. */
  readonly #folders = new Set<string>();
  /** For each folder in which something is written, the first such path. */
  readonly #inside = new Map<string, string>();

  constructor(actions: readonly { readonly outputs: readonly string[] }[]) {
    for (const { outputs } of actions) {
      for (const output of outputs) {
        this.#files.add(output);
        if (output.endsWith("/")) this.#folders.add(output.slice(0, -1));
        for (let at = folderOf(output); at !== "" && !this.#inside.has(at); at = folderOf(at))
          this.#inside.set(at, output);
      }
    }
  }

  /** A path written inside a folder that is not written itself. */
  inFolder(folder: string): string | undefined {
    return this.has(folder) ? undefined : this.#inside.get(folder.replace(/\/+$/, ""));
  }

  /** Whether a path is written itself, or lies inside a folder that is. */
  has(name: string): boolean {
    if (this.#files.has(name)) return true;
    if (this.#folders.size === 0) return false;
    for (let at = name; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      if (this.#folders.has(at)) return true;
    }
    return false;
  }
}

/** `a` for `a/b` and for `a/b/`. */
const folderOf = (name: string): string =>
  name.slice(0, Math.max(0, name.replace(/\/+$/, "").lastIndexOf("/")));

/** Checks that paths stay in the project, and exist or are made by an action. */
export class Reachable {
  readonly #found: Findings;
  readonly #made: MadeFiles;
  readonly #onDisk: (name: string) => boolean;
  readonly #list: ListFolder;
  readonly #root: string;

  constructor(
    found: Findings,
    made: MadeFiles,
    onDisk: (name: string) => boolean,
    list: ListFolder,
    root: string,
  ) {
    this.#root = root;
    this.#found = found;
    this.#made = made;
    this.#onDisk = onDisk;
    this.#list = list;
  }

  exists(name: string): boolean {
    return this.#made.has(name) || this.#onDisk(name);
  }

  check(name: string, at: Path): void {
    if (!this.inside(name, at) || this.exists(name)) return;
    const circle = linkCircle(path.join(this.#root, name));
    if (circle !== undefined) {
      this.#found.error(at, "unreadable-file", circleTold(name, circle, this.#root), circleRemedy);
      return;
    }
    const remedy = "correct the path (it is relative to arc.yaml), or declare the action that makes it";
    this.#found.error(at, "missing-file", `there is no \`${name}\``, remedy);
  }

  /** Checks the paths of a list, and replaces patterns by the matching files. */
  inputs(names: readonly string[], at: Path): readonly string[] {
    const all = names.map((name, i) => {
      if (isPattern(name) && !this.exists(name)) return this.#matching(name, [...at, i]);
      if (this.#isUnwritten(name, [...at, i])) this.check(name, [...at, i]);
      return name;
    });
    return all.some((one) => typeof one !== "string") ? [...new Set(all.flat())] : names;
  }

  /** Refuses a folder in which actions write: its contents would depend on what ran before. */
  #isUnwritten(name: string, at: Path): boolean {
    const output = this.#made.inFolder(name);
    if (output === undefined) return true;
    const remedy = `name what is read there: \`${output}\`, and the project's own files, for example \`${name.replace(/\/+$/, "")}/*\``;
    const why = "a folder is read as it is: what an action writes into it might be there, or not yet";
    this.#found.error(
      at,
      "bad-value",
      `\`${name}\` holds \`${output}\`, which an action writes`,
      remedy,
      why,
    );
    return false;
  }

  /** Excludes what actions write, as it may or may not exist yet. */
  #matching(pattern: string, at: Path): readonly string[] {
    if (!this.inside(pattern, at)) return [];
    const isOurs = (name: string): boolean => name === outputFolder || this.#made.has(name);
    let files: readonly string[];
    try {
      files = matchingFiles(pattern, this.#list, isOurs);
    } catch (error) {
      const message = `\`${pattern}\` cannot be looked for: ${(error as Error).message}`;
      this.#found.error(at, "unreadable-file", message, "make the folder readable, or name what is needed");
      return [];
    }
    const why = "patterns find the project's own files; what an action writes is named";
    if (files.length === 0)
      this.#found.error(at, "missing-file", `no file matches \`${pattern}\``, "correct the pattern", why);
    const strange = files.find((name) => name.includes("\ufffd") && !this.exists(name));
    if (strange !== undefined)
      this.#found.error(at, "bad-value", `the name of \`${strange}\` is no text in UTF-8`, "rename the file");
    return files.every((name) => this.#isOneLine(name, at)) ? files : [];
  }

  /** Compilers and make rules end a file's name at a line break. */
  #isOneLine(name: string, at: Path): boolean {
    if (!/[\n\r]/.test(name)) return true;
    const shown = JSON.stringify(name).slice(1, -1);
    this.#found.error(at, "bad-value", `the name of \`${shown}\` has a line break`, "rename the file");
    return false;
  }

  inside(name: string, at: Path): boolean {
    if (!this.#isOneLine(name, at)) return false;
    const direct = path.normalize(name);
    if (!path.isAbsolute(name) && direct.split("/")[0] !== "..") {
      if (direct === name || direct === ".") return true;
      const why = "results are known by the names of files, and a file has one";
      this.#found.error(at, "bad-value", `\`${name}\` is a detour`, `write \`${direct}\``, why);
      return false;
    }
    const message = `\`${name}\` is outside the project's folder`;
    const remedy = "put arc.yaml in a folder above it, and write the path relative to that";
    const why = "results are shared between checkouts, so a project names its own files only";
    this.#found.error(at, "outside-project", message, remedy, why);
    return false;
  }
}
