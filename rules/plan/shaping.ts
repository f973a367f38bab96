/** Turns a variant's name into choices for the passes of a kind. */

import { axes } from "../../core/compiler/passes/axes.ts";
import { parseVariant } from "../../schema/contract/variant-name.ts";
import type { Assignment } from "../../schema/document/axis.ts";
import { findKind } from "../../targets/registry.ts";
import type { TargetKind } from "../../targets/shared/kind/kind.ts";
import type { PlannedShaping } from "../steps/translate.ts";

export type { PlannedShaping };

/** For a kind without passes the choices concern only the lowering: nothing is passed on if there are none. */
export function plannedShaping(
  { profile }: Pick<TargetKind, "profile">,
  shaping: PlannedShaping,
): { readonly shaping?: PlannedShaping } {
  if (profile !== undefined) return { shaping };
  const all = withoutDefaults(shaping.all);
  const named = shaping.named.map((one) => ({ ...one, choice: withoutDefaults(one.choice, all) }));
  const isPlain = [all, ...named.map(({ choice }) => choice)].every((own) => Object.keys(own).length === 0);
  return isPlain ? {} : { shaping: { target: {}, all, named } };
}

/** A kernel's own default matters if the other kernels have another value. */
function withoutDefaults(choice: Assignment, all: Assignment = {}): Assignment {
  const isDefault = (key: string, value: unknown) =>
    !(key in all) && axes.find((axis) => axis.key === key)?.default === value;
  return Object.fromEntries(Object.entries(choice).filter(([key, value]) => !isDefault(key, value)));
}

/** The same choices for all kernels; undefined for kinds without axes. */
export function shapingOf(
  kindName: string,
  variant: string,
  device: string | undefined,
): { readonly shaping?: PlannedShaping } | { readonly error: string } {
  const kind = findKind(kindName);
  const own = axes.filter(({ targets }) => targets === undefined || targets.includes(kindName));
  if (kind === undefined || own.length === 0 || (kind.profile === undefined && device !== undefined)) {
    const hasChoices = variant !== "default" || device !== undefined;
    return hasChoices ? { error: `kernels for ${kindName} are not shaped by passes` } : {};
  }
  const devices = kind.options.device?.enum ?? [];
  if (device !== undefined && !devices.includes(device))
    return { error: `there is no device ${device}: there are ${devices.join(", ")}` };
  const named = parseVariant(variant, own);
  if ("error" in named) return { error: `${variant}: ${named.error}` };
  const [all = {}, ...others] = named.parts;
  if (others.length > 0) return { error: `${variant} names several kernels: give the part of one` };
  return plannedShaping(kind, { target: device === undefined ? {} : { device }, all, named: [] });
}
