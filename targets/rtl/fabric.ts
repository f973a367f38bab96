/**
 * From Verilog to an iCE40's bitstream with Yosys, nextpnr and icepack. Timing that is missed is no failure: the
 * report says what clock the design reaches.
 */
import type { FabricStage } from "../shared/kind.ts";
import { boardName } from "./verilog/wrapper.ts";

export interface Part {
  /** nextpnr's word for it. */
  readonly flag: string;
  readonly package: string;
}

export const parts: Readonly<Record<string, Part>> = {
  "ice40-hx8k": { flag: "--hx8k", package: "ct256" },
  "ice40-lp8k": { flag: "--lp8k", package: "cm225" },
};

const place = "timing.json";

/** The netlist as Verilog, for simulators that have models of the part's cells. */
export const gates = "gates.v";

/** `withGates`: also a netlist that can be simulated. */
export function fabricStages(
  part: Part,
  clock: number,
  seed: number,
  withGates: boolean,
): readonly FabricStage[] {
  return [
    {
      name: "netlist",
      does: "synthesise",
      tool: { program: "yosys", versionArgs: ["-V"], install: "apt-get install yosys, or npm ci" },
      wasm: { package: "@yowasp/yosys", run: "runYosys" },
      inputs: [],
      args: (source) => [
        "-p",
        [
          `read_verilog ${source}`,
          // The kernel was kept apart from its wrapper; place and route take one module.
          `synth_ice40 -top ${boardName}`,
          "attrmap -remove keep_hierarchy",
          "flatten",
          "write_json netlist.json",
          // Signals bit by bit: chains within a vector are no loops.
          ...(withGates ? ["splitnets", `write_verilog -noattr ${gates}`] : []),
        ].join("; "),
      ],
      outputs: ["netlist.json", ...(withGates ? [gates] : [])],
      reports: ["netlist.json"],
    },
    {
      name: "layout",
      does: "place and route",
      tool: {
        program: "nextpnr-ice40",
        versionArgs: ["--version"],
        install: "apt-get install nextpnr-ice40, or npm ci",
      },
      wasm: { package: "@yowasp/nextpnr-ice40", run: "runNextpnrIce40" },
      inputs: ["netlist.json"],
      args: () => [
        part.flag,
        "--package",
        part.package,
        "--json",
        "netlist.json",
        "--asc",
        "layout.asc",
        "--report",
        place,
        "--freq",
        String(clock),
        "--seed",
        String(seed),
        "--timing-allow-fail",
      ],
      outputs: ["layout.asc", place],
      reports: [place],
    },
    {
      name: "bitstream",
      does: "pack",
      tool: { program: "icepack", install: "apt-get install fpga-icestorm, or npm ci" },
      wasm: { package: "@yowasp/nextpnr-ice40", run: "runIcepack" },
      inputs: ["layout.asc"],
      args: () => ["layout.asc", "bitstream.bin"],
      outputs: ["bitstream.bin"],
      reports: [],
      product: "bitstream.bin",
    },
  ];
}
