/** Programs with the simulators that are here: Verilator, or CXXRTL where there is no more than npm's Yosys and g++. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { rtl } from "../../../targets/rtl/kind.ts";
import { pathWithout } from "../../cli/path-without.ts";
import { Rig } from "../../cli/rig.ts";

const project = {
  "arc.yaml": `
arc: 1
project: smooth
sources: [smooth.c]
targets:
  fpga: { kind: rtl }
  verilated: { kind: rtl, simulator: verilator }
runs: { small: {} }
`,
  "smooth.c": `#include <stdio.h>
static long smooth(int n, const short *restrict a, short *restrict b) {
  long sum = 0;
#pragma acc parallel loop copyin(a[0:n]) copyout(b[1:n-2]) reduction(+:sum)
  for (int i = 1; i < n - 1; i++) {
    b[i] = (a[i - 1] + 2 * a[i] + a[i + 1]) / 4;
    sum += b[i];
  }
  return sum;
}
int main(void) {
  short a[100], b[100] = {0};
  for (int i = 0; i < 100; i++) a[i] = i * 7919 % 1000 - 500;
  long sum = smooth(100, a, b);
  printf("%ld %ld\\n", sum, smooth(3, a, b));
}
`,
};

/** The programs of this machine but simulators and what makes hardware. */
const without = (rig: Rig, more = "") =>
  pathWithout(path.join(rig.root, "path"), new RegExp(`^(yosys|verilator|iverilog${more})`));

it("count the same cycles, stalls and bytes, and CXXRTL is used if Verilator is missing", async () => {
  const rig = new Rig(project, "shared");
  const run = async (target: string, env: Readonly<Record<string, string>>) => {
    const report = path.join(rig.root, `${target}.json`);
    const memory = { ARC_RTL_LATENCY: "9", ARC_RTL_STALLS: "5", ARC_RTL_REPORT: report };
    const { status, out, err } = await rig.arc(["run", target], { env: { ...memory, ...env } });
    expect(status, err).toBe(0);
    return { err, saw: out + readFileSync(report, "utf8") };
  };
  const verilated = await run("verilated", {});
  const otherwise = await run("fpga", { PATH: without(rig) });
  expect(otherwise.saw).toBe(verilated.saw);
  expect(otherwise.saw).toMatch(/^-?\d+ -?\d+\n\{.*"stalls":[1-9].*\}\n\{.*\}\n$/);
  expect(otherwise.err).toMatch(/write the model of smooth_\w+ for fpga:default \(smooth\.c:4\) with yosys/);
  expect(otherwise.err).toMatch(/compile smooth_\w+ for fpga:default \(smooth\.c:4\) with g\+\+/);
}, 240_000);

it("have a place for every array, however many there are", async () => {
  const arrays = Array.from({ length: 19 }, (_, k) => `a${k}`);
  const source = `#include <stdio.h>
static void add(int n, ${arrays.map((a) => `const int *restrict ${a}`).join(", ")}, int *restrict sum) {
#pragma acc serial copyin(${arrays.map((a) => `${a}[0:n]`).join(", ")}) copyout(sum[0:n])
  for (int i = 0; i < n; i++) sum[i] = ${arrays.map((a, k) => `${k + 1} * ${a}[i]`).join(" + ")};
}
int main(void) {
  int a[19][4], sum[4];
  for (int k = 0; k < 76; k++) a[k / 4][k % 4] = k * k;
  add(4, ${arrays.map((_, k) => `a[${k}]`).join(", ")}, sum);
  for (int i = 0; i < 4; i++) printf("%d\\n", sum[i]);
}
`;
  const yaml =
    "arc: 1\nproject: add\nsources: [add.c]\ntargets: { fpga: { kind: rtl } }\nruns: { small: {} }\n";
  const rig = new Rig({ "arc.yaml": yaml, "add.c": source }, "shared");
  const { status, out, err } = await rig.arc(["verify", "fpga"]);
  expect(status, out + err).toBe(0);
}, 240_000);

it.runIf(process.env.ARC_SLOW_TESTS)(
  "write waveforms, of which CXXRTL has the design's signals by their names",
  async () => {
    const rig = new Rig(project, "shared");
    const env = { PATH: without(rig) };
    const traced = await rig.arc(["run", "fpga", "--waves", "out.vcd"], { env });
    expect(traced.status, traced.err).toBe(0);
    for (const file of ["out.vcd", "out.2.vcd"]) {
      expect(rig.read(file)).toMatch(/\$scope module kernel \$end/);
      expect(rig.read(file)).toMatch(/\$var (reg|wire) 1 \S+ done \$end/);
    }
  },
  240_000,
);

it("that are missing or unsuitable are named with instructions", async () => {
  const rig = new Rig(project, "shared");
  const none = await rig.arc(["run", "fpga"], { env: { PATH: without(rig, "|g\\+\\+") } });
  expect(none.status).toBe(1);
  expect(none.err).toMatch(/g\+\+ is not here: apt-get install g\+\+/);
  const board = { simulator: "cxxrtl", part: "ice40-hx8k", wrapper: "uart" };
  expect(rtl.toolchain({ ...board, simulate: "netlist" }).lacks).toMatch(/say `simulator: verilator`/);
  expect(rtl.toolchain({ ...board, waves: "fst" }).lacks).toMatch(/say `waves: vcd`/);
  expect(rtl.toolchain({ ...board, waves: "vcd", simulate: "board" }).lacks).toBeUndefined();
}, 120_000);
