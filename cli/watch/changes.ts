/** Files of a project that were saved, in batches: what an editor does in several steps is one save. */
import { existsSync, fstatSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { outputFolder } from "../../schema/document/places.ts";

/** What comes within so many ms belongs to one save. */
const SETTLE_MS = 2;
/** The same while a file of it is gone or empty: an editor is about to write it anew. */
const UNFINISHED_MS = 20;
/** How often a project's folder that is gone is looked for, in ms. */
const GONE_MS = 100;

/** Never part of a build, or made by builds alone; and large. */
const never = new RegExp(`(^|/)(\\.arc|\\.git|node_modules)(/|$)|^${outputFolder}(/|$)`);

export class Changes {
  readonly #root: string;
  #watcher: FSWatcher;
  #ready = false;
  /** How each file was when it was last heard of. */
  readonly #states = new Map<string, string>();
  /** Which folder each watched one is. */
  readonly #folders = new Map<string, string>();
  readonly #pending = new Set<string>();
  readonly #ignored = new Set<string>();
  readonly #outside = new Set<string>();
  /** What this process says goes there: to build for that would go on for ever. */
  readonly #own = new Set([1, 2].flatMap(fileBehind));
  #timer: NodeJS.Timeout | undefined;
  #return: NodeJS.Timeout | undefined;
  /** Why everything is to be watched anew. */
  readonly #reasons = new Set<string>();
  #deliver: ((files: readonly string[]) => void) | undefined;

  private constructor(root: string) {
    this.#root = root;
    this.#watcher = this.#open();
  }

  /** Resolves when nothing can be missed any more. */
  static async of(root: string): Promise<Changes> {
    const changes = new Changes(root);
    await changes.#isReady();
    return changes;
  }

  /** Places that builds write: what happens there is their own doing. */
  ignore(places: Iterable<string>): void {
    for (const place of places) this.#ignored.add(place);
    for (const file of this.#pending) if (this.#isIgnored(file)) this.#pending.delete(file);
  }

  /** Files outside the project that a build read, by absolute path. */
  alsoWatch(files: Iterable<string>): void {
    const fresh = [...files].filter((file) => !this.#outside.has(file));
    for (const file of fresh) {
      this.#outside.add(file);
      // As the build that read it left it: to be found is no change.
      this.#isNew(file, file, undefined);
    }
    if (fresh.length > 0) this.#watcher.add(fresh);
  }

  /** Whether something was heard of that is to be delivered: sooner known than what it all is. */
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

  close(): Promise<void> {
    clearTimeout(this.#timer);
    clearInterval(this.#return);
    return this.#watcher.close();
  }

  #open(): FSWatcher {
    const watcher = watch([this.#root, ...this.#outside], {
      alwaysStat: true,
      ignored: (file) => never.test(path.relative(this.#root, file)),
    });
    watcher.on("all", (event, file, stats) => {
      const name = this.#nameOf(file);
      if (event === "unlink" || event === "unlinkDir") {
        this.#states.delete(name);
        this.#folders.delete(file);
        if (existsSync(this.#root)) this.#note(name);
        else this.#waitForReturn();
      } else if (event === "addDir") this.#isReplaced(file);
      else if (this.#isNew(name, file, stats)) this.#note(name);
    });
    // Of a file that is replaced twice in a moment, chokidar itself misses the second time.
    watcher.on("raw", (_event, entry: string | null, details) => {
      const { watchedPath } = details as { readonly watchedPath: string };
      // A folder that is moved away is no event of its own.
      if (!existsSync(this.#root)) this.#waitForReturn();
      this.#look(watchedPath);
      if (entry === null) return;
      const changed = path.join(watchedPath, entry);
      this.#look(changed);
      const name = this.#nameOf(changed);
      const isWatched = this.#folders.has(changed) && !this.#isIgnored(name);
      if (isWatched && this.#isReplaced(changed)) this.#watchAnew(name);
    });
    // A folder that goes while it is read: what is lost comes as events.
    watcher.on("error", () => {});
    return watcher;
  }

  /** The project's own folder is gone: a watcher of it would never hear of it again. */
  #waitForReturn(): void {
    this.#watchAnew("arc.yaml");
  }

  /** As soon as the project is there; what happened meanwhile is found because `reason` is heard of once more. */
  #watchAnew(reason: string): void {
    if (this.#reasons.has(reason)) return;
    this.#reasons.add(reason);
    this.#note(reason);
    if (this.#reasons.size > 1) return;
    this.#return = setInterval(async () => {
      if (!existsSync(this.#root)) return;
      clearInterval(this.#return);
      const reasons = [...this.#reasons];
      this.#reasons.clear();
      await this.#watcher.close();
      this.#ready = false;
      this.#folders.clear();
      this.#watcher = this.#open();
      await this.#isReady();
      for (const again of reasons) this.#note(again);
    }, GONE_MS);
  }

  /** Relative to the project, for what is in it. */
  #nameOf(file: string): string {
    const relative = path.relative(this.#root, file);
    return relative.startsWith("..") ? file : relative;
  }

  /** At what may be a file that is watched already; others are chokidar's to find. */
  #look(file: string): void {
    const name = this.#nameOf(file);
    if (!this.#states.has(name)) return;
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats !== undefined && this.#isNew(name, file, stats)) this.#note(name);
  }

  /** Whether a folder is another than it was, or the link to it leads elsewhere: its watcher would stay with the old one. */
  #isReplaced(folder: string): boolean {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    const now = identityOf(stats);
    const before = this.#folders.get(folder);
    this.#folders.set(folder, now);
    return before !== undefined && before !== now;
  }

  /**
   * Also the time of reading a file is an event. While a watcher gets ready, the first word of a file tells only how it is,
   * unless it was known before: what happened between two watchers is heard of, too.
   */
  #isNew(name: string, file: string, stats: Stats | undefined): boolean {
    const now = stats ?? statSync(file, { throwIfNoEntry: false });
    if (now !== undefined && this.#own.has(identityOf(now))) return false;
    const state = now === undefined ? "" : [now.mtimeMs, now.ctimeMs, now.size, now.ino].join();
    const before = this.#states.get(name);
    this.#states.set(name, state);
    return before !== state && (this.#ready || before !== undefined);
  }

  async #isReady(): Promise<void> {
    await new Promise<void>((resolve) => void this.#watcher.once("ready", () => resolve()));
    this.#ready = true;
  }

  #isIgnored(file: string): boolean {
    if (never.test(file)) return true;
    for (let at = file; at !== "." && at !== "/"; at = path.dirname(at))
      if (this.#ignored.has(at)) return true;
    return false;
  }

  #note(file: string): void {
    if (this.#isIgnored(file)) return;
    this.#pending.add(file);
    this.#settle();
  }

  #settle(): void {
    clearTimeout(this.#timer);
    const wait = [...this.#pending].some((file) => this.#isUnfinished(file)) ? UNFINISHED_MS : SETTLE_MS;
    this.#timer = setTimeout(() => {
      const deliver = this.#deliver;
      if (deliver === undefined || this.#pending.size === 0) return;
      this.#deliver = undefined;
      const files = [...this.#pending].sort();
      this.#pending.clear();
      deliver(files);
    }, wait);
  }

  #isUnfinished(file: string): boolean {
    const stats = statSync(path.resolve(this.#root, file), { throwIfNoEntry: false });
    return stats === undefined || (stats.isFile() && stats.size === 0);
  }
}

const identityOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/** The file that a descriptor writes to; none where that is a terminal or a pipe, or closed. */
function fileBehind(descriptor: number): string[] {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() ? [identityOf(stats)] : [];
  } catch {
    return [];
  }
}
