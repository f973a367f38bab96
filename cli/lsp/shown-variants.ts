/** The variants whose kernels an editor leads to. */
import path from "node:path";
import { type PlannedShaping, shapingOf } from "../../rules/plan/shaping.ts";
import { variantShaping } from "../../rules/plan/variant.ts";
import { vocabulary } from "../../rules/vocabulary.ts";
import type { Target } from "../../schema/contract/project.ts";
import { expandVariants, type Variant } from "../../schema/contract/variants.ts";
import { projectAround } from "../project/sources/project-of.ts";
import { storedReports } from "../report/stored.ts";

/** Variants that translate a source in the same way. */
export interface ShownVariant {
  /** `target:variant` of each; empty without a project. */
  readonly addresses: readonly string[];
  readonly kind: string;
  readonly shaping?: PlannedShaping;
}

/** Without a project: the kind whose kernels most people can read. */
const USUAL_KIND = "opencl";

/** A list of places is read at a glance. */
const MOST = 8;

/** How many variants of a space are looked through for those of a report: a space may have millions. */
const FAR = 10_000;

/**
 * For a source (an absolute path): of each target the variant that `arc build` makes, then those that the last `arc
 * report` saw, up to `MOST` different ones.
 */
export function shownVariants(file: string): readonly ShownVariant[] {
  const around = projectAround(file);
  if (around === undefined) return [{ addresses: [], kind: USUAL_KIND, ...plain(USUAL_KIND) }];
  const { project, folder } = around;
  const reported = new Set(
    storedReports(folder)
      .at(-1)
      ?.variants.map(({ address }) => address),
  );
  const groups = new Map<string, ShownVariant>();
  const all = [...project.targets.flatMap(first), ...project.targets.flatMap((one) => seen(one, reported))];
  for (const [target, variant] of all) {
    const shaping = variantShaping(project, target, variant, path.relative(folder, file));
    const key = JSON.stringify([target.kind, shaping]);
    const before = groups.get(key)?.addresses ?? [];
    const addresses = [...new Set([...before, addressOf(target, variant)])];
    groups.set(key, { addresses, kind: target.kind, ...shaping });
  }
  return [...groups.values()].slice(0, MOST);
}

type Chosen = readonly [target: Target, variant: Variant];

const addressOf = (target: Target, variant: Variant): string => `${target.name}:${variant.name}`;

function* variantsOf(target: Target): Generator<Chosen> {
  for (const variant of expandVariants(target.space, target.kind, vocabulary.axes).variants)
    yield [target, variant];
}

function first(target: Target): readonly Chosen[] {
  const { value, done } = variantsOf(target).next();
  return done === true ? [] : [value];
}

function seen(target: Target, addresses: ReadonlySet<string>): readonly Chosen[] {
  let missing = [...addresses].filter((address) => address.startsWith(`${target.name}:`)).length;
  let passed = 0;
  const found: Chosen[] = [];
  for (const chosen of variantsOf(target)) {
    passed += 1;
    if (missing === 0 || found.length === MOST || passed > FAR) break;
    if (!addresses.has(addressOf(...chosen))) continue;
    found.push(chosen);
    missing -= 1;
  }
  return found;
}

function plain(kind: string): { readonly shaping?: PlannedShaping } {
  const found = shapingOf(kind, "default", undefined);
  return "error" in found ? {} : found;
}
