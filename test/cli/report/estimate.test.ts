/** Estimates of FPGA variants through the real `arc`: built as actions, shown by `arc report`. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Rig } from "../rig.ts";

const source = `#include <stdio.h>
#include <stdlib.h>
static float x[4096];
static float sum(int n) {
  float total = 0;
#pragma acc parallel loop copyin(x) reduction(+:total)
  for (int i = 0; i < n; i++)
    total += x[i] * x[i];
  return total;
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  for (int i = 0; i < 4096; i++) x[i] = i % 3;
  float total = 0;
  for (int k = 0; k < 5; k++) total += sum(n);
  printf("%g\\n", total);
}
`;
const yaml = `arc: 1
project: squares
sources: [squares.c]
targets:
  fpga: { kind: intel-fpga, device: stratix-v, emulate: true }
  cpu: { kind: host }
variants: { model: [swi], reduction: [0, 4] }
runs:
  small: { args: ["200"] }
  large: { args: ["4096"] }
verify: { run: small }
`;
const project = (changes: Readonly<Record<string, string>> = {}): Rig =>
  new Rig({ "arc.yaml": yaml, "squares.c": source, ...changes }, "shared");

describe("the estimate of a variant", () => {
  it("is made by arc build, and arc report shows intervals, trips, times, area and assumptions", async () => {
    const rig = project();
    const built = await rig.arc(["build", "--all"]);
    expect(built.status, built.err).toBe(0);
    const { out } = await rig.arc(["report", "--all"]);
    expect(out).toMatch(
      /^fpga:swi_r0, estimated on Stratix V at \d+ MHz: ALUT \d+ of 344000 \([\d.]+ %\), FF/m,
    );
    expect(out).toMatch(
      /^sum \(squares\.c:6\) +swi .* 8 +total \(line 8\): 8 cycles to the next iteration +200 .*in 5 launches, pipeline +4096 /m,
    );
    expect(out).toMatch(/^sum \(squares\.c:6\) +swi .* line 6 +1 /m);
    expect(out).toMatch(/assumed: .*the latency of float \*/);
    expect(out).not.toMatch(/cpu:.*estimated/);
  });

  it("is part of the report's JSON, with each loop's limit", async () => {
    const rig = project();
    await rig.arc(["build", "fpga"]);
    const { out } = await rig.arc(["report", "fpga", "--json"]);
    const [row] = JSON.parse(out).variants;
    expect(row.estimate).toMatchObject({
      device: "Stratix V",
      available: { dsps: 1590 },
      kernels: [
        {
          function: "sum",
          model: "swi",
          runs: [
            {
              run: "small",
              launches: 5,
              loops: [{ trips: 200, ii: 8, limit: { line: 8, latency: 8, distance: 1 } }],
            },
            { run: "large", launches: 5, loops: [{ trips: 4096, ii: 8 }] },
          ],
        },
      ],
    });
    expect(row.estimate.kernels[0].assumed).toContain("the latency of float * (Stratix V)");
  });

  it("stays where neither the program nor the device changed, and stands without a vendor's compiler", async () => {
    const rig = project({ "arc.yaml": yaml.replace(", emulate: true", "") });
    const first = await rig.arc(["build", "fpga", "--json"]);
    const second = await rig.arc(["build", "fpga", "--json"]);
    const made = (out: string) =>
      out.match(/"type":"done"[^\n]*fpga:swi_r0#estimate[^\n]*|fpga:swi_r0#estimate[^\n]*"type":"done"/g);
    expect(made(first.out)).not.toBeNull();
    expect(second.out).not.toMatch(/"how":"ran"/);
    const { out } = await rig.arc(["report", "fpga"]);
    expect(out).toMatch(/fpga:swi_r0, estimated on Stratix V/);
  });

  it("leaves errors in the source to the translation", async () => {
    const rig = project({ "squares.c": source.replace("reduction(+:total)", "reduction(+:totl)") });
    const { status, err } = await rig.arc(["build", "fpga"]);
    expect(status).toBe(1);
    expect(err).toContain("totl");
    expect(err).not.toMatch(/estimate fpga.*(failed|error)/);
  });

  it("is shown beside what the vendor's report says, once there is one", async () => {
    const rig = project({ "arc.yaml": yaml.replace(", emulate: true", "") });
    // Stands in for aoc.
    rig.tool(
      "aoc",
      `[ "$1" = -version ] && echo "stand-in for aoc 19.4, with an area" && exit
if [ "$1" = -rtl ]; then
  mkdir -p kernel/reports/lib/json
  echo '{"columns":["","ALUTs","FFs","RAMs","DSPs"],"total":[1234,9,9,9],"total_percent":[5,2,3,4],"children":[]}' > kernel/reports/lib/json/area.json
  exit
fi
while [ "$1" != -o ]; do shift; done
echo bitstream > "$2"`,
    );
    const built = await rig.arc(["build", "fpga"]);
    expect(built.status, built.err).toBe(0);
    const { out } = await rig.arc(["report", "fpga"]);
    expect(out).toMatch(/the vendor's report of sum: aluts 1234/);
  });
});

it("kernels of a vendor are counted on demand by open synthesis, also in a store with a space in its path, and those that cannot be are named", async () => {
  const rig = new Rig({
    "arc.yaml": [
      "arc: 1",
      "project: both",
      "sources: [both.c]",
      "targets: { fpga: { kind: intel-fpga, emulate: true } }",
      "variants: { model: [swi] }",
    ].join("\n"),
    "both.c": `#include <math.h>
static int a[64], b[64];
static float x[64];
static void whole(void) {
#pragma acc parallel loop copyin(a) copyout(b)
  for (int i = 0; i < 64; i++) b[i] = a[i] ^ (a[i] >> 3);
}
static void real(void) {
#pragma acc parallel loop copy(x)
  for (int i = 0; i < 64; i++) x[i] = lgammaf(x[i]);
}
int main(void) {
  whole();
  real();
  return b[7];
}
`,
  });
  const env = { ARC_STORE: path.join(rig.root, "a störe") };
  const built = await rig.arc(["build", "fpga#synthesis", "fpga#kernels"], { env });
  expect(built.status, built.err).toBe(0);
  expect(built.err).toMatch(/not counted: both\.c:10: .*lgammaf/);
  const { out } = await rig.arc(["report", "fpga"], { env });
  expect(out).toMatch(
    /whole \(both\.c:5\): synthesis only, of arc's own Verilog for cyclonev-5csema5: .*\d+ ALUT/,
  );
  expect(out).not.toMatch(/real .*synthesis only/);
}, 240_000);
