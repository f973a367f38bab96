/** Emitted kernels under Oclgrind, which sees every access outside of a buffer and every use of an unset value. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Rig } from "../../../../cli/rig.ts";
import { ones } from "../stencils.ts";

const library = "/usr/lib/oclgrind/liboclgrind-rt.so";

const program = `
#include <stdio.h>
#include <stdlib.h>
#define R 7
#define C 9
static float sum;
static void stencil(const float *restrict in, const float *restrict p, float *restrict out) {
#pragma acc parallel loop collapse(2) ${ones} copyin(in[0:R*C], p[0:R*C]) copy(out[0:R*C])
#pragma openarc transform window(in, out)
#pragma openarc transform window(p, out)
  for (int i = 0; i < R; i++)
    for (int j = 0; j < C; j++) {
      int x = i * C + j;
      float s = in[x] + p[x];
      if (i > 0) s += 2 * in[x - C] - p[x - C];
      if (i < R - 1 && j > 1) s += 3 * in[x + C - 2];
      out[x] = s + (j < C - 1 ? p[x + 1] : 0);
    }
}
static void recurrence(int n, int *restrict a) {
#pragma acc serial loop copy(a[0:n])
#pragma openarc transform window(a, a)
  for (int x = 5; x < n; x++) a[x] = a[x] * 3 + a[x - 1] - a[x - 5];
}
static void total(int n, const float *restrict x) {
#pragma acc parallel loop ${ones} reduction(+:sum) copyin(x[0:n])
  for (int i = 0; i < n; i++) sum += x[i];
}
static void many(int n, const float *restrict x, float *restrict y) {
#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])
  for (int i = 0; i < n; i++) y[i] = y[i] * 2 + x[i];
}
int main(void) {
  float *in = malloc(R * C * sizeof *in), *p = malloc(R * C * sizeof *p), *out = malloc(R * C * sizeof *out);
  int *a = malloc(R * C * sizeof *a);
  for (int k = 0; k < R * C; k++) { in[k] = k % 13; p[k] = k % 7; out[k] = -1; a[k] = k % 5; }
  stencil(in, p, out);
  recurrence(R * C, a);
  total(R * C - 2, in);
  many(R * C - 1, in, p);
  for (int k = 0; k < R * C; k++) printf("%g %d %g\\n", out[k], a[k], p[k]);
  printf("%g\\n", sum);
}`;

const rig = () =>
  new Rig(
    {
      "arc.yaml": `arc: 1
project: watched
sources: [a.c]
cflags: [-O1]
targets:
  intel: { kind: intel-fpga, emulate: true, device: stratix-v }
  amd: { kind: vitis, emulate: true, form: opencl, version: "2022.2" }
variants: { window: [4], block-size: [0, 4], reduction: [2] }
`,
      "a.c": program,
    },
    "shared",
  );

/** What the same source prints without directives. */
function serial(folder: string): string {
  execFileSync("cc", ["-w", "a.c", "-o", "serial"], { cwd: folder });
  return execFileSync(path.join(folder, "serial"), { encoding: "utf8" });
}

describe("kernels for FPGAs under Oclgrind", () => {
  it("stay inside their buffers, use only initialised values, and end in order", async () => {
    expect(existsSync(library), "oclgrind is not installed").toBe(true);
    const project = rig();
    const built = await project.arc(["build", "--all"]);
    expect(built.status, built.err).toBe(0);
    const variants = ["intel", "amd"].flatMap((target) =>
      readdirSync(path.join(project.folder, "out", target)).map((v) => `${target}/${v}`),
    );
    expect(variants).toHaveLength(4);
    const expected = serial(project.folder);
    for (const variant of variants) {
      const env = {
        ARC_OPENCL_LIBRARY: library,
        OCLGRIND_UNINITIALIZED: "1",
        OCLGRIND_DATA_RACES: "1",
      };
      const { status, out, err } = await project.run(
        path.join(project.folder, "out", variant, "watched"),
        [],
        { env },
      );
      expect(err, variant).not.toMatch(/invalid (read|write)|uninitialized|data race|error/i);
      expect(status, `${variant}: ${err}`).toBe(0);
      expect(out).toBe(expected);
    }
  }, 120_000);
});
