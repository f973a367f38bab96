/** CUDA C++ and HIP, which differ only in a few names. */

import { mapTuple } from "../../../core/checked/tuples.ts";
import type { ShuffleWay } from "../../../core/ir/model/ir.ts";
import { canonical, sizeOf } from "../../../core/lang/index.ts";
import type { Kernel, WorkItemId } from "../device/device.ts";
import { calledFunction, mathArguments, mathCall, reciprocalRoot } from "../device/math.ts";
import type { MatrixStep, StepType } from "../device/matrix-step.ts";
import { printfArguments } from "../device/printf.ts";
import { isHalf } from "../half/conversions.ts";
import { halfDefinitions, plainOf, plainValue } from "../half/definitions.ts";
import { apart } from "./apart.ts";
import {
  type AtomicHelper,
  newValue,
  operandsOf,
  storedValue,
  takesConverted,
  throughWord,
} from "./atomics.ts";
import { cppWords, pointerConversion, withWritableMembers } from "./cpp.ts";
import type { Dialect, KernelPrinter } from "./kernel-text.ts";
import { groupShuffle, teamShuffle } from "./team-reduce.ts";
import { scanByShuffles } from "./team-scan.ts";
import { predefined } from "./type-closure.ts";

/** Differences between the languages. */
interface GpuLanguage {
  /** Words that the user's names must not collide with, in addition to those of C++ and of both languages. */
  readonly reserved: RegExp;
  readonly deviceTypes: readonly number[];
  readonly head: readonly string[];
  readonly trap: string;
  /** Definitions of OpenMP's timing routines, if kernels can read a clock. */
  readonly clock: readonly string[];
  /** The function that `assert` calls on failure, and its declaration. */
  readonly assertFail: { readonly name: string; readonly head: readonly string[] };
  /** A call of a gcc builtin, by its name without `__builtin_`. */
  builtin(name: string, args: readonly string[]): string;
  /** The value of another of 32 lanes. All of these lanes, or those of `active`, execute it. */
  shuffle(way: ShuffleWay, value: string, lane: string, active?: string): string;
  /** The functions for a step of a matrix product, and their definitions. */
  readonly matrixStep?: Readonly<
    Record<StepType, { readonly name: string; readonly head: readonly string[] }>
  >;
  /** Statements that return the float of a half `h`, and the half that `x` is rounded to, in code for a device. */
  readonly half: { readonly isDevice: string; readonly value: string; readonly of: string };
  /** A kernel's launch bounds: items per group, and groups that should be resident. */
  bounds(items: number, resident: number | undefined): string;
  /** There is no atomic instruction (`max`) for a word (`long long`). */
  lacksAtomic(op: string, word: string): boolean;
}

/** The type of stored halves. */
const STORED = "unsigned short";

/** Instructions on devices; host compilers see the functions, too. */
function halves({ half: { isDevice, value, of } }: GpuLanguage): Parameters<typeof halfDefinitions>[1] {
  const copyBits = (into: string, from: string) => `memcpy(&${into}, &${from}, sizeof ${into});`;
  const either = (own: string, plain: readonly string[]) => [
    `#if ${isDevice}`,
    `  ${own}`,
    "#else",
    ...plain,
    "#endif",
  ];
  return {
    prefix: "static __device__",
    stored: STORED,
    copyBits,
    value: either(value, plainValue(copyBits)),
    of: either(of, plainOf(STORED, copyBits)),
  };
}

const words = new Set([
  ...cppWords,
  ..."threadIdx blockIdx blockDim gridDim warpSize dim3 std any all min max rsqrt rcbrt clock64".split(" "),
]);
/** Vectors, and families of built-in functions and types. */
const families =
  /^((u?(char|short|int|long|longlong)|float|double)[1-4](_\w+)?|(atomic|tex|surf)[A-Z1-3]\w*|make_\w+|__\w+__|__(syncthreads|syncwarp|threadfence|nanosleep|shfl|ballot|activemask|match|ld|st|popc|clz|ffs|brev|half|nv_bfloat)\w*)$/;

const workItemIds: Record<WorkItemId, string> = {
  item: "threadIdx.y * (long)blockDim.x + threadIdx.x",
  items: "blockDim.y * (long)blockDim.x",
  group: "blockIdx.y * (long)gridDim.x + blockIdx.x",
  groups: "gridDim.y * (long)gridDim.x",
  item_x: "threadIdx.x",
  item_y: "threadIdx.y",
  group_x: "blockIdx.x",
  group_y: "blockIdx.y",
  groups_x: "gridDim.x",
  groups_y: "gridDim.y",
};

export const gpuDialect = ({ matrixStep, ...language }: GpuLanguage): Dialect => ({
  reserved: { has: (name) => words.has(name) || families.test(name) || language.reserved.test(name) },
  deviceTypes: language.deviceTypes,
  hasType: predefined({ size_t: "ulong", ptrdiff_t: "long", bool: "bool" }),
  options: {
    restrict: "__restrict__",
    record: withWritableMembers,
    typeName(type) {
      if (type.kind === "int" && type.name === "bool") return "bool";
      return isHalf(type) && type.kind === "float" ? STORED : undefined;
    },
    expr(e, print) {
      if (e.kind === "float" && e.value === Infinity)
        return canonical(e.type).kind === "float" && sizeOf(e.type) === 4
          ? "__int_as_float(0x7f800000)"
          : "__longlong_as_double(0x7ff0000000000000LL)";
      if (e.kind === "float" && Number.isNaN(e.value))
        return sizeOf(e.type) === 4
          ? "__int_as_float(0x7fc00000)"
          : "__longlong_as_double(0x7ff8000000000000LL)";
      const converted = pointerConversion(e, print);
      if (converted !== undefined) return converted;
      const radicand = reciprocalRoot(e);
      if (radicand) return `rsqrtf(${print(radicand)})`;
      if (e.kind === "call") {
        const math = mathCall(e);
        if (math) return `${math.name}(${mathArguments(e, math, print)})`;
        if (calledFunction(e) === "printf")
          return `printf(${printfArguments(e.args, ["hh", "z", "j", "t"]).map(print).join(", ")})`;
        if (calledFunction(e) === "abort") return language.trap;
        if (calledFunction(e) === "__assert_fail")
          return `${language.assertFail.name}(${e.args.map(print).join(", ")})`;
        const callee = e.callee.kind === "ident" ? e.callee.sym.name : "";
        if (callee.startsWith("__builtin_"))
          return language.builtin(calledFunction(e) ?? callee, e.args.map(print));
      }
      return undefined;
    },
  },
  head: (text) => [
    ...language.head,
    ...(/\bomp_get_wti(me|ck)\(/.test(text) ? language.clock : []),
    ...(text.includes(`${language.assertFail.name}(`) ? language.assertFail.head : []),
    ...halfDefinitions(text, halves(language)),
    ...Object.values(matrixStep ?? {}).flatMap(({ name, head }) => (text.includes(`${name}(`) ? head : [])),
  ],
  workItemId: (p) => workItemIds[p],
  barrier: "__syncthreads();",
  fence: "__threadfence();",
  shared: (declaration) => `__shared__ ${declaration};`,
  functionPrefix: "static __device__",
  spaceOf: () => "",
  complexRecords: true,
  kernel(kernel: Kernel, print: KernelPrinter) {
    const known = apart(kernel);
    const params = kernel.params
      .map((p) => {
        const restrict = p.unaliased === true && known.has(p) ? "__restrict__ " : "";
        return print.decl(p.sym.type, `${restrict}${print.name(p.sym)}`, p.sym);
      })
      .join(", ");
    const items = kernel.group[0] * kernel.group[1];
    return [
      `extern "C" __global__ void __launch_bounds__(${language.bounds(items, kernel.resident)}) ${kernel.name}(${params}) {`,
      ...kernel.shared.map((s) => `  __shared__ ${print.decl(s.type, print.name(s), s)};`),
      ...print.workItemIds(kernel),
      ...print.body(kernel.body),
      "}",
    ];
  },
  groupReduce: (n, print) =>
    groupShuffle(n, print, "__syncthreads();", (way, value, lane) => language.shuffle(way, value, lane)),
  teamReduce: (n, print) =>
    teamShuffle(n, print, "__syncthreads();", (value, mask) => language.shuffle("xor", value, mask)),
  exchange({ way, into, value, lane, active }, print) {
    const [to, own, at, those] = mapTuple([into, value, lane, active], print.expr);
    return `${to} = ${language.shuffle(way, own, at, those)};`;
  },
  ...(matrixStep && {
    matrixStep: ({ type, sums, rows, column }: MatrixStep, print: KernelPrinter) => [
      `${matrixStep[type].name}(${[...sums.flat(), ...rows, column].map((e) => print.expr(e)).join(", ")});`,
    ],
  }),
  teamScan: (n, print) =>
    scanByShuffles(n, print, "__syncthreads();", (way, value, lane) => language.shuffle(way, value, lane)),
  atomic: (helper, print) => atomicHelper(helper, print, language),
});

/** Native instructions where the hardware has them, otherwise compare-and-swap on the containing word. */
function atomicHelper(h: AtomicHelper, print: KernelPrinter, language: GpuLanguage): string[] {
  const type = print.type(h.type);
  const head = `static __device__ ${type} ${h.name}(${type} *target, ${operandsOf(h, (of) => print.type(of))}) {`;
  const result = h.fresh ? storedValue(h, type) : "old";
  const size = sizeOf(h.type) ?? 4;
  const native = nativeAtomic(h, language);
  if (native) {
    const { name, word } = native;
    const converted = `${h.op === "-" ? "-" : ""}(${word})(${type})value`;
    return [
      head,
      `  ${type} old = (${type})${name}((${word} *)target, ${converted});`,
      `  return ${result};`,
      "}",
    ];
  }
  if (size >= 4) {
    const bits = size === 8 ? "unsigned long long" : "unsigned int";
    return [
      head,
      `  ${bits} seen = *(volatile ${bits} *)target;`,
      `  ${type} old;`,
      "  for (;;) {",
      `    memcpy(&old, &seen, sizeof old);`,
      `    ${type} fresh = ${newValue(h, type)};`,
      `    ${bits} next;`,
      "    memcpy(&next, &fresh, sizeof next);",
      `    const ${bits} before = atomicCAS((${bits} *)target, seen, next);`,
      "    if (before == seen) break;",
      "    seen = before;",
      "  }",
      `  return ${result};`,
      "}",
    ];
  }
  return [
    head,
    ...throughWord(h, type, size, {
      word: "unsigned int",
      pointer: "volatile unsigned int *",
      address: "unsigned long long",
      swap: "atomicCAS((unsigned int *)word, seen, next)",
    }),
    `  return ${result};`,
    "}",
  ];
}

const atomicFunctions: Readonly<Record<string, string>> = {
  "+": "atomicAdd",
  "-": "atomicAdd",
  "&": "atomicAnd",
  "|": "atomicOr",
  "^": "atomicXor",
  "=": "atomicExch",
  max: "atomicMax",
  min: "atomicMin",
};

/** The function for an instruction of the hardware, and the type of the words that it takes. */
function nativeAtomic(
  h: AtomicHelper,
  language: GpuLanguage,
): { readonly name: string; readonly word: string } | undefined {
  const type = canonical(h.type);
  const kind = type.kind === "int" || type.kind === "float" ? type.name : "";
  // Only comparisons depend on the sign; the other instructions exist for unsigned words.
  const sign = h.op === "max" || h.op === "min" ? "" : "unsigned ";
  const words: Readonly<Record<string, string>> = {
    int: `${sign}int`,
    uint: "unsigned int",
    long: `${sign}long long`,
    ulong: "unsigned long long",
    llong: `${sign}long long`,
    ullong: "unsigned long long",
    float: "float",
    double: "double",
  };
  const name = atomicFunctions[h.op];
  const word = words[kind];
  const isExchangeOfDouble = h.op === "=" && kind === "double";
  if (!name || !word || !takesConverted(h) || isExchangeOfDouble || language.lacksAtomic(h.op, word))
    return undefined;
  return { name, word };
}
