/** Iterations that never meet in memory, which follows from the bounds of loops: they do not wait for each other. */
import { describe, expect, it } from "vitest";
import { serialArrays } from "../serial.ts";
import { designed, simulate } from "../simulation.ts";

interface Case {
  readonly name: string;
  readonly loops: string;
  /** Of each pipelined loop: its interval, and the iterations before whose stores it waits for. */
  readonly pipelines: readonly (readonly [interval: number, waits?: number])[];
}

const N = 12;

const cases: readonly Case[] = [
  {
    name: "LU, an outer product at a time: neither row nor column k is written",
    loops: `for (int k = 0; k < ${N}; k++) {
      for (int i = k + 1; i < ${N}; i++) a[i][k] = a[i][k] * 3 + a[k][k];
      for (int i = k + 1; i < ${N}; i++)
        for (int j = k + 1; j < ${N}; j++) a[i][j] -= a[i][k] * a[k][j];
    }`,
    pipelines: [[1], [1]],
  },
  {
    name: "LU, an inner product at a time: the one element written is a register",
    loops: `for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[k][j];
      for (int j = i; j < n; j++) for (int k = 0; k < i; k++) a[i][j] -= a[i][k] * a[k][j];
    }`,
    pipelines: [[1], [1]],
  },
  {
    name: "Cholesky",
    loops: `for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];`,
    pipelines: [[1]],
  },
  {
    name: "a triangle, downwards and by two, with bounds that are included",
    loops: `for (int i = 1; i < n; i++)
      for (int j = i - 1; j >= 0; j -= 2) for (long k = 0; k <= j; k++) a[k][j] += a[i][k] ^ a[i][j];`,
    pipelines: [[1]],
  },
  {
    name: "a vector that is turned around: the halves do not meet",
    loops: `for (int i = 0; i < ${N / 2}; i++) {
      int t = a[0][i];
      a[0][i] = a[0][${N - 1} - i];
      a[0][${N - 1} - i] = t;
    }`,
    pipelines: [[2]],
  },
  {
    name: "iterations side by side",
    loops: `for (int k = 0; k < ${N}; k++)
      for (int i = k + 1; i < ${N}; i++) {
        #pragma unroll 2
        for (int j = k + 1; j < ${N}; j++) a[i][j] -= a[i][k] * a[k][j];
      }`,
    pipelines: [[1]],
  },
  {
    name: "not where a bound is met: row k is written",
    loops: `for (int k = 0; k < ${N}; k++)
      for (int i = k; i < ${N}; i++)
        for (int j = k + 1; j < ${N}; j++) a[i][j] -= a[i][k] * a[k][j];`,
    pipelines: [[5, 9]],
  },
  {
    name: "not where the loop changes its bound",
    loops: `for (int i = 0, m = 0; i < n; i++, m++)
      for (int j = m + 1; j < n; j++) { if (a[i][j] & 1) m = m + 1; a[0][j] += a[0][m]; }`,
    pipelines: [[1, 1]],
  },
];

describe("loops whose bounds keep iterations apart", () => {
  const numbers = Array.from({ length: N * N }, (_, k) => ((k * 37) % 41) - 11);
  const given = { n: N - 1, a: { bytes: 4, values: numbers } };
  const sourceOf = (loops: string) => `void work(int n, int a[restrict ${N}][${N}]) {
#pragma acc serial copy(a[0:${N}][0:${N}])
  { ${loops.replaceAll("#pragma", "\n#pragma").replaceAll("unroll 2", "unroll 2\n")} }
}`;
  const want = serialArrays(cases.map(({ loops }) => ({ source: sourceOf(loops), given })));
  it.each(cases.map((one, k) => [one.name, k] as const))("%s", (_, k) => {
    const { loops, pipelines } = cases[k] as Case;
    const made = designed(sourceOf(loops));
    const found = (made.design.plans[0]?.pipelines ?? []).filter(({ pipeline }) => pipeline.loop);
    const { arrays } = simulate(made, given, { latency: 9, stalls: 4, seed: k + 1 });
    expect(arrays).toEqual(want[k]);
    expect(found.map(({ ii, pipeline }) => [ii, pipeline.loop?.memory?.distance])).toEqual(
      pipelines.map(([interval, waits]) => [interval, waits]),
    );
  });
});

describe("addresses that wrap around", () => {
  const bytes = { bytes: 1, values: Array.from({ length: 16 }, (_, k) => k * 5) };
  it.each([
    ["with each iteration", "c[i * 1073741824u] += i + c[1];", 4],
    ["with every other iteration", "c[i / 2 * 2 * 536870912u * 2] += i + c[1];", 4],
    [
      "under a bound that would keep them apart",
      "for (int j = i + 1; j < 12; j++) c[j & 7] ^= c[(i + 4) * 1073741824u];",
      4,
    ],
  ])("%s meet", (_, statement, step) => {
    const source = `void work(unsigned char *restrict c) {
#pragma acc serial copy(c[0:16])
  for (int i = 0; i < 40; i += ${step}) { ${statement} }
}`;
    const [want] = serialArrays([{ source, given: { c: bytes } }]);
    expect(simulate(designed(source), { c: bytes }, { latency: 9, stalls: 0, seed: 1 }).arrays).toEqual(want);
  });
});
