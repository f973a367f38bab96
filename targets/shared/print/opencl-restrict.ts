/** OpenCL kernels for FPGAs, whose compilers benefit from `restrict`: added where buffers are known not to overlap. */
import { canonical } from "../../../core/lang/index.ts";
import type { Kernel, KernelParam } from "../device/device.ts";
import { apart } from "./apart.ts";
import type { KernelPrinter } from "./kernel-text.ts";

/** The kernel without its attributes. */
export function restrictedKernel(kernel: Kernel, print: KernelPrinter): string[] {
  const unshared = apart(kernel);
  return [
    `__kernel void ${kernel.name}(${kernel.params.map((p) => parameter(p, print, unshared.has(p))).join(", ")}) {`,
    ...kernel.params.flatMap((p) => pointer(p, print, unshared.has(p))),
    ...kernel.shared.map((s) => `  __local ${print.decl(s.type, print.name(s))};`),
    ...print.places(kernel),
    ...print.body(kernel.body),
    "}",
  ];
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
