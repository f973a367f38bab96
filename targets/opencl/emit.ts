/** Regions as OpenCL C 1.2. */
import type { Emitter } from "../shared/emit.ts";
import { kernelText } from "../shared/kerneltext.ts";
import { opencl } from "../shared/opencl.ts";
import { unsupported } from "../shared/unsupported.ts";

export const openclEmitter: Emitter = {
  extension: ".cl",
  model: { maxItems: 256, defaultItems: 128, partition: "cyclic", perItem: 4, gather: 1 << 14 },
  emit(region) {
    const { dialect, spaces } = opencl(region);
    return {
      ...kernelText(region, dialect),
      diagnostics: [
        ...unsupported(region, "OpenCL", {
          longDouble: true,
          bitFields: true,
          variableArrays: true,
          abort: true,
          types: ["_Atomic", "_Float128"],
          copiedValue: true,
          printedCount: true,
          builtins: (name) => /alloca/.test(name),
          hostForms: true,
        }),
        ...spaces.diagnostics,
      ],
    };
  },
};
