/** Verilog of arc's own: simulated cycle by cycle, and placed and routed with open tools. */
import { processor, type TargetKind, type Toolchain } from "../shared/kind.ts";
import { fabricStages, parts } from "./fabric.ts";

const defaultClock = 80;

export const rtl: TargetKind = {
  kind: "rtl",
  description: "an FPGA, through Verilog of arc's own; programs run with the simulated design",
  options: {
    clock: {
      description: `clock that pipelines are made for, in MHz; default ${defaultClock}`,
      type: "integer",
      minimum: 1,
    },
    ports: {
      description:
        "how a kernel reaches memory: `separate` is a port per load and group of stores, `one` merges them by an arbiter; default separate",
      enum: ["separate", "one"],
    },
    part: {
      description: "place and route for this part, to a bitstream; without it designs are only simulated",
      enum: Object.keys(parts),
    },
    seed: { description: "seed of place and route; default 1", type: "integer", minimum: 0 },
  },
  emitter: async ({ clock = defaultClock, ports }) =>
    (await import("./emit.ts")).rtlEmitter({
      clock: Number(clock),
      ports: ports === "one" ? "one" : "separate",
    }),
  profile: async ({ clock = defaultClock }) => (await import("./emit.ts")).profileOf(Number(clock)),
  device: () => ({ ...processor, counts: "ARC_RTL_REPORT" }),
  readReport: async (files) => (await import("./report.ts")).readReport(files),
  toolchain: ({ part, clock = defaultClock, seed = 1 }) => ({
    extension: "v",
    ...fabricOf(part, Number(clock), Number(seed)),
    payloads: [
      {
        kind: "so",
        call: {
          tool: {
            program: "verilator",
            versionArgs: ["--version"],
            install: "apt-get install verilator g++ make",
          },
          args: (source, output, objects) => [
            "--cc",
            "--exe",
            "--build",
            "-O3",
            "--x-assign",
            "fast",
            "--x-initial",
            "fast",
            "-Wno-fatal",
            "-Wno-DECLFILENAME",
            "--top-module",
            "arc_design",
            "-Mdir",
            "model",
            "-MAKEFLAGS",
            "OPT_FAST=-O2 OPT_SLOW=-O0 OPT_GLOBAL=-O1",
            "-CFLAGS",
            "-fPIC -std=gnu++17",
            "-LDFLAGS",
            "-shared",
            objects,
            source,
            "simulator/arc_simulator.cpp",
            "-o",
            `../${output}`,
          ],
          takesSimulator: true,
        },
      },
    ],
  }),
};

function fabricOf(part: unknown, clock: number, seed: number): Pick<Toolchain, "fabric"> {
  const known = typeof part === "string" ? parts[part] : undefined;
  return known === undefined ? {} : { fabric: fabricStages(known, clock, seed) };
}
