/** From C to an iCE40's bitstream by the installed Yosys, nextpnr and icepack, through the real build. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { pathWithout } from "../../../cli/path-without.ts";
import { Rig } from "../../../cli/rig.ts";

const source = `
#include <stdio.h>
int main(void) {
  unsigned char a[64], b[64];
  for (int i = 0; i < 64; i++) a[i] = i;
#pragma acc parallel loop copyin(a) copyout(b)
  for (int i = 0; i < 64; i++) b[i] = a[i] ^ 85;
  printf("%d\\n", b[9]);
  return 0;
}
`;

const project = {
  "arc.yaml": [
    "arc: 1",
    "project: mask",
    "sources: [mask.c]",
    "targets: { ice: { kind: rtl, part: ice40-hx8k, clock: 50 } }",
  ].join("\n"),
  "mask.c": source,
};

const tools = {
  installed: () => ({}),
  "of npm packages, where nothing else is installed,": (rig: Rig) => ({
    PATH: pathWithout(path.join(rig.root, "path"), /^(yosys|nextpnr|ice(pack|time|prog)|verilator|iverilog)/),
  }),
};

describe("place and route", () => {
  it.each(Object.keys(tools) as (keyof typeof tools)[])(
    "with the tools %s ends in a bitstream and a report of cells, clock and initiation interval",
    async (which) => {
      const rig = new Rig(project, "shared");
      const env = tools[which](rig);
      const { status, out, err } = await rig.arc(["build", "ice#configuration", "--json"], { env });
      expect(status, out + err).toBe(0);
      const phases = out.split("\n").flatMap((line): string[] => {
        const event = line === "" ? {} : JSON.parse(line);
        return event.type === "progress" ? [event.phase] : [];
      });
      expect(phases).toContainEqual(expect.stringMatching(/^pass \d+/));
      expect(phases).toContainEqual(expect.stringMatching(/^routing|^writing/));
      const folder = path.join(rig.folder, "out/ice/default/configuration");
      const [region = ""] = /main_\w+/.exec(out) ?? [];
      // An iCE40's configuration begins with this word.
      const bits = readFileSync(path.join(folder, `${region}.bin`));
      expect(bits.includes(Buffer.from("7eaa997e", "hex"))).toBe(true);
      const report = JSON.parse(readFileSync(path.join(folder, `${region}.report.json`), "utf8"));
      expect(report.loops.map((l: { ii: number }) => l.ii)).toEqual([1]);
      expect(report.resources.lcs).toBeGreaterThan(100);
      expect(report.percent.lcs).toBeLessThan(20);
      expect(report.fmax).toBeGreaterThan(40);
      // The frame is a flip-flop per signal.
      expect(report.wrapper.ffs).toBeGreaterThan(80);
      expect(report.lines.map((l: { line: number }) => l.line)).toContain(7);
      expect(report.critical.steps.some((s: { source?: { line: number } }) => s.source?.line === 7)).toBe(
        true,
      );
      const built = out.split("\n").find((line) => line.startsWith('{"type":"hardware"')) ?? "{}";
      expect(JSON.parse(built).kernels).toMatchObject([
        { how: "built", from: "layout", kernel: "main (mask.c:6)" },
      ]);
      const table = await rig.arc(["report"], { env });
      expect(table.out).toMatch(
        /^ice:default +main \(mask\.c:6\) +line 7 +1 +\d+ predicted +\d+\.\d +\d+ LC \(\d+ %\), .* place and route /m,
      );
      // What was placed is another design than the one that an edit made since.
      rig.write("mask.c", source.replace("85", "86"));
      expect((await rig.arc(["build", "ice:default#kernels"], { env })).status).toBe(0);
      expect((await rig.arc(["report"], { env })).out).toMatch(
        /^ice:default +main \(mask\.c:6\) +line 7 +1 +\d+ predicted +arc's schedule *$/m,
      );
    },
    300_000,
  );

  it.runIf(process.env.ARC_SLOW_TESTS)(
    "of an AXI4 manager with registers tells these from the kernel",
    async () => {
      const target = "{ kind: rtl, part: ice40-hx8k, clock: 40, ports: axi4, control: axi4-lite }";
      const yaml = ["arc: 1", "project: mask", "sources: [mask.c]", `targets: { ice: ${target} }`].join("\n");
      const rig = new Rig({ "arc.yaml": yaml, "mask.c": source }, "shared");
      const { status, out, err } = await rig.arc(["build", "ice#configuration"]);
      expect(status, out + err).toBe(0);
      const [{ hardware }] = JSON.parse((await rig.arc(["report", "ice", "--json"])).out).variants;
      const [{ resources, wrapper, lines, clock }] = hardware;
      expect(clock).toBeGreaterThan(40);
      // The frame has a flip-flop per signal, the registers hold two addresses.
      expect(wrapper.ffs).toBeGreaterThan(350);
      expect(resources.ffs).toBeGreaterThan(wrapper.ffs + 100);
      expect(lines.map((l: { line: number }) => l.line)).toContain(7);
    },
    300_000,
  );
});
