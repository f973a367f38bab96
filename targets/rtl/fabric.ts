/**
 * From Verilog to an iCE40's bitstream with Yosys, nextpnr and icepack. Timing that is missed is no failure: the
 * report says what clock the design reaches.
 */
import type { FabricStage } from "../shared/kind.ts";
import { boardName } from "./verilog/board.ts";

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

export function fabricStages(part: Part, clock: number, seed: number): readonly FabricStage[] {
  return [
    {
      name: "netlist",
      does: "synthesise",
      tool: { program: "yosys", versionArgs: ["-V"], install: "apt-get install yosys, or npm ci" },
      wasm: { package: "@yowasp/yosys", run: "runYosys" },
      inputs: [],
      args: (source) => [
        "-p",
        `read_verilog ${source}; synth_ice40 -top ${boardName}; write_json netlist.json`,
      ],
      outputs: ["netlist.json"],
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
