/** Regions as OpenCL C for Intel FPGAs. */
import type { LoweredRegion } from "../shared/device/device.ts";
import type { ChannelDeclaration, Emitter } from "../shared/kind/emit.ts";
import { uncheckedCalls } from "../shared/legalise/function-pointers.ts";
import { merged } from "../shared/legalise/merge.ts";
import { unsupported } from "../shared/legalise/unsupported.ts";
import { dataPaths } from "../shared/lower/pipelines.ts";
import { type Dialect, kernelText } from "../shared/print/kernel-text.ts";
import { inOpenCl } from "../shared/print/opencl.ts";
import { intelFpga } from "./dialect.ts";

/** `withChannels`: the dialect for kernels with channels. */
export const emitterFor = (
  withChannels: (base: Dialect, region: LoweredRegion, channels: readonly ChannelDeclaration[]) => Dialect,
): Emitter => ({
  extension: ".cl",
  model: { ...dataPaths, constants: 1 << 16 },
  emit(source) {
    const region = inOpenCl(source);
    const { dialect, spaces } = intelFpga(region);
    return {
      ...kernelText(region, dialect),
      diagnostics: [
        ...unsupported(region, "an FPGA", {
          types: ["_Float16", "__bf16"],
          variableArrays: true,
          abort: true,
          clock: true,
          heap: true,
        }),
        ...uncheckedCalls(region),
        ...spaces.diagnostics,
      ],
    };
  },
  connected(regions, channels) {
    const all = inOpenCl(merged(regions));
    const { dialect, spaces } = intelFpga(all);
    return {
      ...kernelText(all, withChannels(dialect, all, channels)),
      diagnostics: [...uncheckedCalls(all), ...spaces.diagnostics],
    };
  },
});

export const intelFpgaEmitter = emitterFor((base, _, channels) =>
  channels.length === 0
    ? base
    : {
        ...base,
        head: (text) => [...base.head(text), "#pragma OPENCL EXTENSION cl_intel_channels : enable"],
        globals: (print) =>
          channels.map((c) => `channel ${print.decl(c.type, c.name)} __attribute__((depth(${c.depth})));`),
      },
);

/** As the vendor's compiler needs it: one image contains all kernels, because changing images stops the device. */
export const wholeEmitter: Emitter = { ...intelFpgaEmitter, whole: true };
