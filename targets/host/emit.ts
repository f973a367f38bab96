/** Regions as C with OpenMP threads. */
import type { Emitter } from "../shared/emit.ts";
import { kernelText } from "../shared/kerneltext.ts";
import { resolved } from "../shared/resolved.ts";
import { host } from "./dialect.ts";

export const hostEmitter: Emitter = {
  extension: ".c",
  model: { maxItems: 1, defaultItems: 1, partition: "block", gather: 1 << 15, tiles: "order" },
  emit: (region) => ({ ...kernelText(resolved(region), host), diagnostics: [] }),
};
