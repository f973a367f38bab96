/** OpenCL kernels for FPGAs, whose compilers want to know which buffers are apart: `restrict` where that is known. */
import { canonical } from "../../../core/lang/index.ts";
import type { Kernel, KernelParam } from "../device/device.ts";
import type { KernelPrinter } from "./kernel-text.ts";

/** The kernel without its attributes. */
export function restrictedKernel(kernel: Kernel, print: KernelPrinter): string[] {
  const unshared = restricted(kernel);
  return [
    `__kernel void ${kernel.name}(${kernel.params.map((p) => parameter(p, print, unshared.has(p))).join(", ")}) {`,
    ...kernel.params.flatMap((p) => pointer(p, print, unshared.has(p))),
    ...kernel.shared.map((s) => `  __local ${print.decl(s.type, print.name(s))};`),
    ...print.places(kernel),
    ...print.body(kernel.body),
    "}",
  ];
}

/**
 * Buffers that no other parameter leads to: restrict is written where this is known and nowhere else.
 * Variables of the program are objects of their own; restrict pointers share nothing that is written;
 * what no one writes may be shared freely.
 */
function restricted(kernel: Kernel): ReadonlySet<KernelParam> {
  const buffers = kernel.params.filter((p) => p.pointer);
  const known = (p: KernelParam): boolean => {
    if (!("argument" in p.source)) return true;
    const { item, how } = p.source.argument;
    return (
      how === "object" || canonical(item.sym.type).kind === "array" || item.sym.type.quals?.restrict === true
    );
  };
  const written = (p: KernelParam): boolean =>
    !("argument" in p.source) || p.source.argument.item.access !== "read-only";
  const apart = (p: KernelParam, q: KernelParam): boolean =>
    p === q || (known(p) && known(q)) || (!written(p) && !written(q));
  return new Set(buffers.filter((p) => buffers.every((q) => apart(p, q))));
}

function parameter(p: KernelParam, print: KernelPrinter, unshared: boolean): string {
  const name = print.name(p.sym);
  if (p.pointer)
    return `__global char *${unshared ? "restrict " : ""}${name}_memory, const long ${name}_offset`;
  const type = canonical(p.sym.type);
  return type.kind === "int" && type.name === "bool"
    ? `const uchar ${name}`
    : print.decl(p.sym.type, name, p.sym);
}

function pointer(p: KernelParam, print: KernelPrinter, unshared: boolean): string[] {
  if (!p.pointer) return [];
  const name = print.name(p.sym);
  const declared = print.decl(p.sym.type, unshared ? `restrict ${name}` : name, p.sym);
  return [`  ${declared} = (${print.decl(p.sym.type, "")})(${name}_memory + ${name}_offset);`];
}
