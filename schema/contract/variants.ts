/**
 * The product of a project's axes without the excluded combinations. Expanded lazily, as there may be 10^5 variants or
 * more.
 */
import { itemAt } from "../../core/checked/access.ts";
import type { Assignment, Axis } from "../document/axis.ts";
import type { Scalar } from "../document/json-schema.ts";
import type { Constraint } from "./constraint.ts";
import { formatVariant } from "./variant-name.ts";

/** Values for each axis key, excluded combinations, and constraints on the others. */
export interface AxisChoice {
  readonly values: Readonly<Record<string, readonly Scalar[]>>;
  readonly exclude: readonly Exclusion[];
  readonly require?: readonly Constraint[];
}

/** Matches an assignment if each named axis has one of the listed values. */
export type Exclusion = Readonly<Record<string, readonly Scalar[]>>;

/** What varies: for all kernels together, and in addition for named kernels. */
export interface VariantSpace {
  readonly all: AxisChoice;
  /** In the order of `kernels:`. */
  readonly kernels: readonly { readonly kernel: string; readonly choice: AxisChoice }[];
  readonly named?: readonly NamedVariant[];
}

/**
 * A choice with a name of its own; axes that it leaves open have their defaults, regardless of the order of listed
 * values.
 */
export interface NamedVariant {
  readonly name: string;
  readonly all: Assignment;
  readonly kernels: Readonly<Record<string, Assignment>>;
}

export interface Variant {
  readonly name: string;
  /** Its names in arc.yaml. */
  readonly called?: readonly string[];
  /** Values for kernels that do not vary on their own. */
  readonly all: Assignment;
  readonly kernels: Readonly<Record<string, Assignment>>;
}

interface Expansion {
  /**
   * The last axis varies fastest, so the first variant has the first value of every axis. Named variants that are not
   * among these come last. Empty if all are excluded. Each iteration starts again.
   */
  readonly variants: Iterable<Variant>;
  /** Keys of axes that the target kind does not honour. */
  readonly projected: readonly string[];
}

/** Size of the product before exclusion, to check a limit before anything is expanded. */
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
  const projected = axes.filter((axis) => mentioned.has(axis.key) && !keys.has(axis.key));
  return {
    variants: { [Symbol.iterator]: () => walk(space, honoured, projected.length > 0) },
    projected: projected.map((axis) => axis.key),
  };
}

/** The named variants of the space, for the kind's axes. */
function* walk(space: VariantSpace, honoured: readonly Axis[], isProjected: boolean): Generator<Variant> {
  const make = maker(space, honoured, isProjected);
  const named = new Map<string, Variant>();
  for (const one of space.named ?? []) {
    const variant = make(...filled(space, honoured, one));
    const called = [...(named.get(variant.name)?.called ?? []), one.name];
    named.set(variant.name, { ...variant, called });
  }
  // Variants that differ only in axes that are projected away, or that every kernel overrides, are one build.
  const seen = isProjected || space.kernels.length > 0 ? new Set<string>() : undefined;
  for (const all of assignments(space.all)) {
    for (const own of perKernel(space, all)) {
      const variant = make(all, own);
      if (seen?.has(variant.name)) continue;
      seen?.add(variant.name);
      yield named.get(variant.name) ?? variant;
      named.delete(variant.name);
    }
  }
  yield* named.values();
}

type Make = (all: Assignment, own: readonly Assignment[]) => Variant;

function maker(space: VariantSpace, honoured: readonly Axis[], isProjected: boolean): Make {
  const keys = new Set(honoured.map((axis) => axis.key));
  const retained = (one: Assignment): Assignment => (isProjected ? project(one, keys) : one);
  return (all, own) => {
    const parts = (own.length === 0 ? [all] : own).map(retained);
    const kernels = space.kernels.map(({ kernel }, i) => [kernel, parts[i] ?? {}] as const);
    return {
      name: formatVariant(sameOnce(parts, own.length), honoured),
      all: retained(all),
      kernels: Object.fromEntries(kernels),
    };
  };
}

/** The named choice, with defaults for open axes. */
function filled(
  space: VariantSpace,
  axes: readonly Axis[],
  { all, kernels }: NamedVariant,
): Parameters<Make> {
  const defaults = ({ values }: AxisChoice): Assignment =>
    Object.fromEntries(axes.flatMap((axis) => (axis.key in values ? [[axis.key, axis.default]] : [])));
  const whole = { ...defaults(space.all), ...all };
  return [
    whole,
    space.kernels.map(({ kernel, choice }) => ({ ...whole, ...defaults(choice), ...kernels[kernel] })),
  ];
}

/** If nothing distinguishes the kernels (all axes are projected away), the name has one part. */
function sameOnce(parts: readonly Assignment[], kernels: number): readonly Assignment[] {
  return kernels > 0 && parts.every((part) => Object.keys(part).length === 0) ? [{}] : parts;
}

function project(assignment: Assignment, keys: ReadonlySet<string>): Assignment {
  return Object.fromEntries(Object.entries(assignment).filter(([key]) => keys.has(key)));
}

function* perKernel(
  { all: shared, kernels }: VariantSpace,
  all: Assignment,
): Generator<readonly Assignment[]> {
  const walk = function* (index: number): Generator<readonly Assignment[]> {
    const entry = kernels[index];
    if (entry === undefined) {
      yield [];
      return;
    }
    const { values, exclude, require = [] } = entry.choice;
    const choice = {
      values,
      exclude: [...shared.exclude, ...exclude],
      require: [...(shared.require ?? []), ...require],
    };
    for (const own of assignments(choice, all)) {
      for (const rest of walk(index + 1)) yield [own, ...rest];
    }
  };
  yield* walk(0);
}

/**
 * The product of one choice on top of a base that it refines, without what it leaves out. Counts like an odometer, and
 * skips all combinations of later axes once the earlier ones violate a constraint.
 */
function* assignments(choice: AxisChoice, base: Assignment = {}): Generator<Assignment> {
  const entries = Object.entries(choice.values);
  if (entries.some(([, values]) => values.length === 0)) return;
  const checks = checksOf(choice, entries);
  const digits = entries.map(() => 0);
  const partial: Record<string, Scalar> = { ...base };
  let from = 0;
  for (;;) {
    let broken = entries.length === 0 && checks[0]?.some((fails) => fails(partial)) ? 0 : -1;
    for (let at = from; at < entries.length && broken < 0; at++) {
      const [key, values] = itemAt(entries, at);
      partial[key] = itemAt(values, itemAt(digits, at));
      if (checks[at]?.some((fails) => fails(partial))) broken = at;
    }
    if (broken < 0) yield { ...partial };
    let at = broken < 0 ? entries.length - 1 : broken;
    for (let behind = at + 1; behind < entries.length; behind++) digits[behind] = 0;
    for (; at >= 0; at--) {
      digits[at] = itemAt(digits, at) + 1;
      if (itemAt(digits, at) < itemAt(entries, at)[1].length) break;
      digits[at] = 0;
    }
    if (at < 0) return;
    from = at;
  }
}

type Fails = (partial: Assignment) => boolean;

/** For each axis position, the conditions that can be checked once this axis and all before it have values. */
function checksOf(
  { exclude, require = [] }: AxisChoice,
  entries: readonly (readonly [string, readonly Scalar[]])[],
): readonly (readonly Fails[])[] {
  const checks: Fails[][] = [[], ...entries.slice(1).map(() => [])];
  const keys = entries.map(([key]) => key);
  const add = (axes: readonly string[], fails: Fails): void => {
    const last = Math.max(0, ...axes.map((axis) => keys.indexOf(axis)));
    checks[last]?.push(fails);
  };
  for (const exclusion of exclude) add(Object.keys(exclusion), (partial) => matches(partial, exclusion));
  for (const constraint of require) add(constraint.axes, (partial) => constraint.holds(partial) === false);
  return checks;
}

function matches(assignment: Assignment, exclusion: Exclusion): boolean {
  return Object.entries(exclusion).every(([key, values]) => {
    const value = assignment[key];
    return value !== undefined && values.includes(value);
  });
}
