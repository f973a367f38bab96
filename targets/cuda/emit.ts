/** Regions as CUDA C++. */

import type { Emitter } from "../shared/kind/emit.ts";
import { unsupported } from "../shared/legalise/unsupported.ts";
import { inCpp } from "../shared/print/cpp.ts";
import { kernelText } from "../shared/print/kernel-text.ts";
import { knownBuiltins } from "./builtins.ts";
import { cuda } from "./dialect.ts";

export const cudaEmitter: Emitter = {
  extension: ".cu",
  model: {
    maxItems: 1024,
    defaultItems: 256,
    partition: "cyclic",
    perItem: 4,
    gather: 1 << 14,
    tiles: "groups",
  },
  emit(source) {
    const region = inCpp(source);
    // Device code takes long double for double: its bytes would not be the host's.
    const diagnostics = unsupported(region, "CUDA device code", {
      longDouble: true,
      variableArrays: true,
      emptyRecords: true,
      types: ["_Atomic", "_Float128", "_Float16", "__bf16", "_Complex", "vector_size"],
      printedCount: true,
      builtins: (name) => !knownBuiltins.test(name),
      hostForms: true,
    });
    return { ...kernelText(region, cuda), diagnostics };
  },
};
