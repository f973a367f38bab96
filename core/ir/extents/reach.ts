/**
 * How far regions reach from a pointer: the greatest subscript that they certainly use, as an expression of variables
 * known before them.
 *
 *     for (int i = 0; i < n; i++)
 *       for (int j = 0; j < m; j++)
 *         x[i * m + j] = 0;                     x[0:n * m], if n > 0 and m > 0, else nothing
 */

import { entryOf, firstOf } from "../../checked/access.ts";
import { walkStmt } from "../../lang/index.ts";
import type { Expr, Pragma, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { binary, cast, cond, ident, intLit } from "../../lang/tree/build.ts";
import { LONG } from "../../lang/tree/types.ts";
import { usesOf } from "../analysis/access.ts";
import {
  add,
  constant,
  constantValue,
  extreme,
  type Facts,
  isZero,
  negate,
  notNegative,
  type Polynomial,
  type Range,
  replace,
  same,
  splitAt,
  subtract,
  type Variable,
  variable,
  variables,
} from "../analysis/loops/polynomial.ts";
import { type Counter, idOf } from "../dependence/memory-location.ts";
import { type Reference, referencesOf } from "../dependence/references.ts";
import type { Spmd } from "../model/ir.ts";

/** The last element used, if every polynomial in `when` is not negative; otherwise none is. */
interface Reach {
  readonly last: Polynomial;
  readonly when: readonly Polynomial[];
}

interface Use {
  readonly at: Polynomial;
  readonly reference: Reference;
  /** Facts that hold whenever the access is made. */
  readonly facts: Facts;
}

/**
 * The number of elements from `pointer` on that regions use, or why it is unknown. `steady`: variables that have the
 * same value before the regions as at the directive.
 */
export function reachOf(
  pointer: Symbol,
  regions: readonly Spmd[],
  pragma: Pragma,
  steady: (sym: Symbol) => boolean,
): Expr | string {
  const uses: Use[] = [];
  for (const region of regions) {
    const found = usesIn(region, pointer);
    if (typeof found === "string") return found;
    uses.push(...found);
  }
  const known = symbolsOf(regions.map((r) => r.body));
  const visible = (v: Variable) => {
    const sym = known.get(v);
    return sym !== undefined && steady(sym) && pragma.scope.lookup(sym.name) === sym;
  };
  const candidates = uses
    .flatMap((use) => reached(use) ?? [])
    .filter(({ last, when }) => [last, ...when].every((p) => [...variables(p)].every(visible)));
  const furthest = candidates.find((reach) => uses.every((use) => holds(reach, use)));
  if (!furthest)
    return `the last element of '${pointer.name}' that the region uses cannot be told from its loops`;
  const value = (p: Polynomial) => expression(p, known);
  const length = value(add(furthest.last, constant(1)));
  const tests = furthest.when.map((p) => binary(">", value(add(p, constant(1))), intLit(0)));
  const [first, ...others] = tests;
  if (!first) return length;
  return cond(
    others.reduce((a, b) => binary("&&", a, b), first),
    length,
    intLit(0),
  );
}

function usesIn({ body, privates, firstprivates }: Spmd, pointer: Symbol): readonly Use[] | string {
  const name = `'${pointer.name}'`;
  const inside = usesOf(body);
  const use = inside.of.get(pointer);
  if (!use) return [];
  if (use.written || use.addressTaken) return `the region changes ${name}`;
  const { list, unsigned, obstacle } = referencesOf(
    [],
    body,
    inside,
    new Set([...privates, ...firstprivates]),
  );
  if (obstacle) return `${name} is used where ${obstacle.why}`;
  const found: Use[] = [];
  for (const reference of list) {
    const { base, steps } = reference.location;
    // Accesses through copies of the pointer that change cannot be seen.
    if (base.is === "unknown" || (base.is === "pointee" && inside.declared.has(base.sym)))
      return `the region uses memory of which it cannot be told whether it is that of ${name}`;
    if (base.is !== "pointee" || base.sym !== pointer) continue;
    const [step] = steps;
    if (step?.is !== "index" || !step.at) return `a subscript of ${name} depends on more than loop counters`;
    const facts = [...[...unsigned].map((v) => variable(v)), ...reference.loops.flatMap(factsOf)];
    const least = extreme("least", step.at, inwardFirst(reference), facts);
    if (!least || !notNegative(least, facts)) return `a subscript of ${name} may be negative`;
    found.push({ at: step.at, reference, facts });
  }
  return found;
}

function factsOf({ id, range: { low, high } }: Counter): Facts {
  return [
    ...(low && high ? [subtract(high, low)] : []),
    ...(low ? [subtract(variable(id), low)] : []),
    ...(high ? [subtract(high, variable(id))] : []),
  ];
}

const inwardFirst = ({ loops }: Reference): readonly (readonly [Variable, Range])[] =>
  [...loops].reverse().map((c) => [c.id, c.range]);

/** Whether `use` never goes beyond the reach, and happens only if that is reached. */
function holds({ last, when }: Reach, { at, reference, facts }: Use): boolean {
  const greatest = extreme("greatest", at, inwardFirst(reference), facts);
  return (
    greatest !== undefined &&
    notNegative(subtract(last, greatest), facts) &&
    when.every((w) => notNegative(w, facts))
  );
}

/** The greatest subscript of an access that is certainly made if its loops have iterations. */
function reached({ at, reference, facts }: Use): Reach | undefined {
  if (!reference.always) return undefined;
  let last = at;
  let when: Polynomial[] = [];
  for (const { id, range, step } of [...reference.loops].reverse()) {
    const { low, high } = range;
    const parts = splitAt(last, id);
    if (!parts || !low || !high) return undefined;
    const rising = notNegative(parts.slope, facts);
    if (!rising && !notNegative(negate(parts.slope), facts)) return undefined;
    // If the subscript does not change with this loop, the loops inside it decide.
    const upwards = isZero(parts.slope) ? !when.some((w) => falls(w, id, facts)) : rising;
    // A loop with a larger step may not reach the end of its range.
    const first = (step ?? 0n) > 0n === !upwards;
    if (!first && step !== 1n && step !== -1n) return undefined;
    const end = upwards ? high : low;
    if (when.some((w) => (upwards ? falls(w, id, facts) : rises(w, id, facts)))) return undefined;
    const moved = when.map((w) => replace(w, id, end));
    const nonempty = subtract(high, low);
    const next = replace(last, id, end);
    if (!next || moved.some((w) => w === undefined)) return undefined;
    last = next;
    when = [...(moved as Polynomial[]), nonempty];
  }
  const open = when.filter((w) => (constantValue(w) ?? -1n) < 0n);
  if (open.some((w) => constantValue(w) !== undefined)) return undefined;
  return { last, when: open.filter((w, i) => !open.slice(0, i).some((o) => same(o, w))) };
}

/** Whether `p` may fall as `v` rises. */
function falls(p: Polynomial, v: Variable, facts: Facts): boolean {
  const parts = splitAt(p, v);
  return !parts || !notNegative(parts.slope, facts);
}

function rises(p: Polynomial, v: Variable, facts: Facts): boolean {
  const parts = splitAt(p, v);
  return !parts || !notNegative(negate(parts.slope), facts);
}

function symbolsOf(code: readonly Stmt[]): ReadonlyMap<Variable, Symbol> {
  const found = new Map<Variable, Symbol>();
  for (const s of code)
    walkStmt(s, { expr: (e) => void (e.kind === "ident" && found.set(idOf(e.sym), e.sym)) });
  return found;
}

/** A polynomial as a C expression; products are computed in 64 bits. */
function expression(p: Polynomial, known: ReadonlyMap<Variable, Symbol>): Expr {
  const terms = [...p].sort(([a], [b]) => Number(a === "") - Number(b === ""));
  let sum: Expr | undefined;
  for (const [m, c] of terms) {
    const names = [...multiplied(m)].map((v) => ident(entryOf(known, v)));
    const [head, ...rest] = names.length > 1 ? [cast(LONG, firstOf(names)), ...names.slice(1)] : names;
    const size = c < 0n ? -c : c;
    const product = head && rest.reduce((a, b) => binary("*", a, b), head);
    const factor = intLit(size, size > 0x7fffffffn ? LONG : undefined);
    const term = product ? (size === 1n ? product : binary("*", factor, product)) : factor;
    if (sum) sum = binary(c < 0n ? "-" : "+", sum, term);
    else sum = c < 0n ? binary("-", intLit(0), term) : term;
  }
  return sum ?? intLit(0);
}

const multiplied = (monomial: string): readonly Variable[] => (monomial === "" ? [] : monomial.split("*"));
