/** Proves that iterations of a loop access the same memory, to warn if a directive claims they do not. */

import { firstOf } from "../../checked/access.ts";
import { mapChildren, sizeOf } from "../../lang/index.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import {
  constant,
  constantValue,
  isZero,
  multiply,
  negate,
  type Polynomial,
  rename,
  same,
  splitAt,
  subtract,
  type Variable,
  variables,
} from "../analysis/loops/polynomial.ts";
import { asNode, type Loop } from "../model/ir.ts";
import { carried, sameBase } from "./meeting.ts";
import type { Counter } from "./memory-location.ts";
import type { Refusal } from "./proof.ts";
import { type Reference, type References, referencesOf } from "./references.ts";

/**
 * Two accesses made in every iteration, at least one a plain write, that reach the same location in different
 * iterations. `own`: arrays of which gangs, lanes or iterations have copies. No result does not mean there is no race.
 */
export function provedRace(loop: Loop, own: ReadonlySet<Symbol>): Refusal | undefined {
  const uses = usesOf(loop.body);
  const copies = new Set([...own, ...ownWithin(loop), ...loop.headers.map((h) => h.var)]);
  const references = referencesOf(loop.headers, loop.body, uses, copies);
  const list = references.list.filter((r) => r.always && r.location.steps.length > 0);
  const writes = list.filter((r) => r.mode === "write");
  const reads = list.filter((r) => r.mode === "read");
  for (const [i, write] of writes.entries())
    for (const other of [...writes.slice(i), ...reads]) {
      const met = sameBase(write, other) ? meeting(write, other, references) : undefined;
      if (met) return carried(write, other, met.distance);
    }
  return undefined;
}

/** Variables that the loop and the loops inside it have copies of. */
function ownWithin(loop: Loop): Set<Symbol> {
  const found = new Set<Symbol>();
  const visit = (l: Loop): void => {
    for (const sym of [...l.privates, ...l.reductions.map((r) => r.sym)]) found.add(sym);
    const look = (s: Loop["body"]): Loop["body"] => {
      const inner = asNode(s, "loop");
      if (inner) visit(inner);
      return inner ? s : mapChildren(s, look);
    };
    look(l.body);
  };
  visit(loop);
  return found;
}

/**
 * `distance`: in steps of the loop, if it is the same for all pairs; without it every iteration conflicts with every
 * other.
 */
interface Meeting {
  readonly distance?: bigint;
}

const prime = (v: Variable): Variable => `${v}'`;

function meeting(a: Reference, b: Reference, { nest }: References): Meeting | undefined {
  const equations = equationsOf(a, b);
  if (!equations || !sameInside(a, b, equations, nest)) return undefined;
  const apart = new Map<Counter, bigint>();
  for (const [p, q] of equations) {
    const difference = subtract(
      p,
      rename(q, (v) => (nest.some((c) => c.id === v) ? prime(v) : v)),
    );
    const split = separate(difference, nest);
    if (!split) return undefined;
    const [one, ...more] = split.slopes;
    if (!one || more.length > 0) {
      // Several counters in one subscript: an overlap is only certain where all of them are equal.
      if (!isZero(split.rest)) return undefined;
      for (const { counter } of split.slopes) if (!agrees(apart, counter, 0n)) return undefined;
      continue;
    }
    const distance = quotient(split.rest, one.slope);
    if (distance === undefined || !agrees(apart, one.counter, distance)) return undefined;
  }
  for (const [counter, by] of apart) if (by !== 0n && !reaches(counter, by)) return undefined;
  const moved = [...apart].find(([, by]) => by !== 0n);
  if (moved) return { distance: moved[1] / (moved[0].step as bigint) };
  const free = nest.find((c) => !apart.has(c));
  return free && reaches(free, free.step ?? 0n) ? {} : undefined;
}

/** The pairs of subscripts that must be equal, if the locations do not differ otherwise. */
function equationsOf(a: Reference, b: Reference): [Polynomial, Polynomial][] | undefined {
  const [x, y] = [a.location, b.location];
  if (x.base.is === "unknown" || x.steps.length !== y.steps.length) return undefined;
  if (sizeOf(a.type) !== sizeOf(b.type)) return undefined;
  const equations: [Polynomial, Polynomial][] = [];
  for (const [k, s] of x.steps.entries()) {
    const t = y.steps[k];
    if (s.is === "field") {
      if (t?.is !== "field" || s.name !== t.name) return undefined;
      continue;
    }
    if (t?.is !== "index" || !s.at || !t.at) return undefined;
    equations.push([s.at, t.at]);
  }
  return equations;
}

/** Whether inner loops whose counters occur in subscripts have the same range in every iteration. */
function sameInside(
  a: Reference,
  b: Reference,
  equations: readonly (readonly [Polynomial, Polynomial])[],
  nest: readonly Counter[],
): boolean {
  const used = new Set(equations.flatMap(([p, q]) => [...variables(p), ...variables(q)]));
  const changing = new Set([...nest, ...a.loops, ...b.loops].map((c) => c.id));
  return [...a.loops, ...b.loops].every(
    (c) =>
      !used.has(c.id) ||
      (a.loops.includes(c) &&
        b.loops.includes(c) &&
        c.step !== undefined &&
        [c.lower, c.range.low, c.range.high].every(
          (p) => p !== undefined && [...variables(p)].every((v) => !changing.has(v)),
        )),
  );
}

interface Separated {
  readonly slopes: readonly { readonly counter: Counter; readonly slope: Polynomial }[];
  readonly rest: Polynomial;
}

/** `difference` as a sum of slope * (counter - counter') and a rest without counters of the nest. */
function separate(difference: Polynomial, nest: readonly Counter[]): Separated | undefined {
  const slopes: { counter: Counter; slope: Polynomial }[] = [];
  let rest = difference;
  for (const counter of nest) {
    const one = splitAt(rest, counter.id);
    const two = one && splitAt(one.rest, prime(counter.id));
    if (!one || !two || !same(one.slope, negate(two.slope))) return undefined;
    if (!isZero(one.slope)) slopes.push({ counter, slope: one.slope });
    rest = two.rest;
  }
  const varying = nest.flatMap((c) => [c.id, prime(c.id)]);
  const mentioned = new Set([rest, ...slopes.map((s) => s.slope)].flatMap((p) => [...variables(p)]));
  return varying.some((v) => mentioned.has(v)) ? undefined : { slopes, rest };
}

/** The integer k with p = k * q. */
function quotient(p: Polynomial, q: Polynomial): bigint | undefined {
  if (isZero(p)) return 0n;
  const [monomial, by] = firstOf([...q]);
  const of = p.get(monomial) ?? 0n;
  const k = of / by;
  return k !== 0n && same(p, multiply(constant(k), q)) ? k : undefined;
}

function agrees(apart: Map<Counter, bigint>, counter: Counter, by: bigint): boolean {
  const known = apart.get(counter);
  apart.set(counter, by);
  return known === undefined || known === by;
}

/** Whether the counter takes two values that are `by` apart, unless its bounds are known to be too close. */
function reaches({ range, step }: Counter, by: bigint): boolean {
  if (step === undefined || step === 0n || by % step !== 0n) return false;
  const extent = range.low && range.high && constantValue(subtract(range.high, range.low));
  return extent === undefined || extent >= (by < 0n ? -by : by);
}
