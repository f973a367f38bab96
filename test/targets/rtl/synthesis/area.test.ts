/** What keeps designs small: streams, counters, shared sums. Each gives the serial result, and is there. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { serialArrays } from "../serial.ts";
import { type Designed, designed, simulate } from "../simulation.ts";

const ints = (n: number, f: (k: number) => number) => ({
  bytes: 4,
  values: Array.from({ length: n }, (_, k) => f(k)),
});
const count = (text: string, word: string) => text.split(word).length - 1;
const streams = ({ design }: Designed) => ({
  reads: count(design.text, "arc_stream_read #(."),
  writes: count(design.text, "arc_stream_write #(."),
});

const cases: readonly {
  readonly name: string;
  readonly source: string;
  readonly reads: number;
  readonly writes: number;
}[] = [
  {
    name: "an element per iteration",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc parallel loop copyin(a[0:40]) copy(out[0:40])
  for (int i = 0; i < n; i++) out[i + 3] = a[i + 2] * 3;
}`,
    reads: 1,
    writes: 1,
  },
  {
    name: "elements that a condition picks, packed",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:40]) copy(out[0:40])
  {
    int k = 1;
    for (int i = 0; i < n; i++)
      if (a[i] & 1) out[k++] = a[i];
    out[0] = k;
  }
}`,
    reads: 1,
    writes: 1,
  },
  {
    name: "rows of a nest, one after the other, and what is between them",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc parallel loop collapse(2) copyin(a[0:40]) copy(out[0:40])
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 8; j++)
      out[8 * i + j] = (i < 2 ? a[8 * i + j] : i == 4 ? j : 7) + (j != 7) + (j >= 3) + (i > 0);
}`,
    reads: 0,
    writes: 1,
  },
  {
    name: "a part of the iterations",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc parallel loop copyin(a[0:40]) copy(out[0:40])
  for (int i = -7; i < 60; i++)
    if (i >= 5 && i < 33) out[i] = a[i] + i;
}`,
    reads: 1,
    writes: 1,
  },
  {
    name: "backwards, and with a stride",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc parallel loop copyin(a[0:40]) copy(out[0:40])
  for (int i = 19; i >= 0; i--) out[2 * i] = a[i];
}`,
    reads: 0,
    writes: 0,
  },
  {
    name: "a loop that may end early",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:40]) copy(out[0:40])
  for (int i = 0; i < 40; i++) {
    if (i * n > 500) break;
    out[i] = a[i];
  }
}`,
    reads: 0,
    writes: 1,
  },
  {
    name: "what the iteration before stores, which is taken from a register",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:40]) copy(out[0:40])
  for (int i = 1; i < 40; i++) out[i] = out[i - 1] + a[i];
}`,
    reads: 1,
    writes: 1,
  },
  {
    name: "what iterations long before store",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:40]) copy(out[0:40])
  for (int i = 9; i < 40; i++) out[i] = out[i - 9] + a[i];
}`,
    reads: 0,
    writes: 0,
  },
  {
    name: "windows with factors of either sign",
    source: `void work(int n, int *restrict a, int *restrict out) {
#pragma acc parallel loop collapse(2) copyin(a[0:96]) copy(out[0:96])
#pragma openarc transform window(a, out)
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 12; j++) {
      int x = 12 * i + j, v = -1;
      if (i > 0 && i < 7 && j > 0 && j < 11) {
        int p = -a[x - 13] + 2 * a[x - 12] - a[x - 11] + 3 * a[x - 1] - 6 * a[x] + 3 * a[x + 1];
        int q = 2 * a[x - 13] - 2 * a[x - 11] - a[x + 11] + a[x + 13];
        v = (p < 0 ? -p : p) + (q < 0 ? -q : q) < 900 ? p : q;
      }
      out[x] = v;
    }
}`,
    reads: 1,
    writes: 1,
  },
];

describe("consecutive accesses need no addresses", () => {
  const given = (k: number) => ({
    n: 29,
    a: ints(96, (x) => ((x * 7919 + k) % 511) - 200),
    out: ints(96, (x) => -x),
  });
  it.each(cases.map((c, k) => [c.name, c, k] as const))("%s", (_, { source, reads, writes }, k) => {
    const made = designed(source);
    expect(streams(made)).toEqual({ reads, writes });
    const [serial] = serialArrays([{ source, given: given(k) }]);
    for (const stalls of [0, 5]) {
      const { arrays } = simulate(made, given(k), { latency: 3, stalls, seed: k + 1 });
      expect(arrays.out).toEqual(serial?.out);
    }
  });
});

/** Lookup tables and block RAM of a module. */
function synthesised(text: string, module: string): { readonly luts: number; readonly rams: number } {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-area-"));
  try {
    writeFileSync(path.join(folder, "design.v"), text);
    const script = `read_verilog design.v; synth_ice40 -top ${module}; stat -top ${module}`;
    const out = execFileSync("yosys", ["-p", script], { cwd: folder, encoding: "utf8", stdio: "pipe" });
    const of = (cell: string) =>
      Number([...out.matchAll(new RegExp(`${cell} +(\\d+)`, "g"))].at(-1)?.[1] ?? 0);
    return { luts: of("SB_LUT4"), rams: of("SB_RAM40_4K") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("Sobel, 640 wide", () => {
  it("takes no more RAM than by hand, and at most 1.3 times the logic", () => {
    const root = path.join(import.meta.dirname, "../../../..");
    const text = readFileSync(path.join(root, "examples/sobel-rtl/src/edges.c"), "utf8");
    const region = text
      .slice(text.indexOf("static void"), text.indexOf("/* A picture"))
      .replaceAll("HEIGHT", "480")
      .replaceAll("WIDTH", "640");
    const made = designed(`int abs(int);\n${region}`);
    const module = made.design.plans[0]?.region.name as string;
    const arc = synthesised(made.design.text, module);
    const hand = synthesised(readFileSync(path.join(root, "test/bench/rtl/sobel.v"), "utf8"), "sobel");
    expect(arc.rams).toBe(hand.rams);
    expect(arc.luts).toBeLessThan(1.3 * hand.luts);
  });
});
