/** The budget of tracing that nobody asked for. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { TracingBudget } from "../../../../core/build/run/tracing-budget.ts";

test("whatever actions take, tracing them takes a twentieth, and what was started meanwhile", () => {
  const actions = fc.array(
    fc.record({
      seconds: fc.double({ min: 0, max: 10, noNaN: true }),
      // A tracer takes no longer than what it traces.
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(actions, (all) => {
      const budget = new TracingBudget();
      let [total, cost, dearest, leftOut] = [0, 0, 0, 0];
      for (const { seconds, share } of all) {
        const isTraced = budget.allows();
        const tracer = isTraced ? seconds * share : 0;
        budget.spent(seconds, tracer);
        total += seconds;
        cost += 1.5 * tracer;
        dearest = Math.max(dearest, 1.5 * tracer);
        leftOut += isTraced ? 0 : 1;
      }
      expect(cost).toBeLessThanOrEqual(0.1 + 0.05 * total + dearest + 1e-9);
      expect(budget.leftOut).toBe(leftOut);
    }),
  );
});

test("a build of a few actions is traced as a whole", () => {
  const budget = new TracingBudget();
  for (let at = 0; at < 40; at++) {
    expect(budget.allows()).toBe(true);
    budget.spent(0.01, 0.001);
  }
});
