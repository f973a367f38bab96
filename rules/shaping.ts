/** What a variant's name asks of the passes of a kind, and the story of what they did with it. */
import { parseVariant } from "../schema/variant-name.ts";
import { findKind } from "../targets/registry.ts";
import { explain } from "./explain.ts";
import { axes } from "./passes/axes.ts";
import type { PlannedShaping } from "./steps/translate.ts";
import { type Preprocessed, translateKernels } from "./translate.ts";

export type { PlannedShaping };

/** For all kernels alike; undefined for kinds without passes. */
export function shapingOf(
  kindName: string,
  variant: string,
  device: string | undefined,
): { readonly shaping?: PlannedShaping } | { readonly error: string } {
  const kind = findKind(kindName);
  if (kind?.profile === undefined) {
    const asked = variant !== "default" || device !== undefined;
    return asked ? { error: `kernels for ${kindName} are not shaped by passes` } : {};
  }
  const devices = kind.options.device?.enum ?? [];
  if (device !== undefined && !devices.includes(device))
    return { error: `there is no device ${device}: there are ${devices.join(", ")}` };
  const named = parseVariant(variant, axes);
  if ("error" in named) return { error: `${variant}: ${named.error}` };
  const [all = {}, ...others] = named.parts;
  if (others.length > 0) return { error: `${variant} names several kernels: give the part of one` };
  return { shaping: { target: device === undefined ? {} : { device }, all, named: [] } };
}

/** What each pass did to each region, or why not; with `code` what the region was after it. */
export async function tellPasses(
  kindName: string,
  sources: readonly Preprocessed[],
  { target, all, named }: PlannedShaping,
  code: boolean,
): Promise<readonly string[]> {
  const kind = findKind(kindName);
  const emitter = await kind?.emitter(target);
  const device = await kind?.profile?.(target);
  if (emitter === undefined || device === undefined) return [];
  return sources.flatMap((source) => {
    const others = { kind: "whole", others: sources.filter((other) => other !== source) } as const;
    return explain(translateKernels(source, emitter, others, { device, all, named }).stories, { code });
  });
}
