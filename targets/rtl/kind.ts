/** Verilog of arc's own: simulated cycle by cycle, and placed and routed with open tools. */
import { processor, type TargetKind, type TargetOptions } from "../shared/kind.ts";
import { fabricStages, parts } from "./fabric.ts";
import { type Simulated, simulation } from "./verilator.ts";

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
    wrapper: {
      description:
        "what the kernel is placed and routed in: `uart` is memory on the chip and a serial line to a host, `frame` shift registers, to measure the kernel alone; default frame",
      enum: ["uart", "frame"],
    },
    simulate: {
      description:
        "what programs run with: `design` is the kernel over the program's memory; `board` is the kernel in its wrapper, through the serial line; `netlist` is the board as synthesis leaves it, gate by gate; default design",
      enum: ["design", "board", "netlist"],
    },
    seed: { description: "seed of place and route; default 1", type: "integer", minimum: 0 },
  },
  emitter: async ({ clock = defaultClock, ports, wrapper, simulate = "design" }) =>
    (await import("./emit.ts")).rtlEmitter({
      clock: Number(clock),
      ports: ports === "one" ? "one" : "separate",
      wrapper: wrapper === "uart" ? "uart" : "frame",
      throughBoard: simulate !== "design",
    }),
  profile: async ({ clock = defaultClock }) => (await import("./emit.ts")).profileOf(Number(clock)),
  device: () => ({ ...processor, counts: "ARC_RTL_REPORT" }),
  readReport: async (files) => (await import("./report.ts")).readReport(files),
  toolchain: (options) => {
    const { part, clock = defaultClock, seed = 1, wrapper, simulate = "design" } = options;
    const known = typeof part === "string" ? parts[part] : undefined;
    const lacks = lackOf(options);
    return {
      extension: "v",
      ...(known && { fabric: fabricStages(known, Number(clock), Number(seed), wrapper === "uart") }),
      ...(lacks !== undefined && { lacks }),
      payloads: [{ kind: "so", call: simulation(simulate as Simulated) }],
    };
  },
};

/** Boards are what the serial line leads to, netlists what synthesis for a part leaves. */
function lackOf({ part, wrapper, simulate = "design" }: TargetOptions): string | undefined {
  if (simulate === "design") return undefined;
  if (wrapper !== "uart")
    return `say \`wrapper: uart\`: \`simulate: ${simulate}\` reaches the kernel through it`;
  if (simulate === "netlist" && part === undefined)
    return "name the `part` of the target: `simulate: netlist` is of what is made for it";
  return undefined;
}
