/**
 * Makes a design or its board a kernel of the host back end with CXXRTL: Yosys writes the model in C++, using headers
 * from the Yosys package.
 */
import { basename } from "node:path";
import type { FabricStage, ToolCall } from "../shared/kind/kind.ts";
import { yosys, yosysPackage } from "./flows.ts";
import { driverOf, type Simulated, topOf } from "./simulation.ts";

/** Folder of the headers in the package. */
const runtime = "share/include/backends/cxxrtl/runtime";
const headers = ["cxxrtl/cxxrtl.h", "cxxrtl/capi/cxxrtl_capi.h", "cxxrtl/cxxrtl_vcd.h"];
const model = "model.cc";

/**
 * By default g++ inlines each of CXXRTL's operations into one large function before it simplifies anything, which takes
 * minutes. Simplifying first and inlining everything afterwards takes half of that, and relatively less for larger
 * designs.
 */
const optimised = [
  "-O2",
  "-DNDEBUG",
  "-D__always_inline__=__unused__",
  ...[
    "early-inlining-insns=400",
    "max-inline-insns-single=1000",
    "inline-unit-growth=10000",
    "large-unit-insns=1000000",
    "large-function-growth=100000",
    "large-function-insns=1000000",
    "large-stack-frame-growth=100000",
  ].flatMap((limit) => ["--param", limit]),
];

/** `models`: models of the part's cells, which a board may contain. */
export function cxxrtl(
  simulated: Exclude<Simulated, "netlist">,
  models: string | undefined,
  waves: boolean,
): ToolCall {
  return {
    tool: { program: "g++", versionArgs: ["--version"], install: "apt-get install g++" },
    before: writeDriver(simulated, models, waves),
    args: (_, output) => [
      "-shared",
      "-fPIC",
      "-std=gnu++17",
      ...optimised,
      "-DARC_CXXRTL",
      ...(waves ? ["-DARC_WAVES"] : []),
      "-I.",
      model,
      driverOf(simulated),
      "-o",
      output,
    ],
    takesSimulator: true,
  };
}

function writeDriver(
  simulated: Exclude<Simulated, "netlist">,
  models: string | undefined,
  waves: boolean,
): FabricStage {
  const top = topOf(simulated);
  const cells = simulated === "board" && models !== undefined ? [models] : [];
  const script = (source: string) =>
    [
      `read_verilog ${[source, ...cells.map((path) => basename(path))].join(" ")}`,
      `hierarchy -top ${top}`,
      // Only the hierarchy kept the kernel apart from its wrapper; one flat module is evaluated once, in signal order.
      "attrmap -remove keep_hierarchy",
      "proc",
      "flatten",
      "clean",
      `rename ${top} model`,
      // Values of signals that were merged into others are needed only for waveforms.
      `write_cxxrtl -header ${waves ? "-g4" : "-g0"} ${model}`,
    ].join("; ");
  return {
    name: "model",
    does: "write the model of",
    tool: yosys,
    wasm: {
      ...yosysPackage,
      files: Object.fromEntries(headers.map((name) => [name, `${runtime}/${name}`])),
    },
    inputs: [],
    runtime: cells,
    args: (source) => ["-p", script(source)],
    outputs: [model, "model.h", ...headers],
    reports: [],
  };
}
