/** The kind `rtl`: arc's own Verilog, simulated cycle by cycle, or placed and routed with open tools. */
import {
  type OptionalTool,
  type Payload,
  processor,
  type TargetKind,
  type TargetOptions,
} from "../shared/kind/kind.ts";
import { cxxrtl } from "./cxxrtl.ts";
import type { PortOptions } from "./design/design.ts";
import type { RtlOptions } from "./emit.ts";
import { placingTools, stagesOf, yosys, yosysPackage } from "./flows.ts";
import { modelledFamilies, partOf, parts, placedFamilies, resourcesOf, tableOf } from "./parts.ts";
import type { Simulated, Waves } from "./simulation.ts";
import { verilated } from "./verilator.ts";
import { type Pll, pllFor } from "./verilog/board/pll.ts";

const defaultClock = 80;

export const rtl: TargetKind = {
  kind: "rtl",
  description: "an FPGA, through Verilog of arc's own; programs run with the simulated design",
  fpga: true,
  options: {
    clock: {
      description: `clock that pipelines are made for, in MHz; default ${defaultClock}`,
      type: "integer",
      minimum: 1,
    },
    ports: {
      description:
        "how a kernel reaches memory: `separate` is a port per load and group of stores, `one` merges them by an arbiter, `axi4` makes that an AXI4 manager; default separate",
      enum: ["separate", "one", "axi4"],
    },
    control: {
      description:
        "AXI4 managers: `signals` has arguments, start and done as signals of the module, `axi4-lite` as registers of an AXI4-Lite subordinate; default signals",
      enum: ["signals", "axi4-lite"],
    },
    "port-width": {
      description: "one port: bits of a word; default 32",
      enum: [32, 64, 128],
    },
    burst: {
      description:
        "one port: words of the longest burst in which streams are read and written; 1: a command per access; default 16",
      enum: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    },
    outstanding: {
      description: "one port: commands to read, and to write, that may be under way; default 16",
      enum: [2, 4, 8, 16, 32, 64],
    },
    part: {
      description: `synthesise for this part, and place and route where open tools do (${placedFamilies()}), to a bitstream; without it designs are only simulated`,
      enum: Object.keys(parts),
    },
    wrapper: {
      description:
        "what the kernel is placed and routed in: `uart` is memory on the chip and a serial line to a host, `frame` shift registers, to measure the kernel alone; default frame",
      enum: ["uart", "frame"],
    },
    oscillator: {
      description:
        "iCE40 boards: MHz of the oscillator at `clk`; a PLL makes the highest clock of it that is not above `clock`. Default: the oscillator is the clock",
      type: "integer",
      minimum: 1,
    },
    pins: {
      description:
        "the package's pins for the board's signals, `clk=J3 rx=B10 tx=B12`; those left out are where place and route likes, or, of Nexus and Gowin parts, where a usual board has them",
      pattern: "^(clk|rx|tx)=\\w+( (clk|rx|tx)=\\w+)*$",
      patternMeaning: "signals of the board with their pins, as in `clk=J3 rx=B10 tx=B12`",
      type: "string",
    },
    simulate: {
      description:
        "what is simulated: `design` is the kernel over the program's memory; `board` is the kernel in its wrapper, through the serial line; `netlist` is the board as synthesis leaves it, gate by gate; default design",
      enum: ["design", "board", "netlist"],
    },
    simulator: {
      description:
        "what programs run with: `verilator`, or `cxxrtl`, which is Yosys of npm and g++; default: Verilator where it is installed, else CXXRTL",
      enum: ["verilator", "cxxrtl"],
    },
    waves: {
      description:
        "format of waveforms: programs write what the simulated signals do to the file that $ARC_RTL_WAVES names; `arc run --waves FILE` sets both",
      enum: ["vcd", "fst"],
    },
    seed: { description: "seed of place and route; default 1", type: "integer", minimum: 0 },
    reschedule: {
      description:
        "a design that misses its clock after place and route is scheduled again, once, with delays as much longer as was measured, and placed and routed again; programs run with that design. `false`: it stays as it is, and programs are simulated without waiting for place and route; default true",
      type: "boolean",
    },
  },
  conflict({ oscillator, clock = defaultClock, part, wrapper, pins, ports, control }) {
    if (control === "axi4-lite" && (ports !== "axi4" || wrapper === "uart"))
      return {
        option: "control",
        message: "this target's kernels are no AXI4 managers",
        why: "the registers stand beside the manager's memory port",
        remedy: "say `ports: axi4` and leave `wrapper: uart` out, or leave `control` out",
      };
    const family = wrapper === "uart" ? partOf(part)?.family : undefined;
    if (pins !== undefined && family?.layout === undefined)
      return {
        option: "pins",
        message: "this target has no board whose signals they could be",
        why: "`clk`, `rx` and `tx` are what a board has; a frame around a kernel is placed to be measured",
        remedy: `say \`wrapper: uart\` and a \`part\` of ${placedFamilies()}, or leave \`pins\` out`,
      };
    if (oscillator === undefined) return undefined;
    const reason = "an iCE40's PLL stands between the oscillator and the board";
    if (family?.pll === undefined)
      return {
        option: "oscillator",
        message: "this target has no board with a PLL",
        why: reason,
        remedy: "say `wrapper: uart` and an iCE40 `part`, or leave `oscillator` out",
      };
    if (pllFor(Number(oscillator), Number(clock)) !== undefined) return undefined;
    return {
      option: "oscillator",
      message: `a PLL makes no clock of ${clock} MHz or somewhat less of ${oscillator} MHz`,
      why: "it takes 10 to 133 MHz and makes 16 to 275",
      remedy: "choose another `clock`, or leave `oscillator` out where it is the clock",
    };
  },
  emitter: async (options, margin) => (await import("./emit.ts")).rtlEmitter(designOptions(options, margin)),
  profile: async ({ clock = defaultClock, part }, margin = 1) =>
    (await import("./profile.ts")).profileAt(tableOf(part), margin * Number(clock)),
  device: () => ({ ...processor, counts: "ARC_RTL_REPORT" }),
  readReport: async (files) => (await import("./report.ts")).readReport(files),
  measured: async (files, { part }) => (await import("./measured.ts")).measuredOf(files, tableOf(part).logic),
  proofs: {
    prover: yosysPackage,
    emitter: async (options, margin) =>
      (await import("./emit.ts")).rtlEmitter({ ...designOptions(options, margin), proves: true }),
  },
  moreTools: tools(),
  toolchain: (options) => {
    const { part, clock = defaultClock, seed = 1, wrapper, pins, oscillator, reschedule = true } = options;
    const known = partOf(part);
    const lacks = lackOf(options);
    return {
      extension: "v",
      ...(known && {
        fabric: stagesOf(known, {
          clock: Number(clock),
          seed: Number(seed),
          wrapper: wrapper === "uart" ? "uart" : "frame",
          ...(typeof pins === "string" && { pins }),
        }),
        available: resourcesOf(tableOf(part)),
        ...(known.power && { power: known.power }),
      }),
      ...(known?.family.layout &&
        reschedule === true && {
          reschedule: { clock: pllOf(oscillator, clock).pll?.clock ?? Number(clock), stage: "layout" },
        }),
      ...(lacks !== undefined && { lacks }),
      payloads: [{ kind: "so", ...simulatedBy(options) }],
    };
  },
};

function designOptions(options: TargetOptions, margin: number | undefined): RtlOptions {
  const { clock = defaultClock, ports, part, wrapper, oscillator, simulate = "design" } = options;
  return {
    device: tableOf(part),
    clock: Number(clock),
    ...(margin !== undefined && { margin }),
    ...pllOf(oscillator, clock),
    ports: ports === "one" || ports === "axi4" ? ports : "separate",
    port: portOf(options),
    registers: options.control === "axi4-lite",
    wrapper: wrapper === "uart" ? "uart" : "frame",
    throughBoard: simulate !== "design",
  };
}

/** Options of the single memory port. */
function portOf({ "port-width": width, burst, outstanding }: TargetOptions): PortOptions {
  return {
    ...(typeof width === "number" && { width }),
    ...(typeof burst === "number" && { burst }),
    ...(typeof outstanding === "number" && { outstanding }),
  };
}

function pllOf(oscillator: unknown, clock: unknown): { readonly pll?: Pll } {
  const pll = oscillator === undefined ? undefined : pllFor(Number(oscillator), Number(clock));
  return pll === undefined ? {} : { pll };
}

/** Verilator builds models of large designs faster; CXXRTL needs only a compiler. */
function simulatedBy({ part, simulator, simulate = "design", waves }: TargetOptions): Omit<Payload, "kind"> {
  const models = partOf(part)?.family.models;
  const verilator = verilated(simulate as Simulated, models, waves as Waves | undefined);
  if (simulator === "verilator" || simulate === "netlist" || waves === "fst") return { call: verilator };
  const otherwise = cxxrtl(simulate === "board" ? "board" : "design", models, waves !== undefined);
  return simulator === "cxxrtl" ? { call: otherwise } : { call: verilator, otherwise };
}

/** Conflicts between options: a board needs the serial line, and a netlist is made by synthesis for a part. */
function lackOf(options: TargetOptions): string | undefined {
  const { part, wrapper, simulate = "design", simulator, waves } = options;
  if (simulator === "cxxrtl" && simulate === "netlist")
    return "say `simulator: verilator`: the C++ that CXXRTL writes of single gates takes g++ many minutes";
  if (simulator === "cxxrtl" && waves === "fst")
    return "say `waves: vcd` (`--waves FILE.vcd`), or `simulator: verilator`: CXXRTL writes no FST";
  if (simulate === "design") return undefined;
  if (wrapper !== "uart")
    return `say \`wrapper: uart\`: \`simulate: ${simulate}\` reaches the kernel through it`;
  if (simulate === "netlist" && part === undefined)
    return "name the `part` of the target: `simulate: netlist` is of what is made for it";
  if (simulate === "netlist" && partOf(part)?.family.models === undefined)
    return `choose a part of ${modelledFamilies()}: \`simulate: netlist\` has models of their cells only`;
  return undefined;
}

function tools(): readonly OptionalTool[] {
  return [
    { tool: yosys, purpose: "targets of kind rtl with a part", package: yosysPackage.package },
    ...placingTools(),
    {
      tool: { program: "iverilog", versionArgs: ["-V"], install: "apt-get install iverilog" },
      purpose: "arc's own tests of kind rtl",
    },
  ];
}
