/**
 * Modulo scheduling: which cycle of an iteration each operation starts in, so that an iteration can start
 * every II cycles. Iterative modulo scheduling (B. R. Rau, MICRO-27, 1994), with operators that chain inside a
 * cycle as far as the clock's period allows.
 */

export interface Operation {
  /** Nanoseconds from the inputs to the result, or to the first register inside. */
  readonly delay: number;
  /** Cycles from the inputs to the result; 0: combinational. */
  readonly cycles: number;
  /** The result comes from a register, so many nanoseconds after the clock; absent: from the inputs. */
  readonly registered?: number;
  /** It starts in this cycle. */
  readonly at?: number;
  /** At most so many operations of the same name start in cycles that are the same modulo II. */
  readonly resource?: string;
}

export interface Arc {
  readonly from: number;
  readonly to: number;
  /** The result of so many iterations before. */
  readonly distance: number;
  /**
   * Absent: `to` takes the result of `from`. Else only the order of the starts counts: `to` starts at least
   * so many cycles after `from`.
   */
  readonly gap?: number;
}

export interface Problem {
  readonly operations: readonly Operation[];
  readonly arcs: readonly Arc[];
  /** Nanoseconds. */
  readonly period: number;
  /** How many units of each resource there are; of those that are not named: one. */
  readonly resources?: ReadonlyMap<string, number>;
}

export interface Schedule {
  readonly ii: number;
  /** The larger of the bounds below. */
  readonly mii: number;
  /** What recurrences and resources allow. */
  readonly bounds: { readonly recurrence: number; readonly resource: number };
  /** Per operation. */
  readonly cycles: readonly number[];
  /** Nanoseconds after the start of its cycle. */
  readonly offsets: readonly number[];
}

export interface Start {
  readonly cycle: number;
  readonly offset: number;
}

/** With an interval of at least `least`; undefined where none up to `most` does. */
export function schedule(problem: Problem, least = 1, most = 1024): Schedule | undefined {
  const resource = resourceBound(problem);
  const recurrence = recurrenceBound(problem, most);
  if (recurrence === undefined) return undefined;
  const mii = Math.max(1, resource, recurrence);
  for (let ii = Math.max(mii, least); ii <= most; ii++) {
    const starts = attempt(problem, ii);
    if (!starts) continue;
    return {
      ii,
      mii,
      bounds: { recurrence, resource },
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

/** The smallest interval at which no recurrence asks an operation to start after itself. */
function recurrenceBound(problem: Problem, most: number): number | undefined {
  for (let ii = 1; ii <= most; ii++) if (relaxed(problem, ii)) return ii;
  return undefined;
}

/** The earliest starts without resources; undefined where a recurrence does not fit. */
function relaxed(problem: Problem, ii: number): Start[] | undefined {
  const { operations, arcs } = problem;
  const starts: Start[] = operations.map((o) => ({ cycle: o.at ?? 0, offset: 0 }));
  const last = operations.reduce((sum, o) => sum + o.cycles + 2, 4) * 2 + ii;
  for (let round = 0; ; round++) {
    let changed = false;
    for (const arc of arcs) {
      const to = operations[arc.to] as Operation;
      const earliest = after(problem, arc, starts[arc.from] as Start, ii);
      if (!isBefore(starts[arc.to] as Start, earliest)) continue;
      if (to.at !== undefined && earliest.cycle > to.at) return undefined;
      if (earliest.cycle > last) return undefined;
      starts[arc.to] = earliest;
      changed = true;
    }
    if (!changed) return starts;
    if (round > operations.length * 4 + last) return undefined;
  }
}

export const isBefore = (a: Start, b: Start): boolean =>
  a.cycle < b.cycle || (a.cycle === b.cycle && a.offset < b.offset - 1e-9);

/** When the arc's target can start at the earliest if its source starts at `start`. */
export function after({ operations, period }: Problem, arc: Arc, start: Start, ii: number): Start {
  const [from, to] = [operations[arc.from] as Operation, operations[arc.to] as Operation];
  if (arc.gap !== undefined) return { cycle: start.cycle + arc.gap - ii * arc.distance, offset: 0 };
  const offset = from.registered ?? start.offset + from.delay;
  const ready: Start = { cycle: start.cycle + from.cycles - ii * arc.distance, offset };
  // An operator that is slower than the clock gets a cycle to itself.
  return ready.offset > 0 && ready.offset + to.delay > period + 1e-9 && to.at === undefined
    ? { cycle: ready.cycle + 1, offset: 0 }
    : ready;
}

function attempt(problem: Problem, ii: number): Start[] | undefined {
  const { operations, arcs } = problem;
  const earliest = relaxed(problem, ii);
  if (!earliest) return undefined;
  if (operations.every((o) => o.resource === undefined)) return earliest;

  const into = operations.map((_, k) => arcs.filter((a) => a.to === k));
  const outOf = operations.map((_, k) => arcs.filter((a) => a.from === k));
  const heights = heightsOf(problem, ii);
  const starts: (Start | undefined)[] = operations.map(() => undefined);
  const previous: number[] = operations.map(() => -1);
  const reserved = new Reservations(problem, ii);
  const withdraw = (k: number): void => {
    reserved.at(operations[k] as Operation, (starts[k] as Start).cycle).delete(k);
    starts[k] = undefined;
  };
  for (let budget = operations.length * 24 + 200; budget > 0; budget--) {
    let next = -1;
    starts.forEach((s, k) => {
      if (!s && (next < 0 || (heights[k] as number) > (heights[next] as number))) next = k;
    });
    if (next < 0) return starts as Start[];
    const op = operations[next] as Operation;
    let soonest: Start = { cycle: op.at ?? (earliest[next] as Start).cycle, offset: 0 };
    if (op.at === undefined && (earliest[next] as Start).cycle === soonest.cycle)
      soonest = earliest[next] as Start;
    for (const arc of into[next] ?? []) {
      const from = arc.from === next ? undefined : starts[arc.from];
      const bound = from && after(problem, arc, from, ii);
      if (bound && isBefore(soonest, bound)) soonest = bound;
    }
    if (op.at !== undefined && soonest.cycle > op.at) return undefined;
    let chosen = soonest;
    if (op.resource !== undefined) {
      const free = reserved.free(op, soonest.cycle);
      const forced = Math.max(soonest.cycle, (previous[next] as number) + 1);
      const cycle = free ?? (op.at === undefined ? forced : soonest.cycle);
      chosen = cycle === soonest.cycle ? soonest : { cycle, offset: 0 };
      if (free === undefined) for (const other of [...reserved.at(op, cycle)]) withdraw(other);
    }
    starts[next] = chosen;
    reserved.at(op, chosen.cycle).add(next);
    previous[next] = chosen.cycle;
    for (const arc of outOf[next] ?? []) {
      const to = starts[arc.to];
      if (to && isBefore(to, after(problem, arc, chosen, ii))) {
        if (arc.to === next) return undefined;
        withdraw(arc.to);
      }
    }
  }
  return undefined;
}

const modulo = (a: number, n: number): number => ((a % n) + n) % n;

/** The table of an interval: which operations start on a resource's units in each of its cycles. */
class Reservations {
  private readonly ii: number;
  private readonly units: (resource: string) => number;
  private readonly table = new Map<string, Set<number>[]>();

  constructor({ resources }: Problem, ii: number) {
    this.ii = ii;
    this.units = (resource) => resources?.get(resource) ?? 1;
  }

  /** Operations that start on the same resource so that they need units of their own. */
  at({ resource }: Operation, cycle: number): Set<number> {
    if (resource === undefined) return new Set();
    const slots = this.table.get(resource) ?? Array.from({ length: this.ii }, () => new Set<number>());
    this.table.set(resource, slots);
    return slots[modulo(cycle, this.ii)] as Set<number>;
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
 * Which unit of its resource each operation of a schedule uses; undefined where it needs none. Units take
 * operations by turns of the interval.
 */
export function binding(
  { operations }: Problem,
  { ii, cycles }: Pick<Schedule, "ii" | "cycles">,
): readonly (number | undefined)[] {
  const taken = new Map<string, number>();
  return operations.map(({ resource }, k) => {
    if (resource === undefined) return undefined;
    const turn = `${resource} ${modulo(cycles[k] as number, ii)}`;
    const unit = taken.get(turn) ?? 0;
    taken.set(turn, unit + 1);
    return unit;
  });
}

/** The longest way in cycles from an operation to any other. */
function heightsOf({ operations, arcs }: Problem, ii: number): number[] {
  const heights = operations.map((o) => o.cycles);
  for (let round = 0; round < operations.length; round++) {
    let changed = false;
    for (const { from, to, distance, gap } of arcs) {
      const length = (gap ?? (operations[from] as Operation).cycles + 0.001) - ii * distance;
      const height = (heights[to] as number) + length;
      if (height <= (heights[from] as number) + 1e-9) continue;
      heights[from] = height;
      changed = true;
    }
    if (!changed) break;
  }
  return heights;
}
