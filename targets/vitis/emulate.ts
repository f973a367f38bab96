/**
 * HLS C++ on the processor: each kernel as v++ would get it, under another name, followed by a function with its own
 * name that libarcrt's host back end can call. Streams are objects of the text.
 */
import { pointerTo, qualify } from "../../core/lang/index.ts";
import type { Kernel, KernelParam } from "../shared/device/device.ts";
import type { ChannelDeclaration } from "../shared/kind/emit.ts";
import type { KernelPrinter } from "../shared/print/kernel-text.ts";
import { hls, kernelLines } from "./dialect.ts";
import { emitterFor } from "./emit.ts";

function callable(kernel: Kernel, print: KernelPrinter, streams: readonly ChannelDeclaration[]): string[] {
  const own = streams.filter((c) => c.from === kernel.name || c.to === kernel.name);
  const args = [...kernel.params.flatMap((p, k) => argument(p, k, print)), ...own.map((c) => c.name)];
  const call = `  ${kernel.name}_design(${args.join(", ")});`;
  return [
    `#define ${kernel.name} ${kernel.name}_design`,
    ...kernelLines(kernel, print, streams),
    `#undef ${kernel.name}`,
    "",
    `extern "C" void ${kernel.name}(const struct arc_host_grid *, void *const *arc_args) {`,
    ...(own.length ? [`  arc_kernel_begin("${kernel.name}");`, call, "  arc_kernel_end();"] : [call]),
    "}",
  ];
}

/** The host back end has already added a buffer's offset to its address. */
function argument(p: KernelParam, k: number, print: KernelPrinter): string[] {
  if (p.pointer) return [`(${print.type(p.sym.type)})arc_args[${k}]`, "0"];
  return [`*(${print.type(pointerTo(qualify(p.sym.type, { const: true })))})arc_args[${k}]`];
}

const runtimeHeader = '#include "arc_host_kernel.h"';

export const emulatedEmitter = emitterFor(
  {
    ...hls,
    head: (text) => [...hls.head(text), runtimeHeader],
    kernel: (kernel, print) => callable(kernel, print, []),
  },
  (region, streams) => ({
    ...hls,
    head: (text) => [
      `#define ARC_KERNELS ${region.kernels.length}`,
      ...hls.head(text),
      "#include <hls_stream.h>",
      runtimeHeader,
    ],
    globals: (print) =>
      streams.map((c) => `static hls::stream<${print.type(c.type)}> ${c.name}("${c.name}", ${c.depth});`),
    kernel: (kernel, print) => callable(kernel, print, streams),
  }),
);
