/** Titles of actions that compile kernels; they name the variant, as others have kernels of the same regions. */
import type { Address } from "../../core/build/model/action.ts";
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";

/** `kernels` has at least one element. */
export function kernelTitle(variant: Address, kernels: readonly TranslatedKernel[]): string {
  const [{ region, site }] = kernels as readonly [TranslatedKernel];
  const regions = kernels.flatMap(({ manifest }) => manifest.match(/^region /gm) ?? []).length;
  const others = regions > 1 ? ` and ${regions - 1} more` : "";
  // The least important part comes last, as narrow terminals cut it off.
  return `${region}${others} for ${variant} (${site.file}:${site.line})`;
}
