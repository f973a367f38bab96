/** How far long actions and builds are, for logs that cannot redraw: a line at intervals. */
import type { Address } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import { oneLine, seconds } from "../show/words.ts";
import { advance, noProgress } from "./progress.ts";

/** Minimum interval between lines of one action or build, in ms. */
const often = 5000;

export class PhaseLines {
  readonly #running = new Map<Address, { title: string; since: number; reportedAt: number; usual: string }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The line for an event; empty for most. */
  of(event: Event): string {
    if (event.type === "running") {
      const { title, time, expected } = event;
      const usual = expected === undefined || expected < 1 ? "" : ` of about ${seconds(expected)}`;
      this.#running.set(event.address, { title: oneLine(title), since: time, reportedAt: time, usual });
    } else if (event.type === "done" || event.type === "failed") this.#running.delete(event.address);
    else if (event.type === "progress") {
      const one = this.#running.get(event.address);
      const now = this.#now();
      if (one === undefined || now - one.reportedAt < often) return "";
      one.reportedAt = now;
      const share = event.fraction === undefined ? "" : ` ${Math.round(100 * event.fraction)} %`;
      const elapsed = seconds((now - one.since) / 1000).padStart(7);
      return `runs   ${elapsed}${one.usual}  ${one.title}: ${event.phase}${share}\n`;
    }
    return "";
  }
}

/** For builds whose actions have no lines. */
export class ShareLines {
  readonly #now: () => number;
  #progress = noProgress;
  #reportedAt: number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#reportedAt = now();
  }

  /** The line for an event; empty for most. */
  of(event: Event): string {
    this.#progress = advance(this.#progress, event);
    const now = this.#now();
    if (now - this.#reportedAt < often) return "";
    this.#reportedAt = now;
    return `arc: ${this.#progress.finished} of ${this.#progress.total} actions done\n`;
  }
}
