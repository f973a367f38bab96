/**
 * Finds variants of a target with equal results of the passes: their kernels are one design, which tools compile once.
 */

import type { Engine } from "../../core/build/engine-interface.ts";
import type { Address, Digest } from "../../core/build/model/action.ts";
import type { VariantPlan } from "../../rules/plan/variant.ts";
import { allKernels, kernelsAddress } from "../../rules/steps/kernels/kernels.ts";
import { resultAt } from "./results.ts";

interface SameDesign {
  readonly address: Address;
  /** Name of the target's first variant with the same design. */
  readonly as: string;
}

export function sameDesigns(engine: Engine, variants: readonly VariantPlan[]): readonly SameDesign[] {
  const first = new Map<string, string>();
  return variants.flatMap(({ address, target, variant }): SameDesign[] => {
    const digest = kernelsOf(engine, address);
    if (digest === undefined) return [];
    // For another clock, tools make another design of the same text.
    const design = `${target.name} ${JSON.stringify(target.options)} ${digest}`;
    const as = first.get(design);
    if (as !== undefined) return [{ address, as }];
    first.set(design, variant.name);
    return [];
  });
}

const kernelsOf = (engine: Engine, variant: Address): Digest | undefined =>
  resultAt(engine, kernelsAddress(variant))?.outputs.find(({ name }) => name === allKernels)?.digest;

export const sameDesignWords = ({ address, as }: SameDesign): string => `${address}: same design as ${as}\n`;
