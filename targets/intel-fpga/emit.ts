/** Regions as OpenCL C for Intel FPGAs. */
import type { CType } from "../../core/lang/ast.ts";
import { printDecl } from "../../core/lang/index.ts";
import type { LoweredRegion } from "../shared/device.ts";
import type { EmittedRegion, Emitter } from "../shared/emit.ts";
import { kernelText } from "../shared/kerneltext.ts";
import { dataPaths } from "../shared/pipelines.ts";
import { joined } from "../shared/places.ts";
import { intelFpga } from "./dialect.ts";

export const intelFpgaEmitter: Emitter = {
  extension: ".cl",
  model: dataPaths,
  emit(region) {
    const { dialect, spaces } = intelFpga(region);
    return { ...kernelText(region, dialect), diagnostics: spaces.diagnostics };
  },
};

/** A channel between two kernels of one text; `depth` elements wait in it. */
export interface ChannelDeclaration {
  readonly name: string;
  readonly type: CType;
  readonly depth: number;
}

/** Kernels that run at the same time, with the channels between them, as one text. */
export function emitConnected(
  regions: readonly LoweredRegion[],
  channels: readonly ChannelDeclaration[],
): EmittedRegion {
  const emitted = regions.map((region) => intelFpgaEmitter.emit(region));
  const head = [
    "#pragma OPENCL EXTENSION cl_intel_channels : enable",
    ...channels.map((c) => `channel ${printDecl(c.type, c.name)} __attribute__((depth(${c.depth})));`),
  ];
  const parts = [{ text: `${head.join("\n")}\n`, places: [] }, ...emitted];
  return {
    ...joined(parts),
    diagnostics: emitted.flatMap((e) => e.diagnostics),
  };
}
