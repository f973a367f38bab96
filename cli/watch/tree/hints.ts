/** Hints that an entry of a folder may have changed: from the kernel, or by polling where the kernel says nothing. */
import { type FSWatcher, watch } from "node:fs";
import path from "node:path";
import type { FSWatcher as Poller } from "chokidar";
import { errnoOf } from "../../../core/build/model/system-error.ts";

/** `mayBeOther`: another file or folder may have taken the entry's place. Without a name: any entry. */
type Hear = (name: string | undefined, mayBeOther: boolean) => void;

export interface Hints {
  /** Hints of an entry are wanted, or of all that the folder has or will have. */
  want(name: string | typeof whole): void;
  /** Begins, or begins again with the folder that is there now. */
  open(): void;
  close(): void;
}

export const whole = Symbol("all entries");

/** In ms. */
const POLL_MS = 500;
/** In ms, between comparisons of all that is polled. */
const COMPARE_MS = 5000;

/** The user knows that the kernel does not report what other machines do in a network folder. */
export const isPollingWanted = ({ CHOKIDAR_USEPOLLING: wish = "" }: NodeJS.ProcessEnv): boolean =>
  !["", "0", "false"].includes(wish.toLowerCase());

/** Hints from the kernel. Where it has no more watches, `onUnwatched` is called, and the folder is polled. */
export class KernelHints implements Hints {
  readonly #folder: string;
  readonly #hear: Hear;
  readonly #polls: Polls;
  readonly #onUnwatched: () => void;
  #watcher: FSWatcher | undefined;

  constructor(folder: string, hear: Hear, onUnwatched: () => void) {
    this.#folder = folder;
    this.#hear = hear;
    this.#polls = new Polls(folder, hear);
    this.#onUnwatched = onUnwatched;
  }

  want(name: string | typeof whole): void {
    this.#polls.want(name);
  }

  open(): void {
    const before = this.#watcher;
    try {
      this.#watcher = watch(this.#folder, (event, name) => this.#hear(name ?? undefined, event === "rename"));
      this.#watcher.on("error", () => {});
      this.#polls.close();
    } catch (error) {
      this.#watcher = undefined;
      // A folder that is gone, or that may not be read, has nothing to report: the folder around it does.
      if (!["ENOSPC", "EMFILE", "ENFILE", "ENOMEM"].includes(errnoOf(error) ?? "")) return;
      this.#onUnwatched();
      this.#polls.open();
    } finally {
      before?.close();
    }
  }

  close(): void {
    this.#watcher?.close();
    this.#polls.close();
  }
}

/** Hints from looking at the folder's entries again and again. */
export class Polls implements Hints {
  readonly #folder: string;
  readonly #hear: Hear;
  readonly #paths = new Set<string>();
  #watcher: Promise<Poller> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string, hear: Hear) {
    this.#folder = folder;
    this.#hear = hear;
  }

  want(name: string | typeof whole): void {
    const watched = name === whole ? this.#folder : path.join(this.#folder, name);
    if (this.#paths.has(watched)) return;
    this.#paths.add(watched);
    void this.#watcher?.then((watcher) => watcher.add(watched));
  }

  open(): void {
    this.close();
    // What chokidar misses while it starts, as where a folder is away and soon back.
    this.#timer = setInterval(() => this.#hear(undefined, true), COMPARE_MS).unref();
    const options = { usePolling: true, interval: POLL_MS, binaryInterval: POLL_MS, depth: 0 };
    this.#watcher = import("chokidar").then((chokidar) =>
      chokidar
        .watch([...this.#paths], { ...options, ignoreInitial: true })
        .on("all", (_event, file) => {
          if (path.dirname(file) === this.#folder) this.#hear(path.basename(file), true);
        })
        // What changed before the polling began.
        .on("ready", () => this.#hear(undefined, false))
        .on("error", () => {}),
    );
  }

  close(): void {
    clearInterval(this.#timer);
    void this.#watcher?.then((watcher) => watcher.close());
    this.#watcher = undefined;
  }
}
