/** Regions as CUDA C++. */

import { apartInCuda } from "../shared/kind/contraction.ts";
import type { Emitter } from "../shared/kind/emit.ts";
import { unsupported } from "../shared/legalise/unsupported.ts";
import { inCpp } from "../shared/print/cpp.ts";
import { gpuLimits, gpuModel } from "../shared/print/gpu-limits.ts";
import { kernelText } from "../shared/print/kernel-text.ts";
import { cuda } from "./dialect.ts";

export const cudaEmitter: Emitter = {
  extension: ".cu",
  model: gpuModel,
  emit(source) {
    const region = inCpp(source);
    return {
      ...kernelText(region, cuda),
      ...(source.apart && { links: apartInCuda }),
      diagnostics: unsupported(region, "CUDA device code", gpuLimits),
    };
  },
};

/** The first architecture whose matrix units multiply doubles. */
const DOUBLES = 80;

/** For an architecture: `sm_90`. */
export const cudaEmitterFor = (arch: string): Emitter =>
  Number.parseInt(arch.slice("sm_".length), 10) < DOUBLES
    ? cudaEmitter
    : { ...cudaEmitter, model: { ...gpuModel, matrixUnits: true } };
