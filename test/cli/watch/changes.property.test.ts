/**
 * Random saves, removals, renames and replaced folders and links, milliseconds apart. Who reads again only what is reported
 * must end with what is there. 15 histories in every run; 2 000 of seed 7:
 * `ARC_PROPERTIES=134:7 npx vitest run test/cli/watch/changes.property.test.ts`.
 */
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Changes } from "../../../cli/watch/changes.ts";
import { cases } from "../../cases.ts";

const FOLDERS = ["src", "src/deep", "src/deep/deeper", "lib"];
const FILES = FOLDERS.flatMap((folder) => [`${folder}/a.c`, `${folder}/b.h`]);
/** Of the link `linked`, beside the project. */
const BEYOND = ["one", "two"];

const file = fc.constantFrom(...FILES);
const folder = fc.constantFrom(...FOLDERS);
const edit = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("write" as const, "append" as const), file }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("rename-over" as const, "backup" as const), file }),
  },
  fc.record({ kind: fc.constant("remove" as const), file }),
  fc.record({
    kind: fc.constantFrom(
      "remove-folder" as const,
      "away-and-back" as const,
      "replace" as const,
      "copy" as const,
    ),
    folder,
  }),
  fc.record({
    kind: fc.constantFrom("link" as const, "write-beyond" as const),
    to: fc.constantFrom(...BEYOND),
  }),
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

/** In ms between edits, and between the steps of one. */
const pause = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 }));

class Project {
  readonly #home = mkdtempSync(path.join(tmpdir(), "arc-edits-"));
  readonly root = path.join(this.#home, "project");
  #count = 0;

  constructor() {
    for (const name of FOLDERS) mkdirSync(path.join(this.root, name), { recursive: true });
    for (const name of FILES) this.#put(name);
    for (const name of BEYOND) {
      mkdirSync(path.join(this.#home, name, "inside"), { recursive: true });
      writeFileSync(path.join(this.#home, name, "inside/x.h"), name);
    }
    symlinkSync(path.join(this.#home, "one"), path.join(this.root, "linked"));
  }

  remove(): void {
    rmSync(this.#home, { recursive: true });
  }

  async edit(edit: Edit, between: number): Promise<void> {
    const step = () => (between > 0 ? sleep(between) : undefined);
    if ("file" in edit) return this.#editFile(edit, step);
    if ("folder" in edit) return this.#editFolder(edit, step);
    if (edit.kind === "write-beyond")
      return writeFileSync(path.join(this.#home, edit.to, "inside/x.h"), this.#text());
    const link = path.join(this.root, "linked");
    rmSync(link);
    await step();
    symlinkSync(path.join(this.#home, edit.to), link);
  }

  /** As editors save. */
  async #editFile({ kind, file }: Extract<Edit, { file: string }>, step: () => unknown): Promise<void> {
    const at = path.join(this.root, file);
    mkdirSync(path.dirname(at), { recursive: true });
    if (kind === "remove") return rmSync(at, { force: true });
    if (kind === "append") return writeFileSync(at, this.#text(), { flag: "a" });
    if (kind === "rename-over") {
      this.#put(`${file}.new`);
      await step();
      return renameSync(`${at}.new`, at);
    }
    if (kind === "backup" && lstatSync(at, { throwIfNoEntry: false })) renameSync(at, `${at}~`);
    await step();
    this.#put(file);
  }

  async #editFolder({ kind, folder }: Extract<Edit, { folder: string }>, step: () => unknown): Promise<void> {
    const at = path.join(this.root, folder);
    mkdirSync(at, { recursive: true });
    const away = path.join(this.#home, `away-${this.#count++}`);
    if (kind === "copy")
      return cpSync(at, path.join(this.root, `copy-${this.#count++}`), { recursive: true });
    if (kind === "remove-folder") rmSync(at, { recursive: true });
    else renameSync(at, away);
    await step();
    if (kind === "away-and-back") return renameSync(away, at);
    mkdirSync(at);
    await step();
    this.#put(`${folder}/a.c`);
  }

  #put(name: string): void {
    writeFileSync(path.join(this.root, name), this.#text());
  }

  /** Of the same length, so that only times tell versions apart. */
  #text(): string {
    return String(this.#count++).padStart(6, "0");
  }

  /** What a path of the project holds, if it leads to a file. */
  contentOf(name: string): string | undefined {
    try {
      return readFileSync(path.join(this.root, name), "utf8");
    } catch {
      return undefined;
    }
  }

  contents(): Map<string, string> {
    const found = new Map<string, string>();
    const visit = (at: string): void => {
      for (const name of readdirSync(path.join(this.root, at))) {
        const inside = path.join(at, name);
        const content = this.contentOf(inside);
        if (content === undefined) visit(inside);
        else found.set(inside, content);
      }
    };
    visit("");
    return found;
  }
}

/** Reads only what is reported. */
async function follow(changes: Changes, project: Project, known: Map<string, string>): Promise<void> {
  for (;;) {
    for (const name of await changes.next()) {
      const content = project.contentOf(name);
      if (content === undefined) known.delete(name);
      else known.set(name, content);
    }
  }
}

const sorted = (contents: ReadonlyMap<string, string>) => [...contents].sort(([a], [b]) => (a < b ? -1 : 1));

test("whoever reads again what a watch reports has what is there", { timeout: 36_000_000 }, async () => {
  const history = fc.array(fc.tuple(edit, pause, pause), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(history, async (edits) => {
      const project = new Project();
      const changes = new Changes(project.root);
      const known = project.contents();
      void follow(changes, project, known);
      try {
        for (const [one, between, after] of edits) {
          await project.edit(one, between);
          if (after > 0) await sleep(after);
        }
        const isKnown = () => String(sorted(known)) === String(sorted(project.contents()));
        for (let waited = 0; !isKnown() && waited < 10_000; waited += 10) await sleep(10);
        expect(sorted(known)).toEqual(sorted(project.contents()));
      } finally {
        changes.close();
        project.remove();
      }
    }),
    cases(15),
  );
});
