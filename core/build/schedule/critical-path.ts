/** The longest chain of work after each action, estimated from the durations of earlier runs. */

import { withRoom } from "../graph/column.ts";
import type { Graph } from "../graph/graph.ts";
import type { Address, Step } from "../model/action.ts";

/** Durations are rounded to this many seconds, so that small differences do not change the order of the graph. */
const GRAIN_SECONDS = 0.05;

/** Assumed duration of a step about which nothing is known, in seconds. */
const UNKNOWN_SECONDS = 1;

interface Estimates {
  /** Duration of this action's last run. */
  readonly recorded: (address: Address) => number | undefined;
  readonly step: (name: string) => Step | undefined;
  /** It needs no more time: done, failed or not wanted. */
  readonly isOver: (index: number) => boolean;
}

/** Actions are given by their position in the graph. */
export class Priorities {
  readonly #graph: Graph;
  readonly #estimates: Estimates;
  /** Chain length in seconds; NaN: not known. */
  #known = new Float64Array(0);
  /** Durations in this build, by step. */
  readonly #steps = new Map<string, { seconds: number; runs: number }>();

  constructor(graph: Graph, estimates: Estimates) {
    this.#graph = graph;
    this.#estimates = estimates;
  }

  /** Seconds from the start of an action to the end of the longest chain after it. */
  of(target: number): number {
    if (this.#known.length < this.#graph.size) this.#makeRoom();
    if (this.#isKnown(target)) return this.#known[target] as number;
    const stack = [{ index: target, consumers: this.#consumers(target), next: 0 }];
    const onStack = new Set([target]);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const consumer = top.consumers[top.next];
      top.next += 1;
      if (consumer === undefined) {
        let behind = 0;
        for (const one of top.consumers)
          if (this.#isKnown(one)) behind = Math.max(behind, this.#known[one] as number);
        this.#known[top.index] = inGrains(this.#own(top.index)) + behind;
        onStack.delete(top.index);
        stack.pop();
      } else if (!this.#isKnown(consumer) && !onStack.has(consumer) && !this.#estimates.isOver(consumer)) {
        stack.push({ index: consumer, consumers: this.#consumers(consumer), next: 0 });
        onStack.add(consumer);
      }
    }
    return this.#known[target] as number;
  }

  /** Length in seconds of the longest chain after an action, without the action itself. */
  behind(target: number): number {
    return this.of(target) - inGrains(this.#own(target));
  }

  /**
   * Typical seconds of a step: from runs of this build, else its declared `typicalSeconds`; undefined if neither is
   * known.
   */
  typical(step: string): number | undefined {
    const usual = this.#estimates.step(step)?.typicalSeconds;
    return usual === undefined ? undefined : (this.#mean(step) ?? usual);
  }

  #mean(step: string): number | undefined {
    const runs = this.#steps.get(step);
    return runs && runs.seconds / runs.runs;
  }

  /** Processor seconds needed by all actions that are not over, as far as known. */
  work(): number {
    const { actions, size } = this.#graph;
    let sum = 0;
    for (let index = 0; index < size; index += 1) {
      if (this.#estimates.isOver(index)) continue;
      const { step, resources } = actions.shapeOf(index);
      const seconds = this.#estimates.recorded(actions.addressOf(index)) ?? this.typical(step) ?? 0;
      sum += seconds * (resources?.cpu ?? 1);
    }
    return sum;
  }

  /** Forgets all chains, as the graph grew and they may be longer now. */
  forget(): void {
    this.#known.fill(Number.NaN);
  }

  /** Records the duration of a run. */
  note(step: string, seconds: number): void {
    const known = this.#steps.get(step);
    if (known === undefined) this.#steps.set(step, { seconds, runs: 1 });
    else {
      known.seconds += seconds;
      known.runs += 1;
    }
  }

  #isKnown(index: number): boolean {
    return !Number.isNaN(this.#known[index]);
  }

  #makeRoom(): void {
    const before = this.#known;
    this.#known = withRoom(before, this.#graph.size).fill(Number.NaN, before.length);
  }

  /** Consumers of an action; for one with an expansion, also those of what it promised. */
  #consumers(index: number): readonly number[] {
    const { actions } = this.#graph;
    const consumers = this.#graph.usersOf(actions.addressText(index));
    for (const promised of this.#graph.promisedBy(index)) {
      const text = actions.strings.find(promised);
      if (text !== undefined) consumers.push(...this.#graph.usersOf(text));
    }
    return consumers;
  }

  /** Expected seconds of an action, over or not. */
  expected(index: number): number {
    const { actions } = this.#graph;
    const recorded = this.#estimates.recorded(actions.addressOf(index));
    if (recorded !== undefined) return recorded;
    const { step } = actions.shapeOf(index);
    return this.#mean(step) ?? this.#estimates.step(step)?.typicalSeconds ?? UNKNOWN_SECONDS;
  }

  #own(index: number): number {
    return this.#estimates.isOver(index) ? 0 : this.expected(index);
  }
}

/** Rounds to grains: 0 for 0, else at least one grain. */
function inGrains(seconds: number): number {
  return seconds === 0 ? 0 : Math.max(1, Math.round(seconds / GRAIN_SECONDS)) * GRAIN_SECONDS;
}
