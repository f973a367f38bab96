/** Saved files of a project, in batches: what an editor does in several steps is one save. */
import { existsSync, fstatSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { outputFolder } from "../../schema/document/places.ts";

/** Events within this many ms belong to one save. */
const SETTLE_MS = 2;
/** The same while one of its files is missing or empty: an editor is about to write it again. */
const UNFINISHED_MS = 20;
/** How long what was removed is looked for, and how often, in ms. */
const SOON_MS = 5000;
const LOOK_MS = 250;
/** Interval for looking for a project folder that has disappeared, in ms. */
const GONE_MS = 100;

/** Folders that are never part of a build or are written only by builds; they are large. */
const never = new RegExp(`(^|/)(\\.arc|\\.git|node_modules)(/|$)|^${outputFolder}(/|$)`);

export class Changes {
  readonly #root: string;
  #watcher: FSWatcher;
  #ready = false;
  /** The last known state of each file. */
  readonly #states = new Map<string, string>();
  /** The identity of each watched folder. */
  readonly #folders = new Map<string, string>();
  readonly #pending = new Set<string>();
  readonly #ignored = new Set<string>();
  readonly #outside = new Set<string>();
  /** Files that receive this process's own output: building for them would never end. */
  readonly #own = new Set([1, 2].flatMap(fileBehind));
  /** The file system records when folders are created. A new folder may get the inode of one that was just removed. */
  readonly #hasBirths: boolean;
  #timer: NodeJS.Timeout | undefined;
  #return: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  readonly #gone = new Map<string, { readonly until: number; readonly isBack: boolean }>();
  /** Reasons to watch everything again. */
  readonly #reasons = new Set<string>();
  #deliver: ((files: readonly string[]) => void) | undefined;

  private constructor(root: string) {
    this.#root = root;
    const stats = statSync(root, { throwIfNoEntry: false });
    // Without such records Node gives the time of the last change, which came after the project's files.
    this.#hasBirths = stats !== undefined && stats.birthtimeMs > 0 && stats.birthtimeMs < stats.ctimeMs;
    this.#watcher = this.#open();
  }

  /** Resolves when no change can be missed any more. */
  static async of(root: string): Promise<Changes> {
    const changes = new Changes(root);
    await changes.#isReady();
    return changes;
  }

  /** Ignores places that builds write themselves. */
  ignore(places: Iterable<string>): void {
    for (const place of places) this.#ignored.add(place);
    for (const file of this.#pending) if (this.#isIgnored(file)) this.#pending.delete(file);
  }

  /** Files outside the project that a build read, by absolute path. */
  alsoWatch(files: Iterable<string>): void {
    const fresh = [...files].filter((file) => !this.#outside.has(file));
    for (const file of fresh) {
      this.#outside.add(file);
      // Record the state that the build left: discovering the file is not a change.
      this.#isNew(file, file, undefined);
    }
    if (fresh.length > 0) this.#watcher.add(fresh);
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

  close(): Promise<void> {
    clearTimeout(this.#timer);
    clearInterval(this.#return);
    clearInterval(this.#looking);
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
        this.#lookFor(file);
        if (!existsSync(this.#root)) this.#waitForReturn();
        // A folder that is back when chokidar reports its removal is not watched any more.
        else if (event === "unlinkDir" && existsSync(file)) this.#watchAnew(name);
        else this.#note(name);
      } else if (event === "addDir") this.#isReplaced(file);
      else if (this.#isNew(name, file, stats)) this.#note(name);
    });
    // If a file is replaced twice in quick succession, chokidar misses the second time.
    watcher.on("raw", (_event, entry: string | null, details) => {
      const { watchedPath } = details as { readonly watchedPath: string };
      // Moving the folder away causes no event of its own.
      if (!existsSync(this.#root)) this.#waitForReturn();
      this.#look(watchedPath);
      if (entry === null) return;
      const changed = path.join(watchedPath, entry);
      this.#look(changed);
      const name = this.#nameOf(changed);
      if (this.#isIgnored(name)) return;
      if (this.#folders.has(changed) && this.#isReplaced(changed)) this.#watchAnew(name);
    });
    // The folder disappeared while it was read: losses arrive as events.
    watcher.on("error", () => {});
    return watcher;
  }

  /** Chokidar misses some files and folders that are back at once after they were removed: they are looked for. */
  #lookFor(file: string): void {
    this.#gone.set(file, { until: Date.now() + SOON_MS, isBack: false });
    this.#looking ??= setInterval(() => {
      for (const [path, { until, isBack }] of this.#gone) {
        const isKnown = this.#folders.has(path) || this.#states.has(this.#nameOf(path));
        const exists = existsSync(path);
        if (isKnown || isBack || (!exists && Date.now() > until)) this.#gone.delete(path);
        // Chokidar had the time from one look to the next.
        if (!isKnown && isBack && exists) this.#watchAnew(this.#nameOf(path));
        else if (this.#gone.has(path)) this.#gone.set(path, { until, isBack: exists });
      }
      if (this.#gone.size > 0) return;
      clearInterval(this.#looking);
      this.#looking = undefined;
    }, LOOK_MS);
  }

  /** The project's own folder is gone: its watcher would never report it again. */
  #waitForReturn(): void {
    this.#watchAnew("arc.yaml");
  }

  /** Watches again as soon as the project exists; `reason` is delivered then, so that changes in between are found. */
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

  /** Relative to the project for files in it. */
  #nameOf(file: string): string {
    const relative = path.relative(this.#root, file);
    return relative.startsWith("..") ? file : relative;
  }

  /** Looks at a path that may be watched already; chokidar finds others itself. */
  #look(file: string): void {
    const name = this.#nameOf(file);
    if (!this.#states.has(name)) return;
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats !== undefined && this.#isNew(name, file, stats)) this.#note(name);
  }

  /** Whether a folder was replaced, or a link to it changed: its watcher would stay with the old one. */
  #isReplaced(folder: string): boolean {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    const now = this.#hasBirths ? `${identityOf(stats)}:${stats.birthtimeMs}` : identityOf(stats);
    const before = this.#folders.get(folder);
    this.#folders.set(folder, now);
    return before !== undefined && before !== now;
  }

  /**
   * Reading a file also causes events, so states are compared. While a watcher starts, the first event of a file only
   * records its state, unless it was known before: then changes between two watchers are reported, too.
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

/** The file that a descriptor writes to; none for a terminal, a pipe or a closed descriptor. */
function fileBehind(descriptor: number): string[] {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() ? [identityOf(stats)] : [];
  } catch {
    return [];
  }
}
