/** What keeps a loop from its interval. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recurrenceAgainst } from "../../../core/hw/limits.ts";
import { type Arc, type Problem, schedule } from "../../../core/hw/schedule.ts";

const multiply = { delay: 0, cycles: 3, registered: 1 };
const add = { delay: 3, cycles: 0 };

describe("the recurrence in the way", () => {
  it("is the cycle that is too long, without what only hangs on it", () => {
    // 0 -> 1 -> 2 -> 1 of the next iteration; 3 takes what 2 gives.
    const problem: Problem = {
      operations: [add, multiply, add, add],
      arcs: [
        { from: 0, to: 1, distance: 0 },
        { from: 1, to: 2, distance: 0 },
        { from: 2, to: 1, distance: 1 },
        { from: 2, to: 3, distance: 0 },
      ],
      period: 10,
    };
    const { recurrence = 0 } = schedule(problem)?.bounds ?? {};
    expect(recurrence).toBeGreaterThan(2);
    expect([...recurrenceAgainst(problem, recurrence - 1)].sort()).toEqual([1, 2]);
    expect(recurrenceAgainst(problem, recurrence)).toEqual([]);
  });

  it("is the way to an operation that must start in the iteration's first cycle", () => {
    const problem: Problem = {
      operations: [{ ...add, at: 0 }, multiply, add],
      arcs: [
        { from: 0, to: 1, distance: 0 },
        { from: 1, to: 2, distance: 0 },
        { from: 2, to: 0, distance: 1 },
      ],
      period: 10,
    };
    expect(recurrenceAgainst(problem, 1)).toEqual(expect.arrayContaining([0, 1, 2]));
  });

  it("is found wherever an interval is too short, and only there", () => {
    const operation = fc.constantFrom(add, multiply, { delay: 0, cycles: 1, registered: 1 });
    const problem = fc.array(operation, { minLength: 2, maxLength: 7 }).chain((operations) => {
      const last = operations.length - 1;
      const arc = fc
        .tuple(fc.nat(last), fc.nat(last), fc.integer({ min: 1, max: 3 }))
        .map(([a, b, far]): Arc => ({ from: a, to: b, distance: a < b ? 0 : far }));
      return fc
        .array(arc, { minLength: 1, maxLength: 10 })
        .map((arcs): Problem => ({ operations, arcs, period: 10 }));
    });
    fc.assert(
      fc.property(problem, (p) => {
        const recurrence = schedule(p)?.bounds.recurrence;
        if (recurrence === undefined) return;
        for (let ii = 1; ii <= recurrence + 1; ii++) {
          const found = recurrenceAgainst(p, ii);
          expect(found.length > 0).toBe(ii < recurrence);
          // Each waits for the one before it.
          found.slice(1).forEach((op, k) => {
            expect(p.arcs.some((a) => a.from === found[k] && a.to === op)).toBe(true);
          });
        }
      }),
      { numRuns: 300 },
    );
  });
});
