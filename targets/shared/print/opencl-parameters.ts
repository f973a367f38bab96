/**
 * Parameters of OpenCL kernels. A buffer is passed as memory and an offset in bytes, from which the kernel computes the
 * host's pointer. OpenCL C (1.2, 6.9) allows neither `bool` parameters nor records with members of type `bool` or with
 * pointers: these are passed as integers of the same size and alignment.
 */
import { alignOf, canonical, sizeOf, unqualified } from "../../../core/lang/index.ts";
import type { CType } from "../../../core/lang/tree/ast.ts";
import type { Kernel, KernelParam } from "../device/device.ts";
import type { KernelPrinter } from "./kernel-text.ts";

interface Passed {
  /** Definitions before the kernel. */
  readonly types: readonly string[];
  readonly parameter: string;
  /** The parameter's type; absent for a buffer. */
  readonly type?: string;
  /** Declares the variable that the kernel's code uses, if the parameter is another one. */
  readonly variable: readonly string[];
}

/** `unshared`: no other parameter points to the buffer. */
export function passed(kernel: Kernel, p: KernelParam, print: KernelPrinter, unshared = false): Passed {
  const name = print.name(p.sym);
  if (p.pointer) {
    const declared = print.decl(p.sym.type, unshared ? `restrict ${name}` : name, p.sym);
    // From a null pointer, an offset leads nowhere in C: compilers take the sum for null.
    const start = mayBeAbsent(p) ? `(size_t)${name}_memory` : `${name}_memory`;
    return {
      types: [],
      parameter: `__global char *${unshared ? "restrict " : ""}${name}_memory, const long ${name}_offset`,
      variable: [`  ${declared} = (${print.decl(p.sym.type, "")})(${start} + ${name}_offset);`],
    };
  }
  const type = canonical(p.sym.type);
  if (isTruth(type))
    return {
      types: [],
      parameter: `const uchar ${name}_byte`,
      type: "uchar",
      variable: [`  ${print.decl(p.sym.type, name, p.sym)} = ${name}_byte;`],
    };
  if (type.kind !== "record" || !isNotPassed(type))
    return {
      types: [],
      parameter: print.decl(p.sym.type, name, p.sym),
      type: print.type(p.sym.type),
      variable: [],
    };
  const words = `arc_words_${kernel.name}_${name}`;
  const value = print.decl(unqualified(p.sym.type), "value");
  return {
    types: [`struct ${words} { ${wordsOf(type)} };`],
    parameter: `const struct ${words} ${name}_words`,
    type: `struct ${words}`,
    variable: [
      `  const union { struct ${words} words; ${value}; } ${name}_bytes = {${name}_words};`,
      `  ${print.decl(p.sym.type, name, p.sym)} = ${name}_bytes.value;`,
    ],
  };
}

/** A pointer to what is not on the device keeps its value. */
const mayBeAbsent = ({ source }: KernelParam): boolean =>
  "argument" in source && source.argument.item.mapping.is === "no-create";

const isTruth = (type: CType): boolean => type.kind === "int" && type.name === "bool";

function isNotPassed(type: CType): boolean {
  const c = canonical(type);
  if (c.kind === "array") return isNotPassed(c.of);
  if (c.kind === "record") return (c.decl.fields ?? []).some((f) => isNotPassed(f.type));
  return c.kind === "pointer" || isTruth(c);
}

/** Integer types by alignment; that of a vector is its size. */
const WORDS: Readonly<Record<number, string>> = {
  1: "uchar",
  2: "ushort",
  4: "uint",
  8: "ulong",
  16: "ulong2",
  32: "ulong4",
  64: "ulong8",
  128: "ulong16",
};

/** A member with the size and the alignment of `type`. */
function wordsOf(type: CType): string {
  const align = alignOf(type);
  return `${WORDS[align] ?? "uchar"} of[${(sizeOf(type) ?? align) / (align in WORDS ? align : 1)}];`;
}
