/**
 * The runs under way of all processes that share a store, so that none makes what another one is making already:
 * `running/KEY` is a symbolic link that leads nowhere, but names a process as locks do (lock-owner.ts).
 *
 * No result depends on it. Where links cannot be made, or if two processes take over from a dead one at the same moment,
 * a run is made twice.
 */
import { lstatSync, lutimesSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { makeFolders } from "../files/folders.ts";
import { holderName, isHolderAlive, isHolderStopped } from "../files/lock-owner.ts";
import type { Digest } from "../model/action.ts";
import { monotonicMs } from "../model/clock.ts";
import { errnoOf } from "../model/system-error.ts";

export const RUNNING = "running";

/** A process touches its links at this interval (ms); one of another machine is dead if it did not for ten of them. */
const TOUCH_MS = 30_000;
const SILENT_MS = 10 * TOUCH_MS;

/** Whoever was stopped (Ctrl-Z) for this long (ms) is waited for no more. */
const STOPPED_MS = 2000;

/** Intervals at which the end of another process's run is looked for, in ms. */
const FIRST_LOOK_MS = 10;
const LAST_LOOK_MS = 500;

export class RunsUnderWay {
  readonly #folder: string;
  readonly #own = new Set<Digest>();
  #touching: NodeJS.Timeout | undefined;
  /** This process's, when it announces something: finding it takes several system calls. */
  #name: string | undefined;

  constructor(store: string) {
    this.#folder = join(store, RUNNING);
  }

  /** Announces a run; returns the holder's name if another run for the key is under way, also one of this process. */
  begin(key: Digest): string | undefined {
    this.#name ??= holderName();
    if (this.#own.has(key)) return this.#name;
    // The second try is for a folder that was missing, or a run that has ended.
    for (let tries = 0; tries < 2; tries += 1) {
      try {
        symlinkSync(this.#name, this.#link(key));
        this.#own.add(key);
        this.#touching ??= setInterval(() => this.#touch(), TOUCH_MS).unref();
        return undefined;
      } catch (error) {
        if (!this.#isMended(key, error)) return this.#holder(key);
      }
    }
    return undefined;
  }

  /** After the result, if there is one, is in the store. */
  end(key: Digest): void {
    if (!this.#own.delete(key)) return;
    if (this.#holder(key) === this.#name) this.#remove(key);
    if (this.#own.size > 0) return;
    clearInterval(this.#touching);
    this.#touching = undefined;
  }

  /** Resolves when a run has ended, whether it left a result or not, or when it need not be waited for any more. */
  async ended(key: Digest, holder: string, isOver: () => boolean): Promise<void> {
    let [touched, at] = [this.#touched(key), monotonicMs()];
    let wentOn = at;
    for (let wait = FIRST_LOOK_MS; this.#holder(key) === holder; wait = Math.min(1.3 * wait, LAST_LOOK_MS)) {
      // Whether it is touched, not when: clocks of other machines differ.
      const now = this.#touched(key);
      if (now !== touched) [touched, at] = [now, monotonicMs()];
      if (!isHolderStopped(holder)) wentOn = monotonicMs();
      const isHeld = isHolderAlive(holder, () => monotonicMs() - at < SILENT_MS);
      if (!isHeld || monotonicMs() - wentOn > STOPPED_MS) return this.#remove(key);
      if (isOver()) return;
      await setTimeout(wait);
    }
  }

  #link(key: Digest): string {
    return join(this.#folder, key);
  }

  /** Whether a link that could not be made can be made now. */
  #isMended(key: Digest, error: unknown): boolean {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    if (code === "ENOENT") return tried(() => makeFolders(this.#folder));
    if (code !== "EEXIST") return false;
    const holder = this.#holder(key);
    if (holder !== undefined && isHolderAlive(holder, () => true)) return false;
    this.#remove(key);
    return true;
  }

  #holder(key: Digest): string | undefined {
    let holder: string | undefined;
    tried(() => {
      holder = readlinkSync(this.#link(key));
    });
    return holder;
  }

  #touched(key: Digest): number | undefined {
    return lstatSync(this.#link(key), { throwIfNoEntry: false })?.mtimeMs;
  }

  #touch(): void {
    const now = Date.now() / 1000;
    for (const key of this.#own) tried(() => lutimesSync(this.#link(key), now, now));
  }

  #remove(key: Digest): void {
    tried(() => rmSync(this.#link(key), { force: true, recursive: true }));
  }
}

/** False if the file system refuses. */
function tried(what: () => void): boolean {
  try {
    what();
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
