/**
 * Prints lowered regions as texts for compilers: one for each region or group, or one for all regions of a source in an
 * image.
 */

import type { KernelParam, LoweredRegion } from "../../../targets/shared/device/device.ts";
import type { LineMapping } from "../../../targets/shared/device/source-map.ts";
import type { ChannelDeclaration, Emitter } from "../../../targets/shared/kind/emit.ts";
import { manifest } from "../../../targets/shared/kind/launch.ts";
import type { Obligation } from "../../../targets/shared/kind/proof.ts";
import type { DesignFacts } from "../../../targets/shared/kind/report.ts";
import { firstOf } from "../../checked/access.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";

export interface TranslatedKernel {
  /** Name of the region, by which host code launches it. */
  readonly region: string;
  /** Canonical kernel text: no comments, no positions. */
  readonly text: string;
  /** The origin of its lines, for messages; part of no key. */
  readonly mappings: readonly LineMapping[];
  /** Functions in the text that can be launched. */
  readonly entries: readonly string[];
  /** Names of its regions in the text, where they differ from the regions' own. */
  readonly toolNames?: Readonly<Record<string, string>>;
  /** Index of its source in the program. */
  readonly source?: number;
  /** The image that contains it; absent: the common one. */
  readonly image?: string;
  /** It consists of several regions connected by channels. */
  readonly connected?: true;
  /** Further arguments of the command that builds the image. */
  readonly links?: readonly string[];
  /** Headers for that command, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** C that computes the same as the hardware, in its order; no step reads it. */
  readonly reference?: string;
  /** Facts about the hardware, if the emitter schedules it itself: for reports; part of no tool's key. */
  readonly facts?: DesignFacts;
  /** Proof obligations, if requested from the emitter. */
  readonly obligations?: readonly Obligation[];
  /** The region's lines in the image file. */
  readonly manifest: string;
  readonly site: { readonly file: string; readonly line: number; readonly what: string };
}

/** One region, several connected by channels, or several that were fused. */
export interface Unit {
  readonly regions: readonly LoweredRegion[];
  readonly channels: readonly ChannelDeclaration[];
  /** The fused regions that the kernel replaces. */
  readonly fused?: FusedRegions;
  /** The image that contains them, if it is not the common one. */
  readonly image?: string;
}

interface FusedRegions {
  readonly members: readonly {
    readonly name: string;
    readonly site: LoweredRegion["site"];
    readonly args: LoweredRegion["arguments"];
  }[];
  /** For each argument of the kernel: the region that supplies it, and its index there. */
  readonly bringers: readonly (readonly [region: number, index: number])[];
}

export function kernelTexts(
  units: readonly Unit[],
  emitter: Emitter,
): { readonly kernels: readonly TranslatedKernel[]; readonly diagnostics: readonly Diagnostic[] } {
  if (units.length === 0) return { kernels: [], diagnostics: [] };
  const groups = emitter.whole ? byImage(units) : units.map((unit) => [unit]);
  const texts = groups.map((members) => textUnlessTooDeep(members, emitter));
  return { kernels: texts.flatMap((m) => m.kernel ?? []), diagnostics: texts.flatMap((m) => m.diagnostics) };
}

interface Texts {
  readonly kernel?: TranslatedKernel;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reports expressions that are nested too deeply for the stack of this process. */
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
  const first = firstOf(regions);
  const { image } = firstOf(members);
  const alone = regions.length === 1;
  const emitted = alone ? emitter.emit(first) : emitter.connected?.(regions, channels);
  if (!emitted) throw new Error("this emitter prints one region at a time");
  const { text, mappings, links, headers, facts, reference, obligations, diagnostics } = emitted;
  const kernel: TranslatedKernel = {
    region: first.region,
    text,
    mappings,
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

/** Of several regions, the launch of the last one starts all. */
function manifestOf({ regions, fused }: Unit, group: number): string {
  if (fused) return fusedManifest(firstOf(regions), fused, group);
  const word = (k: number) => (k + 1 < regions.length ? ("wait" as const) : ("last" as const));
  return regions
    .map((region, k) => manifest(region, regions.length > 1 ? `together ${word(k)} ${group}` : undefined))
    .join("");
}

/** Parameters are listed with the region that supplies them: `inBringersOrder` has sorted them. */
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

/** Sorts the kernel's parameters into the order in which libarcrt concatenates those of the regions. */
export function inBringersOrder(region: LoweredRegion, bringers: FusedRegions["bringers"]): LoweredRegion {
  const kernels = region.kernels.map((kernel) => ({
    ...kernel,
    params: [...kernel.params].sort((a, b) => bringerOf(a, bringers)[0] - bringerOf(b, bringers)[0]),
  }));
  return { ...region, kernels };
}
