/** Estimates a whole program: each source is read together with the others. */

import type { Assignment } from "../../../schema/document/axis.ts";
import type { DeviceProfile } from "../../ir/model/device-profile.ts";
import { frontEnd } from "../driver/front-end.ts";
import type { Preprocessed } from "../driver/read-source.ts";
import { choiceOf, type NamedChoice } from "../driver/region-choices.ts";
import { designsOf, type Estimate, estimate, type SizedRun } from "./estimate.ts";

interface ShapedSource {
  readonly source: Preprocessed;
  readonly shaping: { readonly all: Assignment; readonly named: readonly NamedChoice[] };
}

export function estimateProgram(
  sources: readonly ShapedSource[],
  runs: readonly SizedRun[],
  device: DeviceProfile,
  /** Kernels have no work-items: every region runs in order, as one. */
  inOrder = false,
): Estimate {
  const read = sources.map(({ source, shaping }) => {
    const others = sources.map((other) => other.source).filter((other) => other !== source);
    return { ...frontEnd(source, { kind: "whole", others }), shaping };
  });
  const designs = read.flatMap(({ program, linkage, shaping }) => {
    // The translation reports its errors.
    if (program.diagnostics.some((d) => d.severity === "error")) return [];
    const choose = (name: string, ordinal: number) => choiceOf({ ...shaping, device }, name, ordinal);
    return designsOf(program, linkage, choose, device, inOrder);
  });
  return estimate(
    designs,
    read.map(({ program }) => program),
    runs,
    device,
  );
}
