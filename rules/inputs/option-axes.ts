/** Axes that stand for an option of the target, such as its clock, and concern no pass. */
import type { Target } from "../../schema/contract/project.ts";
import type { Variant } from "../../schema/contract/variants.ts";
import type { Axis } from "../../schema/document/axis.ts";

const clockAxis: Axis = {
  key: "clock",
  description:
    "MHz that the hardware is made for, in place of the target's `clock`; 0 takes that. Of a whole target, not of one kernel.",
  values: { minimum: 0, maximum: 2000 },
  default: 0,
  token: "clk",
  targets: ["rtl"],
  option: "clock",
};

export const optionAxes: readonly Axis[] = [clockAxis];

/** The target with the variant's options, and the rest of the variant for the passes. */
export function withOptions(
  target: Target,
  variant: Variant,
): { readonly target: Target; readonly variant: Variant } {
  const chosen = optionAxes.filter(
    ({ key, targets }) => key in variant.all && targets?.includes(target.kind),
  );
  if (chosen.length === 0) return { target, variant };
  const options = chosen.flatMap(({ key, option, default: none }) =>
    option === undefined || variant.all[key] === none ? [] : [[option, variant.all[key]]],
  );
  const rest = Object.entries(variant.all).filter(([key]) => !chosen.some((axis) => axis.key === key));
  return {
    target: { ...target, options: { ...target.options, ...Object.fromEntries(options) } },
    variant: { ...variant, all: Object.fromEntries(rest) },
  };
}
