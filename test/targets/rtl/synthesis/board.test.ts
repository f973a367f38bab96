/** Programs whose kernels run on a board's netlist, gate by gate, reached through its serial line. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { designOf } from "../../../../targets/rtl/design/design.ts";
import { rtl } from "../../../../targets/rtl/kind.ts";
import { hx8k } from "../../../../targets/rtl/parts.ts";
import { boardName } from "../../../../targets/rtl/verilog/board/wrapper.ts";
import type { LoweredRegion } from "../../../../targets/shared/device/device.ts";
import { Rig } from "../../../cli/rig.ts";
import { lint } from "../lint.ts";
import { designed } from "../simulation.ts";

/** `small` is the number of elements that a run without arguments has. */
const sourceFor = (small: number) => `
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : ${small}, mask = argc * 85;
  unsigned char *a = malloc(n);
  short *b = malloc(n * sizeof *b);
  for (int i = 0; i < n; i++) a[i] = i * 7, b[i] = 100 - i;
  int sum = 5;
#pragma acc parallel loop copyin(a[0:n]) copy(b[1:n-1]) reduction(+:sum)
  for (int i = 1; i < n; i++) {
    b[i] += a[i] ^ mask;
    sum += a[i];
  }
  for (int i = 0; i < n; i++) printf("%d ", b[i]);
  printf("%d\\n", sum);
  return 0;
}
`;

describe("a board's netlist", () => {
  const boards = [
    { part: "ice40-hx8k", memory: "block RAM", small: 61, large: "20000" },
    // More than its block RAM could hold; transfers take 30 s of processor time.
    { part: "ice40-up5k", memory: "single-port RAM", small: 6000, large: "60000" },
  ].slice(0, process.env.ARC_SLOW_TESTS ? 2 : 1);
  it.each(boards)(
    "gives the serial result through the serial line, and says where arrays do not fit: $part, $memory",
    async ({ part, small, large: tooLarge }) => {
      const rig = new Rig(
        {
          "arc.yaml": `
arc: 1
project: fold
sources: [fold.c]
targets:
  ice:
    { kind: rtl, part: ${part}, clock: 40, oscillator: 12, wrapper: uart, simulate: netlist, reschedule: false }
runs: { small: {} }
verify: { run: small }
`,
          "fold.c": sourceFor(small),
        },
        "shared",
      );
      const verified = await rig.arc(["verify"]);
      expect(verified.status, verified.out + verified.err).toBe(0);
      const program = path.join(rig.folder, "out/ice/default/fold");
      const runs = path.join(rig.folder, "runs.json");
      const run = (...args: string[]) =>
        spawnSync(program, args, { env: { ...process.env, ARC_RTL_REPORT: runs }, encoding: "utf8" });
      expect(run().status).toBe(0);
      const { cycles } = JSON.parse(rig.read("runs.json"));
      expect(cycles).toBeGreaterThan(small - 1);
      const large = run(tooLarge);
      expect(large.status).toBe(1);
      expect(large.stderr).toMatch(/its arrays take \d+ bytes, the board's memory has \d+/);
    },
    240_000,
  );

  it("exists only where the target has a board", async () => {
    const rig = new Rig(
      {
        "arc.yaml": `
arc: 1
project: fold
sources: [fold.c]
targets: { ice: { kind: rtl, simulate: netlist, part: ice40-hx8k } }
runs: { small: {} }
verify: { run: small }
`,
        "fold.c": sourceFor(61),
      },
      "shared",
    );
    const { out, err } = await rig.arc(["verify", "--strict"]);
    expect(out + err).toContain("say `wrapper: uart`");
  });

  it("has its signals at the pins that the target names", () => {
    const options = { part: "ice40-hx8k", wrapper: "uart", pins: "clk=J3 rx=B10 tx=B12" };
    const layout = rtl.toolchain(options).fabric?.find(({ name }) => name === "layout");
    expect(layout?.texts).toEqual({ "pins.pcf": "set_io clk J3\nset_io rx B10\nset_io tx B12\n" });
    expect(layout?.args("kernel.v").join(" ")).toContain("--pcf pins.pcf");
  });

  it.each([
    ["words of two sizes", "long long *b, int *a, int n", "copy(a[0:n], b[0:n])", "b[i] = a[i + 1] + 3;"],
    ["no loads", "short *restrict b, int n", "copyout(b[0:n])", "b[i] = i;"],
  ])("is Verilog without a warning: %s", (_, parameters, data, body) => {
    const { regions } = designed(`void work(${parameters}) {
#pragma acc serial ${data}
  for (int i = 0; i < n - 1; i++) ${body}
}`);
    const design = designOf(regions[0] as LoweredRegion, { device: hx8k, wrapper: "uart" });
    expect("text" in design && lint(design.text, boardName)).toBe("");
  });

  it("is refused where the kernel reads pointers from memory, which are the program's", () => {
    const { regions } = designed(`void work(int **rows, int *a) {
#pragma acc serial copyin(rows[0:4]) copyout(a[0:4])
  for (int i = 0; i < 4; i++) a[i] = *rows[i];
}`);
    const design = designOf(regions[0] as LoweredRegion, { device: hx8k, wrapper: "uart" });
    expect("diagnostics" in design && design.diagnostics.map((d) => `${d.loc.line} ${d.code}`)).toEqual([
      "2 pointers-on-board",
    ]);
  });

  it("is refused where there are more arguments than registers", () => {
    const scalars = Array.from({ length: 120 }, (_, k) => `s${k}`);
    const { regions } = designed(`void work(int *a, ${scalars.map((s) => `int ${s}`).join(", ")}) {
#pragma acc serial copyout(a[0:1])
  a[0] = ${scalars.join(" + ")};
}`);
    const design = designOf(regions[0] as LoweredRegion, { device: hx8k, wrapper: "uart" });
    expect(
      "diagnostics" in design && design.diagnostics.map((d) => `${d.loc.line} ${d.code}: ${d.message}`),
    ).toEqual(["2 too-many-arguments: this region takes 121 arguments, and there are registers for 120"]);
  });
});
