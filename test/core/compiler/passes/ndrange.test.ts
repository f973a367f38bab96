/** NDRange kernels through the real build, on the processor's OpenCL driver. */
import { describe, expect, it } from "vitest";
import { Rig } from "../../../cli/rig.ts";

const program = `
#include <stdio.h>
#ifndef N
#define N 4096
#endif
#define R 32
static float a[N], b[N], grid[R][R + 5];
int main(void) {
  double sum = 0;
  for (int i = 0; i < N; i++) { a[i] = i % 13; b[i] = -1; }
#pragma acc parallel loop
  for (int i = 0; i < N; i++) b[i] = a[i] * 2 + 1;
#pragma acc parallel loop reduction(+:sum)
  for (int i = 0; i < N; i++) sum += b[i];
#pragma acc parallel loop collapse(2)
  for (int i = 0; i < R; i++) for (int j = 0; j < R + 5; j++) grid[i][j] = b[i % N] + j;
  printf("%g\\n", sum);
  for (int i = 0; i < N; i++) printf("%g ", b[i]);
  for (int i = 0; i < R; i++) for (int j = 0; j < R + 5; j++) printf("%g ", grid[i][j]);
}`;
const project = (cflags: string) => `arc: 1
project: nd
sources: [nd.c]
cflags: [-O1${cflags}]
targets:
  fpga: { kind: intel-fpga, emulate: true, device: stratix-v }
variants:
  model: [nd]
  elim: [false, true]
  simd: [1, 4]
  exclude: [{ elim: false, simd: 4 }]
runs:
  all: {}
verify: { run: all }
`;

describe("NDRange kernels for FPGAs", () => {
  it.each(["", ", -DN=4001", ", -DN=7"])(
    "give the serial result without checks and in lock-step, %s",
    async (cflags) => {
      const rig = new Rig({ "arc.yaml": project(cflags), "nd.c": program }, "shared");
      const { status, err } = await rig.arc(["verify", "--all"]);
      expect(err).not.toMatch(/error[:[]/);
      expect(status).toBe(0);
    },
    120_000,
  );
});
