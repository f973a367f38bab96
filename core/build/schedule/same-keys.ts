/**
 * Actions of one build that have the same key. One is run or asked for; the others wait for its end and are decided
 * again then. Usually they take its result; if it has none, the next of them runs.
 */
import type { ActionStates } from "../graph/action-states.ts";
import type { Digest } from "../model/action.ts";
import type { Decision } from "../state/decide.ts";

/** What is to be done for a key. */
type Keyed = Pick<Decision, "base" | "verdict">;

export class SameKeys {
  readonly #states: ActionStates;
  /** Decides an action once more, by its position in the graph. */
  readonly #decideAgain: (index: number) => void;
  /** Waiting actions for each key under way. */
  readonly #waiters = new Map<Digest, number[]>();
  /** Keys that the shared cache does not have. */
  readonly #misses = new Set<Digest>();

  constructor(states: ActionStates, decideAgain: (index: number) => void) {
    this.#states = states;
    this.#decideAgain = decideAgain;
  }

  /** Does the work for a key; other actions with the key wait for it. */
  async alone(decision: Keyed, work: Promise<void>): Promise<void> {
    if (!mayShare(decision)) return work;
    const { base } = decision;
    if (!this.#waiters.has(base)) this.#waiters.set(base, []);
    try {
      await work;
    } finally {
      const waiters = this.#waiters.get(base) ?? [];
      this.#waiters.delete(base);
      for (const index of waiters) this.#decideAgain(index);
    }
  }

  /** Makes an action wait for the one under way with its key; false if there is none. */
  wait(index: number, decision: Keyed): boolean {
    const waiters = mayShare(decision) ? this.#waiters.get(decision.base) : undefined;
    if (waiters === undefined) return false;
    waiters.push(index);
    this.#states.move(index, "sharing");
    return true;
  }

  noteMiss(base: Digest): void {
    this.#misses.add(base);
  }

  wasMissed(base: Digest): boolean {
    return this.#misses.has(base);
  }
}

/** Whether the result of another action with the same key may be used. */
export function mayShare({ verdict }: Keyed): boolean {
  return (
    verdict.kind === "run" && verdict.reason.kind !== "forced" && verdict.reason.kind !== "not-cacheable"
  );
}
