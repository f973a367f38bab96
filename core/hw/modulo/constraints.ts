import { itemAt } from "../../checked/access.ts";
/** Constraints of a modulo schedule: how long operations take, and how long after which others they start. */

export interface Operation {
  /** Nanoseconds from the inputs to the result, or to the first register inside. */
  readonly delay: number;
  /** Cycles from the inputs to the result; 0: combinational. */
  readonly cycles: number;
  /**
   * Set if the result comes from a register: its delay in nanoseconds after the clock edge. Absent: it follows the
   * inputs.
   */
  readonly registered?: number;
  /** It must start in this cycle. */
  readonly at?: number;
  /** Operations with the same resource compete for its units in cycles that are equal modulo II. */
  readonly resource?: string;
}

export interface Arc {
  readonly from: number;
  readonly to: number;
  /** Dependence distance: the result of the iteration this many before. */
  readonly distance: number;
  /**
   * Absent: `to` takes the result of `from`. Otherwise only the order of starts counts: `to` starts at least this many
   * cycles after `from`.
   */
  readonly gap?: number;
}

export interface Problem {
  readonly operations: readonly Operation[];
  readonly arcs: readonly Arc[];
  /** In nanoseconds. */
  readonly period: number;
  /** Number of units of each resource; one for resources that are not listed. */
  readonly resources?: ReadonlyMap<string, number>;
}

export interface Start {
  readonly cycle: number;
  readonly offset: number;
}

export const isBefore = (a: Start, b: Start): boolean =>
  a.cycle < b.cycle || (a.cycle === b.cycle && a.offset < b.offset - 1e-9);

/** The earliest start of the arc's target if its source starts at `start`. */
export function after({ operations, period }: Problem, arc: Arc, start: Start, ii: number): Start {
  const [from, to] = [itemAt(operations, arc.from), itemAt(operations, arc.to)];
  if (arc.gap !== undefined) return { cycle: start.cycle + arc.gap - ii * arc.distance, offset: 0 };
  const offset = from.registered ?? start.offset + from.delay;
  const ready: Start = { cycle: start.cycle + from.cycles - ii * arc.distance, offset };
  // An operator slower than the clock gets a cycle to itself.
  return ready.offset > 0 && ready.offset + to.delay > period + 1e-9 && to.at === undefined
    ? { cycle: ready.cycle + 1, offset: 0 }
    : ready;
}

/** The arcs into and out of each operation. */
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
