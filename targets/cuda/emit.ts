/** Regions as CUDA C++. */

import { withHalfStorage } from "../shared/half/storage.ts";
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
    const region = inCpp(withHalfStorage(source));
    return {
      ...kernelText(region, cuda),
      ...(source.apart && { links: apartInCuda }),
      diagnostics: unsupported(region, "CUDA device code", gpuLimits),
    };
  },
};

/** The first architecture whose matrix units multiply doubles, and floats that are rounded to 11 bits. */
const UNITS = 80;

/** For an architecture: `sm_90`. `tf32`: products of floats may be rounded so. */
export const cudaEmitterFor = (arch: string, tf32 = false): Emitter =>
  Number.parseInt(arch.slice("sm_".length), 10) < UNITS
    ? cudaEmitter
    : { ...cudaEmitter, model: { ...gpuModel, matrixUnits: tf32 ? ["double", "float"] : ["double"] } };
