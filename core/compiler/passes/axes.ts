/**
 * The axes of variation that passes honour, in the order used in variant names. Only data, so that reading a project
 * does not load the passes.
 */
import type { Axis } from "../../../schema/document/axis.ts";

/** Target kinds whose compilers turn loops into pipelines. */
const targets = ["intel-fpga", "vitis", "rtl"] as const;
/** Target kinds with kernels of many items in groups, on devices separate from the host. */
const gpuKinds = ["cuda", "hip", "opencl"] as const;
const powers = [1, 2, 4, 8, 16, 32, 64];

export const modelAxis: Axis = {
  key: "model",
  description: "How a region runs: as many work-items (nd) or as one with pipelined loops (swi).",
  values: ["auto", "nd", "swi"],
  default: "auto",
  token: { words: true },
  targets,
};

export const fuseAxis: Axis = {
  key: "fuse",
  description:
    "One kernel for regions that follow each other, and one loop for loops that do, where they may be done by turns.",
  values: [false, true],
  default: false,
  token: "fuse",
  targets: ["intel-fpga", "vitis"],
};

export const collapseAxis: Axis = {
  key: "collapse",
  description: "Collapse perfect loop nests that the directives leave nested.",
  values: [false, true],
  default: false,
  token: "coll",
  targets,
};

export const reductionAxis: Axis = {
  key: "reduction",
  description:
    "Iterations per step of loops with a reduction through a shift register: 0 leaves the register out, auto lets the device's table decide.",
  values: ["auto", 0, ...powers],
  default: "auto",
  token: "r",
  targets,
};

export const depthAxis: Axis = {
  key: "reduction-depth",
  description: "Partial results of a reduction's shift register; 0 takes latency times iterations per step.",
  values: { minimum: 0, maximum: 4096 },
  default: 0,
  targets,
};

export const halfDepthAxis: Axis = {
  key: "half-depth",
  description: "Half the registers in reductions: the vendor's compiler may lower the clock to make it do.",
  values: [false, true],
  default: false,
  token: "half",
  targets,
};

export const windowAxis: Axis = {
  key: "window",
  description:
    "Iterations per step of loops with a window: 0 leaves windows out, auto takes what the loop's unroll pragma says.",
  values: ["auto", 0, ...powers],
  default: "auto",
  token: "sw",
  targets,
};

export const stencilAxis: Axis = {
  key: "stencil",
  description:
    "Give windows to arrays that a loop reads at several distances, though no directive asks for one.",
  values: [false, true],
  default: false,
  targets,
};

export const blockAxis: Axis = {
  key: "block-size",
  description:
    "Iterations of each inner loop that a window serves at a time, with a halo around them: bounds its size; 0 walks whole rows.",
  values: { minimum: 0, maximum: 65_536 },
  default: 0,
  targets,
};

export const timeStepsAxis: Axis = {
  key: "time-steps",
  description:
    "Steps of time that one pass over memory makes, in as many chained stages: of a loop around a sweep and the copy of its result, or of a region that the program launches with two arrays in turn.",
  values: { minimum: 1, maximum: 64 },
  default: 1,
  targets,
};

export const unrollAxis: Axis = {
  key: "unroll",
  description:
    "Copies of the body: of pipelined loops without window or reduction, where auto takes what the source says; on GPUs and the host of each kernel's innermost loops, where auto leaves it to the kernels' compiler.",
  values: ["auto", ...powers],
  default: "auto",
  token: "u",
  targets: [...targets, ...gpuKinds, "host"],
};

export const elimAxis: Axis = {
  key: "elim",
  description: "Leave out the check that a work-item has an iteration where every one provably has.",
  values: [false, true],
  default: false,
  token: "elim",
  targets,
};

export const hoistAxis: Axis = {
  key: "hoist",
  description: "Move what all branches of a conditional compute out of it, so that it is built once.",
  values: [false, true],
  default: false,
  token: "hoist",
  targets,
};

export const flushAxis: Axis = {
  key: "flush",
  description:
    "Floating-point operators take subnormal numbers for 0 and give 0 instead of them: smaller, and not C's results to the bit.",
  values: [false, true],
  default: false,
  token: "flush",
  targets: ["rtl"],
};

export const formatAxis: Axis = {
  key: "format",
  description:
    "What regions compute in where the source says float, while memory keeps floats: f16 and bf16 take a fraction of the cells; qM.N is fixed point in two's complement, M bits with the sign before the point and N behind it, 64 at most together.",
  values: { words: ["f32", "f16", "bf16"], pattern: "q[1-9][0-9]?[.](0|[1-9][0-9]?)" },
  default: "f32",
  targets: ["rtl"],
};

export const exactSumsAxis: Axis = {
  key: "exact-sums",
  description:
    "Sums of floats in reductions are added up in fixed point without any error, and rounded once after the loop.",
  values: [false, true],
  default: false,
  token: "exact",
  targets: ["rtl"],
};

export const simdAxis: Axis = {
  key: "simd",
  description: "Work-items of an NDRange kernel that go through the data path in lock-step.",
  values: [1, 2, 4, 8, 16],
  default: 1,
  token: "simd",
  targets: ["intel-fpga"],
};

export const unitsAxis: Axis = {
  key: "compute-units",
  description: "Copies of an NDRange kernel's whole pipeline.",
  values: { minimum: 1, maximum: 64 },
  default: 1,
  token: "numc",
  targets: ["intel-fpga"],
};

/** Operators whose circuits a loop's operations can share, as named in their axes. */
const shared: readonly [operator: string, what: string][] = [
  ["mul", "products of integers"],
  ["div", "quotients and remainders of integers"],
  ["fadd", "floating-point additions and subtractions"],
  ["fmul", "floating-point products"],
  ["fdiv", "floating-point quotients"],
  ["fsqrt", "square roots"],
  ["function", "exponential functions, logarithms, sines and their like, each,"],
];

export const shareAxes: readonly Axis[] = shared.map(([operator, what]) => ({
  key: `share-${operator}`,
  description: `Circuits on which the ${what} of a loop take turns: iterations start at least as many cycles apart as one of them has operations; 0 asks for none.`,
  values: { minimum: 0, maximum: 64 },
  default: 0,
  token: operator,
  targets: ["rtl"],
}));

export const channelDepthAxis: Axis = {
  key: "channel-depth",
  description: "Elements that wait in a channel between two kernels.",
  values: { minimum: 1, maximum: 65_536 },
  default: 16,
  targets: ["intel-fpga", "vitis"],
};

const lanesAxis: Axis = {
  key: "vector-length",
  description: "Items of a worker, in place of what directives say; auto: what they say, or what arc takes.",
  values: ["auto", 32, 64, 128, 256, 512, 1024],
  default: "auto",
  token: "vl",
  targets: gpuKinds,
};

const workersAxis: Axis = {
  key: "workers",
  description:
    "Workers of a group, in place of what directives say; over nests of loops the rows of a group, whose columns are the vector-length.",
  values: ["auto", 1, 2, 4, 8, 16, 32],
  default: "auto",
  token: "wk",
  targets: gpuKinds,
};

const gangsAxis: Axis = {
  key: "gangs",
  description:
    "Groups of a launch of regions that are one loop; 0: what directives say, or the launch finds.",
  values: { minimum: 0, maximum: 65_535 },
  default: 0,
  token: "ng",
  targets: gpuKinds,
};

const itemsAxis: Axis = {
  key: "items-per-lane",
  description:
    "Iterations that a lane takes side by side, so that several loads are under way; auto: four where there are plenty.",
  values: ["auto", 1, 2, 4, 8],
  default: "auto",
  token: "ipl",
  targets: gpuKinds,
};

const mappingAxis: Axis = {
  key: "mapping",
  description:
    "Which loop has lanes, where directives leave it open: the one whose accesses lie side by side, with sums kept in registers (by-access), or the one that is marked (as-written).",
  values: ["by-access", "as-written"],
  default: "by-access",
  targets: gpuKinds,
};

const tileAxis: Axis = {
  key: "tile",
  description:
    "Tiles of nests of as many loops as it has numbers, innermost last, in place of what directives say: groups take tiles, and their items the elements; none leaves out the directives' tiles.",
  values: { words: ["auto", "none"], pattern: "[1-9][0-9]{0,3}(x[1-9][0-9]{0,3}){1,2}" },
  default: "auto",
  targets: gpuKinds,
};

const groupMemoryAxis: Axis = {
  key: "group-memory",
  description:
    "Whether groups keep in their memory what their items share (tiles of products, copies of arrays that they count into, what a cache directive names), or every item goes to the device's memory.",
  values: ["auto", "none"],
  default: "auto",
  targets: gpuKinds,
};

/** For kernels in groups: used by the lowering, not by a pass. */
export const groupAxes: readonly Axis[] = [
  lanesAxis,
  workersAxis,
  gangsAxis,
  itemsAxis,
  mappingAxis,
  tileAxis,
  groupMemoryAxis,
];

export const axes: readonly Axis[] = [
  modelAxis,
  fuseAxis,
  collapseAxis,
  elimAxis,
  hoistAxis,
  reductionAxis,
  depthAxis,
  halfDepthAxis,
  stencilAxis,
  windowAxis,
  blockAxis,
  timeStepsAxis,
  unrollAxis,
  formatAxis,
  flushAxis,
  exactSumsAxis,
  simdAxis,
  unitsAxis,
  ...shareAxes,
  channelDepthAxis,
  ...groupAxes,
];
