/** HLS C++ as a kernel language (Vitis High-Level Synthesis User Guide, UG1399, "HLS Pragmas"). */
import { asIdiom } from "../../core/ir/model/idioms.ts";
import { canonical, sizeOf } from "../../core/lang/index.ts";
import type { Kernel, KernelParam, WorkItemId } from "../shared/device/device.ts";
import { calledFunction, mathCall } from "../shared/device/math.ts";
import type { ChannelDeclaration } from "../shared/kind/emit.ts";
import { type AtomicHelper, newValue, operandsOf } from "../shared/print/atomics.ts";
import { cppWords, pointerConversion } from "../shared/print/cpp.ts";
import { combined, type Dialect, type KernelPrinter, treeReduce } from "../shared/print/kernel-text.ts";
import { predefined } from "../shared/print/type-closure.ts";
import { directiveLine } from "./directive.ts";

/** A kernel is one work-item. */
const workItemIds: Record<WorkItemId, string> = {
  item: "0",
  items: "1",
  group: "0",
  groups: "1",
  item_x: "0",
  item_y: "0",
  group_x: "0",
  group_y: "0",
  groups_x: "1",
  groups_y: "1",
};

const reserved = new Set([...cppWords, "hls", "std", "uint", "ushort", "ulong"]);

export const hls: Dialect = {
  reserved,
  deviceTypes: [3, 8],
  hasType: predefined({ size_t: "ulong", ptrdiff_t: "long", bool: "bool" }),
  options: {
    restrict: "__restrict__",
    typeName: (type) => (type.kind === "int" && type.name === "bool" ? "bool" : undefined),
    expr(e, print) {
      if (e.kind === "float" && e.value === Infinity)
        return sizeOf(e.type) === 4 ? "INFINITY" : "((double)INFINITY)";
      if (e.kind === "float" && Number.isNaN(e.value)) return sizeOf(e.type) === 4 ? "NAN" : "((double)NAN)";
      const converted = pointerConversion(e, print);
      if (converted !== undefined) return converted;
      if (e.kind !== "call") return undefined;
      const math = mathCall(e);
      if (math) {
        const args = e.args.map((a, i) =>
          i > 0 && canonical(a.type).kind === "int" ? print(a) : `(${math.type})(${print(a)})`,
        );
        return `${math.name}(${args.join(", ")})`;
      }
      const callee = e.callee.kind === "ident" ? e.callee.sym.name : "";
      return callee.startsWith("__builtin_")
        ? `${calledFunction(e)}(${e.args.map(print).join(", ")})`
        : undefined;
    },
  },
  statement(s, print) {
    const write = asIdiom(s, "channel-write");
    if (write) return [`${write.channel}.write(${print.expr(write.value)});`];
    const read = asIdiom(s, "channel-read");
    if (read)
      return [`${print.decl(read.into.type, print.name(read.into), read.into)} = ${read.channel}.read();`];
    const line = directiveLine(s, print.name);
    return line === undefined ? undefined : [line];
  },
  head: (text) => [
    "#include <math.h>",
    "#include <stddef.h>",
    "#include <stdint.h>",
    ...(/\b(malloc|abs|labs|llabs|abort)\(/.test(text) ? ["#include <stdlib.h>"] : []),
    ...(/\bprintf\(/.test(text) ? ["#include <stdio.h>"] : []),
    ...(/\bmem(cpy|set)\(/.test(text) ? ["#include <string.h>"] : []),
  ],
  workItemId: (p) => workItemIds[p],
  barrier: ";",
  fence: ";",
  shared: (declaration) => `${declaration};`,
  functionPrefix: "static",
  spaceOf: () => "",
  kernel: (kernel: Kernel, print: KernelPrinter) => kernelLines(kernel, print, []),
  groupReduce: (n, print) => treeReduce(n, combined(n.op), print, ";"),
  /** Nothing else runs concurrently. */
  atomic(h: AtomicHelper, print: KernelPrinter) {
    const type = print.type(h.type);
    return [
      `static ${type} ${h.name}(${type} *target, ${operandsOf(h, (of) => print.type(of))}) {`,
      `  ${type} old = *target;`,
      `  ${type} fresh = ${newValue(h, type)};`,
      "  *target = fresh;",
      `  return ${h.fresh ? "fresh" : "old"};`,
      "}",
    ];
  },
};

/** Streams come last: their ports take no host argument, and must not shift those of others. */
export function kernelLines(
  kernel: Kernel,
  print: KernelPrinter,
  streams: readonly ChannelDeclaration[],
): string[] {
  const own = streams.filter((c) => c.from === kernel.name || c.to === kernel.name);
  const params = [
    ...kernel.params.flatMap((p) => parameter(p, print)),
    ...own.map((c) => `hls::stream<${print.type(c.type)}> &${c.name}`),
  ];
  return [
    `extern "C" void ${kernel.name}(${params.join(", ")}) {`,
    ...kernel.params.flatMap((p) => interfaces(p, print)),
    ...own.map((c) => `#pragma HLS INTERFACE axis port=${c.name}`),
    "#pragma HLS INTERFACE s_axilite port=return",
    ...kernel.params.flatMap((p) => pointer(p, print)),
    ...kernel.shared.map((s) => `  ${print.decl(s.type, print.name(s), s)};`),
    ...print.workItemIds(kernel),
    ...print.body(kernel.body),
    "}",
  ];
}

/** A buffer is memory and an offset in bytes, as libarcrt passes it to every OpenCL kernel. */
function parameter(p: KernelParam, print: KernelPrinter): string[] {
  const name = print.name(p.sym);
  if (!p.pointer) return [print.decl(p.sym.type, name, p.sym)];
  return [print.decl(p.sym.type, `${name}_memory`, p.sym), `const long ${name}_offset`];
}

/** Each buffer has a separate memory port, so that none waits for another. */
function interfaces(p: KernelParam, print: KernelPrinter): string[] {
  const name = print.name(p.sym);
  if (!p.pointer) return [`#pragma HLS INTERFACE s_axilite port=${name}`];
  return [
    `#pragma HLS INTERFACE m_axi port=${name}_memory offset=slave bundle=${name}`,
    `#pragma HLS INTERFACE s_axilite port=${name}_memory`,
    `#pragma HLS INTERFACE s_axilite port=${name}_offset`,
  ];
}

function pointer(p: KernelParam, print: KernelPrinter): string[] {
  if (!p.pointer) return [];
  const name = print.name(p.sym);
  const type = canonical(p.sym.type);
  const size = type.kind === "pointer" ? sizeOf(type.to) : undefined;
  // Only a pointer to complete elements keeps the width of its port. Offsets of others may be inside an element.
  const isAligned = size !== undefined && (size & (size - 1)) === 0 && size <= 8;
  const value = isAligned
    ? `${name}_memory + ${name}_offset${size === 1 ? "" : ` / ${size}`}`
    : `(${print.type(p.sym.type)})((char *)${name}_memory + ${name}_offset)`;
  return [`  ${print.decl(p.sym.type, name, p.sym)} = ${value};`];
}
