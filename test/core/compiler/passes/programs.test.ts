/**
 * The programs of test/programs/fpga in their variants, through the real build, compared with the serial ones. As HLS
 * C++ they run in disguise.test.ts.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Rig } from "../../../cli/rig.ts";

const folder = path.resolve(import.meta.dirname, "../../../programs/fpga");

interface Program {
  readonly name: string;
  readonly kernels?: string;
  readonly variants: string;
  /** Names that the variants must have, of all that they are. */
  readonly names: readonly string[];
  /** Another target. */
  readonly also?: string;
}

const programs: readonly Program[] = [
  {
    name: "sobel",
    variants: "{ model: [swi], window: [0, 1, 16] }",
    names: ["swi_sw0", "swi_sw1", "swi_sw16"],
  },
  {
    name: "fd3d",
    variants: "{ model: [swi], window: [1, 4], block-size: [0, 2], exclude: [{ window: 1, block-size: 2 }] }",
    names: ["swi_sw1", "swi_sw4", "swi_sw4_block-size=2"],
  },
  {
    name: "hotspot",
    variants:
      "{ model: [swi], hoist: [false, true], window: [8, auto], time-steps: [1, 4], exclude: [{ window: 8, time-steps: 4 }, { window: auto, time-steps: 1 }, { hoist: false, time-steps: 4 }] }",
    names: ["swi_sw8", "swi_hoist_sw8", "swi_hoist_time-steps=4"],
  },
  {
    name: "srad",
    variants: "{ model: [swi], reduction: [4], window: [0, 2] }",
    names: ["swi_r4_sw0", "swi_r4_sw2"],
    also: '  ocl: { kind: vitis, form: opencl, version: "2022.1", emulate: true }',
  },
  { name: "nw", variants: "{ window: [1, 4] }", names: ["sw1", "sw4"] },
  { name: "pathfinder", variants: "{ model: [swi], window: [1, 32] }", names: ["swi_sw1", "swi_sw32"] },
  {
    name: "jacobi",
    kernels: "{ sweep: { source: jacobi.c, function: sweep }, back: { source: jacobi.c, function: copy } }",
    variants:
      "{ sweep: { model: [swi], window: [16] }, back: { model: [nd, swi], compute-units: [32], exclude: [{ model: swi }] } }",
    names: ["swi_sw16_x_nd_numc32"],
  },
  {
    name: "stream",
    variants: "{ model: [swi], channel-depth: [1, 16] }",
    names: ["swi_channel-depth=1", "swi"],
    // Where there are no channels the same arrays are buffers.
    also: "  cpu: { kind: host }",
  },
  {
    name: "heat",
    variants: "{ model: [swi], time-steps: [3] }",
    names: ["swi_time-steps=3"],
  },
  { name: "waves", variants: "{ time-steps: [4] }", names: ["time-steps=4"] },
  { name: "cfd", variants: "{ model: [nd, swi] }", names: ["nd", "swi"] },
  {
    name: "eos",
    variants: "{ model: [swi], unroll: [4], fuse: [false, true] }",
    names: ["swi_u4", "swi_fuse_u4"],
  },
  { name: "matmul", variants: "{ model: [nd, swi], elim: [true] }", names: ["nd_elim", "swi_elim"] },
];

describe("programs for FPGAs", () => {
  it.each(programs.map((p) => [p.name, p] as const))(
    "give the serial result in all variants: %s",
    async (name, { variants, names, kernels, also }) => {
      const rig = new Rig(
        {
          "arc.yaml": [
            "arc: 1",
            `project: ${name}`,
            `sources: [${name}.c]`,
            "cflags: [-O1, -ffp-contract=off]",
            ...(kernels ? [`kernels: ${kernels}`] : []),
            "targets:",
            "  fpga: { kind: intel-fpga, emulate: true, device: stratix-v }",
            ...(also ? [also] : []),
            `variants: ${variants}`,
            "runs: { all: {} }",
            "verify: { run: all, tolerance: { rel: 1e-4 } }",
          ].join("\n"),
          [`${name}.c`]: readFileSync(path.join(folder, `${name}.c`), "utf8"),
        },
        "shared",
      );
      const { status, err } = await rig.arc(["verify", "--all"]);
      expect(status, err).toBe(0);
      for (const variant of names) expect(err).toContain(`fpga:${variant} with the serial program`);
    },
    180_000,
  );
});
