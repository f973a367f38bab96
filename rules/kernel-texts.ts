/** Lowered regions as the texts that compilers get: one for each region or group, or one for all of a source in an image. */
import type { Diagnostic } from "../core/lang/ast.ts";
import type { LoweredRegion } from "../targets/shared/device.ts";
import type { ChannelDeclaration, Emitter } from "../targets/shared/emit.ts";
import { manifest } from "../targets/shared/launch.ts";
import type { TranslatedKernel } from "./translate.ts";

/** A region, or several that channels join. */
export interface Unit {
  readonly regions: readonly LoweredRegion[];
  readonly channels: readonly ChannelDeclaration[];
  /** The image that they are to be in, where it is not the one of all others. */
  readonly image?: string;
}

export function kernelTexts(
  units: readonly Unit[],
  emitter: Emitter,
): { readonly kernels: readonly TranslatedKernel[]; readonly diagnostics: readonly Diagnostic[] } {
  if (units.length === 0) return { kernels: [], diagnostics: [] };
  const groups = emitter.whole ? byImage(units) : units.map((unit) => [unit]);
  const made = groups.map((members) => textOf(members, emitter));
  return { kernels: made.map((m) => m.kernel), diagnostics: made.flatMap((m) => m.diagnostics) };
}

function byImage(units: readonly Unit[]): readonly (readonly Unit[])[] {
  const groups = new Map<string | undefined, Unit[]>();
  for (const unit of units) groups.set(unit.image, [...(groups.get(unit.image) ?? []), unit]);
  return [...groups.values()];
}

function textOf(
  members: readonly Unit[],
  emitter: Emitter,
): { readonly kernel: TranslatedKernel; readonly diagnostics: readonly Diagnostic[] } {
  const regions = members.flatMap((unit) => unit.regions);
  const channels = members.flatMap((unit) => unit.channels);
  const first = regions[0] as LoweredRegion;
  const { image } = members[0] as Unit;
  const alone = regions.length === 1;
  const emitted = alone ? emitter.emit(first) : emitter.connected?.(regions, channels);
  if (!emitted) throw new Error("this emitter prints one region at a time");
  const { text, places, links, facts, diagnostics } = emitted;
  const kernel: TranslatedKernel = {
    region: first.region,
    text,
    places,
    entries: regions.flatMap((region) => region.kernels.map((k) => k.name)),
    ...(image !== undefined && { image }),
    ...(channels.length > 0 && { connected: true }),
    ...(links && { links }),
    ...(facts && { facts }),
    manifest: members.map((unit, group) => manifestOf(unit.regions, group)).join(""),
    site: first.site,
  };
  return { kernel, diagnostics };
}

/** Of several regions the last one starts all. */
function manifestOf(regions: readonly LoweredRegion[], group: number): string {
  const word = (k: number) => (k + 1 < regions.length ? "wait" : "last");
  return regions
    .map((region, k) => manifest(region, regions.length > 1 ? `${word(k)} ${group}` : undefined))
    .join("");
}
