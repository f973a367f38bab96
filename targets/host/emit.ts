/** Regions as C with OpenMP threads. */
import type { Emitter } from "../shared/kind/emit.ts";
import { resolved } from "../shared/legalise/resolved.ts";
import { kernelText } from "../shared/print/kernel-text.ts";
import { host } from "./dialect.ts";

export const hostEmitter: Emitter = {
  extension: ".c",
  model: { maxItems: 1, defaultItems: 1, partition: "block", gather: 1 << 15, tiles: "order" },
  emit: (region) => ({ ...kernelText(resolved(region), host), diagnostics: [] }),
};
