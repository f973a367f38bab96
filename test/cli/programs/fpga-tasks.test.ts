/**
 * Tasks on `device(fpga)`: regions in their bodies run as hardware, simulated by whatever stands for it, between kernels of the
 * author's own on another device and tasks of the host. `ARC_SLOW_TESTS=1` simulates arc's own Verilog, too.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hasOpenCl } from "../../programs/devices.ts";
import { Rig } from "../rig.ts";

const program = readFileSync(path.resolve(import.meta.dirname, "../../programs/task-kernels/fpga.c"), "utf8");
const targets = {
  cpu: "kind: host",
  alveo: "kind: vitis, platform: any, emulate: true",
  stratix: "kind: intel-fpga, device: stratix-10, emulate: true",
  ...(process.env.ARC_SLOW_TESTS === "1" && { ice: "kind: rtl" }),
};
const config = `arc: 1
project: p
sources: [fpga.c]
targets:
${Object.entries(targets)
  .map(([name, target]) => `  ${name}: { ${target} }\n`)
  .join("")}`;
const env = { ARC_OPENCL_PLATFORM: "Portable", ARC_VERBOSE: "2" };

describe.skipIf(!hasOpenCl)("tasks on an FPGA", () => {
  const rig = new Rig({ "arc.yaml": config, "fpga.c": program }, "shared");

  it("are built for every target", async () => {
    const { status, out, err } = await rig.arc(["build"]);
    expect(status, out + err).toBe(0);
  });

  it.each(Object.keys(targets).filter((name) => name !== "cpu"))("find their data, on %s", async (name) => {
    const { status, out, err } = await rig.run(`out/${name}/default/p`, [], { env });
    expect(`${status} ${out}`, err).toBe("0 3 1137\n0 3\n");
    // What the kernels leave on their device, the FPGA gets, and nothing that it does not use.
    const moved = [...err.matchAll(/task: (\d+) bytes (to|from) opencl/g)].map((m) => `${m[1]} ${m[2]}`);
    expect(moved).toEqual(["256 to", "256 from", "256 to", "256 from"]);
  });

  it("are refused where the program has no hardware, unless there is another version", async () => {
    const { status, out, err } = await rig.run("out/cpu/default/p", [], { env });
    expect(`${status} ${out}`).toBe("1 ");
    expect(err).toMatch(
      /^fpga.c:\d+: error\[no-fpga\]: task: 'sums' is for an FPGA, and the program's regions run on host:0, as cpu:default has them$/m,
    );
    const only = await rig.run("out/cpu/default/p", ["versions"], { env });
    expect(`${only.status} ${only.out}`, only.err).toBe("0 0 3\n");
    expect(only.err).toContain("task: thirds runs as thirds");
    const other = await rig.run("out/alveo/default/p", ["versions"], { env });
    expect(`${other.status} ${other.out}`, other.err).toBe("0 0 3\n");
    expect(other.err).toContain("task: thirds runs as thirds_fpga");
  });
});
