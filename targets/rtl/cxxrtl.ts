/**
 * A design or its board as a kernel of the host back end, by CXXRTL: Yosys writes the model in C++, over headers that
 * the package of Yosys brings.
 */
import { basename } from "node:path";
import type { FabricStage, ToolCall } from "../shared/kind/kind.ts";
import { yosys, yosysPackage } from "./flows.ts";
import { driverOf, type Simulated, topOf } from "./simulation.ts";

/** Where the package keeps the headers. */
const runtime = "share/include/backends/cxxrtl/runtime";
const headers = ["cxxrtl/cxxrtl.h", "cxxrtl/capi/cxxrtl_capi.h", "cxxrtl/cxxrtl_vcd.h"];
const model = "model.cc";

/**
 * CXXRTL has each operation on a signal inlined into one large function before anything is made simpler, over which g++
 * then takes minutes. Made simple first and inlined after, whatever their number, it takes half, and less as they grow.
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

/** `models`: of the part's cells, of which a board may have some. */
export function cxxrtl(
  what: Exclude<Simulated, "netlist">,
  models: string | undefined,
  waves: boolean,
): ToolCall {
  return {
    tool: { program: "g++", versionArgs: ["--version"], install: "apt-get install g++" },
    before: written(what, models, waves),
    args: (_, output) => [
      "-shared",
      "-fPIC",
      "-std=gnu++17",
      ...optimised,
      "-DARC_CXXRTL",
      ...(waves ? ["-DARC_WAVES"] : []),
      "-I.",
      model,
      driverOf(what),
      "-o",
      output,
    ],
    takesSimulator: true,
  };
}

function written(
  what: Exclude<Simulated, "netlist">,
  models: string | undefined,
  waves: boolean,
): FabricStage {
  const top = topOf(what);
  const cells = what === "board" && models !== undefined ? [models] : [];
  const script = (source: string) =>
    [
      `read_verilog ${[source, ...cells.map((path) => basename(path))].join(" ")}`,
      `hierarchy -top ${top}`,
      // The kernel was kept apart from its wrapper; one flat module is evaluated once, in the order of its signals.
      "attrmap -remove keep_hierarchy",
      "proc",
      "flatten",
      "clean",
      `rename ${top} model`,
      // Only waveforms need to know what values that are merged into others would have been.
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
