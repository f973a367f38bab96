/** Proves counted loops independent, for `auto` loops and `kernels` regions. */

import { isScalar } from "../../lang/index.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import { type Uses, usesOf } from "../analysis/access.ts";
import { type Aliases, aliasesOf } from "../analysis/alias.ts";
import { definedFirst } from "../analysis/liveness.ts";
import type { Loop } from "../model/ir.ts";
import { aliased, carried, meet, sameBase, typeOf } from "./meeting.ts";
import { classify, fillsFirst, type Surroundings } from "./private-variables.ts";
import type { Proof, Refusal } from "./proof.ts";
import { type Reference, type References, referencesOf } from "./references.ts";

/** Nothing is known: everything may be used later, and pointers may lead anywhere. */
const UNKNOWN_SURROUNDINGS: Surroundings = { liveAfter: () => true };

/**
 * Independent if every scalar written is private to an iteration or a recognised reduction, and every other access that
 * writes provably overlaps no access of another iteration.
 */
export function dependence(loop: Loop, around: Surroundings = UNKNOWN_SURROUNDINGS): Proof {
  const uses = usesOf(loop.body);
  const scalars = classify(loop, uses, around);
  if ("why" in scalars) return scalars;
  const { privates, reductions } = scalars;
  const own = new Set([...loop.privates, ...privates, ...loop.headers.map((h) => h.var)]);
  const references = referencesOf(loop.headers, loop.body, uses, own);
  if (references.obstacle) return { independent: false, ...references.obstacle };
  const filled = [...uses.of.keys()].filter((sym) => fillsFirst(references, sym, loop, uses, around));
  const reduced = [...loop.reductions, ...reductions].map((r) => r.sym);
  const settled = new Set([...filled, ...reduced]);
  const clash = new Clashes(references, aliasesOf(around.function), settled, around.distinct).first();
  if (clash) return clash;
  return { independent: true, privates: [...privates, ...filled], reductions };
}

/** Whether iterations of a loop touch the same elements of an array: never, at a fixed distance, or perhaps. */
export type Sharing = { readonly distance: bigint | "never" } | Refusal;

/**
 * For each array that the body writes, and reads or writes elsewhere too, at what distance its iterations touch the
 * same element; none for nests. `distinct`: whether two variables certainly point to different memory.
 */
export function sharedMemory(
  loop: Loop,
  distinct: (a: Symbol, b: Symbol) => boolean,
): ReadonlyMap<Symbol, Sharing> {
  const { uses, own, ...references } = memoryOf(loop);
  const of = new Map<Symbol, Reference[]>();
  for (const r of references.list) {
    const { base } = r.location;
    const sym = base.is === "variable" || base.is === "pointee" ? base.sym : undefined;
    if (sym && r.location.steps.length > 0) of.set(sym, [...(of.get(sym) ?? []), r]);
  }
  const found = new Map<Symbol, Sharing>();
  for (const [sym, list] of of) {
    const written = list.some((r) => r.mode !== "read");
    if (own.has(sym) || uses.declared.has(sym) || !written || list.length < 2) continue;
    found.set(
      sym,
      references.obstacle
        ? { independent: false, ...references.obstacle }
        : (elsewhere(sym, list, references, distinct) ?? nearest(list, references)),
    );
  }
  return found;
}

/** The memory that the body touches, and the variables private to each iteration. */
function memoryOf(loop: Loop): References & { readonly uses: Uses; readonly own: ReadonlySet<Symbol> } {
  const uses = usesOf(loop.body);
  const own = new Set([...loop.privates, ...loop.headers.map((h) => h.var)]);
  for (const [sym, use] of uses.of)
    if (isScalar(sym.type) && use.written && !use.addressTaken && definedFirst(loop.body, sym)) own.add(sym);
  return { uses, own, ...referencesOf(loop.headers, loop.body, uses, own) };
}

/** Another name under which the array's memory may be accessed while either is written. */
function elsewhere(
  sym: Symbol,
  list: readonly Reference[],
  references: References,
  distinct: (a: Symbol, b: Symbol) => boolean,
): Refusal | undefined {
  const aliases = aliasesOf(undefined);
  for (const other of references.list) {
    if (list.includes(other)) continue;
    const { base } = other.location;
    if ((base.is === "variable" || base.is === "pointee") && (base.sym === sym || distinct(base.sym, sym)))
      continue;
    const clash = list.find(
      (r) =>
        (r.mode !== "read" || other.mode !== "read") &&
        aliases.mayMeet(r.location.base, typeOf(r), base, typeOf(other)),
    );
    if (clash) return clash.mode === "read" ? aliased(other, clash) : aliased(clash, other);
  }
  return undefined;
}

function nearest(list: readonly Reference[], references: References): Sharing {
  let least: bigint | "never" = "never";
  for (const [i, a] of list.entries())
    for (const b of list.slice(i)) {
      if (a.mode === "read" && b.mode === "read") continue;
      const meeting = meet(a, b, references);
      if (meeting === "never") continue;
      const [write, other] = a.mode === "read" ? [b, a] : [a, b];
      if (meeting.distance === undefined || references.nest.length > 1)
        return carried(write, other, meeting.distance);
      const far: bigint = meeting.distance < 0n ? -meeting.distance : meeting.distance;
      least = least === "never" || far < least ? far : least;
    }
  return { distance: least };
}

/**
 * Whether two loops over the same range, with the same variables, may be interleaved iteration by iteration: no
 * iteration of the second may then run before an iteration of the first whose memory it needs or changes. `apart`:
 * different iterations of the two never overlap.
 */
export function interleaving(
  first: Loop,
  second: Loop,
  distinct: (a: Symbol, b: Symbol) => boolean,
): { readonly apart: boolean } | Refusal {
  const [one, two] = [memoryOf(first), memoryOf({ ...second, headers: first.headers })];
  const obstacle = one.obstacle ?? two.obstacle;
  if (obstacle) return { independent: false, ...obstacle };
  const aliases = aliasesOf(undefined);
  const symbolOf = ({ location: { base } }: Reference) =>
    base.is === "variable" || base.is === "pointee" ? base.sym : undefined;
  let apart = true;
  for (const a of one.list)
    for (const b of two.list) {
      if (a.mode === "read" && b.mode === "read") continue;
      const [write, other] = a.mode === "read" ? [b, a] : [a, b];
      const [x, y] = [symbolOf(a), symbolOf(b)];
      if (x && y && (one.own.has(x) || two.own.has(y))) continue;
      if (!sameBase(a, b)) {
        if (x && y && distinct(x, y)) continue;
        if (aliases.mayMeet(a.location.base, typeOf(a), b.location.base, typeOf(b)))
          return aliased(write, other);
        continue;
      }
      const meeting = meet(a, b, { ...one, unsigned: new Set([...one.unsigned, ...two.unsigned]) });
      if (meeting === "never") continue;
      apart = false;
      const { distance } = meeting;
      if (distance === undefined || distance < 0n || one.nest.length > 1)
        return carried(write, other, distance);
    }
  return { apart };
}

class Clashes {
  private readonly references: References;
  private readonly aliases: Aliases;
  private readonly settled: ReadonlySet<Symbol>;
  private readonly distinct: Surroundings["distinct"];

  constructor(
    references: References,
    aliases: Aliases,
    settled: ReadonlySet<Symbol>,
    distinct: Surroundings["distinct"],
  ) {
    this.references = references;
    this.distinct = distinct;
    this.aliases = aliases;
    this.settled = settled;
  }

  /** The first pair of accesses in which different iterations may touch the same memory. */
  first(): Refusal | undefined {
    const { list } = this.references;
    for (const [i, a] of list.entries())
      for (const b of list.slice(i)) {
        const clash = a.mode === "read" && b.mode === "read" ? undefined : this.between(a, b);
        if (clash) return clash;
      }
    return undefined;
  }

  private between(a: Reference, b: Reference): Refusal | undefined {
    if (a.mode === "atomic" && b.mode === "atomic") return undefined;
    const [x, y] = [a.location.base, b.location.base];
    if (x.is === "variable" && y.is === "variable" && x.sym === y.sym && this.settled.has(x.sym))
      return undefined;
    const write = a.mode === "read" ? b : a;
    const other = write === a ? b : a;
    if (!sameBase(a, b)) {
      if (!this.aliases.mayMeet(x, typeOf(a), y, typeOf(b))) return undefined;
      const named = "sym" in x && "sym" in y;
      return named && this.distinct?.(x.sym, y.sym) ? undefined : aliased(write, other);
    }
    const meeting = meet(a, b, this.references);
    return meeting === "never" ? undefined : carried(write, other, meeting.distance);
  }
}
