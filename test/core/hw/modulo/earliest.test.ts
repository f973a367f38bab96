/** The earliest starts at an interval, and what keeps a loop from a shorter one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Arc,
  after,
  isBefore,
  type Operation,
  type Problem,
  type Start,
} from "../../../../core/hw/modulo/constraints.ts";
import { earliestStarts, isConflict } from "../../../../core/hw/modulo/earliest.ts";
import { schedule } from "../../../../core/hw/modulo/schedule.ts";
import { cases } from "../../../cases.ts";

const multiply = { delay: 0, cycles: 3, registered: 1 };
const add = { delay: 3, cycles: 0 };

const conflictOf = (problem: Problem, ii: number) => {
  const found = earliestStarts(problem, ii);
  return isConflict(found) ? found : undefined;
};

describe("the recurrence that rules out an interval", () => {
  it("is the cycle that is too long, without operations that only depend on it", () => {
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
    expect([...(conflictOf(problem, recurrence - 1)?.through ?? [])].sort()).toEqual([1, 2]);
    expect(conflictOf(problem, recurrence)).toBeUndefined();
    expect([...(schedule(problem)?.against ?? [])].sort()).toEqual([1, 2]);
  });

  it("is the path to an operation that must start in the iteration's first cycle", () => {
    const problem: Problem = {
      operations: [{ ...add, at: 0 }, multiply, add],
      arcs: [
        { from: 0, to: 1, distance: 0 },
        { from: 1, to: 2, distance: 0 },
        { from: 2, to: 0, distance: 1 },
      ],
      period: 10,
    };
    expect(conflictOf(problem, 1)).toEqual({ through: [0, 1, 2], interval: 3 });
  });

  it("gives all intervals that it rules out at once", () => {
    const operations = Array.from({ length: 200 }, () => multiply);
    const arcs = operations.map((_, k): Arc => ({ from: k, to: (k + 1) % 200, distance: k === 199 ? 1 : 0 }));
    expect(conflictOf({ operations, arcs, period: 10 }, 1)?.interval).toBe(600);
  });

  it("leaves no interval where a value is needed before itself", () => {
    const arcs = [0, 1].map((k): Arc => ({ from: k, to: 1 - k, distance: 0 }));
    expect(conflictOf({ operations: [add, multiply], arcs, period: 10 }, 1)).toEqual({
      through: expect.anything(),
    });
  });

  it("is found wherever an interval is too short, and only there", () => {
    fc.assert(
      fc.property(problemOf(chained), (p) => {
        const recurrence = schedule(p)?.bounds.recurrence;
        if (recurrence === undefined) return;
        for (let ii = 1; ii <= recurrence + 1; ii++) {
          const found = conflictOf(p, ii);
          expect(found !== undefined).toBe(ii < recurrence);
          if (!found) continue;
          expect(found.through.length).toBeGreaterThan(0);
          // It rules out no interval that there is.
          expect(found.interval).toBeGreaterThan(ii);
          expect(found.interval).toBeLessThanOrEqual(recurrence);
          // Each waits for the one before it.
          found.through.slice(1).forEach((op, k) => {
            expect(p.arcs.some((a) => a.from === found.through[k] && a.to === op)).toBe(true);
          });
        }
      }),
      cases(200),
    );
  });

  it("is the largest, over all cycles, of latency by distance", () => {
    fc.assert(
      fc.property(problemOf(whole), (p) => {
        expect(schedule(p)?.bounds.recurrence).toBe(Math.max(1, ...cyclesOf(p).map(intervalOf(p))));
      }),
      cases(300),
    );
  });

  it("bounds the interval as relaxation at one interval after the other does, with operators that chain", () => {
    fc.assert(
      fc.property(problemOf(chained), (p) => {
        const [least, starts] = relaxed(p, 40) ?? [];
        const found = schedule(p, 1, 40);
        expect(found?.bounds.recurrence).toBe(least);
        expect(found?.cycles).toEqual(starts?.map((s) => s.cycle));
      }),
      cases(300),
    );
  });
});

const whole = fc
  .integer({ min: 0, max: 4 })
  .map((cycles): Operation => ({ delay: 0, cycles, registered: 0 }));

const chained: fc.Arbitrary<Operation> = fc.oneof(
  fc.constantFrom<Operation>(add, multiply, { delay: 0, cycles: 1, registered: 1 }, { ...add, at: 0 }),
  fc.record({ delay: fc.integer({ min: 0, max: 14 }), cycles: fc.integer({ min: 0, max: 2 }) }),
);

/** Backward arcs lead to a later iteration. */
const problemOf = (operation: fc.Arbitrary<Operation>): fc.Arbitrary<Problem> =>
  fc.array(operation, { minLength: 2, maxLength: 7 }).chain((operations) => {
    const last = operations.length - 1;
    const arc = fc
      .record(
        { a: fc.nat(last), b: fc.nat(last), far: fc.integer({ min: 1, max: 3 }), gap: fc.nat(3) },
        { requiredKeys: ["a", "b", "far"] },
      )
      .map(
        ({ a, b, far, gap }): Arc => ({
          from: a,
          to: b,
          distance: a < b ? 0 : far,
          ...(gap !== undefined && { gap }),
        }),
      );
    return fc.array(arc, { minLength: 1, maxLength: 12 }).map((arcs) => ({ operations, arcs, period: 10 }));
  });

/** Every cycle that passes an operation once at most, by its arcs. */
function cyclesOf({ operations, arcs }: Problem): Arc[][] {
  const from = (first: number, way: readonly Arc[]): Arc[][] =>
    arcs.flatMap((arc) => {
      if (arc.from !== (way.at(-1)?.to ?? first)) return [];
      if (arc.to === first) return [[...way, arc]];
      return arc.to < first || way.some((w) => w.to === arc.to) ? [] : from(first, [...way, arc]);
    });
  return operations.flatMap((_, first) => from(first, []));
}

const intervalOf =
  ({ operations }: Problem) =>
  (cycle: readonly Arc[]) => {
    const latency = cycle.reduce(
      (sum, { from, gap }) => sum + (gap ?? (operations[from] as Operation).cycles),
      0,
    );
    return Math.ceil(latency / cycle.reduce((sum, { distance }) => sum + distance, 0));
  };

/** The least interval at which starts come to rest, and where they do. */
function relaxed(problem: Problem, most: number): readonly [number, readonly Start[]] | undefined {
  const { operations, arcs } = problem;
  for (let ii = 1; ii <= most; ii++) {
    const starts = operations.map((o): Start => ({ cycle: o.at ?? 0, offset: 0 }));
    for (let round = 0; round < 500; round++) {
      const moves = arcs.flatMap((arc) => {
        const earliest = after(problem, arc, starts[arc.from] as Start, ii);
        if (!isBefore(starts[arc.to] as Start, earliest)) return [];
        starts[arc.to] = earliest;
        return [arc.to];
      });
      if (starts.some(({ cycle }, k) => cycle > (operations[k]?.at ?? cycle))) break;
      if (moves.length === 0) return [ii, starts];
    }
  }
  return undefined;
}
