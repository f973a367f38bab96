/** The actions that a build has to bring up to date: its targets and everything they need. */
import type { Address } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import type { ActionStates } from "./action-states.ts";
import type { Graph } from "./graph.ts";
import { NeedsWholeGraph } from "./whole-graph.ts";

/** A function is called with every address, also with those that expansions add. */
export type Targets = readonly Address[] | ((address: Address) => boolean) | undefined;

export class Wanted {
  readonly #graph: Graph;
  readonly #targets: Targets;
  readonly #states: ActionStates;
  /** Promised addresses that are not in the graph yet. */
  readonly #promised = new Set<Address>();
  #size = 0;

  constructor(graph: Graph, states: ActionStates, targets: Targets) {
    this.#graph = graph;
    this.#states = states;
    this.#targets = targets;
  }

  get size(): number {
    return this.#size;
  }

  has(index: number): boolean {
    return !this.#states.is(index, "unwanted");
  }

  /** The addresses wanted at the start, needs before their consumers. Throws `unknown-target`. */
  first(): Address[] {
    const { actions, promises, size } = this.#graph;
    if (this.#targets === undefined) return this.add(actions.addresses());
    if (typeof this.#targets === "function") {
      const found: Address[] = [];
      for (let index = 0; index < size; index += 1) {
        // What an expansion will add is not known yet, so any action with an expansion may lead to a target.
        const address = actions.addressOf(index);
        if (this.#targets(address) || actions.shapeOf(index).expand !== undefined) found.push(address);
      }
      return this.add(found);
    }
    for (const address of this.#targets) {
      if (this.#graph.has(address) || promises.has(address)) continue;
      throw new EngineError(
        "unknown-target",
        `there is no action ${address}`,
        "see `arc graph` for those there are",
        [address],
      );
    }
    return this.add(this.#targets);
  }

  /** The wanted ones among addresses just added to the graph, with everything they need. */
  grown(added: readonly Address[]): Address[] {
    // A promised address was wanted before its needs were known.
    const promised = added.filter((address) => this.#promised.delete(address));
    this.#size -= promised.length;
    const isTarget = this.#targets;
    const more =
      isTarget === undefined
        ? added
        : typeof isTarget === "function"
          ? added.filter((address) => isTarget(address))
          : [];
    return this.add([...promised, ...more]);
  }

  /**
   * Marks addresses and everything they need as wanted; returns the new ones, needs first. Throws NeedsWholeGraph if
   * one is outside the part that is built, and not done.
   */
  add(addresses: Iterable<Address>): Address[] {
    const fresh: Address[] = [];
    const stack: { address: Address; needs: readonly Address[]; next: number }[] = [];
    const onStack = new Set<Address>();
    const push = (address: Address): void => {
      if (this.#isWanted(address) || onStack.has(address)) return;
      onStack.add(address);
      stack.push({ address, needs: this.#needs(address), next: 0 });
    };
    for (const target of addresses) {
      push(target);
      for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        const need = top.needs[top.next];
        top.next += 1;
        if (need !== undefined) {
          push(need);
          continue;
        }
        this.#want(top.address);
        fresh.push(top.address);
        onStack.delete(top.address);
        stack.pop();
      }
    }
    return fresh;
  }

  #isWanted(address: Address): boolean {
    const index = this.#graph.actions.numberOf(address);
    return index === undefined ? this.#promised.has(address) : this.has(index);
  }

  #want(address: Address): void {
    const index = this.#graph.actions.numberOf(address);
    if (index === undefined) this.#promised.add(address);
    else this.#states.move(index, "wanted");
    this.#size += 1;
  }

  #needs(address: Address): readonly Address[] {
    const { actions, outside, promises } = this.#graph;
    const index = actions.numberOf(address);
    if (index !== undefined) {
      const needs = actions.needsOf(index).map((need) => actions.strings.text(need));
      if (outside === undefined) return needs;
      const missing = needs.find(
        (need) => !(outside.has(need) || promises.has(need) || actions.numberOf(need) !== undefined),
      );
      if (missing !== undefined) throw new NeedsWholeGraph(missing);
      return needs.filter((need) => !outside.has(need));
    }
    const maker = promises.get(address);
    return maker === undefined ? [] : [maker];
  }
}
