/** Saved files of a project, in batches: what an editor does in several steps is one save. */
import { existsSync, fstatSync, statSync } from "node:fs";
import path from "node:path";
import { outputFolder } from "../../schema/document/places.ts";
import { identityOf, statsOf } from "./tree/place.ts";
import { Tree } from "./tree/tree.ts";

/** Changes within this many ms belong to one save. */
const SETTLE_MS = 2;
/** The same while one of its files is missing or empty: an editor is about to write it again. */
const UNFINISHED_MS = 20;
/** A save is over after this many ms, even if files go on changing. */
const MOST_MS = 200;
/** The clock of the file system may lag by this many ms. */
const TICK_MS = 20;

/** Folders that are never part of a build or are written only by builds; they are large. */
const never = new Set([".arc", ".git", "node_modules"]);

export class Changes {
  readonly #root: string;
  readonly #tree: Tree;
  readonly #pending = new Set<string>();
  #pendingSince = 0;
  readonly #ignored = new Set<string>([outputFolder]);
  /** Folders around what is ignored: builds make them. */
  readonly #around = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #deliver: ((files: readonly string[]) => void) | undefined;

  /** `onUnwatched` is called once if the kernel cannot watch all folders. */
  constructor(root: string, onUnwatched: () => void = () => {}, env: NodeJS.ProcessEnv = process.env) {
    this.#root = root;
    let isToldOf = false;
    this.#tree = new Tree(
      {
        // Building for this process's own output would never end.
        own: new Set([1, 2].flatMap(fileBehind)),
        isIgnored: (file) => this.#isIgnored(file),
        onChanges: (files) => this.#note(files.map((file) => this.#nameOf(file))),
        onUnwatched: () => {
          if (!isToldOf) onUnwatched();
          isToldOf = true;
        },
      },
      env,
    );
    this.#tree.add(root, true);
  }

  /** Ignores places that builds write themselves, relative to the project. */
  ignore(places: Iterable<string>): void {
    for (const place of places) {
      if (this.#ignored.has(place)) continue;
      this.#ignored.add(place);
      for (let at = path.dirname(place); at !== "." && at !== "/"; at = path.dirname(at))
        this.#around.add(at);
      this.#tree.forget(path.resolve(this.#root, place));
      for (const file of this.#pending)
        if (file === place || file.startsWith(`${place}/`)) this.#pending.delete(file);
    }
  }

  /** Files outside the project that a build read which began at `since`, by absolute path. */
  alsoWatch(files: Iterable<string>, since: number): void {
    // What changed earlier is what the build read.
    this.#note([...files].filter((file) => this.#tree.add(file, false) >= since - TICK_MS));
  }

  /** Whether a change is about to be delivered; known earlier than the complete batch. */
  get arePending(): boolean {
    return this.#pending.size > 0;
  }

  /** The next batch, relative to the project; one reader at a time. */
  next(): Promise<readonly string[]> {
    return new Promise((resolve) => {
      this.#deliver = resolve;
      if (this.#pending.size > 0) this.#settle();
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#tree.close();
  }

  /** Relative to the project for files in it. */
  #nameOf(file: string): string {
    return file.startsWith(`${this.#root}/`) ? file.slice(this.#root.length + 1) : file;
  }

  /** Asked from the project's folder downwards. */
  #isIgnored(file: string): boolean {
    return never.has(path.basename(file)) || this.#ignored.has(this.#nameOf(file));
  }

  #note(names: readonly string[]): void {
    const news = names.filter((name) => name !== this.#root && !this.#isMadeByBuild(name));
    if (news.length === 0) return;
    if (this.#pending.size === 0) this.#pendingSince = Date.now();
    for (const name of news) this.#pending.add(name);
    this.#settle();
  }

  /** What is in the folder, but not ignored, is reported by itself. */
  #isMadeByBuild(name: string): boolean {
    return this.#around.has(name) && existsSync(path.join(this.#root, name));
  }

  #settle(): void {
    clearTimeout(this.#timer);
    const wait = [...this.#pending].some((file) => this.#isUnfinished(file)) ? UNFINISHED_MS : SETTLE_MS;
    const most = this.#pendingSince + MOST_MS - Date.now();
    this.#timer = setTimeout(
      () => {
        const deliver = this.#deliver;
        if (deliver === undefined || this.#pending.size === 0) return;
        this.#deliver = undefined;
        const files = [...this.#pending].sort();
        this.#pending.clear();
        deliver(files);
      },
      Math.max(0, Math.min(wait, most)),
    );
  }

  #isUnfinished(file: string): boolean {
    const stats = statsOf(path.resolve(this.#root, file), statSync);
    return stats === undefined || (stats.isFile() && stats.size === 0);
  }
}

/** The file that a descriptor writes to; none for a terminal, a pipe or a closed descriptor. */
function fileBehind(descriptor: number): string[] {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() ? [identityOf(stats)] : [];
  } catch {
    return [];
  }
}
