/** Expected durations of actions: from their last run, or from the same step for another kernel. */
import type { Address, Step } from "../model/action.ts";
import type { State } from "./state.ts";

export class Durations {
  readonly #state: State;
  #alike: ReadonlyMap<string, number> | undefined;

  constructor(state: State) {
    this.#state = state;
  }

  /** Seconds of this action's last run. */
  recorded(address: Address): number | undefined {
    return this.#state.action(address)?.result.seconds;
  }

  /**
   * Expected seconds of an action: those of its last run; else, for a step worth asking, the longest of the same stage
   * in the same variant. A kernel that was edited has a new name, and takes about as long as before.
   */
  expected(address: Address, step: Step): number | undefined {
    const own = this.recorded(address);
    if (own !== undefined || step.typicalSeconds === undefined) return own;
    this.#alike ??= this.#longest();
    return this.#alike.get(alike(address));
  }

  #longest(): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const address of this.#state.actions()) {
      const seconds = this.recorded(address) ?? 0;
      found.set(alike(address), Math.max(seconds, found.get(alike(address)) ?? 0));
    }
    return found;
  }
}

/** `target:variant/kernel#stage` without the kernel. */
const alike = (address: Address): string => address.replace(/\/[^#]*/, "");
