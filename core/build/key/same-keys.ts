/**
 * Actions of one build that have the same key. One is run or asked for; the others wait for its end and are decided
 * again then. Usually they take its result; if it has none, the next of them runs.
 */
import type { Digest } from "../model/action.ts";

export class SameKeys {
  /** Waiting actions (by position in the graph) for each key under way. */
  readonly #waiters = new Map<Digest, number[]>();
  /** Keys that the shared cache does not have. */
  readonly #misses = new Set<Digest>();

  begin(base: Digest): void {
    if (!this.#waiters.has(base)) this.#waiters.set(base, []);
  }

  /** Makes an action wait for the one under way; false if there is none. */
  wait(base: Digest, index: number): boolean {
    const waiters = this.#waiters.get(base);
    waiters?.push(index);
    return waiters !== undefined;
  }

  /** Ends the action of a key and returns those that waited for it. */
  end(base: Digest): readonly number[] {
    const waiters = this.#waiters.get(base) ?? [];
    this.#waiters.delete(base);
    return waiters;
  }

  noteMiss(base: Digest): void {
    this.#misses.add(base);
  }

  wasMissed(base: Digest): boolean {
    return this.#misses.has(base);
  }
}
