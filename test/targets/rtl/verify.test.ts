/** Functions of <math.h> and narrow numbers through `arc verify`: within the tolerance, and reported otherwise. */
import { expect, it } from "vitest";
import { Rig } from "../../cli/rig.ts";

const project = (target: string, tolerance: string) => ({
  "arc.yaml": `
arc: 1
project: waves
sources: [waves.c]
libs: [m]
targets: { fpga: ${target} }
runs: { small: {} }
verify: { run: small, tolerance: ${tolerance} }
`,
  "waves.c": `#include <math.h>
#include <stdio.h>
#define N 40
int main(void) {
  float x[N], y[N], z[N];
  for (int i = 0; i < N; i++) x[i] = 0.1f + i * 0.07f;
#pragma acc parallel loop copyin(x) copyout(y)
  for (int i = 0; i < N; i++) y[i] = FIRST(x[i]);
#ifdef SECOND
#pragma acc parallel loop copyin(x, y) copyout(z)
  for (int i = 0; i < N; i++) z[i] = SECOND;
  for (int i = 0; i < N; i++) printf("%g ", z[i]);
#endif
  for (int i = 0; i < N; i++) printf("%g\\n", y[i]);
}
`,
});

const variants = (format: string) => `{ kind: rtl, variants: { format: ${format} } }`;

async function verified(target: string, tolerance: string, first: string, second?: string) {
  const files = project(target, tolerance);
  const defines = `#define FIRST ${first}\n${second ? `#define SECOND ${second}\n` : ""}`;
  const rig = new Rig({ ...files, "waves.c": defines + files["waves.c"] }, "shared");
  return rig.arc(["verify"]);
}

it("arc verify accepts a function in binary16 within the tolerance", async () => {
  const { status, out, err } = await verified(variants("f16"), "{ rel: 0.01 }", "expf");
  expect(status, out + err).toBe(0);
}, 240_000);

it.runIf(process.env.ARC_SLOW_TESTS).each([
  ["{ kind: rtl }", "{ rel: 1e-5 }", "powf(1.5f, x[i]) + logf(x[i]) * sinf(x[i])"],
  ["{ kind: rtl }", "{ rel: 1e-5 }", "fmaf(tanhf(x[i]), hypotf(x[i], 2), atan2f(y[i], -x[i]))"],
  ["{ kind: rtl }", "{ rel: 1e-5 }", "erff(x[i]) + cbrtf(x[i]) + expm1f(y[i]) * log1pf(x[i])"],
  [variants("bf16"), "{ rel: 0.1 }", "sqrtf(x[i]) / (1 + y[i])"],
  [variants("q16.16"), "{ rel: 1e-2, abs: 1e-3 }", "sqrtf(x[i]) / (1 + y[i])"],
  ["{ kind: rtl, ports: axi4, control: axi4-lite }", "{ rel: 1e-5 }", "cosf(x[i])"],
])(
  "arc verify accepts %s within %s: %s",
  async (target, tolerance, second) => {
    const first = target.includes("q16") ? "sqrtf" : "expf";
    const { status, out, err } = await verified(target, tolerance, first, second);
    expect(status, out + err).toBe(0);
  },
  600_000,
);
