/** Addresses on the command line, `target[:variant][/kernel][#stage]`: exact, or patterns with `*` and `?`. */
import type { Address } from "../../core/build/model/action.ts";
import type { Target } from "../../schema/contract/project.ts";
import type { Variant } from "../../schema/contract/variants.ts";
import { nearest } from "../../schema/document/nearest.ts";
import { UsageError } from "../call/usage-error.ts";

/** Matches addresses that a pattern names and those below: `cpu` means all of `cpu:...`. */
export function addressMatcher(patterns: readonly string[]): (address: Address) => boolean {
  const expressions = patterns.map((pattern) => new RegExp(`^${globBody(pattern)}(?:$|[:/#])`));
  return (address) => expressions.some((expression) => expression.test(address));
}

/**
 * Tests whether an address was asked for by name, as opposed to a pattern with `*` or `?`. If there are only names,
 * every wanted address was. Undefined if there are no names.
 */
export function namesExplicitly(patterns: readonly string[]): ((address: Address) => boolean) | undefined {
  const names = patterns.filter((pattern) => !/[*?]/.test(pattern));
  if (names.length === 0) return undefined;
  return names.length === patterns.length ? () => true : addressMatcher(names);
}

function globBody(pattern: string): string {
  const [, head, rest] = /^([^:/#]+)([/#].*)$/.exec(pattern) ?? [];
  // `cpu/kernel` means `cpu:*/kernel`.
  if (head !== undefined && rest !== undefined) return `${glob(head)}(?::[^/#]*)?${glob(rest)}`;
  return glob(pattern);
}

function glob(pattern: string): string {
  return pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", "[^#]*")
    .replaceAll("?", "[^#]");
}

const globMatches = (pattern: string, text: string): boolean =>
  new RegExp(`^${globBody(pattern)}$`).test(text);

/** How many variants one call plans at most: a larger space is to be searched, not built. */
const MOST_PLANNED = 4096;

/**
 * Chooses a target's variants for the addresses: only the first unless they say more. Throws UsageError for too many.
 */
export function chooseVariants(
  patterns: readonly string[],
  all: boolean,
): (target: Target, variants: Iterable<Variant>) => readonly Variant[] {
  return (target, variants) => {
    if (patterns.length === 0) return all ? selected(target, variants, () => true) : firstOf(variants);
    const requested = patterns.map(split).filter(({ head }) => globMatches(head, target.name));
    const named = requested.flatMap(({ variant }) => variant ?? []);
    const isWhole = all && named.length < requested.length;
    const exactly = new Set(named.filter((pattern) => !/[*?]/.test(pattern)));
    const matchers = named
      .filter((pattern) => !exactly.has(pattern))
      .map((pattern) => new RegExp(`^${globBody(pattern)}$`));
    const isRequested = ({ name, called }: Variant): boolean =>
      isWhole ||
      exactly.has(name) ||
      matchers.some((matcher) => matcher.test(name)) ||
      called?.some((other) => exactly.has(other)) === true;
    const first = !all && named.length < requested.length ? firstOf(variants) : [];
    if (named.length === 0 && !isWhole) return first;
    const exact =
      named.every((pattern) => !/[*?]/.test(pattern)) && !isWhole ? new Set(named).size : undefined;
    const chosen = selected(target, variants, isRequested, exact);
    return [...first.filter(({ name }) => !chosen.some((one) => one.name === name)), ...chosen];
  };
}

function firstOf(variants: Iterable<Variant>): readonly Variant[] {
  const [first] = variants;
  return first === undefined ? [] : [first];
}

/** The wanted variants; the walk ends when there cannot be more. */
function selected(
  target: Target,
  variants: Iterable<Variant>,
  isRequested: (variant: Variant) => boolean,
  most = Number.POSITIVE_INFINITY,
): readonly Variant[] {
  const chosen: Variant[] = [];
  for (const variant of variants) {
    if (!isRequested(variant)) continue;
    chosen.push(variant);
    if (chosen.length > MOST_PLANNED)
      throw new UsageError(
        `more than ${MOST_PLANNED} variants of ${target.name} are asked for`,
        `\`arc explore ${target.name}\` builds those that promise most; or say which: \`${target.name}:*sw4*\``,
      );
    if (chosen.length >= most) break;
  }
  return chosen;
}

function split(pattern: string): { head: string; variant?: string; rest: string } {
  const [, head = "", variant, rest = ""] = /^([^:/#]*)(?::([^/#]*))?(.*)$/.exec(pattern) ?? [];
  return { head, ...(variant === undefined ? {} : { variant }), rest };
}

interface Selection {
  /** Known addresses. */
  readonly addresses: readonly Address[];
  /** Set when a pattern may also match addresses that expansions will add. */
  readonly later?: (address: Address) => boolean;
  /** Patterns that match only addresses that expansions may add. */
  readonly open: readonly string[];
}

/** The possible beginnings of an address, and the known addresses. */
export interface Known {
  /** All targets, including those that no address names. */
  readonly targets: readonly string[];
  readonly addresses: readonly Address[];
  /** Addresses of variants, by the addresses with their names in arc.yaml. */
  readonly called?: ReadonlyMap<Address, Address>;
}

/** The pattern with the variant's generated name instead of its name in arc.yaml. */
function byOwnName(pattern: string, called: Known["called"]): string {
  const { head, variant, rest } = split(pattern);
  const own = called?.get(`${head}:${variant ?? ""}`);
  return own === undefined ? pattern : `${own}${rest}`;
}

/**
 * What the patterns ask for. `target` and `target:variant` mean those of `goals` below them (the command's own
 * products); everything else means actions. Throws UsageError for a pattern that matches nothing.
 */
export function select(patterns: readonly string[], goals: readonly Address[], about: Known): Selection {
  if (patterns.length === 0) return { addresses: goals, open: [] };
  const { targets, addresses: known } = about;
  const addresses = new Set<Address>();
  const open: string[] = [];
  for (const requested of patterns) {
    const pattern = byOwnName(requested, about.called);
    const matches = addressMatcher([pattern]);
    const { rest } = split(pattern);
    const found = rest === "" ? goals.filter(matches) : [];
    const other = found.length > 0 ? found : known.filter(matches);
    for (const address of other) addresses.add(address);
    if (other.length > 0) continue;
    const { head, variant } = split(pattern);
    const growing = known.some((address) =>
      addressMatcher([`${head}${variant === undefined ? "" : `:${variant}`}`])(address),
    );
    if (rest === "" || !growing) throw unknownAddress(pattern, targets, known);
    open.push(pattern);
  }
  if (open.length === 0) return { addresses: [...addresses], open };
  const matches = addressMatcher(open);
  return { addresses: [...addresses], later: (address) => addresses.has(address) || matches(address), open };
}

/** The selection in the form that the engine takes. */
export function selectTargets(
  patterns: readonly string[],
  goals: readonly Address[],
  known: Known,
): readonly Address[] | ((address: Address) => boolean) {
  const { addresses, later } = select(patterns, goals, known);
  return later ?? addresses;
}

/** The error for a pattern that could only match addresses added by expansions, and did not. */
export function notGrown(pattern: string): UsageError {
  const { head } = split(pattern);
  return new UsageError(`nothing is called ${pattern}`, `\`arc report ${head}\` names what was built`);
}

function unknownAddress(pattern: string, targets: readonly string[], known: readonly Address[]): UsageError {
  const { head, variant } = split(pattern);
  const message = `nothing is called ${pattern}`;
  if (variant !== undefined && targets.includes(head)) {
    return new UsageError(message, `\`arc graph --all ${head}\` lists what there is of ${head}`);
  }
  const heads = [...new Set([...targets, ...known.map((address) => address.replace(/[:/#].*/, ""))])];
  const near = nearest(pattern, [...heads, ...known]);
  const listed =
    heads.length === 0
      ? "the project has no targets and no actions"
      : `there ${heads.length === 1 ? "is" : "are"} ${heads.join(", ")}`;
  return new UsageError(message, near === undefined ? listed : `did you mean ${near}?`);
}
