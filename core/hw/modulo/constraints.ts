/** What a modulo schedule must keep: how long operations take, and what starts how long after what. */

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

export interface Start {
  readonly cycle: number;
  readonly offset: number;
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

/** The arcs that lead to each operation, and those that lead away from it. */
export function arcsAround({ operations, arcs }: Problem): {
  readonly into: readonly (readonly Arc[])[];
  readonly outOf: readonly (readonly Arc[])[];
} {
  const into = operations.map((): Arc[] => []);
  const outOf = operations.map((): Arc[] => []);
  for (const arc of arcs) {
    into[arc.to]?.push(arc);
    outOf[arc.from]?.push(arc);
  }
  return { into, outOf };
}
