/** Regions as HIP C++. */

import { withHalfStorage } from "../shared/half/storage.ts";
import { apartOption } from "../shared/kind/contraction.ts";
import type { Emitter } from "../shared/kind/emit.ts";
import { unsupported } from "../shared/legalise/unsupported.ts";
import { inCpp } from "../shared/print/cpp.ts";
import { gpuLimits, gpuModel } from "../shared/print/gpu-limits.ts";
import { kernelText } from "../shared/print/kernel-text.ts";
import { hip } from "./dialect.ts";

export const hipEmitter: Emitter = {
  extension: ".hip",
  model: gpuModel,
  follows: ["-fno-strict-aliasing"],
  emit(source) {
    const region = inCpp(withHalfStorage(source));
    const links = [...(source.apart ? [apartOption] : []), ...(source.dialect ?? [])];
    return {
      ...kernelText(region, hip),
      ...(links.length > 0 && { links }),
      diagnostics: unsupported(region, "HIP device code", { ...gpuLimits, clock: true }),
    };
  },
};
