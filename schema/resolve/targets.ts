/** Resolves kernels by name, and the targets with their variants. */
import type { ArcFile, KindSchema, TargetEntry, VariantsEntry } from "../contract/arc-schema.ts";
import { type Constraint, isConstraint, parseConstraint } from "../contract/constraint.ts";
import type { Kernel, Target } from "../contract/project.ts";
import { parseVariant } from "../contract/variant-name.ts";
import {
  type AxisChoice,
  type Exclusion,
  expandVariants,
  type NamedVariant,
  productSize,
  type VariantSpace,
} from "../contract/variants.ts";
import type { Assignment, Axis } from "../document/axis.ts";
import type { Path } from "../document/document.ts";
import type { Findings } from "../document/findings.ts";
import type { Scalar } from "../document/json-schema.ts";

/** A larger product of axes is a mistake, not a space to search. */
const mostVariants = 1_000_000;

export function resolveKernels(file: ArcFile, found: Findings): readonly Kernel[] {
  const kernels: Kernel[] = [];
  for (const [name, entry] of Object.entries(file.kernels ?? {})) {
    const at = ["kernels", name];
    const { sources = [] } = file;
    if (!sources.includes(entry.source)) {
      const message = `\`${entry.source}\` is not in \`sources\``;
      found.unknown([...at, "source"], "unknown-source", message, entry.source, sources);
    }
    const same = kernels.find(
      (k) => k.source === entry.source && k.function === entry.function && k.region === entry.region,
    );
    if (same !== undefined) {
      const why = "two names for one region would give it two variants";
      const message = `this region is called \`${same.name}\` already`;
      found.errorAtKey(at, "bad-value", message, "name each region once", why);
    }
    kernels.push({ name, ...entry });
  }
  return kernels;
}

export function resolveTargets(
  file: ArcFile,
  kernels: readonly Kernel[],
  { kinds, axes }: { readonly kinds: readonly KindSchema[]; readonly axes: readonly Axis[] },
  found: Findings,
): readonly Target[] {
  const names = kernels.map((kernel) => kernel.name);
  const known = [...names, ...axes.map((axis) => axis.key)];
  const choices = (entry: VariantsEntry | undefined, at: Path): Choices =>
    choicesOf(entry ?? {}, { at, names, known, axes, found });
  const shared = choices(file.variants, ["variants"]);
  return Object.entries(file.targets ?? {}).map(([name, entry]) => {
    const at = ["targets", name];
    const { kind, variants, images, ...options } = entry;
    const space = merge(shared, choices(variants, [...at, "variants"]), names);
    checkImages(entry, at, names, found);
    checkNamed(space, names, at, found);
    checkOptions(kinds.find((k) => k.kind === kind)?.conflict, options, space, axes, at, found);
    checkSpace(name, kind, space, axes, variants === undefined ? ["variants"] : [...at, "variants"], found);
    return {
      name,
      kind,
      options,
      ...(images === undefined ? {} : { images }),
      space,
    };
  });
}

function checkImages(entry: TargetEntry, at: Path, names: readonly string[], found: Findings): void {
  const seen = new Set<string>();
  for (const [i, image] of (entry.images ?? []).entries()) {
    for (const [j, kernel] of image.entries()) {
      const place = [...at, "images", i, j];
      if (!names.includes(kernel))
        found.unknown(place, "unknown-kernel", `\`kernels\` has no \`${kernel}\``, kernel, names);
      else if (seen.has(kernel))
        found.error(
          place,
          "bad-value",
          `\`${kernel}\` is in an image already`,
          "name it once",
          "a launch must know which image to load",
        );
      seen.add(kernel);
    }
  }
}

/** Refuses named choices for kernels that do not vary. */
function checkNamed(
  { kernels, named = [] }: VariantSpace,
  names: readonly string[],
  at: Path,
  found: Findings,
): void {
  for (const { name, kernels: chosen } of named)
    for (const kernel of Object.keys(chosen))
      if (names.includes(kernel) && !kernels.some((one) => one.kernel === kernel))
        found.error(
          [...at, "variants"],
          "unknown-kernel",
          `\`${name}\` chooses for \`${kernel}\`, which has no axes of its own`,
          `list values for it: \`${kernel}: { window: [4] }\``,
        );
}

/** Checks the options with each value that variants give to one. */
function checkOptions(
  conflictOf: KindSchema["conflict"],
  options: Readonly<Record<string, unknown>>,
  { all, kernels }: VariantSpace,
  axes: readonly Axis[],
  at: Path,
  found: Findings,
): void {
  const chosen = axes.flatMap(({ key, option, default: none }) =>
    option === undefined ? [] : (all.values[key] ?? []).map((v) => (v === none ? {} : { [option]: v })),
  );
  for (const choice of chosen.length > 0 ? chosen : [{}]) {
    const conflict = conflictOf?.({ ...options, ...choice });
    if (conflict === undefined) continue;
    const { option, message, remedy, why } = conflict;
    found.error(
      option in choice ? [...at, "variants"] : [...at, option],
      "options-conflict",
      message,
      remedy,
      why,
    );
    return;
  }
  for (const { kernel, choice } of kernels)
    for (const { key } of axes.filter(({ key, option }) => option !== undefined && key in choice.values))
      found.error(
        ["variants", kernel, key],
        "bad-value",
        `\`${key}\` cannot be chosen for one kernel`,
        `write it beside \`${kernel}\`, for the whole target`,
        "it is an option of the target",
      );
}

function checkSpace(
  target: string,
  kind: string,
  space: VariantSpace,
  axes: readonly Axis[],
  at: Path,
  found: Findings,
): void {
  const size = productSize(space);
  if (size > mostVariants) {
    const remedy = `leave values out until there are at most ${mostVariants}`;
    const message = `these axes multiply to ${size} variants of \`${target}\``;
    found.errorAtKey(at, "too-many-variants", message, remedy);
    return;
  }
  const [first] = expandVariants(space, kind, axes).variants;
  if (first === undefined) {
    const { message, remedy } = emptiness(space, kind, axes);
    found.errorAtKey(at, "no-variant", `${message} leaves no variant of \`${target}\``, remedy);
    return;
  }
  const chosenByAll = Object.entries(space.all.values).find(
    ([key, values]) =>
      values.length > 1 &&
      space.kernels.length > 0 &&
      space.kernels.every(({ choice }) => key in choice.values),
  );
  if (chosenByAll !== undefined)
    found.warn(
      at,
      "unused-values",
      `of \`${chosenByAll[0]}\`, which all kernels with variants choose for themselves, only the first value counts`,
      `write \`${chosenByAll[0]}: ${String(chosenByAll[1][0])}\`, or leave it to fewer kernels`,
    );
}

/** What makes a space empty: a single cause if there is one, else all together. */
function emptiness(
  space: VariantSpace,
  kind: string,
  axes: readonly Axis[],
): { readonly message: string; readonly remedy: string } {
  const choices = [space.all, ...space.kernels.map(({ choice }) => choice)];
  const all = choices.flatMap(({ require = [] }) => require);
  const isEmpty = (keep: (constraint: Constraint) => boolean, excluded: boolean): boolean => {
    const only = ({ values, exclude, require = [] }: AxisChoice): AxisChoice => ({
      values,
      exclude: excluded ? exclude : [],
      require: require.filter(keep),
    });
    const kernels = space.kernels.map(({ kernel, choice }) => ({ kernel, choice: only(choice) }));
    const [left] = expandVariants({ all: only(space.all), kernels }, kind, axes).variants;
    return left === undefined;
  };
  const alone = all.find((one) => isEmpty((other) => other === one, false));
  if (alone !== undefined)
    return {
      message: `\`require\`: \`${alone.text}\` holds for none of the values listed, which`,
      remedy: `list values of ${alone.axes.map((axis) => `\`${axis}\``).join(" and ")} for which it holds`,
    };
  if (isEmpty(() => false, true)) return { message: "`exclude`", remedy: "exclude less" };
  const pair = all.flatMap((a, i) => all.slice(i + 1).map((b) => [a, b] as const));
  const two = pair.find(([a, b]) => isEmpty((other) => other === a || other === b, false));
  if (two !== undefined)
    return {
      message: `\`require\`: \`${two[0].text}\` and \`${two[1].text}\` never hold together, which`,
      remedy: "leave one out, or list more values",
    };
  return {
    message: choices.some(({ exclude }) => exclude.length > 0)
      ? "`require` together with `exclude`"
      : "`require`, all of it together,",
    remedy: "require or exclude less, or list more values",
  };
}

interface Choices {
  readonly all: AxisChoice;
  readonly kernels: ReadonlyMap<string, AxisChoice>;
  readonly named: readonly NamedVariant[];
}

interface Reading {
  readonly at: Path;
  readonly names: readonly string[];
  readonly known: readonly string[];
  readonly axes: readonly Axis[];
  readonly found: Findings;
}

function choicesOf({ named = {}, ...entry }: VariantsEntry, reading: Reading): Choices {
  const { at, names } = reading;
  const all: Record<string, unknown> = {};
  const kernels = new Map<string, AxisChoice>();
  for (const [key, value] of Object.entries(entry)) {
    if (!isMapping(value)) {
      all[key] = value;
      continue;
    }
    if (!names.includes(key)) unknownKernel([...at, key], reading);
    kernels.set(key, choiceOf(value, { ...reading, at: [...at, key] }));
  }
  return { all: choiceOf(all, reading), kernels, named: namedOf(named as VariantsEntry, reading) };
}

function unknownKernel(at: Path, { names, known, found }: Reading): void {
  const key = String(at.at(-1));
  const none = names.length === 0 ? ", where regions are named for choices of their own: none is" : "";
  const message = `\`${key}\` is neither an axis nor one of \`kernels\`${none}`;
  found.unknownKey(at, "unknown-kernel", message, key, [...names, ...known]);
}

function namedOf(entry: VariantsEntry, reading: Reading): readonly NamedVariant[] {
  const { at, names, axes, found } = reading;
  return Object.entries(entry).map(([name, value]) => {
    const place = [...at, "named", name];
    if ("parts" in parseVariant(name, axes))
      found.errorAtKey(
        place,
        "bad-value",
        `\`${name}\` is the name of values already`,
        "choose another",
        "names of variants are made of their values",
      );
    const entries = Object.entries(value as VariantsEntry);
    for (const [key, own] of entries)
      if (isMapping(own) && !names.includes(key)) unknownKernel([...place, key], reading);
    return {
      name,
      all: Object.fromEntries(entries.filter(([, own]) => !isMapping(own))) as Assignment,
      kernels: Object.fromEntries(entries.filter(([, own]) => isMapping(own))) as NamedVariant["kernels"],
    };
  });
}

const isMapping = (value: unknown): value is VariantsEntry =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function choiceOf({ exclude, require, ...values }: VariantsEntry, { at, axes, found }: Reading): AxisChoice {
  const exclusions = (exclude as readonly Assignment[] | undefined) ?? [];
  const texts = (require as readonly string[] | undefined) ?? [];
  return {
    values: listed(values),
    exclude: exclusions.map((entry): Exclusion => listed(entry)),
    require: texts.flatMap((text, i): readonly Constraint[] => {
      const parsed = parseConstraint(text, axes);
      if (isConstraint(parsed)) return [parsed];
      found.error([...at, "require", i], "bad-constraint", parsed.error, parsed.remedy);
      return [];
    }),
  };
}

/** `window: 4` is short for `window: [4]`. */
function listed(entry: Readonly<Record<string, unknown>>): Record<string, readonly Scalar[]> {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, Array.isArray(value) ? value : [value as Scalar]]),
  );
}

/** The target's own values replace the shared ones axis by axis; exclusions, constraints and names of both apply. */
function merge(shared: Choices, own: Choices, names: readonly string[]): VariantSpace {
  const both = (a: AxisChoice | undefined, b: AxisChoice | undefined): AxisChoice => ({
    values: { ...a?.values, ...b?.values },
    exclude: [...(a?.exclude ?? []), ...(b?.exclude ?? [])],
    require: [...(a?.require ?? []), ...(b?.require ?? [])],
  });
  const ownNames = new Set(own.named.map(({ name }) => name));
  return {
    all: both(shared.all, own.all),
    kernels: names
      .filter((name) => shared.kernels.has(name) || own.kernels.has(name))
      .map((name) => ({ kernel: name, choice: both(shared.kernels.get(name), own.kernels.get(name)) })),
    named: [...shared.named.filter(({ name }) => !ownNames.has(name)), ...own.named],
  };
}
