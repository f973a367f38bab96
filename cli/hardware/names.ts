/** The names that arc.yaml's `kernels` gives to regions. */
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";

/** A kernel in arc.yaml: the `region`-th region of a function, or its only one. */
export interface NamedKernel {
  readonly name: string;
  readonly source: string;
  readonly function: string;
  readonly region?: number;
}

/** Removes the digest that distinguishes regions of one function. */
export const functionOf = (region: string): string => region.replace(/_[0-9a-f]{8}$/, "");

/**
 * Names by region. A kernel that replaces several regions shifts the numbers of those behind it. If a function has
 * fewer kernels than arc.yaml counts regions in it, none of them gets a name rather than a wrong one.
 */
export function kernelNames(
  kernels: readonly Pick<TranslatedKernel, "region" | "site">[],
  names: readonly NamedKernel[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, source, function: sym, region: place } of names) {
    const inFunction = kernels
      .filter(({ region, site }) => functionOf(region) === sym && site.file === source)
      .sort((a, b) => a.site.line - b.site.line);
    const counted = names.filter((other) => other.function === sym && other.source === source);
    if (Math.max(1, ...counted.map((other) => other.region ?? 1)) > inFunction.length) continue;
    const kernel =
      place === undefined ? (inFunction.length === 1 ? inFunction[0] : undefined) : inFunction[place - 1];
    if (kernel !== undefined) found.set(kernel.region, name);
  }
  return found;
}
