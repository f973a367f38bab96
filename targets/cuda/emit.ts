/** Regions as CUDA C++. */

import { inCpp } from "../shared/cpp.ts";
import type { Emitter } from "../shared/emit.ts";
import { kernelText } from "../shared/kerneltext.ts";
import { unsupported } from "../shared/unsupported.ts";
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
