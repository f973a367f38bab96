/** Variants of a GPU's kernels compute what the serial program does, on PoCL. `ARC_SLOW_TESTS=1` tries many more. */
import { describe, expect, it } from "vitest";
import { Rig } from "../rig.ts";

const source = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 37, m = 2 * n + 1;
  double *a = malloc((size_t)n * m * sizeof *a), *y = malloc(n * sizeof *y), sum = 0;
  int counts[8] = {0};
#pragma acc data copyout(a[0:n*m], y[0:n])
  {
#pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) a[i * m + j] = (i * 7 + j * 3) % 11 - 5;
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int j = 0; j < m; j++) s += a[i * m + j] * (j % 3);
      y[i] = s;
    }
#pragma acc parallel loop gang num_gangs(3) vector_length(64) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
#pragma acc loop vector reduction(+ : sum)
      for (int j = 0; j < m; j++) sum += a[i * m + j] + y[i];
    }
#pragma acc parallel loop copy(counts)
    for (int i = 0; i < n * m; i++) {
#pragma acc atomic
      counts[(int)a[i] & 7]++;
    }
  }
  double all = 0;
  for (int i = 0; i < n; i++) all += y[i] * (i + 1);
  printf("%g %g", sum, all);
  for (int i = 0; i < 8; i++) printf(" %d", counts[i]);
  puts("");
  return 0;
}
`;
const yaml = (variants: string) => `arc: 1
project: shapes
sources: [shapes.c]
kernels:
  rows: { source: shapes.c, function: main, region: 2 }
targets:
  ocl: { kind: opencl, variants: ${variants} }
runs:
  small: { args: [37] }
`;

const slow = process.env.ARC_SLOW_TESTS === "1";
const variants = slow
  ? "{ vector-length: [auto, 32, 256], workers: [auto, 4], gangs: [0, 1, 7], items-per-lane: [auto, 1, 8], unroll: [auto, 4], mapping: [by-access, as-written], tile: [auto, 4x16, 64x64, 5x7], group-memory: [auto, none], exclude: [{ vector-length: 256, workers: 4 }] }"
  : "{ vector-length: [64], workers: [2], gangs: [3], items-per-lane: [2], unroll: [4], mapping: [as-written], tile: [8x16], group-memory: [none], rows: { mapping: [by-access], tile: [5x7], group-memory: [auto] } }";

describe("variants of GPU kernels", () => {
  it("compute what the serial program does", { timeout: slow ? 3_600_000 : 60_000 }, async () => {
    const rig = new Rig({ "arc.yaml": yaml(variants), "shapes.c": source }, "shared");
    const verified = await rig.arc(["verify", "--all"]);
    expect(verified.err).not.toMatch(/error[:[]/);
    expect(verified.status).toBe(0);
    const listed = await rig.arc(["report", "--all", "--json"]);
    expect(listed.status).toBe(0);
    if (!slow) expect(listed.out).toContain('"vector-length":64');
  });

  it("are refused where the target has no such group, at the region's place", async () => {
    const rig = new Rig(
      { "arc.yaml": yaml("{ vector-length: [256], workers: [4] }"), "shapes.c": source },
      "shared",
    );
    const { status, err } = await rig.arc(["build"]);
    expect(status).toBe(1);
    expect(err).toMatch(/shapes\.c:9:\d+: error.* groups of 1024 items .* have 256 at most/);
    expect(err).toContain("`exclude`");
  });

  it("have values that arc.yaml's reader knows", async () => {
    const rig = new Rig({ "arc.yaml": yaml("{ vector-length: [48] }"), "shapes.c": source }, "shared");
    const { status, err } = await rig.arc(["build"]);
    expect(status).toBe(2);
    expect(err).toMatch(/arc\.yaml:7:.*vector-length/);
  });
});
