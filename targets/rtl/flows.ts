/**
 * From Verilog to a part's configuration: Yosys, and for families with open place and route nextpnr and a packer.
 * Where there is none the netlist's cells are counted. Timing that is missed is no failure: the report says what
 * clock the design reaches.
 */
import type { FabricStage, Tool } from "../shared/kind.ts";
import type { Part } from "./parts.ts";
import { boardName } from "./verilog/wrapper.ts";

export const yosys: Tool = {
  program: "yosys",
  versionArgs: ["-V"],
  install: "apt-get install yosys, or npm ci",
};
export const yosysPackage = { package: "@yowasp/yosys", run: "runYosys" };
export const nextpnrIce40: Tool = {
  program: "nextpnr-ice40",
  versionArgs: ["--version"],
  install: "apt-get install nextpnr-ice40, or npm ci",
};
export const icepack: Tool = { program: "icepack", install: "apt-get install fpga-icestorm, or npm ci" };
export const icePackage = "@yowasp/nextpnr-ice40";
export const nextpnrEcp5: Tool = {
  program: "nextpnr-ecp5",
  versionArgs: ["--version"],
  install: "build nextpnr for ECP5, or take it from the OSS CAD Suite",
};
export const ecppack: Tool = {
  program: "ecppack",
  versionArgs: ["--version"],
  install: "build Project Trellis, or take it from the OSS CAD Suite",
};

/** The netlist as Verilog, for simulators that have models of the part's cells. */
export const gates = "gates.v";

export interface FlowOptions {
  /** In MHz. */
  readonly clock: number;
  readonly seed: number;
  /** Also a netlist that can be simulated. */
  readonly withGates: boolean;
  /** Places of the board's signals, `clk=J3 rx=B10`; those left out are where place and route likes. */
  readonly pins?: string;
}

export function stagesOf({ synthesis, layout }: Part, options: FlowOptions): readonly FabricStage[] {
  const { withGates } = options;
  const script = (source: string) =>
    [
      `read_verilog ${source}`,
      // The kernel was kept apart from its wrapper; place and route take one module.
      `${synthesis} -top ${boardName}`,
      "attrmap -remove keep_hierarchy",
      "flatten",
      "write_json netlist.json",
      // Signals bit by bit: chains within a vector are no loops.
      ...(withGates ? ["splitnets", `write_verilog -noattr ${gates}`] : []),
    ].join("; ");
  const netlist: FabricStage = {
    name: "netlist",
    does: "synthesise",
    tool: yosys,
    wasm: yosysPackage,
    inputs: [],
    args: (source) => ["-p", script(source)],
    outputs: ["netlist.json", ...(withGates ? [gates] : [])],
    reports: ["netlist.json"],
  };
  if (layout === undefined) return [netlist];
  const rest = layout.family === "ice40" ? ice40(layout.device, options) : ecp5(layout.device, options);
  return [netlist, ...rest];
}

/** nextpnr's options that no family has for itself. */
const common = ({ clock, seed }: FlowOptions): readonly string[] => [
  "--json",
  "netlist.json",
  "--report",
  "timing.json",
  "--freq",
  String(clock),
  "--seed",
  String(seed),
  "--timing-allow-fail",
];

const constraints = "pins.pcf";

/** nextpnr's constraints for iCE40s. */
const pinsOf = (pins: string): string =>
  pins
    .split(" ")
    .map((pin) => `set_io ${pin.replace("=", " ")}\n`)
    .join("");

const ice40 = (device: readonly string[], options: FlowOptions): readonly FabricStage[] => [
  {
    name: "layout",
    does: "place and route",
    tool: nextpnrIce40,
    wasm: { package: icePackage, run: "runNextpnrIce40" },
    inputs: ["netlist.json"],
    ...(options.pins !== undefined && { texts: { [constraints]: pinsOf(options.pins) } }),
    args: () => [
      ...device,
      ...common(options),
      ...(options.pins === undefined ? [] : ["--pcf", constraints, "--pcf-allow-unconstrained"]),
      "--asc",
      "layout.asc",
    ],
    outputs: ["layout.asc", "timing.json"],
    refuses: true,
    reports: ["timing.json"],
  },
  {
    name: "bitstream",
    does: "pack",
    tool: icepack,
    wasm: { package: icePackage, run: "runIcepack" },
    inputs: ["layout.asc"],
    args: () => ["layout.asc", "bitstream.bin"],
    outputs: ["bitstream.bin"],
    reports: [],
    product: "bitstream.bin",
  },
];

/** No package has these tools: without them the netlist is all there is. */
const ecp5 = (device: readonly string[], options: FlowOptions): readonly FabricStage[] => [
  {
    name: "layout",
    does: "place and route",
    tool: nextpnrEcp5,
    optional: true,
    inputs: ["netlist.json"],
    args: () => [...device, "--lpf-allow-unconstrained", ...common(options), "--textcfg", "layout.config"],
    outputs: ["layout.config", "timing.json"],
    refuses: true,
    reports: ["timing.json"],
  },
  {
    name: "bitstream",
    does: "pack",
    tool: ecppack,
    optional: true,
    inputs: ["layout.config"],
    args: () => ["layout.config", "bitstream.bit"],
    outputs: ["bitstream.bit"],
    reports: [],
    product: "bitstream.bit",
  },
];
