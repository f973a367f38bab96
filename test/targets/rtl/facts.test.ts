/** What arc knows of a design before any tool runs, compared with the simulation's counts. */
import { describe, expect, it } from "vitest";
import { knownCycles } from "../../../core/hw/schedule/trips.ts";
import { factsOf } from "../../../targets/rtl/facts.ts";
import { designed, ideal, simulate } from "./simulation.ts";

const ints = (n: number) => ({ bytes: 4, values: Array.from({ length: n }, (_, k) => k) });

describe("cycles that are known before a run", () => {
  it.each([1, 4])("are those of the simulation, with %s iterations at once", (unroll) => {
    const design = designed(
      `void work(int *restrict a, int *restrict b) {
#pragma acc parallel loop copyin(a[0:48]) copyout(b[0:48])
  for (int i = 0; i < 48; i++) b[i] = 3 * a[i] + 1;
}`,
      { unroll },
    );
    const [plan] = design.design.plans;
    const { cycles } = simulate(design, { a: ints(48), b: ints(48) });
    expect(plan && knownCycles(plan, ideal)).toBe(cycles);
  });

  it("are not given where the launch decides a loop's end", () => {
    const { design } = designed(`void work(int n, int *restrict a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) a[i] += 1;
}`);
    expect(factsOf(design)).not.toHaveProperty("cycles");
  });
});

it("a nest that is not collapsed pays its fill and drain in every outer iteration", () => {
  const source = (rows: number) => `void work(int *restrict a, int *restrict s) {
#pragma acc parallel loop copyin(a[0:200]) copyout(s[0:${rows}]) num_gangs(1) num_workers(1) vector_length(1)
  for (int i = 0; i < ${rows}; i++) {
    int sum = 0;
    for (int j = 0; j < 40; j++) sum += a[j];
    s[i] = sum;
  }
}`;
  const [inner] = factsOf(designed(source(5)).design).loops;
  expect(inner).toMatchObject({ ii: 1, trips: 40, repeated: true, source: { line: 5 } });
  const cycles = (rows: number) =>
    simulate(designed(source(rows)), { a: ints(200), s: ints(rows) }, { ...ideal, latency: 4 }).cycles;
  const perRow = cycles(5) - cycles(4);
  // Beside the loop a row has its own steps, before and after.
  expect(perRow).toBeGreaterThanOrEqual(40 + (inner?.fill ?? Number.NaN));
  expect(perRow).toBeLessThan(40 + (inner?.fill ?? Number.NaN) + 40);
});

it("an innermost loop that is not pipelined is reported with the reason", () => {
  const { loops } = factsOf(
    designed(`void work(int n, int *restrict at, int *restrict a) {
#pragma acc serial copyin(at[0:n]) copy(a[0:n])
  for (int i = 0; i < n; i++) {
    a[i] = i;
    a[at[i]] += ((char *)a)[at[n - 1 - i]];
  }
}`).design,
  );
  expect(loops).toMatchObject([
    {
      pipelined: false,
      source: { line: 3 },
      details: "the loop is not pipelined: 'a' is read after a store that may change it (line 5)",
    },
  ]);
});

describe("the limit of an interval", () => {
  it("names the recurrence by its operations and their lines", () => {
    const { design } = designed(`void work(int n, int *restrict a, int *restrict s) {
#pragma acc parallel loop copyin(a[0:n]) copyout(s[0:n])
  for (int once = 0; once < 1; once++) {
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
      x = x *
          a[i];
      s[i] = x;
    }
  }
}`);
    const limit = factsOf(design).loops.find(({ ii = 1 }) => ii > 1)?.details;
    expect(limit).toMatch(/^recurrence: .*\* \(line 6\)/);
  });

  it("names the stores that share a port", () => {
    const { design } = designed(`void work(int n, int *restrict a) {
#pragma acc parallel loop copyout(a[0:2*n])
  for (int i = 0; i < n; i++) {
    a[7 * i] = i;
    a[7 * i + 1] = -i;
  }
}`);
    const [loop] = factsOf(design).loops;
    expect(loop).toMatchObject({ ii: 2, details: "one port: a (line 4), a (line 5)" });
  });

  it("names what iterations wait for in memory", () => {
    const { design } = designed(`void work(int n, int *a) {
#pragma acc parallel loop seq copy(a[0:n])
  for (int i = 9; i < n; i++) a[i] = a[i - 9] + 1;
}`);
    const [loop] = factsOf(design).loops;
    expect(loop?.details).toMatch(/^memory: 'a' is read 9 iterations after it is written \(line 3\)$/);
    expect(loop?.ii).toBeGreaterThan(1);
  });
});

it("an iteration is reported operation by operation, with slack and the ones that limit the interval", () => {
  const { design } = designed(`void work(int n, float *restrict a, float *restrict s) {
#pragma acc parallel loop copyin(a[0:n]) copyout(s[0:n])
  for (int once = 0; once < 1; once++) {
    float x = 1;
    for (int i = 0; i < n; i++) {
      x = x *
          a[i] + 3 * i;
      s[i] = x;
    }
  }
}`);
  const loop = factsOf(design).loops.find(({ ii = 1 }) => ii > 1);
  const { interval, steps = [] } = loop?.schedule ?? {};
  expect(interval).toBe(loop?.ii);
  const step = (what: string) => steps.find((one) => one.what === what);
  const [product, sum, store] = [step("fmul"), step("fadd"), step("store s")];
  expect(product).toMatchObject({ source: { line: 6 }, slack: 0, limits: true });
  expect(sum).toMatchObject({
    start: (product?.start ?? 0) + (product?.cycles ?? 0) + 1,
    slack: 0,
    limits: true,
  });
  expect(store?.limits).toBeUndefined();
  // The sum waits for the product, which takes longer than the conversion: so much later could that come.
  const conversion = step("itof");
  expect(conversion?.slack).toBe(
    (sum?.start ?? 0) - (conversion?.start ?? 0) - (conversion?.cycles ?? 0) - 1,
  );
  expect(conversion?.slack).toBeGreaterThan(0);
});
