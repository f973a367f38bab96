/** Regions as C with OpenMP threads. */
import { apartOption } from "../shared/kind/contraction.ts";
import type { Emitter } from "../shared/kind/emit.ts";
import { sayingWhyTheyEnd } from "../shared/legalise/function-pointers.ts";
import { resolved } from "../shared/legalise/resolved.ts";
import { kernelText } from "../shared/print/kernel-text.ts";
import { host, hostItems } from "./dialect.ts";

export const hostEmitter: Emitter = {
  extension: ".c",
  ownCompiler: true,
  model: {
    recursion: true,
    maxItems: 1,
    together: 1024,
    defaultItems: 1,
    partition: "block",
    stages: true,
    gather: 1 << 15,
    tiles: "order",
  },
  emit: (region) => {
    const links = [...(region.apart ? [apartOption] : []), ...(region.dialect ?? [])];
    const several = region.kernels.some(({ group }) => group[0] * group[1] > 1);
    return {
      ...kernelText(resolved(sayingWhyTheyEnd(region)), several ? hostItems : host),
      ...(links.length > 0 && { links }),
      diagnostics: [],
    };
  },
};
