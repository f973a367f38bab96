/** Regions as CUDA C++. */

import type { LoweredRegion } from "../shared/device.ts";
import type { Emitter } from "../shared/emit.ts";
import { orderedInitialisers } from "../shared/initialisers.ts";
import { kernelText } from "../shared/kerneltext.ts";
import { unsupportedTypes } from "../shared/unsupported.ts";
import { cuda } from "./dialect.ts";

export const cudaEmitter: Emitter = {
  extension: ".cu",
  model: { maxItems: 1024, defaultItems: 256, partition: "cyclic", perItem: 4 },
  emit: (region) => ({
    ...kernelText(inCpp(region), cuda),
    // Device code takes long double for double: its bytes would not be the host's.
    diagnostics: unsupportedTypes(region, "CUDA device code", { longDouble: true }),
  }),
};

/** What C++ does not take from C. */
function inCpp(region: LoweredRegion): LoweredRegion {
  return {
    ...region,
    functions: region.functions.map((f) => ({ ...f, body: orderedInitialisers(f.body) })),
    kernels: region.kernels.map((k) => ({ ...k, body: k.body.map(orderedInitialisers) })),
  };
}
