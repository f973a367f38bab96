/** Regions as OpenCL C 1.2. */
import { reciprocalRoot } from "../shared/device/math.ts";
import { withHalfStorage } from "../shared/half/storage.ts";
import { APART } from "../shared/kind/contraction.ts";
import type { Emitter } from "../shared/kind/emit.ts";
import { aroundBarriers } from "../shared/legalise/around-barriers.ts";
import { unsupported } from "../shared/legalise/unsupported.ts";
import { type Dialect, kernelText } from "../shared/print/kernel-text.ts";
import { inOpenCl, opencl } from "../shared/print/opencl.ts";
import { sign, withPtx } from "./nvidia.ts";

export const openclEmitter: Emitter = {
  extension: ".cl",
  model: {
    maxItems: 256,
    defaultItems: 256,
    partition: "cyclic",
    perItem: 4,
    teams: true,
    narrowTeams: true,
    stages: true,
    lastGroup: { most: 16, onSome: true },
    reuse: 1 << 15,
    gather: 1 << 14,
    launchArrays: true,
    noEnd: true,
    tiles: "groups",
  },
  emit(source) {
    const region = inOpenCl(withHalfStorage(aroundBarriers(source)));
    const { dialect, spaces } = opencl(region);
    const own = withPtx(withRoots(dialect));
    const head = (code: string) => [...own.head(code), ...contraction(code, source.apart)];
    const { text, mappings } = kernelText(region, { ...own, head });
    return {
      text: [text, ...sign(region)].join("\n"),
      mappings,
      diagnostics: [
        ...unsupported(region, "OpenCL", {
          longDouble: true,
          functionPointers: true,
          variableArrays: true,
          abort: true,
          clock: true,
          heap: true,
          types: ["_Atomic", "_Float128", "_Float16 _Complex", "__bf16"],
          complexRecords: true,
          copiedValue: true,
          printedCount: true,
          printedStrings: true,
          builtins: (name) => /alloca/.test(name),
          hostForms: true,
        }),
        ...spaces.diagnostics,
      ],
    };
  },
};

/** One over a root is the device's own function, which is exact to 2 units in the last place, as CUDA's is. */
const withRoots = (base: Dialect): Dialect => ({
  ...base,
  options: {
    ...base.options,
    expr(e, print) {
      const radicand = reciprocalRoot(e);
      return radicand ? `rsqrt(${print(radicand)})` : base.options.expr?.(e, print);
    },
  },
});

function contraction(text: string, apart = false): readonly string[] {
  if (!/\b(float|double)\b/.test(text)) return [];
  const off = "#pragma OPENCL FP_CONTRACT OFF";
  return apart ? [off] : [`#ifdef ${APART}`, off, "#endif"];
}
