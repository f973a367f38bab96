/** A design, its board or the board's netlist as a kernel of the host back end, by Verilator. */
import type { ToolCall } from "../shared/kind.ts";
import { gates } from "./flows.ts";
import { FIRST_BAUD, identityOf, registerMacros } from "./registers.ts";
import type { KernelModule } from "./verilog/kernel.ts";
import { boardName, shellName } from "./verilog/wrapper.ts";

/** Compiled once: no model that Verilator makes changes them. */
const library = ["verilated.o", "verilated_threads.o"];
const always = ["--cc", "--exe", "--build", "-CFLAGS", "-fPIC -std=gnu++17"];

export type Simulated = "design" | "board" | "netlist";

/** Formats of waveforms. */
export type Waves = "vcd" | "fst";

export function simulation(what: Simulated, waves?: Waves): ToolCall {
  const [top, driver] = what === "design" ? [shellName, "arc_simulator.cpp"] : [boardName, "arc_board.cpp"];
  // Waveforms need more objects, made for their format.
  const shared = waves === undefined;
  return {
    tool: {
      program: "verilator",
      versionArgs: ["--version"],
      backEnds: ["g++"],
      install: "apt-get install verilator g++ make",
    },
    args: (source, output, objects) => [
      ...always,
      "-O3",
      "--x-assign",
      "fast",
      "--x-initial",
      "fast",
      "-Wno-fatal",
      "-Wno-DECLFILENAME",
      "--top-module",
      top,
      ...(waves === undefined ? [] : [waves === "fst" ? "--trace-fst" : "--trace"]),
      "-Mdir",
      "model",
      "-MAKEFLAGS",
      `OPT_FAST=${what === "netlist" ? "-O1" : "-O2"} OPT_SLOW=-O0 ${shared ? "VM_GLOBAL_FAST=" : "OPT_GLOBAL=-O1"}`,
      "-LDFLAGS",
      ["-shared", ...(shared ? library.map((object) => `../${object}`) : [])].join(" "),
      objects,
      ...(what === "netlist" ? [gates, "simulator/ice40_cells.v"] : [source]),
      `simulator/${driver}`,
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
    ...(what === "netlist" && { takesStage: gates }),
  };
}

/**
 * What the driver is told of a design: its entry points, which have the kernels' names, and, with the clock in MHz
 * where it goes through a board, its arguments and the register map. Verilator hands the flags to a shell.
 */
export function simulatorFlags(
  entries: readonly string[],
  kernel: KernelModule,
  clock: number | undefined,
): readonly string[] {
  const macros = [`-DARC_KERNELS='${entries.map((name) => `ARC_ENTRY(${name})`).join("")}'`];
  const list = (values: readonly number[]) => values.map((value) => `${value},`).join("");
  if (clock !== undefined)
    macros.push(
      `-DARC_ARGUMENTS=${list(kernel.arguments.map(({ bytes }) => bytes))}`,
      `-DARC_ARGUMENT_KERNELS=${list(kernel.arguments.map((argument) => argument.kernel ?? 0))}`,
      `-DARC_IDENTITY=${identityOf(kernel.text)}u`,
      `-DARC_FIRST_DIVISOR=${Math.round((clock * 1e6) / FIRST_BAUD)}`,
      ...registerMacros,
    );
  return ["-CFLAGS", macros.join(" ")];
}
