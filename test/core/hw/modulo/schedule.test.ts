import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Arc, Operation, Problem } from "../../../../core/hw/modulo/constraints.ts";
import { binding, schedule } from "../../../../core/hw/modulo/schedule.ts";
import { cases } from "../../../cases.ts";

const add = { delay: 3, cycles: 0 };
const multiply = { delay: 0, cycles: 3, registered: 1 };

/** A value that each iteration makes from that of the one before, through `operations`. */
function recurrence(operations: readonly Operation[], distance: number, period = 10): Problem {
  const arcs = operations.map((_, k): Arc => {
    const last = k === operations.length - 1;
    return { from: k, to: last ? 0 : k + 1, distance: last ? distance : 0 };
  });
  return { operations, arcs, period };
}

describe("the modulo scheduler", () => {
  it("starts an iteration per cycle if nothing prevents it", () => {
    const problem: Problem = {
      operations: [add, add, multiply, add],
      arcs: [
        { from: 0, to: 1, distance: 0 },
        { from: 1, to: 2, distance: 0 },
        { from: 2, to: 3, distance: 0 },
      ],
      period: 10,
    };
    const found = schedule(problem);
    expect(found?.ii).toBe(1);
    // Two additions fit into a cycle; the product is there three cycles after.
    expect(found?.cycles).toEqual([0, 0, 0, 3]);
  });

  it("waits for a recurrence as long as its operators take, shared out over its distance", () => {
    expect(schedule(recurrence([multiply], 1))?.ii).toBe(3);
    expect(schedule(recurrence([multiply], 3))?.ii).toBe(1);
    expect(schedule(recurrence([multiply, multiply], 4))?.ii).toBe(2);
  });

  it("starts as many operations per cycle as there are units", () => {
    const operations = Array.from({ length: 5 }, () => ({ ...multiply, resource: "unit" }));
    expect(schedule({ operations, arcs: [], period: 10 })?.ii).toBe(5);
    expect(schedule({ operations, arcs: [], period: 10, resources: new Map([["unit", 2]]) })?.ii).toBe(3);
  });

  it("reports that there is no schedule if a value is needed before itself", () => {
    expect(schedule(recurrence([add, add], 0))).toBeUndefined();
  });

  it("finds an interval that no search improves, with all constraints satisfied", () => {
    fc.assert(
      fc.property(smallProblem, (problem) => {
        const found = schedule(problem, 1, 16);
        const best = smallestInterval(problem, 16);
        expect(found?.ii).toBe(best);
        if (!found) return;
        expect(found.ii).toBeGreaterThanOrEqual(found.mii);
        const at = (k: number) => found.cycles[k] as number;
        for (const { from, to, distance } of problem.arcs)
          expect(at(to) + distance * found.ii).toBeGreaterThanOrEqual(
            at(from) + (problem.operations[from]?.cycles ?? 0),
          );
        // No unit starts two operations in the same cycle of the interval, and no more units are used than allowed.
        const units = binding(problem, found);
        const turns = problem.operations.flatMap(({ resource }, k) => {
          if (resource === undefined) return [];
          expect(units[k]).toBeLessThan(problem.resources?.get(resource) ?? 1);
          return [`${resource} ${units[k]} ${at(k) % found.ii}`];
        });
        expect(new Set(turns).size).toBe(turns.length);
      }),
      cases(300),
    );
  });
});

/** Up to five operations of whole cycles: what a search over all starts can settle. */
const smallProblem: fc.Arbitrary<Problem> = fc
  .array(fc.record({ cycles: fc.integer({ min: 1, max: 3 }), unit: fc.constantFrom(undefined, "m", "a") }), {
    minLength: 1,
    maxLength: 5,
  })
  .chain((list) =>
    fc
      .array(
        fc.record({
          from: fc.nat(list.length - 1),
          to: fc.nat(list.length - 1),
          distance: fc.integer({ min: 0, max: 2 }),
        }),
        { maxLength: 6 },
      )
      .map((arcs) => ({
        operations: list.map(({ cycles, unit }) => ({
          delay: 0,
          cycles,
          registered: 0,
          ...(unit !== undefined && { resource: unit }),
        })),
        // Backward only from one iteration to a later one.
        arcs: arcs.map((a) => (a.from < a.to ? a : { ...a, distance: Math.max(1, a.distance) })),
        period: 10,
      })),
  )
  .chain((problem) =>
    fc.integer({ min: 1, max: 3 }).map((units) => ({ ...problem, resources: new Map([["m", units]]) })),
  );

function smallestInterval(problem: Problem, most: number): number | undefined {
  for (let ii = 1; ii <= most; ii++) if (exists(problem, ii)) return ii;
  return undefined;
}

/** Whether there are any starts at all for an interval: each operation's cycle modulo it, then its whole cycle. */
function exists(problem: Problem, ii: number): boolean {
  const { operations, arcs, resources } = problem;
  const slots: number[] = [];
  const place = (k: number): boolean => {
    if (k === operations.length) return fits();
    for (let slot = 0; slot < ii; slot++) {
      const unit = operations[k]?.resource;
      const taken = slots.filter((s, other) => s === slot && operations[other]?.resource === unit).length;
      if (unit !== undefined && taken >= (resources?.get(unit) ?? 1)) continue;
      slots[k] = slot;
      if (place(k + 1)) return true;
    }
    slots.length = k;
    return false;
  };
  // With the slots fixed the stages are differences with lower bounds: no cycle may be positive.
  const fits = (): boolean => {
    const stage = operations.map(() => 0);
    for (let round = 0; round <= operations.length; round++) {
      let changed = false;
      for (const { from, to, distance } of arcs) {
        const ready =
          (slots[from] as number) + (operations[from] as Operation).cycles - (slots[to] as number);
        const least = (stage[from] as number) + Math.ceil(ready / ii) - distance;
        if (least <= (stage[to] as number)) continue;
        stage[to] = least;
        changed = true;
      }
      if (!changed) return true;
    }
    return false;
  };
  return place(0);
}
