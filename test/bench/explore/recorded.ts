/** Spaces that were built as a whole and recorded beside this file. */
import { readFileSync } from "node:fs";
import type { Candidate } from "../../../cli/explore/model.ts";

export interface Space {
  readonly name: string;
  readonly candidates: readonly Candidate[];
  /** Undefined where it cannot be built. */
  readonly valuesOf: (id: string) => readonly number[] | undefined;
  /** Of hardware made for a clock: what its first layout did to the period. */
  readonly stretchOf?: (id: string) => number | undefined;
}

/** `test/bench/explore/NAME.json`: designs with axes, their estimates, and their costs when built. */
export function recorded(file: string): Space {
  const rows = JSON.parse(readFileSync(file, "utf8")) as readonly {
    readonly id: string;
    readonly axes: Candidate["axes"];
    readonly predicted: readonly (number | null)[];
    readonly proportional?: readonly number[];
    readonly values?: readonly number[];
    readonly clocked?: Candidate["clocked"];
    readonly design?: string;
    readonly departures?: number;
    /** JSON has no infinite numbers. */
    readonly launches?: readonly {
      readonly group: readonly [number, number];
      readonly items: number | null;
    }[];
    readonly stretch?: number;
  }[];
  const values = new Map(rows.map((row) => [row.id, row.values]));
  const stretches = new Map(rows.map((row) => [row.id, row.stretch]));
  const candidates = rows.map(
    ({ id, axes, predicted, proportional = [], clocked, design, departures, launches }) => ({
      id,
      axes,
      proportional,
      ...(departures !== undefined && { departures }),
      ...(launches && {
        launches: launches.map(({ group, items }) => ({ group, items: items ?? Number.POSITIVE_INFINITY })),
      }),
      ...(clocked && { clocked: { cells: predicted[1] as number, ...clocked } }),
      ...(design !== undefined && { design }),
      predicted: predicted.map((one) => one ?? undefined),
    }),
  );
  const name = file.replace(/.*\/|\.json$/g, "");
  return {
    name: `${name}, ${rows.length} designs`,
    candidates,
    valuesOf: (id) => values.get(id),
    stretchOf: (id) => stretches.get(id),
  };
}
