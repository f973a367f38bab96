/** Delay lines: short ones are registers, long ones share rings of memory. */
import { firstOf, itemAt } from "../../../../core/checked/access.ts";
import type { Module } from "../text/module.ts";
import { range } from "../text/text.ts";

/** Parts of delay lines in RAM, with equal timing. */
export interface Ring {
  /** The cycle in which values are read, and the one in which the ring stores values: the same or later. */
  readonly cycle: number;
  readonly takes: number;
  readonly gap: number;
  readonly stages: { readonly name: string; readonly bits: number; readonly input: string }[];
}

/** A part of a delay line in registers. */
export interface RegisterLine {
  readonly name: string;
  readonly bits: number;
  readonly gap: number;
  readonly input: string;
  readonly cycle: number;
}

/** Places of a delay line in registers; the last one stores its complement if that is what is used. */
export function registerLineText(
  module: Module,
  enable: string,
  { name, bits, gap, input }: RegisterLine,
  complemented: boolean,
): void {
  const register = complemented ? module.names.unique(`${name}_not`) : name;
  const places = Array.from({ length: gap }, (_, k) => (k === gap - 1 ? register : `${name}_place${k + 1}`));
  for (const place of places) module.declare(`reg ${range(bits)}${place};`);
  if (register !== name) {
    module.declare(`wire ${range(bits)}${name};`);
    module.assign(name, `~${register}`);
  }
  module.when(
    enable,
    places.map((place, k) => {
      const from = k === 0 ? input : itemAt(places, k - 1);
      return `${place} <= ${place === register && register !== name ? "~" : ""}${from};`;
    }),
  );
}

export function ringText(
  module: Module,
  valid: (cycle: number) => string,
  { cycle, takes, gap, stages }: Ring,
): void {
  const [first] = stages as [Ring["stages"][0]];
  const width = stages.reduce((sum, { bits }) => sum + bits, 0);
  const concatenated = (parts: readonly string[]) =>
    parts.length === 1 ? firstOf(parts) : `{${parts.join(", ")}}`;
  module.instance(
    takes === cycle ? "arc_ring" : "arc_early_ring",
    { WIDTH: width, LENGTH: gap, LOG2: Math.ceil(Math.log2(gap)) },
    `${first.name}_line`,
    {
      clk: "clk",
      rst: "rst",
      enable: valid(cycle),
      ...(takes !== cycle && { take: valid(takes) }),
      in: concatenated(stages.map(({ input }) => input)),
      out: concatenated(stages.map(({ name }) => name)),
    },
  );
}
