/**
 * For a process that waits for the user: what an emitter made of the regions of a source is kept until the source is
 * translated again. An edit changes few of them, and hardware takes its time to be designed.
 */
import { createHash } from "node:crypto";
import type { EmittedRegion, Emitter } from "../../../targets/shared/kind/emit.ts";
import { structureOf } from "./structure.ts";

/** By the structure of what it was made of. */
type Made = Map<string, EmittedRegion>;

/** Translations whose results are kept: the last ones. */
const MOST = 100;

let kept: Map<string, Made> | undefined;

/** From now on results are kept. */
export function keepEmissions(): void {
  kept ??= new Map();
}

/**
 * The emitter for a translation that may be done again; without a name it is nobody's. `options`: all that the emitter
 * was made of. What it makes of regions hangs on nothing else.
 */
export function keeping(emitter: Emitter, translation: string, options: unknown): Emitter {
  const all = kept;
  if (all === undefined || !emitter.slow || translation === "") return emitter;
  const before = all.get(translation);
  const now: Made = new Map();
  const made = (what: readonly unknown[], make: () => EmittedRegion): EmittedRegion => {
    const key = createHash("sha256")
      .update(structureOf([options, ...what]))
      .digest("base64");
    const result = before?.get(key) ?? make();
    now.set(key, result);
    // A source with errors gets as far as no region: what was known of it stays.
    remember(all, translation, now);
    return result;
  };
  const { connected } = emitter;
  return {
    ...emitter,
    emit: (region) => made([region], () => emitter.emit(region)),
    ...(connected && {
      connected: (regions, channels) => made([regions, channels], () => connected(regions, channels)),
    }),
  };
}

function remember(all: Map<string, Made>, translation: string, made: Made): void {
  all.delete(translation);
  all.set(translation, made);
  const [oldest] = all.keys();
  if (all.size > MOST && oldest !== undefined) all.delete(oldest);
}
