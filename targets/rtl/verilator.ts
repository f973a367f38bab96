/** Makes a design, its board or the board's netlist a kernel of the host back end with Verilator. */
import type { ToolCall } from "../shared/kind/kind.ts";
import { gates } from "./flows.ts";
import { driverOf, type Simulated, topOf, type Waves } from "./simulation.ts";

/** Compiled once, as they are the same for all models. */
const library = ["verilated.o", "verilated_threads.o"];
const always = ["--cc", "--exe", "--build", "-CFLAGS", "-fPIC -std=gnu++17"];

/** `models`: models of the part's cells, which boards and netlists consist of. */
export function verilated(simulated: Simulated, models: string | undefined, waves?: Waves): ToolCall {
  // Waveforms need additional objects for their format.
  const shared = waves === undefined;
  return {
    tool: {
      program: "verilator",
      versionArgs: ["--version"],
      backEnds: ["g++"],
      install: "apt-get install verilator g++ make",
    },
    args: (source, output) => [
      ...always,
      "-O3",
      "--x-assign",
      "fast",
      "--x-initial",
      "fast",
      "-Wno-fatal",
      "-Wno-DECLFILENAME",
      // Smaller lookup tables leave inputs unconnected.
      ...(simulated === "netlist" ? ["-Wno-PINMISSING"] : []),
      "--top-module",
      topOf(simulated),
      "--prefix",
      "Vmodel",
      ...(waves === undefined ? [] : [waves === "fst" ? "--trace-fst" : "--trace"]),
      "-Mdir",
      "model",
      "-MAKEFLAGS",
      `OPT_FAST=${simulated === "netlist" ? "-O1" : "-O2"} OPT_SLOW=-O0 ${shared ? "VM_GLOBAL_FAST=" : "OPT_GLOBAL=-O1"}`,
      "-LDFLAGS",
      ["-shared", ...(shared ? library.map((object) => `../${object}`) : [])].join(" "),
      ...(simulated === "design" || models === undefined ? [] : ["-DARC_TWO_STATES", models]),
      simulated === "netlist" ? gates : source,
      driverOf(simulated),
      "-o",
      `../${output}`,
    ],
    takesSimulator: true,
    ...(shared && {
      library: {
        folder: "verilated",
        args: [
          ...always,
          "-Mdir",
          ".",
          "-MAKEFLAGS",
          "OPT_GLOBAL=-O1",
          "verilated/nothing.v",
          "verilated/nothing.cpp",
          "-o",
          "nothing",
        ],
        outputs: library,
      },
    }),
    ...(simulated === "netlist" && { takesStage: gates }),
  };
}
