/** How much later operations of a schedule could start. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { after, type Problem } from "../../../../core/hw/modulo/constraints.ts";
import { type Schedule, schedule } from "../../../../core/hw/modulo/schedule.ts";
import { slackOf } from "../../../../core/hw/modulo/slack.ts";

const op = (cycles: number) => ({ delay: 1, cycles, registered: 1 });

it("slack is the margin beside the longest path, and zero on a recurrence", () => {
  const problem: Problem = {
    // 0 -> 1 -> 2, and 3 -> 2; 4 feeds itself.
    operations: [op(4), op(6), op(1), op(2), op(3)],
    arcs: [
      { from: 0, to: 1, distance: 0 },
      { from: 1, to: 2, distance: 0 },
      { from: 3, to: 2, distance: 0 },
      { from: 4, to: 4, distance: 1 },
    ],
    period: 10,
  };
  const found = schedule(problem) as Schedule;
  expect(slackOf(problem, found)).toEqual([0, 0, 0, 8, 8]);
  const ring: Problem = { ...problem, arcs: [...problem.arcs, { from: 1, to: 0, distance: 1 }] };
  const slow = schedule(ring) as Schedule;
  expect(slow.ii).toBe(10);
  expect(slackOf(ring, slow).slice(0, 2)).toEqual([0, 0]);
});

it("using slack keeps every arc and the iteration's end where all operations take as much of it as any", () => {
  const arcs = fc.array(
    fc.record({
      from: fc.nat(5),
      to: fc.nat(5),
      distance: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 9 },
  );
  fc.assert(
    fc.property(
      arcs,
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 6, maxLength: 6 }),
      (all, cycles) => {
        const problem: Problem = {
          operations: cycles.map(op),
          // Within an iteration only forward: else nothing is a schedule.
          arcs: all.filter(({ from, to, distance }) => distance > 0 || from < to),
          period: 10,
        };
        const found = schedule(problem) as Schedule;
        const slack = slackOf(problem, found);
        const end = Math.max(...cycles.map((n, k) => n + (found.cycles[k] as number)));
        // As late as can be, all at once: the latest schedule is one.
        const latest = found.cycles.map((cycle, k) => cycle + (slack[k] as number));
        for (const arc of problem.arcs) {
          const start = { cycle: latest[arc.from] as number, offset: found.offsets[arc.from] as number };
          if (arc.from !== arc.to)
            expect(after(problem, arc, start, found.ii).cycle).toBeLessThanOrEqual(latest[arc.to] as number);
        }
        for (const [k, cycle] of latest.entries())
          expect(cycle + (cycles[k] as number)).toBeLessThanOrEqual(end);
        expect(slack.every((one) => one >= 0)).toBe(true);
      },
    ),
    { numRuns: 200, seed: 5 },
  );
});
