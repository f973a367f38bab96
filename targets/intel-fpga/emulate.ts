/**
 * Kernels with channels on the processor, whose OpenCL drivers do not support channels: OpenCL C is compiled as C with
 * a header of arc's, with a thread for each kernel. Kernels without channels use the driver unchanged.
 */
import type { Kernel, KernelParam } from "../shared/device/device.ts";
import type { KernelPrinter } from "../shared/print/kernel-text.ts";
import { passed } from "../shared/print/opencl-parameters.ts";
import { emitterFor } from "./emit.ts";

export const emulatedEmitter = emitterFor((base, region, channels) => ({
  ...base,
  head: () => [
    `#define ARC_KERNELS ${region.kernels.length}`,
    '#include "arc_channels.h"',
    '#include "arc_host_kernel.h"',
    '#include "arc_opencl_c.h"',
  ],
  globals: (print) => channels.map((c) => `ARC_CHANNEL(${print.type(c.type)}, ${c.name}, ${c.depth})`),
  kernel: (kernel, print) => [
    `#define ${kernel.name} ${kernel.name}_design`,
    ...base.kernel(kernel, print),
    `#undef ${kernel.name}`,
    "",
    `void ${kernel.name}(const struct arc_host_grid *arc_grid, void *const *arc_args) {`,
    `  arc_kernel_begin("${kernel.name}");`,
    `  ${kernel.name}_design(${kernel.params.flatMap((p, k) => argument(kernel, p, k, print)).join(", ")});`,
    "  arc_kernel_end();",
    "}",
  ],
}));

/** The offset is already added to a buffer's address. */
function argument(kernel: Kernel, p: KernelParam, k: number, print: KernelPrinter): string[] {
  const { type } = passed(kernel, p, print);
  return type === undefined ? [`arc_args[${k}]`, "0"] : [`*(const ${type} *)arc_args[${k}]`];
}
