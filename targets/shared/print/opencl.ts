/** OpenCL C 1.2 as a kernel language. */

import {
  canonical,
  leadsToFunction,
  type RecordBody,
  sizeOf,
  unqualified,
} from "../../../core/lang/index.ts";
import type { CType, Expr, RecordDecl, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import type { Kernel, LoweredRegion, WorkItemId } from "../device/device.ts";
import { calledFunction, mathArguments, mathCall, resultCall, statementCall } from "../device/math.ts";
import { printfArguments } from "../device/printf.ts";
import { halfDefinitions } from "../half/definitions.ts";
import { bitFieldStorage, withoutBitFields } from "../legalise/bit-fields.ts";
import { withoutChecks } from "../legalise/checked-arithmetic.ts";
import { withNumbers, withoutFunctionPointers } from "../legalise/function-pointers.ts";
import { namedLiterals } from "../legalise/literal-objects.ts";
import { inferSpaces, isZero, type Spaces } from "../legalise/opencl-spaces.ts";
import { portableRecord, sourceField } from "../legalise/record-layout.ts";
import { resolved } from "../legalise/resolved.ts";
import { copiedBySpaces } from "../legalise/space-copies.ts";
import { apart } from "./apart.ts";
import {
  type AtomicHelper,
  newValue,
  operandsOf,
  storedValue,
  takesConverted,
  throughWord,
} from "./atomics.ts";
import { openClForm } from "./gpu-builtins.ts";
import { combined, type Dialect, type KernelPrinter, treeReduce } from "./kernel-text.ts";
import { withIntegerConditions } from "./opencl-conditions.ts";
import { passed } from "./opencl-parameters.ts";
import { teamTree } from "./team-reduce.ts";
import { scanInMemory } from "./team-scan.ts";
import { predefined } from "./type-closure.ts";

export const BARRIER = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);";

const words = new Set(
  (
    "kernel global local constant private generic uniform read_only write_only read_write pipe channel complex imaginary " +
    "vector pixel event_t queue_t ndrange_t clk_event_t reserve_id_t sampler_t cl_mem_fence_flags uchar ushort uint ulong " +
    "vec_step barrier select dot cross length distance normalize clamp degrees radians mix step smoothstep sign mad max min " +
    "any all shuffle shuffle2 bitselect prefetch hadd rhadd rotate popcount clz rsqrt mad24 mul24 upsample mul_hi mad_hi " +
    "mad_sat add_sat sub_sat abs_diff mem_fence wait_group_events printf true false"
  ).split(" "),
);
/** Vectors and images, and families of built-in functions. */
const families =
  /^((u?(char|short|int|long)|float|double|half|quad|bool)(2|3|4|8|16)|half|quad|bool|image[123]d_\w+|(convert|as)_\w+|get_(global|local|group|num|work|image|enqueued|sub|default|pipe|kernel)_\w+|(native|half|atom|atomic|fast|work_group|sub_group|cl|intel|cles)_\w+|v(load|store)\w*|(read|write)_(image|mem|pipe|channel)\w*|async_work_group\w*|__(kernel|global|local|constant|private|generic|read_only|write_only|read_write|\w+__))$/;
const reserved = { has: (name: string) => words.has(name) || families.test(name) };

const hasType = predefined({
  size_t: "ulong",
  ptrdiff_t: "long",
  intptr_t: "long",
  uintptr_t: "ulong",
  uchar: "uchar",
  ushort: "ushort",
  uint: "uint",
  ulong: "ulong",
  bool: "bool",
});
const sized = new Map([
  ["size_t", "ulong"],
  ["uintptr_t", "ulong"],
  ["ptrdiff_t", "long"],
  ["intptr_t", "long"],
]);

const workItemIds: Record<WorkItemId, string> = {
  item: "get_local_id(1) * get_local_size(0) + get_local_id(0)",
  items: "get_local_size(1) * get_local_size(0)",
  group: "get_group_id(1) * get_num_groups(0) + get_group_id(0)",
  groups: "get_num_groups(1) * get_num_groups(0)",
  item_x: "get_local_id(0)",
  item_y: "get_local_id(1)",
  group_x: "get_group_id(0)",
  group_y: "get_group_id(1)",
  groups_x: "get_num_groups(0)",
  groups_y: "get_num_groups(1)",
};

/**
 * 9, 10 or 11 if the device is a GPU, a CPU or an accelerator: libarcrt defines it when it compiles an image's source for
 * a device. Images that are compiled before the program runs are for any device.
 */
export const kindOfDevice = "ARC_DEVICE_KIND";

/** OpenCL C loads and stores halves without an extension. */
const halves: Parameters<typeof halfDefinitions>[1] = {
  prefix: "static",
  stored: "ushort",
  copyBits: (into, from) => `${into} = as_${into === "bits" ? "uint" : "float"}(${from});`,
  value: ["return vload_half(0, (const half *)&h);"],
  of: ["ushort h;", "vstore_half_rte(x, 0, (half *)&h);", "return h;"],
};

/** The region with only those parts of C that OpenCL C 1.2 has. */
export function inOpenCl(region: LoweredRegion): LoweredRegion {
  const plain = withoutChecks(resolved(withoutFunctionPointers(region, "goes-on")));
  return copiedBySpaces(withoutBitFields(namedLiterals(withIntegerConditions(plain))));
}

export function opencl(region: LoweredRegion): { dialect: Dialect; spaces: Spaces } {
  const spaces = inferSpaces(region);
  /** The operand of the cast whose type is being printed, if the type declares no variable. */
  let operand: Expr | undefined;
  const dialect: Dialect = {
    reserved,
    deviceTypes: [3, 7, kindOfDevice],
    // Types of pointers to functions, which members of records keep, are not printed.
    hasType: (name, type) => hasType(name, type) || leadsToFunction(type),
    options: {
      restrict: "restrict",
      typeName(type) {
        // The size of kernel parameters must not depend on the address width.
        if (type.kind === "typedef" && hasType(type.sym.name, type.sym.type)) return sized.get(type.sym.name);
        if (type.kind === "float" && type.name === "float16") return "ushort";
        if (type.kind !== "int") return undefined;
        if (type.name === "llong") return "long";
        if (type.name === "ullong") return "unsigned long";
        return type.name === "bool" ? "bool" : undefined;
      },
      record: openclRecord,
      seenThrough: (type) => type.kind === "typedef" && leadsToPointer(type),
      pointeeQualifier: (of, depth) =>
        of
          ? spaces.of("storage" in of ? of : sourceField(of), depth)
          : operand
            ? spaces.pointee(operand, depth)
            : "__global",
      expr(e, print) {
        if (e.kind === "float" && e.value === Infinity)
          return sizeOf(e.type) === 4 ? "INFINITY" : "((double)INFINITY)";
        if (e.kind === "float" && Number.isNaN(e.value))
          return sizeOf(e.type) === 4 ? "NAN" : "((double)NAN)";
        // OpenCL reserves `long long` for 128 bits.
        if (e.kind === "int") return e.text.replace(/ll/i, "l");
        if (e.kind === "call") return call(e, print);
        if (e.kind === "cast" && !e.implicit && canonical(e.to).kind === "pointer") {
          // Without an address space, because it is compared with pointers into each.
          const placed = spaces.isPlacedNull(e);
          if (isZero(e) && !placed) return "0";
          const outer = operand;
          operand = placed ? e : e.arg;
          const text = `(${print(e)})`;
          operand = outer;
          return text;
        }
        return undefined;
      },
    },
    head(text) {
      const half = halfDefinitions(text, halves);
      const all = [text, ...half].join("\n");
      return [
        ...(text.includes(kindOfDevice)
          ? [`#ifndef ${kindOfDevice}`, `#define ${kindOfDevice} 0`, "#endif"]
          : []),
        ...(/\bdouble\b/.test(all) ? ["#pragma OPENCL EXTENSION cl_khr_fp64 : enable"] : []),
        ...(/\batom_/.test(text) ? ["#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable"] : []),
        ...half,
      ];
    },
    workItemId: (p) => workItemIds[p],
    barrier: BARRIER,
    fence: "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    shared: (declaration) => `__local ${declaration};`,
    functionPrefix: "static",
    spaceOf: spaces.place,
    complexRecords: true,
    kernel(kernel: Kernel, print: KernelPrinter) {
      const [x, y] = kernel.group;
      const known = apart(kernel);
      const params = kernel.params.map((p) => passed(kernel, p, print, p.unaliased === true && known.has(p)));
      return [
        ...params.flatMap((p) => p.types),
        ...(kernel.atLaunch ? [] : [`__attribute__((reqd_work_group_size(${x}, ${y}, 1)))`]),
        `__kernel void ${kernel.name}(${params.map((p) => p.parameter).join(", ")}) {`,
        ...params.flatMap((p) => p.variable),
        ...kernel.shared.map((s) => `  ${inGroupMemory(s, print)};`),
        ...print.workItemIds(kernel),
        ...print.body(kernel.body),
        "}",
      ];
    },
    statement: (s, print) => bytewise(s, spaces, print),
    groupReduce: (n, print) => treeReduce(n, combined(n.op, n.target.type), print, BARRIER),
    teamReduce: (n, print) => teamTree(n, print, BARRIER),
    teamScan: (n, print) => scanInMemory(n, print, BARRIER),
    atomic: atomicHelper,
  };
  return { dialect, spaces };
}

/** Without bit-fields and pointers to functions. */
const openclRecord = (decl: RecordDecl): RecordBody | undefined =>
  withNumbers(bitFieldStorage(decl) ?? portableRecord(decl));

/** The qualifiers belong to each variable. */
function leadsToPointer(type: CType): boolean {
  const c = canonical(type);
  return c.kind === "pointer" || (c.kind === "array" && leadsToPointer(c.of));
}

/** Qualifiers before a pointer declarator apply to its target. */
function inGroupMemory(s: Symbol, print: KernelPrinter): string {
  const name = print.name(s);
  if (leadsToPointer(s.type)) return print.decl(s.type, `__local ${name}`, s);
  // Compilers may load several elements at once only from aligned arrays.
  const aligned = (sizeOf(s.type) ?? 0) >= 64 ? " __attribute__((aligned(16)))" : "";
  return `__local ${print.decl(s.type, name, s)}${aligned}`;
}

function call(e: Expr & { kind: "call" }, print: (e: Expr) => string): string | undefined {
  const absolute = /^(l|ll)?abs$/.exec(calledFunction(e) ?? "");
  if (absolute) {
    const type = absolute[1] ? "long" : "int";
    return `((${type})abs((${type})(${e.args.map(print).join(", ")})))`;
  }
  if (calledFunction(e) === "printf")
    return `printf(${printfArguments(e.args, ["ll", "z", "j", "t"]).map(print).join(", ")})`;
  const left = resultCall(e);
  if (left) {
    const [last, ...others] = [...e.args].reverse().map(print);
    const numbers = others.reverse();
    // sincos returns the sine, and has no second pointer.
    const [sine, of] = left.name === "sincos" ? [numbers.pop(), numbers] : [undefined, numbers];
    const value = `${left.name}(${of.map((x) => `(${left.type})(${x})`).join(", ")}, ${last})`;
    return sine === undefined ? value : `((void)(*(${sine}) = ${value}))`;
  }
  const callee = stripImplicit(e.callee);
  const builtin = callee.kind === "ident" ? openClForm(callee.sym.name) : undefined;
  if (builtin) return builtin(...e.args.map(print));
  const math = mathCall(e);
  const rounding = math && /^l?l(round|rint)$/.exec(math.name);
  if (rounding) return `((long)${rounding[1]}(${mathArguments(e, math, print)}))`;
  const [x, n] = e.args;
  if (math && x && n && /^scalbl?n$/.test(math.name))
    return `ldexp((${math.type})(${print(x)}), (int)(${print(n)}))`;
  const name = math?.name === "nearbyint" ? "rint" : math?.name;
  return math && `${name}(${mathArguments(e, math, print)})`;
}

/** memcpy and memset, which OpenCL C lacks, as loops. */
function bytewise(s: Stmt, spaces: Spaces, print: KernelPrinter): string[] | undefined {
  const e = statementCall(s);
  const name = e && calledFunction(e);
  const [to, value, size] = e?.args ?? [];
  if ((name !== "memcpy" && name !== "memset") || !to || !value || !size) return undefined;
  const bytes = (p: Expr, constant: string) => {
    const type = [spaces.pointee(p), constant, "uchar *"].filter(Boolean).join(" ");
    return (variable: string) => `${type}${variable} = (${type})(${print.expr(p)});`;
  };
  const [from, element] =
    name === "memcpy"
      ? [bytes(value, "const")("arc_from"), "arc_from[arc_at]"]
      : [`const uchar arc_value = (uchar)(${print.expr(value)});`, "arc_value"];
  return [
    "{",
    `  ${bytes(to, "")("arc_to")}`,
    `  ${from}`,
    `  const ulong arc_bytes = ${print.expr(size)};`,
    `  for (ulong arc_at = 0; arc_at < arc_bytes; arc_at++) arc_to[arc_at] = ${element};`,
    "}",
  ];
}

/** 32-bit and 64-bit compare-and-swap; smaller objects use the word that contains them. */
function atomicHelper(h: AtomicHelper, print: KernelPrinter): string[] {
  // A user's name for the type would not yield an `as_` function.
  const type = print.type(unqualified(canonical(h.type)));
  const space = h.space || "__global";
  const head = `static ${type} ${h.name}(volatile ${space} ${type} *target, ${operandsOf(h, (of) => print.type(of))}) {`;
  const result = h.fresh ? storedValue(h, type) : "old";
  const size = sizeOf(h.type) ?? 4;
  const c = canonical(h.type);
  const native: Record<string, string> = {
    "+": "add",
    "-": "sub",
    "&": "and",
    "|": "or",
    "^": "xor",
    "=": "xchg",
    max: "max",
    min: "min",
  };
  if (c.kind === "int" && (c.name === "int" || c.name === "uint") && native[h.op] && takesConverted(h))
    return [
      head,
      `  ${type} old = atomic_${native[h.op]}(target, (${type})value);`,
      `  return ${result};`,
      "}",
    ];
  if (size >= 4) {
    const bits = size === 8 ? "ulong" : "uint";
    const swap = size === 8 ? "atom_cmpxchg" : "atomic_cmpxchg";
    const [toValue, toBits] =
      c.kind === "float" ? [`as_${type}(seen)`, `as_${bits}`] : [`(${type})seen`, `(${bits})`];
    return [
      head,
      `  volatile ${space} ${bits} *word = (volatile ${space} ${bits} *)target;`,
      `  ${bits} seen = *word;`,
      `  ${type} old;`,
      "  for (;;) {",
      `    old = ${toValue};`,
      `    const ${type} next = ${newValue(h, type)};`,
      `    const ${bits} before = ${swap}(word, seen, ${toBits}(next));`,
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
      word: "uint",
      pointer: `volatile ${space} uint *`,
      address: "ulong",
      swap: "atomic_cmpxchg(word, seen, next)",
    }),
    `  return ${result};`,
    "}",
  ];
}
