/** The product of a project's axes, minus what it excludes. */
import type { Assignment, Axis } from "../document/axis.ts";
import type { Scalar } from "../document/json-schema.ts";
import { formatVariant } from "./variant-name.ts";

/** Values to choose from per axis key, and combinations to leave out. */
export interface AxisChoice {
  readonly values: Readonly<Record<string, readonly Scalar[]>>;
  readonly exclude: readonly Exclusion[];
}

/** Matches an assignment whose every named axis has one of the listed values. */
export type Exclusion = Readonly<Record<string, readonly Scalar[]>>;

/** What varies: for all kernels together, and for named kernels on top of that. */
export interface VariantSpace {
  readonly all: AxisChoice;
  /** In the order of `kernels:`. */
  readonly kernels: readonly { readonly kernel: string; readonly choice: AxisChoice }[];
}

export interface Variant {
  readonly name: string;
  /** For kernels that do not vary on their own. */
  readonly all: Assignment;
  readonly kernels: Readonly<Record<string, Assignment>>;
}

export interface Expansion {
  /** The last axis varies fastest, so the first one has the first value of every axis. Empty if all are excluded. */
  readonly variants: readonly Variant[];
  /** Keys of axes that the target kind does not honour. */
  readonly projected: readonly string[];
}

/** Size of the product before exclusion: what a limit is checked against before anything is expanded. */
export function productSize(space: VariantSpace): number {
  const choices = [space.all, ...space.kernels.map((k) => k.choice)];
  return choices
    .flatMap((choice) => Object.values(choice.values))
    .reduce((n, values) => n * values.length, 1);
}

export function expandVariants(space: VariantSpace, kind: string, axes: readonly Axis[]): Expansion {
  const honoured = axes.filter((axis) => axis.targets === undefined || axis.targets.includes(kind));
  const keys = new Set(honoured.map((axis) => axis.key));
  const mentioned = new Set(
    [space.all, ...space.kernels.map((k) => k.choice)].flatMap((choice) => Object.keys(choice.values)),
  );
  const byName = new Map<string, Variant>();
  for (const all of assignments(space.all)) {
    for (const own of perKernel(space, all)) {
      const parts = own.length === 0 ? [all] : own.map((k) => k.assignment);
      const projectedParts = parts.map((part) => project(part, keys));
      const name = formatVariant(sameOnce(projectedParts, own.length), honoured);
      // Variants that differ only in axes this kind does not honour are one and the same build.
      if (byName.has(name)) continue;
      const kernels = own.map((k, i) => [k.kernel, projectedParts[i] ?? {}] as const);
      byName.set(name, { name, all: project(all, keys), kernels: Object.fromEntries(kernels) });
    }
  }
  return {
    variants: [...byName.values()],
    projected: axes.filter((axis) => mentioned.has(axis.key) && !keys.has(axis.key)).map((axis) => axis.key),
  };
}

/** Where nothing is left to tell kernels apart (all axes projected away) the name has one part. */
function sameOnce(parts: readonly Assignment[], kernels: number): readonly Assignment[] {
  return kernels > 0 && parts.every((part) => Object.keys(part).length === 0) ? [{}] : parts;
}

function project(assignment: Assignment, keys: ReadonlySet<string>): Assignment {
  return Object.fromEntries(Object.entries(assignment).filter(([key]) => keys.has(key)));
}

function* perKernel(
  space: VariantSpace,
  all: Assignment,
): Generator<readonly { kernel: string; assignment: Assignment }[]> {
  const walk = function* (index: number): Generator<readonly { kernel: string; assignment: Assignment }[]> {
    const entry = space.kernels[index];
    if (entry === undefined) {
      yield [];
      return;
    }
    const exclude = [...space.all.exclude, ...entry.choice.exclude];
    for (const own of assignments({ values: entry.choice.values, exclude }, all)) {
      for (const rest of walk(index + 1)) yield [{ kernel: entry.kernel, assignment: own }, ...rest];
    }
  };
  yield* walk(0);
}

/** The product of one choice over a base that it refines, minus its exclusions. */
function* assignments(choice: AxisChoice, base: Assignment = {}): Generator<Assignment> {
  const entries = Object.entries(choice.values);
  const walk = function* (index: number, sofar: Assignment): Generator<Assignment> {
    const entry = entries[index];
    if (entry === undefined) {
      if (!choice.exclude.some((exclusion) => matches(sofar, exclusion))) yield sofar;
      return;
    }
    for (const value of entry[1]) yield* walk(index + 1, { ...sofar, [entry[0]]: value });
  };
  yield* walk(0, base);
}

function matches(assignment: Assignment, exclusion: Exclusion): boolean {
  return Object.entries(exclusion).every(([key, values]) => {
    const value = assignment[key];
    return value !== undefined && values.includes(value);
  });
}
