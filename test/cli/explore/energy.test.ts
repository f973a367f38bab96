/**
 * Energy of designs on NVIDIA GPUs, in `arc explore`, `arc bench` and `arc doctor`. The driver, NVML and nvcc are stand-ins: what a
 * GPU takes is made up, what arc makes of it is not.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Totals } from "../../../cli/report/model/report.ts";
import { hasOpenCl } from "../../programs/devices.ts";
import { Workshop } from "../../targets/runtime/harness.ts";
import { lines, Rig } from "../rig.ts";

const shop = new Workshop();
afterAll(() => shop.remove());
const drivers = shop.path("drivers");
mkdirSync(drivers);
shop.library("cuda_stand_in", path.join(drivers, "libcuda.so.1"));
shop.library("nvml_stand_in", path.join(drivers, "libnvidia-ml.so.1"));
const openClLibrary = path.join(drivers, "libnvidia_opencl.so");
if (hasOpenCl) shop.library("nvidia_opencl", openClLibrary, "-Wl,--no-as-needed", "-l:libOpenCL.so.1");

/** Makes what the stand-in for the driver loads: the length of a shared object, and it. */
const nvcc = `
[ "$1" = --version ] && echo "stand-in for nvcc" && exit
for word; do case $word in *.cu) text=$word ;; esac; last=$word; done
name=$(sed -n 's/^extern "C" __global__ .* \\([a-z_0-9]*\\)(.*/\\1/p' $text)
{
  echo '#include "${path.resolve(import.meta.dirname, "../../targets/cuda/lanes.h")}"'
  sed "s/^extern \\"C\\" __global__\\(.*\\) $name(/static\\1 kernel(/" $text
  echo "extern \\"C\\" void $name(void **p, const unsigned *g, const unsigned *b) { lanes::launch(&kernel, p, g, b); }"
  echo "extern \\"C\\" { extern const lanes::table \${name}_sizes; const lanes::table \${name}_sizes = lanes::listed(&kernel); }"
} | g++ -std=c++17 -w -shared -fPIC -x c++ - -o library || exit 1
size=$(stat -c %s library)
for i in 1 2 3 4 5 6 7 8; do printf "\\\\$(printf %03o $((size % 256)))"; size=$((size / 256)); done > $last
cat library >> $last`;

// Groups of 64 take twice the power. Two launches, so many milliseconds apart.
const source = `#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(int argc, char **argv) {
  const char *target = getenv("ARC_TARGET");
  setenv("STAND_IN_WATTS", target && strstr(target, "vl64") ? "200" : "100", 1);
  const long between = argc > 1 ? atol(argv[1]) : 1;
  const struct timespec pause = {between / 1000, between % 1000 * 1000000};
  float a[100] = {0};
#pragma acc data copy(a)
  for (int i = 0; i < 2; i++) {
#pragma acc parallel loop present(a)
    for (int k = 0; k < 100; k++) a[k] += k;
#pragma acc wait
    if (i == 0) nanosleep(&pause, NULL);
  }
  printf("%g\\n", a[3]);
  return 0;
}
`;
const yaml = `arc: 1
project: p
sources: [p.c]
targets:
  gpu: { kind: cuda, variants: { vector-length: [auto, 64] } }
  ocl: { kind: opencl, variants: { vector-length: [auto, 64] } }
  amd: { kind: hip, variants: { vector-length: [auto, 64] } }
runs: { long: { args: [800] }, coarse: { args: [700] }, other: { args: [600] }, short: { args: [1] } }
`;
const env = { LD_LIBRARY_PATH: drivers, ARC_OPENCL_PLATFORM: "Portable" };
const rig = new Rig({ "arc.yaml": yaml, "p.c": source }, "shared");
rig.tool("nvcc", nvcc);

interface Energy {
  readonly by: string;
  readonly median: number;
  readonly uncertainty: number;
}
const last = <T>(out: string) => JSON.parse(lines(out).at(-1) ?? "") as T;

function expectWatts(energy: Energy | undefined, watts: number): void {
  expect(energy?.by).toBe("NVML");
  // The power is always the same: joules can only be wrong by the time at which a step was seen.
  const { median = 0, uncertainty = 1 } = energy ?? {};
  expect(uncertainty).toBeGreaterThan(0);
  expect(median).toBeGreaterThanOrEqual(watts * 0.8 * (1 - uncertainty));
  expect(median).toBeLessThanOrEqual(watts * 1.5);
}

describe("designs on an NVIDIA GPU", () => {
  it("are compared by what NVML counts while they have launches", { timeout: 240_000 }, async () => {
    const words = ["explore", "gpu", "long", "-n", "1", "--warm-up", "0", "--goal", "energy"];
    const { status, out, err } = await rig.arc([...words, "--json"], { env });
    expect(status, err).toBe(0);
    const { best, results } = last<{ best: string[]; results: { variant: string; energy: Energy }[] }>(out);
    expect(best).toEqual(["gpu:default"]);
    const of = (id: string) => results.find(({ variant }) => variant === id)?.energy;
    expectWatts(of("gpu:default"), 100);
    expectWatts(of("gpu:vl64"), 200);
    expect(err).toContain(
      "arc: joules are of the whole GPU while it has launches (NVML): cuda:0 (stand-in, sm_90)\n",
    );
    // What is known is not measured again; the table says by what it was counted, and how well.
    const again = await rig.arc([...words, "--budget", "0"], { env });
    expect(again.out).toMatch(/^variant .* energy +least to most +counted by$/m);
    expect(again.out).toMatch(/^gpu:vl64 .* \d+ J +\d+ J to \d+ J +NVML, ± [\d.]+ %$/m);
  });

  it("are not compared where a run is too short for the counter's steps, or nothing counts", {
    timeout: 240_000,
  }, async () => {
    const explored = async (run: string, more: Readonly<Record<string, string>>, target = "gpu") => {
      const words = ["explore", target, run, "-n", "1", "--warm-up", "0", "--goal", "pareto"];
      const { status, err } = await rig.arc(words, { env: { ...env, ...more } });
      expect(status, err).toBe(2);
      return err;
    };
    expect(await explored("short", {})).toMatch(
      /the energy of gpu:default is not known: NVML counts in steps of [\d.]+ m?s, and only [\d.]+ m?s pass from/,
    );
    expect(await explored("coarse", { STAND_IN_STEP: "150" })).toMatch(
      /the energy of gpu:default is not known: NVML counts in steps, of which less than 10 pass .* right to \d+ % only/,
    );
    expect(await explored("long", { ARC_NVML_LIBRARY: "none.so" })).toContain(
      "the energy of gpu is not known: NVML cannot be used: none.so: cannot open shared object file",
    );
    // Once it counts, what was measured without joules is measured again.
    const mismatch = await rig.arc(["bench", "gpu", "other", "-n", "1", "--watched", "1"], {
      env: { ...env, STAND_IN_NVML: "mismatch" },
    });
    expect(mismatch.err).toContain(
      "is not known: NVML cannot be used: nvmlInit: Driver/library version mismatch (18)",
    );
    const words = [
      "explore",
      "gpu",
      "other",
      "-n",
      "1",
      "--warm-up",
      "0",
      "--budget",
      "1",
      "--goal",
      "energy",
    ];
    const { status, err } = await rig.arc(words, { env });
    expect(status, err).toBe(0);
    expect(await explored("short", {}, "amd")).toContain("amd cannot be measured here");
  });

  it("have their joules in `arc bench`, or the reason why not", { timeout: 240_000 }, async () => {
    const words = ["bench", "gpu", "short", "-n", "1", "--watched", "1"];
    const counted = await rig.arc([...words.with(2, "long"), "--json"], { env });
    expectWatts(last<{ results: { energy: Energy }[] }>(counted.out).results[0]?.energy, 100);
    // Also in the report, which is of the first run, as is the time.
    const reported = await rig.arc(["report", "gpu", "--json"], { env });
    const [one] = last<{ variants: { totals: Totals }[] }>(reported.out).variants;
    expect(one?.totals.energyFrom).toBe("NVML");
    expect(one?.totals.energy).toBeGreaterThan(40);
    expect((await rig.arc(["report", "gpu"], { env })).out).toMatch(/ \d+\.?\d* J .*counted \(NVML\)$/m);
    const short = await rig.arc(words, { env });
    expect(short.status, short.err).toBe(0);
    expect(short.err).toContain("arc: the energy of gpu:default is not known: NVML counts in steps of ");
    expect(short.out).not.toContain("energy");
    expect(short.err).toMatch(
      /^arc: launches and transfers are medians of \d+ runs? with device profiling, and not of those/m,
    );
  });

  it("are known to `arc doctor`", async () => {
    const { out } = await rig.arc(["doctor"], { env: { ...env, ARC_POWERCAP: rig.root } });
    expect(out).toMatch(/^ok +cuda device +cuda:0 \(stand-in, sm_90\), gpu; energy is counted \(NVML\)$/m);
    expect(out).toMatch(
      /^ok +host device +host:0, cpu; energy is not counted: the kernel counts no joules in/m,
    );
  });
});

describe.skipIf(!hasOpenCl)("OpenCL devices", () => {
  it("are counted by NVML where they are NVIDIA's", { timeout: 240_000 }, async () => {
    const nvidia = { ...env, ARC_OPENCL_LIBRARY: openClLibrary };
    const { out } = await rig.arc(["doctor"], { env: nvidia });
    expect(out).toMatch(/^ok +opencl device +opencl:0 .*, gpu; energy is counted \(NVML\)$/m);
  });
});
