/** What iterations hand on through memory is taken from registers where it can be, else waited for. */
import { describe, expect, it } from "vitest";
import { serialArrays } from "../serial.ts";
import { designed, type Given, simulate } from "../simulation.ts";

const ints = (n: number, f: (k: number) => number): Given => ({
  bytes: 4,
  values: Array.from({ length: n }, (_, k) => f(k)),
});
const chars = (n: number, f: (k: number) => number): Given => ({
  bytes: 1,
  values: Array.from({ length: n }, (_, k) => f(k) & 255),
});

interface Case {
  readonly name: string;
  readonly source: string;
  readonly given: Readonly<Record<string, Given>>;
  /** The interval of the loop, and the iterations before whose stores it waits for. */
  readonly interval: number;
  readonly waits?: number;
}

const same = ints(48, (k) => k * 31 - 7);

const cases: readonly Case[] = [
  {
    name: "the element that the iteration before has stored",
    source: `void work(int *a) {
#pragma acc serial copy(a[0:48])
  for (int i = 1; i < 48; i++) a[i] += a[i - 1];
}`,
    given: { a: same },
    interval: 1,
  },
  {
    name: "elements that were stored only under a condition, downwards",
    source: `void work(int *a, const unsigned char *restrict m) {
#pragma acc serial copy(a[0:48]) copyin(m[0:48])
  for (int i = 44; i >= 0; i--)
    if (m[i] & 1) a[i] ^= a[i + 3] + a[i + 1];
}`,
    given: { a: same, m: chars(48, (k) => k * 89) },
    interval: 1,
  },
  {
    name: "a place that data decide: the last iterations' stores are compared",
    source: `void work(const unsigned char *restrict x, int *restrict bins) {
#pragma acc serial copyin(x[0:60]) copy(bins[0:8])
  for (int i = 0; i < 60; i++) bins[x[i] & 7] += i;
}`,
    given: { x: chars(60, (k) => (k * k) >> 3), bins: ints(8, () => 5) },
    interval: 2,
    waits: 9,
  },
  {
    name: "one place that never changes",
    source: `void work(const int *restrict x, int *restrict most, int at) {
#pragma acc serial copyin(x[0:40]) copy(most[0:4])
  for (int i = 0; i < 40; i++)
    if (x[i] > most[at]) most[at] = x[i];
}`,
    given: { x: ints(40, (k) => (k * 7919) % 1000), most: ints(4, () => 10), at: 2 },
    interval: 1,
  },
  {
    name: "what an iteration loads after a store that may have been there",
    source: `void work(const unsigned char *restrict x, int *restrict a) {
#pragma acc serial copyin(x[0:40]) copy(a[0:48])
  for (int i = 0; i < 40; i++) {
    a[x[i] & 31] = i;
    a[i + 8] = a[x[i] >> 3] * 2;
  }
}`,
    given: { x: chars(40, (k) => k * 37), a: same },
    interval: 2,
    waits: 5,
  },
  {
    name: "pointers that lead to the same array",
    source: `void work(int *a, int *b) {
#pragma acc serial copy(a[0:48], b[0:48])
  for (int i = 1; i < 40; i++) {
    a[i] = a[i - 1] + 3;
    b[i + 2] = b[i] ^ i;
  }
}`,
    given: { a: same, b: same },
    // Both stores go through one port.
    interval: 2,
  },
  {
    name: "not what gives an address",
    source: `void work(const unsigned char *restrict k, unsigned char *restrict y) {
#pragma acc serial copyin(k[0:64]) copy(y[0:64])
  for (int i = 2; i < 40; i++) y[i] = k[y[i - 2] & 63];
}`,
    given: { k: chars(64, (k) => k * 13), y: chars(64, (k) => k) },
    interval: 1,
    waits: 2,
  },
  {
    name: "not a part of an element",
    source: `void work(int *a) {
#pragma acc serial copy(a[0:48])
  for (int i = 1; i < 40; i++) a[i] += ((unsigned char *)a)[4 * i - 2];
}`,
    given: { a: same },
    interval: 1,
    waits: 1,
  },
];

describe("an iteration takes what was stored before", () => {
  const want = serialArrays(cases);
  it.each(cases.map((one, k) => [one.name, k] as const))("%s", (_, k) => {
    const { source, given, interval, waits } = cases[k] as Case;
    const made = designed(source);
    const loops = (made.design.plans[0]?.pipelines ?? []).filter(({ pipeline }) => pipeline.loop);
    expect(loops.map(({ ii, pipeline }) => [ii, pipeline.loop?.memory?.distance])).toEqual([
      [interval, waits],
    ]);
    for (const latency of [1, 25]) {
      const run = simulate(made, given, { latency, stalls: latency === 1 ? 0 : 5, seed: k + 1 });
      expect(run.arrays, `latency ${latency}`).toEqual(want[k]);
    }
  });
});

describe("a loop of a constant length inside another", () => {
  const row = (gap: number) => `void work(const int *restrict x, int *restrict y) {
#pragma acc serial copyin(x[0:${16 * gap}]) copy(y[0:${16 * gap}])
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++) y[i * ${gap} + j] = x[i * ${gap} + j] * 3 + i;
}`;
  it.each([
    ["is a pipeline of its own where the stores of an iteration around it would take turns", 17, 16],
    ["is unrolled where they pass as one word", 16, 1],
  ])("%s", (_, gap, starts) => {
    const source = row(gap);
    const given = { x: ints(16 * gap, (k) => k * 77), y: ints(16 * gap, () => 1) };
    const made = designed(source);
    const run = simulate(made, given);
    expect(run.arrays).toEqual(serialArrays([{ source, given }])[0]);
    const loops = made.design.plans[0]?.pipelines.filter(({ pipeline }) => pipeline.loop) ?? [];
    expect(loops.map(({ ii }) => ii)).toEqual([1]);
    expect(Math.max(...run.pipelines.map((p) => (p.iterations > p.starts ? p.starts : 0)))).toBe(starts);
  });
});
