/**
 * Decisions about actions that are ready to run. As there may be many, only the verdict is kept for those that will
 * wait longest; what it was made from is computed again.
 */

import type { Node } from "../graph/graph.ts";
import { baseKey } from "../key/key.ts";
import type { Digest } from "../model/action.ts";
import type { Decision } from "../state/decide.ts";

/** How many decisions are kept complete. */
const WHOLE = 4000;

export interface Ready {
  readonly node: Node;
  readonly decision: Decision;
}

interface Slim {
  readonly base: Digest;
  readonly verdict: Decision["verdict"];
}

export class ReadyActions {
  readonly #whole = new Map<number, Ready>();
  readonly #slim = new Map<number, Slim>();
  /** Computes the omitted part again. */
  readonly #restore: (index: number) => Pick<Ready, "node"> & Pick<Decision, "inputs" | "parts">;

  constructor(restore: (index: number) => Pick<Ready, "node"> & Pick<Decision, "inputs" | "parts">) {
    this.#restore = restore;
  }

  add(node: Node, decision: Decision): void {
    if (this.#whole.size < WHOLE) this.#whole.set(node.index, { node, decision });
    else this.#slim.set(node.index, { base: decision.base, verdict: decision.verdict });
  }

  /** Undefined: its inputs have changed, so that it must be decided again. */
  take(index: number): Ready | undefined {
    const whole = this.#whole.get(index);
    if (whole !== undefined) {
      this.#whole.delete(index);
      return whole;
    }
    const slim = this.#slim.get(index) as Slim;
    this.#slim.delete(index);
    const { node, ...rest } = this.#restore(index);
    return baseKey(rest.parts) === slim.base ? { node, decision: { ...slim, ...rest } } : undefined;
  }
}
