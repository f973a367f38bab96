/** What a variant's name asks of the passes of a kind. */

import { axes } from "../../core/compiler/passes/axes.ts";
import { parseVariant } from "../../schema/contract/variant-name.ts";
import { findKind } from "../../targets/registry.ts";
import type { PlannedShaping } from "../steps/translate.ts";

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
