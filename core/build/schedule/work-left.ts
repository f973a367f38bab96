/** Estimates how long a build will take if only the number of processors limits it. */
import { monotonicMs } from "../model/clock.ts";
import type { Priorities } from "./critical-path.ts";

/** The sum over the whole graph is computed at most at this interval in ms, as it takes time for large graphs. */
const OFTEN_MS = 500;

interface Running {
  readonly since: number;
  /** In seconds. */
  readonly expected: number;
  readonly processors: number;
}

export class WorkLeft {
  readonly #priorities: Priorities;
  readonly #processors: number;
  readonly #running = new Map<number, Running>();
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(priorities: Priorities, processors: number) {
    this.#priorities = priorities;
    this.#processors = Math.max(1, processors);
  }

  /** Undefined: it was computed a moment ago. */
  seconds(): number | undefined {
    const now = monotonicMs();
    if (now - this.#reportedAt < OFTEN_MS) return undefined;
    this.#reportedAt = now;
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
