/** OpenCL kernels for FPGAs, whose compilers benefit from `restrict`: added where buffers are known not to overlap. */
import type { Kernel } from "../device/device.ts";
import { apart } from "./apart.ts";
import type { KernelPrinter } from "./kernel-text.ts";
import { passed } from "./opencl-parameters.ts";

/** The kernel, with `attributes` that have nothing to do with buffers. */
export function restrictedKernel(
  kernel: Kernel,
  print: KernelPrinter,
  attributes: readonly string[],
): string[] {
  const unshared = apart(kernel);
  const params = kernel.params.map((p) => passed(kernel, p, print, unshared.has(p)));
  return [
    ...params.flatMap((p) => p.types),
    ...attributes,
    `__kernel void ${kernel.name}(${params.map((p) => p.parameter).join(", ")}) {`,
    ...params.flatMap((p) => p.variable),
    ...kernel.shared.map((s) => `  __local ${print.decl(s.type, print.name(s))};`),
    ...print.workItemIds(kernel),
    ...print.body(kernel.body),
    "}",
  ];
}
