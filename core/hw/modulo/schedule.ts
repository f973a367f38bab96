/**
 * Modulo scheduling: in which cycle of an iteration each operation starts, so that an iteration can start every II
 * cycles. Iterative modulo scheduling (B. R. Rau, MICRO-27, 1994), with operators that are chained within a cycle as
 * far as the clock period allows.
 */

import { itemAt } from "../../checked/access.ts";
import { after, arcsAround, isBefore, type Operation, type Problem, type Start } from "./constraints.ts";
import { earliestStarts, isConflict } from "./earliest.ts";

export interface Schedule {
  readonly ii: number;
  /** The larger of the bounds below. */
  readonly mii: number;
  /** Lower bounds from recurrences and resources. */
  readonly bounds: { readonly recurrence: number; readonly resource: number };
  /** Operations of a recurrence that allows no shorter interval, in dependence order. */
  readonly against: readonly number[];
  /** By operation. */
  readonly cycles: readonly number[];
  /** Nanoseconds after the start of its cycle, by operation. */
  readonly offsets: readonly number[];
}

/** A schedule with an interval of at least `least`; undefined if none up to `most` is possible. */
export function schedule(problem: Problem, least = 1, most = 1024): Schedule | undefined {
  const resource = resourceBound(problem);
  let recurrence = 1;
  let against: readonly number[] = [];
  let earliest = earliestStarts(problem, recurrence);
  while (isConflict(earliest)) {
    if (earliest.interval === undefined || earliest.interval > most) return undefined;
    recurrence = earliest.interval;
    against = earliest.through;
    earliest = earliestStarts(problem, recurrence);
  }
  const mii = Math.max(resource, recurrence);
  for (let ii = Math.max(mii, least); ii <= most; ii++) {
    const soonest = ii === recurrence ? earliest : earliestStarts(problem, ii);
    const starts = isConflict(soonest) ? undefined : attempt(problem, ii, soonest);
    if (!starts) continue;
    return {
      ii,
      mii,
      bounds: { recurrence, resource },
      against,
      cycles: starts.map((s) => s.cycle),
      offsets: starts.map((s) => s.offset),
    };
  }
  return undefined;
}

function resourceBound({ operations, resources }: Problem): number {
  const uses = new Map<string, number>();
  for (const { resource } of operations)
    if (resource !== undefined) uses.set(resource, (uses.get(resource) ?? 0) + 1);
  const bounds = [...uses].map(([name, n]) => Math.ceil(n / (resources?.get(name) ?? 1)));
  return Math.max(1, ...bounds);
}

/** `earliest`: the starts that arcs alone allow. */
function attempt(problem: Problem, ii: number, earliest: readonly Start[]): readonly Start[] | undefined {
  const { operations } = problem;
  if (operations.every((o) => o.resource === undefined)) return earliest;

  const { into, outOf } = arcsAround(problem);
  const heights = heightsOf(problem, ii);
  const starts: (Start | undefined)[] = operations.map(() => undefined);
  const previous: number[] = operations.map(() => -1);
  const reserved = new Reservations(problem, ii);
  const withdraw = (k: number): void => {
    reserved.at(itemAt(operations, k), (starts[k] as Start).cycle).delete(k);
    starts[k] = undefined;
  };
  for (let budget = operations.length * 24 + 200; budget > 0; budget--) {
    let next = -1;
    starts.forEach((s, k) => {
      if (!s && (next < 0 || itemAt(heights, k) > itemAt(heights, next))) next = k;
    });
    if (next < 0) return starts as Start[];
    const op = itemAt(operations, next);
    let soonest: Start = { cycle: op.at ?? itemAt(earliest, next).cycle, offset: 0 };
    if (op.at === undefined && itemAt(earliest, next).cycle === soonest.cycle)
      soonest = itemAt(earliest, next);
    for (const arc of into[next] ?? []) {
      const from = arc.from === next ? undefined : starts[arc.from];
      const bound = from && after(problem, arc, from, ii);
      if (bound && isBefore(soonest, bound)) soonest = bound;
    }
    if (op.at !== undefined && soonest.cycle > op.at) return undefined;
    let chosenCycle = soonest;
    if (op.resource !== undefined) {
      const free = reserved.free(op, soonest.cycle);
      const forced = Math.max(soonest.cycle, itemAt(previous, next) + 1);
      const cycle = free ?? (op.at === undefined ? forced : soonest.cycle);
      chosenCycle = cycle === soonest.cycle ? soonest : { cycle, offset: 0 };
      if (free === undefined) for (const other of [...reserved.at(op, cycle)]) withdraw(other);
    }
    starts[next] = chosenCycle;
    reserved.at(op, chosenCycle.cycle).add(next);
    previous[next] = chosenCycle.cycle;
    for (const arc of outOf[next] ?? []) {
      const to = starts[arc.to];
      if (to && isBefore(to, after(problem, arc, chosenCycle, ii))) {
        if (arc.to === next) return undefined;
        withdraw(arc.to);
      }
    }
  }
  return undefined;
}

const modulo = (a: number, n: number): number => ((a % n) + n) % n;

/** The reservation table of an interval: which operations start on a resource's units in each of its cycles. */
class Reservations {
  private readonly ii: number;
  private readonly units: (resource: string) => number;
  private readonly table = new Map<string, Set<number>[]>();

  constructor({ resources }: Problem, ii: number) {
    this.ii = ii;
    this.units = (resource) => resources?.get(resource) ?? 1;
  }

  /** Operations that start on the same resource in the same cycle modulo II. */
  at({ resource }: Operation, cycle: number): Set<number> {
    if (resource === undefined) return new Set();
    const slots = this.table.get(resource) ?? Array.from({ length: this.ii }, () => new Set<number>());
    this.table.set(resource, slots);
    return itemAt(slots, modulo(cycle, this.ii));
  }

  /** The first cycle from `soonest` on in which a unit is free for an operation. */
  free(operation: Operation, soonest: number): number | undefined {
    const most = this.units(operation.resource as string);
    const last = operation.at === undefined ? soonest + this.ii - 1 : soonest;
    for (let cycle = soonest; cycle <= last; cycle++) if (this.at(operation, cycle).size < most) return cycle;
    return undefined;
  }
}

/**
 * The unit of its resource that each operation uses; undefined if it needs none. Units are assigned in the order of
 * cycles modulo II.
 */
export function binding(
  { operations }: Problem,
  { ii, cycles }: Pick<Schedule, "ii" | "cycles">,
): readonly (number | undefined)[] {
  const unitsUsed = new Map<string, number>();
  return operations.map(({ resource }, k) => {
    if (resource === undefined) return undefined;
    const slot = `${resource} ${modulo(itemAt(cycles, k), ii)}`;
    const unit = unitsUsed.get(slot) ?? 0;
    unitsUsed.set(slot, unit + 1);
    return unit;
  });
}

/** The longest path in cycles from an operation to any other. */
function heightsOf({ operations, arcs }: Problem, ii: number): number[] {
  const heights = operations.map((o) => o.cycles);
  for (let round = 0; round < operations.length; round++) {
    let changed = false;
    for (const { from, to, distance, gap } of arcs) {
      const length = (gap ?? itemAt(operations, from).cycles + 0.001) - ii * distance;
      const height = itemAt(heights, to) + length;
      if (height <= itemAt(heights, from) + 1e-9) continue;
      heights[from] = height;
      changed = true;
    }
    if (!changed) break;
  }
  return heights;
}
