/** Which actions a build is about: its targets and all that they need. */
import type { Address } from "./action.ts";
import { EngineError } from "./error.ts";
import type { Graph } from "./graph.ts";

/** A function is asked about every address, also those that expansions add. */
export type Targets = readonly Address[] | ((address: Address) => boolean) | undefined;

export class Wanted {
  readonly #graph: Graph;
  readonly #targets: Targets;
  readonly #addresses = new Set<Address>();

  constructor(graph: Graph, targets: Targets) {
    this.#graph = graph;
    this.#targets = targets;
  }

  get size(): number {
    return this.#addresses.size;
  }

  has(address: Address): boolean {
    return this.#addresses.has(address);
  }

  /** Addresses that are wanted from the start, needs before what needs them. Throws `unknown-target`. */
  first(): Address[] {
    const { nodes, promises } = this.#graph;
    if (this.#targets === undefined) return this.add(nodes.keys());
    if (typeof this.#targets === "function") {
      const isTarget = this.#targets;
      // What an expansion will add is not known yet, so every expanding action may lead to a target.
      const expanding = [...nodes.values()].filter(
        ({ action }) => isTarget(action.address) || action.expand !== undefined,
      );
      return this.add(expanding.map(({ action }) => action.address));
    }
    for (const address of this.#targets) {
      if (nodes.has(address) || promises.has(address)) continue;
      throw new EngineError(
        "unknown-target",
        `there is no action ${address}`,
        "see `arc graph` for those there are",
        [address],
      );
    }
    return this.add(this.#targets);
  }

  /** Of addresses that the graph just grew by, what is wanted with all it needs. */
  grown(added: readonly Address[]): Address[] {
    // A promised address was wanted before its needs were known.
    const promised = added.filter((address) => this.#addresses.delete(address));
    const isTarget = this.#targets;
    const more =
      isTarget === undefined
        ? added
        : typeof isTarget === "function"
          ? added.filter((address) => isTarget(address))
          : [];
    return this.add([...promised, ...more]);
  }

  /** Wants addresses and all that they need; returns what was not wanted before, needs first. */
  add(addresses: Iterable<Address>): Address[] {
    const fresh: Address[] = [];
    const stack: { address: Address; needs: readonly Address[]; next: number }[] = [];
    const onStack = new Set<Address>();
    const push = (address: Address): void => {
      if (this.#addresses.has(address) || onStack.has(address)) return;
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
        this.#addresses.add(top.address);
        fresh.push(top.address);
        onStack.delete(top.address);
        stack.pop();
      }
    }
    return fresh;
  }

  #needs(address: Address): readonly Address[] {
    const node = this.#graph.nodes.get(address);
    if (node !== undefined) return node.needs.filter((need) => !this.#graph.outside.has(need));
    const maker = this.#graph.promises.get(address);
    return maker === undefined ? [] : [maker];
  }
}
