/** How long a build has to go if nothing but the number of processors were in its way. */
import { monotonicMs } from "../model/clock.ts";
import type { Priorities } from "./critical-path.ts";

/** The whole graph is summed up at most so often, in ms: of large ones that takes time. */
const OFTEN_MS = 500;

interface Running {
  readonly since: number;
  /** Seconds. */
  readonly expected: number;
  readonly processors: number;
}

export class WorkLeft {
  readonly #priorities: Priorities;
  readonly #processors: number;
  readonly #running = new Map<number, Running>();
  #told = Number.NEGATIVE_INFINITY;

  constructor(priorities: Priorities, processors: number) {
    this.#priorities = priorities;
    this.#processors = Math.max(1, processors);
  }

  /** Undefined: it was told a moment ago. */
  seconds(): number | undefined {
    const now = monotonicMs();
    if (now - this.#told < OFTEN_MS) return undefined;
    this.#told = now;
    let left = this.#priorities.work();
    for (const { since, expected, processors } of this.#running.values())
      left -= Math.min(expected, (now - since) / 1000) * processors;
    return Math.max(0, left) / this.#processors;
  }

  started(index: number, expected: number, processors: number): void {
    this.#running.set(index, { since: monotonicMs(), expected, processors });
  }

  ended(index: number): void {
    this.#running.delete(index);
  }
}
