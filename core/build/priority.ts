/** How long the longest chain of work from an action is, from what earlier runs took. */
import type { Address, Step } from "./action.ts";
import type { Graph } from "./graph.ts";

/** For an action of a step of which nothing is known. */
const UNKNOWN_SECONDS = 1;

export interface Estimates {
  /** Of this action's last run. */
  readonly recorded: (address: Address) => number | undefined;
  readonly step: (name: string) => Step | undefined;
  /** It needs no more time: done, failed or not wanted. */
  readonly isOver: (address: Address) => boolean;
}

export class Priorities {
  readonly #graph: Graph;
  readonly #estimates: Estimates;
  readonly #known = new Map<Address, number>();
  /** Of runs of this build, by step. */
  readonly #steps = new Map<string, { seconds: number; runs: number }>();

  constructor(graph: Graph, estimates: Estimates) {
    this.#graph = graph;
    this.#estimates = estimates;
  }

  /** Seconds from the start of an action to the end of the longest chain behind it. */
  of(target: Address): number {
    const known = this.#known.get(target);
    if (known !== undefined) return known;
    const stack = [{ address: target, next: 0 }];
    const onStack = new Set([target]);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const consumers = this.#consumers(top.address);
      const consumer = consumers[top.next];
      top.next += 1;
      if (consumer === undefined) {
        const behind = consumers.reduce((most, address) => Math.max(most, this.#known.get(address) ?? 0), 0);
        this.#known.set(top.address, this.#own(top.address) + behind);
        onStack.delete(top.address);
        stack.pop();
      } else if (!this.#known.has(consumer) && !onStack.has(consumer) && !this.#estimates.isOver(consumer)) {
        stack.push({ address: consumer, next: 0 });
        onStack.add(consumer);
      }
    }
    return this.#known.get(target) as number;
  }

  /** Seconds of the longest chain behind an action, without its own. */
  behind(target: Address): number {
    return this.of(target) - this.#own(target);
  }

  /** The graph grew: chains may be longer than was known. */
  forget(): void {
    this.#known.clear();
  }

  /** Learns how long a step takes. */
  note(step: string, seconds: number): void {
    const known = this.#steps.get(step) ?? { seconds: 0, runs: 0 };
    this.#steps.set(step, { seconds: known.seconds + seconds, runs: known.runs + 1 });
  }

  /** An expanding action is also awaited by the consumers of what it promised. */
  #consumers(address: Address): readonly Address[] {
    const consumers = this.#graph.consumers.get(address) ?? [];
    const promises = this.#graph.nodes.get(address)?.action.expand?.promises ?? [];
    if (promises.length === 0) return consumers;
    return [...consumers, ...promises.flatMap((promised) => this.#graph.consumers.get(promised) ?? [])];
  }

  #own(address: Address): number {
    if (this.#estimates.isOver(address)) return 0;
    const recorded = this.#estimates.recorded(address);
    if (recorded !== undefined) return recorded;
    const name = this.#graph.nodes.get(address)?.action.step;
    if (name === undefined) return UNKNOWN_SECONDS;
    const runs = this.#steps.get(name);
    if (runs !== undefined) return runs.seconds / runs.runs;
    return this.#estimates.step(name)?.typicalSeconds ?? UNKNOWN_SECONDS;
  }
}
