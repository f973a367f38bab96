/**
 * For processes that wait for the user: keeps what an emitter made of a source's regions until the source is translated
 * again. An edit changes few regions, and scheduling hardware takes time.
 */
import { createHash } from "node:crypto";
import type { EmittedRegion, Emitter } from "../../../targets/shared/kind/emit.ts";
import { structureOf } from "./structure.ts";

/** By the structure of the emitter's input. */
type Made = Map<string, EmittedRegion>;

/** How many translations keep their results: the most recent ones. */
const MOST = 100;

let memory: Map<string, Made> | undefined;

/** From now on results are kept. */
export function keepEmissions(): void {
  memory ??= new Map();
}

/**
 * An emitter that keeps its results under the name of a translation that may be repeated; without a name nothing is
 * kept. `options` must include everything that the emitter's results depend on beside the regions.
 */
export function keeping(emitter: Emitter, translation: string, options: unknown): Emitter {
  const all = memory;
  if (all === undefined || !emitter.slow || translation === "") return emitter;
  const before = all.get(translation);
  const now: Made = new Map();
  const emittedOnce = (what: readonly unknown[], make: () => EmittedRegion): EmittedRegion => {
    const key = createHash("sha256")
      .update(structureOf([options, ...what]))
      .digest("base64");
    const result = before?.get(key) ?? make();
    now.set(key, result);
    // If a source has errors, no region is emitted: earlier results stay.
    remember(all, translation, now);
    return result;
  };
  const { connected } = emitter;
  return {
    ...emitter,
    emit: (region) => emittedOnce([region], () => emitter.emit(region)),
    ...(connected && {
      connected: (regions, channels) => emittedOnce([regions, channels], () => connected(regions, channels)),
    }),
  };
}

function remember(all: Map<string, Made>, translation: string, emissions: Made): void {
  all.delete(translation);
  all.set(translation, emissions);
  const [oldest] = all.keys();
  if (all.size > MOST && oldest !== undefined) all.delete(oldest);
}
