/** Lowered regions as the texts that compilers get: one for each region or group, or one for all of a source in an image. */

import type { KernelParam, LoweredRegion } from "../../../targets/shared/device/device.ts";
import type { LinePlace } from "../../../targets/shared/device/source-map.ts";
import type { ChannelDeclaration, Emitter } from "../../../targets/shared/kind/emit.ts";
import { manifest } from "../../../targets/shared/kind/launch.ts";
import type { Obligation } from "../../../targets/shared/kind/proof.ts";
import type { DesignFacts } from "../../../targets/shared/kind/report.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";

export interface TranslatedKernel {
  /** Name of the region: host code launches it by this. */
  readonly region: string;
  /** Canonical kernel text: no comments, no positions. */
  readonly text: string;
  /** Where its lines come from: for messages, in no key. */
  readonly places: readonly LinePlace[];
  /** Functions of the text that are launched. */
  readonly entries: readonly string[];
  /** What its regions are called in there, by their names, where that is something else. */
  readonly toolNames?: Readonly<Record<string, string>>;
  /** The place of its source among the program's. */
  readonly source?: number;
  /** The image that its target wants it in; absent: the one of all others. */
  readonly image?: string;
  /** Channels connect its kernels: it has several regions. */
  readonly connected?: true;
  /** What the call that makes the image is told beside the text. */
  readonly links?: readonly string[];
  /** Headers that the call compiles in, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** C that computes what the hardware does, in its order; no step reads it. */
  readonly reference?: string;
  /** What is known of the hardware, where the emitter schedules it itself: for reports, in no key of a tool. */
  readonly facts?: DesignFacts;
  /** What there is to prove of it, where the emitter was asked for that. */
  readonly obligations?: readonly Obligation[];
  /** The region's lines of the image file. */
  readonly manifest: string;
  readonly site: { readonly file: string; readonly line: number; readonly what: string };
}

/** A region, several that channels join, or several that became one. */
export interface Unit {
  readonly regions: readonly LoweredRegion[];
  readonly channels: readonly ChannelDeclaration[];
  /** The regions that the one does the work of. */
  readonly fused?: FusedRegions;
  /** The image that they are to be in, where it is not the one of all others. */
  readonly image?: string;
}

export interface FusedRegions {
  readonly members: readonly {
    readonly name: string;
    readonly site: LoweredRegion["site"];
    readonly args: LoweredRegion["arguments"];
  }[];
  /** Of each argument of the kernel's: the region that brings it, and its number there. */
  readonly bringers: readonly (readonly [region: number, index: number])[];
}

export function kernelTexts(
  units: readonly Unit[],
  emitter: Emitter,
): { readonly kernels: readonly TranslatedKernel[]; readonly diagnostics: readonly Diagnostic[] } {
  if (units.length === 0) return { kernels: [], diagnostics: [] };
  const groups = emitter.whole ? byImage(units) : units.map((unit) => [unit]);
  const made = groups.map((members) => textUnlessTooDeep(members, emitter));
  return { kernels: made.flatMap((m) => m.kernel ?? []), diagnostics: made.flatMap((m) => m.diagnostics) };
}

interface Texts {
  readonly kernel?: TranslatedKernel;
  readonly diagnostics: readonly Diagnostic[];
}

/** How deep expressions may nest is a matter of the stack that this program has, and of the kind of target. */
function textUnlessTooDeep(members: readonly Unit[], emitter: Emitter): Texts {
  try {
    return textOf(members, emitter);
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    const [first] = members.flatMap((unit) => unit.regions);
    const { file, line, what } = (first as LoweredRegion).site;
    return {
      diagnostics: [
        {
          severity: "error",
          code: "nested-too-deep",
          loc: { file, line, col: 1 },
          message: `an expression of this region (${what}) nests too deeply for this kind of target`,
          why: "it is followed operator by operator, each time deeper into the stack of arc's own process",
          remedy: "split its longest expressions into several statements",
        },
      ],
    };
  }
}

const isStackOverflow = (error: unknown): boolean =>
  error instanceof RangeError && error.message.startsWith("Maximum call stack size exceeded");

function byImage(units: readonly Unit[]): readonly (readonly Unit[])[] {
  const groups = new Map<string | undefined, Unit[]>();
  for (const unit of units) groups.set(unit.image, [...(groups.get(unit.image) ?? []), unit]);
  return [...groups.values()];
}

function textOf(members: readonly Unit[], emitter: Emitter): Texts {
  const regions = members.flatMap((unit) => unit.regions);
  const channels = members.flatMap((unit) => unit.channels);
  const first = regions[0] as LoweredRegion;
  const { image } = members[0] as Unit;
  const alone = regions.length === 1;
  const emitted = alone ? emitter.emit(first) : emitter.connected?.(regions, channels);
  if (!emitted) throw new Error("this emitter prints one region at a time");
  const { text, places, links, headers, facts, reference, obligations, diagnostics } = emitted;
  const kernel: TranslatedKernel = {
    region: first.region,
    text,
    places,
    entries: regions.flatMap((region) => region.kernels.map((k) => k.name)),
    ...(image !== undefined && { image }),
    ...(channels.length > 0 && { connected: true }),
    ...(links && { links }),
    ...(headers && { headers }),
    ...(facts && { facts }),
    ...(reference && { reference }),
    ...(obligations && { obligations }),
    manifest: members.map(manifestOf).join(""),
    site: first.site,
  };
  return { kernel, diagnostics };
}

/** Of several regions the last one starts all. */
function manifestOf({ regions, fused }: Unit, group: number): string {
  if (fused) return fusedManifest(regions[0] as LoweredRegion, fused, group);
  const word = (k: number) => (k + 1 < regions.length ? ("wait" as const) : ("last" as const));
  return regions
    .map((region, k) => manifest(region, regions.length > 1 ? `together ${word(k)} ${group}` : undefined))
    .join("");
}

/** Parameters stand with the region that brings them: `inBringersOrder` put them in this order. */
function fusedManifest(region: LoweredRegion, { members, bringers }: FusedRegions, group: number): string {
  return members
    .map(({ name, site, args }, k) => {
      const kernels = region.kernels.map((kernel) => ({
        ...kernel,
        params: kernel.params.flatMap((p): KernelParam[] => {
          const [from, index] = bringerOf(p, bringers);
          return from === k && p.source.from === "argument" ? [{ ...p, source: { ...p.source, index } }] : [];
        }),
      }));
      const word = k + 1 < members.length ? "wait" : "last";
      return manifest({ ...region, region: name, site, arguments: args, kernels }, `fused ${word} ${group}`);
    })
    .join("");
}

function bringerOf({ source }: KernelParam, bringers: FusedRegions["bringers"]): readonly [number, number] {
  const found = source.from === "argument" ? bringers[source.index] : undefined;
  if (!found) throw new Error("a kernel of several regions takes what none of them brings");
  return found;
}

/** The kernel's parameters in the order in which libarcrt puts the regions' together. */
export function inBringersOrder(region: LoweredRegion, bringers: FusedRegions["bringers"]): LoweredRegion {
  const kernels = region.kernels.map((kernel) => ({
    ...kernel,
    params: [...kernel.params].sort((a, b) => bringerOf(a, bringers)[0] - bringerOf(b, bringers)[0]),
  }));
  return { ...region, kernels };
}
