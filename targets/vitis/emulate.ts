/**
 * HLS C++ on the processor: each kernel as v++ would get it, under another name, and behind it a function of its
 * own name that libarcrt's host back end can call.
 */
import type { KernelParam } from "../shared/device.ts";
import type { Dialect, KernelPrinter } from "../shared/kerneltext.ts";
import { hls } from "./dialect.ts";
import { emitterFor } from "./emit.ts";

const emulated: Dialect = {
  ...hls,
  head: (text) => [...hls.head(text), '#include "arc_host_kernel.h"'],
  kernel: (kernel, print) => [
    `#define ${kernel.name} ${kernel.name}_design`,
    ...hls.kernel(kernel, print),
    `#undef ${kernel.name}`,
    "",
    `extern "C" void ${kernel.name}(const struct arc_host_grid *, void *const *arc_args) {`,
    `  ${kernel.name}_design(${kernel.params.flatMap((p, k) => argument(p, k, print)).join(", ")});`,
    "}",
  ],
};

/** The host back end has added a buffer's offset to its address. */
function argument(p: KernelParam, k: number, print: KernelPrinter): string[] {
  const type = print.type(p.sym.type);
  return p.pointer ? [`(${type})arc_args[${k}]`, "0"] : [`*(const ${type} *)arc_args[${k}]`];
}

export const emulatedEmitter = emitterFor(emulated);
