/** A variant's choices for each region of a source: values of the axes, and the image that contains it. */

import type { Assignment } from "../../../schema/document/axis.ts";
import type { DeviceProfile } from "../../ir/model/device-profile.ts";
import type { Task } from "../../ir/model/ir.ts";
import type { tasksOf } from "../../ir/normalise/normalise.ts";
import type { Symbol } from "../../lang/tree/ast.ts";

/** All regions of a source, in source order. */
export type SourceTasks = ReturnType<typeof tasksOf>;

/** The pass configuration: values of the axes for all regions and for named ones, and the device profile. */
export interface Shaping {
  /** Absent: no pass runs, and the choices only affect the lowering. */
  readonly device?: DeviceProfile | undefined;
  readonly all: Assignment;
  readonly named: readonly NamedChoice[];
  /** Images for some of the regions; the others are in the common one. */
  readonly images?: readonly NamedImage[];
}

/** A region of a function: the `region`-th, or its only one. */
interface NamedRegion {
  readonly function: string;
  readonly region?: number;
}

/** Values of the axes for one region. */
export interface NamedChoice extends NamedRegion {
  readonly choice: Assignment;
}

export interface NamedImage {
  readonly name: string;
  readonly regions: readonly NamedRegion[];
}

/** The axes' values for the `place`-th region of a function. */
export function choiceOf({ all, named }: Shaping, name: string, ordinal: number): Assignment {
  const own = named.find((n) => isRegion(n, name, ordinal));
  return { ...all, ...own?.choice };
}

/** The axes' values for each region. */
export function choicesOf(shaping: Shaping, sourceTasks: SourceTasks): ReadonlyMap<Task, Assignment> {
  return new Map(
    inFunctions(sourceTasks).map(({ task, name, ordinal }) => [task, choiceOf(shaping, name, ordinal)]),
  );
}

/** The image of each region that an image lists. */
export function imagesOf({ images = [] }: Shaping, sourceTasks: SourceTasks): ReadonlyMap<Task, string> {
  return new Map(
    inFunctions(sourceTasks).flatMap(({ task, name, ordinal }) => {
      const image = images.find(({ regions }) => regions.some((r) => isRegion(r, name, ordinal)));
      return image ? [[task, image.name] as const] : [];
    }),
  );
}

/** Adds the function's name and the region's number in the function. */
function inFunctions(sourceTasks: SourceTasks) {
  const ordinals = new Map<Symbol, number>();
  return sourceTasks.map(({ task, function: sym }) => {
    const ordinal = (ordinals.get(sym) ?? 0) + 1;
    ordinals.set(sym, ordinal);
    return { task, name: sym.name, ordinal };
  });
}

const isRegion = (n: NamedRegion, name: string, ordinal: number): boolean =>
  n.function === name && (n.region ?? ordinal) === ordinal;
