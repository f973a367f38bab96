/**
 * Actions of one build that have the same key: one is run or asked for, the others wait for it to end and are decided
 * again then. Mostly its result is theirs; where it came to nothing, the next of them is run.
 */
import type { Digest } from "../model/action.ts";

export class SameKeys {
  /** Who waits, by position in the graph, for what is under way. */
  readonly #waiters = new Map<Digest, number[]>();
  /** What the shared cache does not have. */
  readonly #askedInVain = new Set<Digest>();

  begin(base: Digest): void {
    if (!this.#waiters.has(base)) this.#waiters.set(base, []);
  }

  /** Lets an action wait for what is under way; false: nothing is. */
  wait(base: Digest, index: number): boolean {
    const waiters = this.#waiters.get(base);
    waiters?.push(index);
    return waiters !== undefined;
  }

  /** Those that waited. */
  end(base: Digest): readonly number[] {
    const waiters = this.#waiters.get(base) ?? [];
    this.#waiters.delete(base);
    return waiters;
  }

  noteAskedInVain(base: Digest): void {
    this.#askedInVain.add(base);
  }

  wasAskedInVain(base: Digest): boolean {
    return this.#askedInVain.has(base);
  }
}
