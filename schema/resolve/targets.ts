/** Kernels by name, and the targets with what varies on each. */
import type { ArcFile, KindSchema, TargetEntry, VariantsEntry } from "../contract/arc-schema.ts";
import type { Kernel, Target } from "../contract/project.ts";
import {
  type AxisChoice,
  type Exclusion,
  expandVariants,
  productSize,
  type VariantSpace,
} from "../contract/variants.ts";
import type { Assignment, Axis } from "../document/axis.ts";
import type { Path } from "../document/document.ts";
import type { Findings } from "../document/findings.ts";
import type { Scalar } from "../document/json-schema.ts";

/** Beyond this many a product of axes is a slip of the pen, not a plan. */
const mostVariants = 4096;

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
    choicesOf(entry ?? {}, at, names, known, found);
  const shared = choices(file.variants, ["variants"]);
  return Object.entries(file.targets ?? {}).map(([name, entry]) => {
    const at = ["targets", name];
    const { kind, variants, images, ...options } = entry;
    const space = merge(shared, choices(variants, [...at, "variants"]), names);
    checkImages(entry, at, names, found);
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

/** With each value that variants give to an option. */
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
  } else if (expandVariants(space, kind, axes).variants.length === 0) {
    found.errorAtKey(at, "no-variant", `\`exclude\` leaves no variant of \`${target}\``, "exclude less");
  }
}

interface Choices {
  readonly all: AxisChoice;
  readonly kernels: ReadonlyMap<string, AxisChoice>;
}

function choicesOf(
  entry: VariantsEntry,
  at: Path,
  names: readonly string[],
  known: readonly string[],
  found: Findings,
): Choices {
  const all: Record<string, unknown> = {};
  const kernels = new Map<string, AxisChoice>();
  for (const [key, value] of Object.entries(entry)) {
    if (!isMapping(value)) {
      all[key] = value;
      continue;
    }
    if (!names.includes(key)) {
      const none = names.length === 0 ? ", where regions are named for choices of their own: none is" : "";
      const message = `\`${key}\` is neither an axis nor one of \`kernels\`${none}`;
      found.unknownKey([...at, key], "unknown-kernel", message, key, [...names, ...known]);
    }
    kernels.set(key, choiceOf(value));
  }
  return { all: choiceOf(all), kernels };
}

const isMapping = (value: unknown): value is VariantsEntry =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function choiceOf({ exclude, ...values }: VariantsEntry): AxisChoice {
  const exclusions = (exclude as readonly Assignment[] | undefined) ?? [];
  return { values: listed(values), exclude: exclusions.map((entry): Exclusion => listed(entry)) };
}

/** `window: 4` is short for `window: [4]`. */
function listed(entry: Readonly<Record<string, unknown>>): Record<string, readonly Scalar[]> {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, Array.isArray(value) ? value : [value as Scalar]]),
  );
}

/** The target's own values replace the shared ones axis by axis; exclusions of both hold. */
function merge(shared: Choices, own: Choices, names: readonly string[]): VariantSpace {
  const both = (a: AxisChoice | undefined, b: AxisChoice | undefined): AxisChoice => ({
    values: { ...a?.values, ...b?.values },
    exclude: [...(a?.exclude ?? []), ...(b?.exclude ?? [])],
  });
  return {
    all: both(shared.all, own.all),
    kernels: names
      .filter((name) => shared.kernels.has(name) || own.kernels.has(name))
      .map((name) => ({ kernel: name, choice: both(shared.kernels.get(name), own.kernels.get(name)) })),
  };
}
