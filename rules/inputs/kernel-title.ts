/** Kernels that are compiled together, in titles of actions: other variants have theirs of the same regions. */
import type { Address } from "../../core/build/model/action.ts";
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";

/** At least one. */
export function kernelTitle(variant: Address, kernels: readonly TranslatedKernel[]): string {
  const [{ region, site }] = kernels as readonly [TranslatedKernel];
  const regions = kernels.flatMap(({ manifest }) => manifest.match(/^region /gm) ?? []).length;
  const others = regions > 1 ? ` and ${regions - 1} more` : "";
  // What is on its right is cut off where a terminal is narrow.
  return `${region}${others} for ${variant} (${site.file}:${site.line})`;
}
