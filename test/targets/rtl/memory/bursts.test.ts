import { describe, expect, it } from "vitest";
import type { PortOptions } from "../../../../targets/rtl/design/design.ts";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, type Given, ideal, simulate } from "../simulation.ts";

const bytes = (n: number, f: (k: number) => number) => ({
  bytes: 1,
  values: Array.from({ length: n }, (_, k) => f(k) & 255),
});
const longs = (n: number, f: (k: number) => number) => ({
  bytes: 8,
  values: Array.from({ length: n }, (_, k) => f(k)),
});

interface Program {
  readonly name: string;
  readonly source: string;
  readonly given: Readonly<Record<string, Given>>;
}

const sums: Program = {
  name: "sums of bytes",
  source: `void work(int from, int to, unsigned char *restrict a, unsigned char *restrict b, unsigned char *restrict c) {
#pragma acc parallel loop copyin(a[0:300], b[0:300]) copy(c[0:301])
  for (int i = from; i < to; i++) c[i + 1] = a[i] + b[i + 2];
}`,
  given: {
    from: 3,
    to: 290,
    a: bytes(300, (k) => k * 7),
    b: bytes(300, (k) => k * 13 + 5),
    c: bytes(301, () => 9),
  },
};

const programs: readonly Program[] = [
  sums,
  {
    name: "words of bytes, and picked elements beside them",
    source: `void work(int n, unsigned char *restrict a, long *restrict t, unsigned char *restrict c, long *restrict d) {
#pragma acc parallel loop copyin(a[0:100], t[0:16]) copy(c[0:101], d[0:16])
#pragma unroll 4
  for (int i = 1; i < n; i++) {
    unsigned char x = a[i];
    if (x & 3) c[i + 1] = x + t[x & 15];
    if (x > 200) d[x & 15] = i;
  }
}`,
    given: {
      n: 98,
      a: bytes(100, (k) => (k * 7919) >> 3),
      t: longs(16, (k) => k * 3 - 7),
      c: bytes(101, () => 9),
      d: longs(16, (k) => k),
    },
  },
  {
    name: "loops that run again and again",
    source: `void work(long *restrict a, long *restrict b) {
#pragma acc serial copyin(a[0:40]) copyout(b[0:40])
  for (int r = 0; r < 5; r++)
    for (int i = r; i < 8 * r; i++) b[i] = a[39 - 8 * r + i] * r;
}`,
    given: { a: longs(40, (k) => k * k - 90), b: longs(40, () => 1) },
  },
];

const portsOf: readonly PortOptions[] = [
  { width: 32, burst: 2, outstanding: 2 },
  { width: 64, burst: 16 },
  { width: 128, burst: 4 },
  { width: 64, burst: 1 },
];

describe("the one memory port", () => {
  const serial = serialArrays(programs);
  it.each(portsOf.map((port) => [JSON.stringify(port), port] as const))(
    "reads and writes what the serial program does, whatever its words and bursts are: %s",
    (_, port) => {
      programs.forEach(({ source, given, name }, k) => {
        const made = designed(source, {}, "one", 50, port);
        expect(lint(made.design.text), name).toBe("");
        const run = simulate(made, given, { latency: 3, stalls: k === 1 ? 0 : 4, seed: k });
        expect(run.arrays, name).toEqual(serial[k]);
      });
    },
  );
  it("takes a cycle for four bytes, not for each of them", () => {
    const cycles = (port: PortOptions) =>
      simulate(designed(sums.source, {}, "one", 50, port), sums.given, { ...ideal, latency: 6 }).cycles;
    expect(cycles({ burst: 1 })).toBeGreaterThan(2 * 287);
    expect(cycles({ burst: 16 })).toBeLessThan(1.3 * 287);
  });
});
