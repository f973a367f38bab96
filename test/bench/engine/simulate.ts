/** Builds in simulated time: random graphs whose actions take as long as syntheses do, and who starts when. */

import { randomFrom } from "../../../cli/explore/random.ts";
import { Graph } from "../../../core/build/graph/graph.ts";
import type { Action, Address } from "../../../core/build/model/action.ts";
import { Schedule } from "../../../core/build/run/resource-pool.ts";
import { Priorities } from "../../../core/build/schedule/critical-path.ts";

interface SimulatedGraph {
  readonly shape: Shape;
  readonly seed: number;
  readonly slots: number;
  readonly actions: readonly Action[];
  /** Seconds, by address. */
  readonly durations: ReadonlyMap<Address, number>;
}

type Shape = "layered" | "fork-join" | "series-parallel";
export const SHAPES: readonly Shape[] = ["layered", "fork-join", "series-parallel"];

/** Log-normal around an hour and a half, cut to 10 minutes and 12 hours. */
function synthesisSeconds(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(12 * 3600, Math.max(600, 5400 * Math.exp(0.9 * normal)));
}

/** 20 to 500 actions, 2 to 16 slots. */
export function simulatedGraph(shape: Shape, seed: number): SimulatedGraph {
  const random = randomFrom(seed);
  const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  const count = whole(20, 500);
  const slots = whole(2, 16);
  const needs: number[][] = [];
  if (shape === "layered") {
    const layers = whole(2, 12);
    const layerOf = Array.from({ length: count }, (_, at) => Math.floor((at * layers) / count));
    for (let at = 0; at < count; at += 1) {
      const above = layerOf.flatMap((layer, other) => (layer === (layerOf[at] as number) - 1 ? [other] : []));
      const wanted = above.length === 0 ? 0 : whole(1, 3);
      needs.push([
        ...new Set(Array.from({ length: wanted }, () => above[whole(0, above.length - 1)] as number)),
      ]);
    }
  } else if (shape === "fork-join") {
    let last: number | undefined;
    while (needs.length < count) {
      const width = Math.min(whole(2, 40), count - needs.length);
      const fork = needs.length;
      for (let at = 0; at < width; at += 1) needs.push(last === undefined ? [] : [last]);
      needs.push(Array.from({ length: width }, (_, at) => fork + at));
      last = needs.length - 1;
    }
  } else {
    // A series or a parallel of two smaller ones, down to single actions.
    const grow = (size: number, before: readonly number[]): number[] => {
      if (size <= 1) {
        needs.push([...before]);
        return [needs.length - 1];
      }
      const left = whole(1, size - 1);
      if (random() < 0.5) return grow(size - left, grow(left, before));
      return [...grow(left, before), ...grow(size - left, before)];
    };
    grow(count, []);
  }
  const actions = needs.map(
    (list, at): Action => ({
      address: `a${at}`,
      step: "synthesize",
      inputs: list.map((need) => ({ name: `i${need}`, from: { action: `a${need}`, output: "o" } })),
      outputs: [{ name: "o", kind: "file" }],
    }),
  );
  const durations = new Map(actions.map(({ address }) => [address, synthesisSeconds(random)]));
  return { shape, seed, slots, actions, durations };
}

type Policy = "critical-path" | "fifo";

/** Seconds from the first start to the last end. */
export function makespan(simulated: SimulatedGraph, policy: Policy): number {
  const { durations, slots } = simulated;
  const graph = new Graph();
  graph.add(simulated.actions);
  const priorities = new Priorities(graph, {
    recorded: (address) => durations.get(address),
    step: () => undefined,
    isOver: () => false,
  });
  const schedule = new Schedule({ cpu: slots, memory: 0, tokens: {} });
  const unfinished = new Map<Address, number>();
  let arrivals = 0;
  const ready = (address: Address): void => {
    arrivals += 1;
    const { index } = graph.node(address);
    schedule.add(address, {}, policy === "fifo" ? -arrivals : priorities.of(index), index);
  };
  for (const { action, needs } of graph.nodes()) {
    unfinished.set(action.address, needs.length);
    if (needs.length === 0) ready(action.address);
  }
  const running: { address: Address; end: number }[] = [];
  let now = 0;
  for (;;) {
    for (let next = schedule.take(); next !== undefined; next = schedule.take()) {
      running.push({ address: next, end: now + (durations.get(next) as number) });
    }
    if (running.length === 0) return now;
    running.sort((a, b) => b.end - a.end);
    const { address, end } = running.pop() as { address: Address; end: number };
    now = end;
    schedule.release(address);
    for (const consumer of graph.consumersOf(address)) {
      const left = (unfinished.get(consumer) as number) - 1;
      unfinished.set(consumer, left);
      if (left === 0) ready(consumer);
    }
  }
}

/** No schedule can be shorter than the longest chain, or than the work shared by all slots. */
export function lowerBound({ actions, durations, slots }: SimulatedGraph): number {
  const ends = new Map<Address, number>();
  for (const { address, inputs } of actions) {
    const before = inputs.map(({ from }) => ("action" in from ? (ends.get(from.action) as number) : 0));
    ends.set(address, Math.max(0, ...before) + (durations.get(address) as number));
  }
  const work = [...durations.values()].reduce((sum, seconds) => sum + seconds, 0);
  return Math.max(work / slots, ...ends.values());
}
