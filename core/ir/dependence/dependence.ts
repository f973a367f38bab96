/** Proves counted loops independent, for `auto` loops and `kernels` regions. */

import { canonical, isScalar, printExpr, sizeOf, walkStmt } from "../../lang/index.ts";
import type { CType, Diagnostic, Expr, FunctionDef, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { type Uses, usesOf } from "../analysis/access.ts";
import { type Aliases, aliasesOf } from "../analysis/alias.ts";
import { definedFirst } from "../analysis/liveness.ts";
import {
  add,
  constant,
  constantValue,
  content,
  extreme,
  type Facts,
  isZero,
  multiply,
  negate,
  notNegative,
  type Polynomial,
  type Range,
  rename,
  same,
  splitAt,
  subtract,
  type Variable,
  variable,
} from "../analysis/loops/polynomial.ts";
import { isVolatile } from "../analysis/purity.ts";
import { reductionUse } from "../analysis/reductions.ts";
import { isGlobal } from "../analysis/routines.ts";
import type { Loop, Reduction } from "../model/ir.ts";
import { coveredFirst } from "./coverage.ts";
import { type Counter, type Reference, type References, referencesOf } from "./references.ts";

export type Proof =
  | {
      readonly independent: true;
      readonly privates: readonly Symbol[];
      readonly reductions: readonly Reduction[];
    }
  | {
      readonly independent: false;
      readonly why: string;
      readonly loc: Loc;
      readonly notes?: Diagnostic["notes"];
    };

/** Why iterations may not run concurrently, and where. */
export type Refusal = Extract<Proof, { independent: false }>;

/** What a proof needs to know about the code around the loop. */
interface Surroundings {
  /** The enclosing function, for the sources of its pointers. */
  readonly function?: FunctionDef | undefined;
  /** Whether a variable's value after the loop may be used. */
  liveAfter(sym: Symbol): boolean;
  /** Whether two variables that might alias are known not to. */
  distinct?(a: Symbol, b: Symbol): boolean;
}

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
    const { base } = r.place;
    const sym = base.is === "variable" || base.is === "pointee" ? base.sym : undefined;
    if (sym && r.place.steps.length > 0) of.set(sym, [...(of.get(sym) ?? []), r]);
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
    const { base } = other.place;
    if ((base.is === "variable" || base.is === "pointee") && (base.sym === sym || distinct(base.sym, sym)))
      continue;
    const clash = list.find(
      (r) =>
        (r.mode !== "read" || other.mode !== "read") &&
        aliases.mayMeet(r.place.base, typeOf(r), base, typeOf(other)),
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
  const symbolOf = ({ place: { base } }: Reference) =>
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
        if (aliases.mayMeet(a.place.base, typeOf(a), b.place.base, typeOf(b))) return aliased(write, other);
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

// ---------------------------------------------------------------- variables

interface Classes {
  readonly privates: readonly Symbol[];
  readonly reductions: readonly Reduction[];
}

function classify(loop: Loop, uses: Uses, around: Surroundings): Classes | Refusal {
  const privates: Symbol[] = [];
  const reductions: Reduction[] = [];
  const privatised = new Set([...loop.privates, ...loop.reductions.map((r) => r.sym)]);
  const headers = new Set(loop.headers.map((h) => h.var));
  for (const [sym, use] of uses.of) {
    const inside = uses.declared.has(sym) && !isGlobal(sym);
    if (inside || privatised.has(sym)) continue;
    if (isVolatile(sym.type)) return refusal(`'${sym.name}' is volatile`, use.at);
    if (headers.has(sym)) {
      if (use.written || use.addressTaken)
        return refusal(`it changes its own variable '${sym.name}'`, writeOf(loop.body, sym) ?? use.at);
      continue;
    }
    if (isScalar(sym.type)) {
      if (use.addressTaken) return refusal(`it takes the address of '${sym.name}'`, use.at);
      if (!use.written) continue;
      const found = scalar(loop, sym, around);
      if ("why" in found) return found;
      if (found.reduction) reductions.push(found.reduction);
      else privates.push(sym);
    }
  }
  return { privates, reductions };
}

function scalar(loop: Loop, sym: Symbol, around: Surroundings): { reduction?: Reduction } | Refusal {
  const { op } = reductionUse(loop.body, sym);
  const at = writeOf(loop.body, sym);
  const type = canonical(sym.type).kind;
  if (op && (type === "int" || type === "float" || type === "enum" || type === "complex"))
    return { reduction: { op, sym, loc: at?.span.start ?? loop.site.loc } };
  if (!definedFirst(loop.body, sym))
    return refusal(`'${sym.name}' carries a value from one iteration to the next`, at, loop);
  if (isGlobal(sym) || around.liveAfter(sym))
    return refusal(`the value that the last iteration gives '${sym.name}' is used after the loop`, at, loop);
  return {};
}

/** Larger private copies cost each lane more memory than running its iterations in parallel gains. */
const LARGEST_PRIVATE = 4096;

/** An array or record that each iteration writes completely before reading it, and that is not read later. */
function fillsFirst(
  references: References,
  sym: Symbol,
  loop: Loop,
  uses: Uses,
  around: Surroundings,
): boolean {
  const use = uses.of.get(sym);
  const { kind } = canonical(sym.type);
  if (kind !== "array" && kind !== "record") return false;
  if (uses.declared.has(sym) || loop.privates.includes(sym) || isGlobal(sym)) return false;
  if (!(use?.written || use?.elementsWritten) || use.addressTaken) return false;
  const size = sizeOf(sym.type);
  if (size === undefined || size > LARGEST_PRIVATE) return false;
  return coveredFirst(references, sym) && !around.liveAfter(sym);
}

function refusal(why: string, at: Expr | undefined, loop?: Loop): Refusal {
  const loc = at?.span.start ?? loop?.site.loc;
  return { independent: false, why, loc: loc as Loc };
}

/** The first expression that writes `sym`. */
function writeOf(body: Stmt, sym: Symbol): Expr | undefined {
  let found: Expr | undefined;
  walkStmt(body, {
    expr: (e) => {
      const target =
        e.kind === "assign" ? stripImplicit(e.left) : e.kind === "incdec" ? stripImplicit(e.arg) : undefined;
      if (target?.kind === "ident" && target.sym === sym) found ??= e;
    },
  });
  return found;
}

// ---------------------------------------------------------------- memory

/** Result of comparing two references. */
type Meeting = "never" | { readonly distance?: bigint };

const prime = (v: Variable): Variable => `${v}'`;

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
    const [x, y] = [a.place.base, b.place.base];
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

/** The type for alias analysis; the members of a union share their memory. */
function typeOf({ place, type }: Reference): CType | undefined {
  return place.steps.every((s) => s.is === "index" || s.apart) ? type : undefined;
}

/** Whether both have the same base variable or pointer. */
export function sameBase(a: Reference, b: Reference): boolean {
  const [x, y] = [a.place.base, b.place.base];
  if (x.is === "unknown" || y.is === "unknown") return a === b;
  if (x.is === "loaded") return y.is === "loaded" && x.text === y.text;
  return y.is !== "loaded" && x.is === y.is && x.sym === y.sym;
}

const text = (r: Reference): string => `'${printExpr(r.expr)}'`;

function aliased(write: Reference, other: Reference): Refusal {
  const notes = [{ message: `${text(write)} writes here`, loc: write.expr.span.start }];
  return {
    independent: false,
    why: `${text(other)} and ${text(write)} may be the same memory`,
    loc: other.expr.span.start,
    notes,
  };
}

/** `distance`: the number of iterations between the two, if known. */
export function carried(write: Reference, other: Reference, distance: bigint | undefined): Refusal {
  const loc = other.expr.span.start;
  const steps = distance !== undefined && distance < 0n ? -distance : distance;
  const far = steps === undefined ? "" : `, ${steps} ${steps === 1n ? "iteration" : "iterations"} apart`;
  if (write === other || (other.mode !== "read" && printExpr(write.expr) === printExpr(other.expr)))
    return { independent: false, why: `several iterations may write ${text(write)}`, loc };
  const does = other.mode === "read" ? "reads" : "writes";
  return {
    independent: false,
    why: `${text(other)} ${does} what another iteration writes as ${text(write)}${far}`,
    loc,
    notes: [{ message: `${text(write)} writes here`, loc: write.expr.span.start }],
  };
}

/** Whether both may reach the same location in different iterations of the nest. */
function meet(a: Reference, b: Reference, { nest, unsigned }: References): Meeting {
  if (sizeOf(a.type) !== sizeOf(b.type) && a.place.steps.length === b.place.steps.length) return {};
  const system = new System(a, b, nest, unsigned);
  const depth = Math.min(a.place.steps.length, b.place.steps.length);
  const equations: [Polynomial, Polynomial][] = [];
  for (let k = 0; k < depth; k++) {
    const [s, t] = [a.place.steps[k], b.place.steps[k]];
    if (s?.is === "field" && t?.is === "field") {
      if (s.name === t.name) continue;
      if (s.apart && t.apart) return "never";
      break;
    }
    if (s?.is !== "index" || t?.is !== "index") break;
    if (s.at && t.at) equations.push([s.at, t.at]);
  }
  return system.solve(equations);
}

/**
 * Equations between the subscripts of two references. The second has its own copy of every variable that changes: `v`
 * and `v'`. The equations hold where the references overlap.
 */
class System {
  private readonly nest: readonly Counter[];
  /** Counters that both references have, whose two copies may be forced equal. */
  private readonly pairs: readonly Counter[];
  private readonly first: readonly Counter[];
  private readonly second: readonly Counter[];
  private readonly unsigned: ReadonlySet<Variable>;
  private readonly equal = new Set<Variable>();

  constructor(a: Reference, b: Reference, nest: readonly Counter[], unsigned: ReadonlySet<Variable>) {
    this.nest = nest;
    this.first = [...nest, ...a.loops];
    this.second = [...nest, ...b.loops];
    this.pairs = this.first.filter((c) => this.second.includes(c));
    this.unsigned = unsigned;
  }

  /**
   * Forces variables equal until nothing changes. The references may overlap only if some loop variable is not forced.
   */
  solve(equations: readonly (readonly [Polynomial, Polynomial])[]): Meeting {
    let distance: bigint | undefined;
    for (let changed = true; changed; ) {
      changed = false;
      for (const [p, q] of equations) {
        const difference = subtract(p, rename(q, this.copy));
        if (this.neverZero(difference)) return "never";
        for (const c of this.pairs) {
          if (this.equal.has(c.id)) continue;
          const found = this.apart(difference, c);
          if (found === "equal") {
            this.equal.add(c.id);
            changed = true;
            break;
          }
          if (this.nest.includes(c)) distance ??= found;
        }
      }
    }
    if (this.nest.every((c) => this.equal.has(c.id))) return "never";
    return distance === undefined ? {} : { distance };
  }

  private readonly copy = (v: Variable): Variable =>
    this.second.some((c) => c.id === v) && !this.equal.has(v) ? prime(v) : v;

  private primed(c: Counter): readonly [Variable, Range] {
    const { low, high } = c.range;
    return [
      this.copy(c.id),
      { ...(low && { low: rename(low, this.copy) }), ...(high && { high: rename(high, this.copy) }) },
    ];
  }

  /** Ranges of all variables, those of inner loops first. */
  private order(): (readonly [Variable, Range])[] {
    const inner = (list: readonly Counter[]) => list.slice(this.nest.length).reverse();
    return [
      ...inner(this.second).map((c) => this.primed(c)),
      ...inner(this.first).map((c) => [c.id, c.range] as const),
      ...[...this.nest].reverse().flatMap((c) => [this.primed(c), [c.id, c.range] as const]),
    ];
  }

  /** The loops around both references run, so no range is empty. */
  private facts(): Facts {
    const facts: Polynomial[] = [...this.unsigned].map((v) => variable(v));
    for (const [v, { low, high }] of this.order()) {
      if (low && high) facts.push(subtract(high, low));
      if (low) facts.push(subtract(variable(v), low));
      if (high) facts.push(subtract(high, variable(v)));
    }
    return facts;
  }

  private neverZero(difference: Polynomial): boolean {
    const stepped = this.inSteps(difference);
    const divisor = content(stepped);
    const offset = stepped.get("") ?? 0n;
    if (divisor === 0n ? offset !== 0n : offset % divisor !== 0n) return true;
    const [order, facts] = [this.order(), this.facts()];
    const least = extreme("least", difference, order, facts);
    if (least && notNegative(subtract(least, constant(1)), facts)) return true;
    const greatest = extreme("greatest", difference, order, facts);
    return greatest !== undefined && notNegative(subtract(negate(greatest), constant(1)), facts);
  }

  /** `v` as its first value plus a multiple of its step, which distinguishes even from odd. */
  private inSteps(difference: Polynomial): Polynomial {
    let result = difference;
    const counters = [
      ...this.first.map((c) => [c, c.id] as const),
      ...this.second.map((c) => [c, this.copy(c.id)] as const),
    ];
    for (const [c, id] of counters) {
      if (!c.lower || c.step === undefined || c.step === 1n) continue;
      const parts = splitAt(result, id);
      if (!parts || isZero(parts.slope)) continue;
      const lower = id === c.id ? c.lower : rename(c.lower, this.copy);
      const value = add(lower, multiply(constant(c.step), variable(`${id} steps`)));
      result = add(multiply(parts.slope, value), parts.rest);
    }
    return result;
  }

  /**
   * `difference = slope * (v - v') + rest`: if `rest` is always smaller than one step of `v`, only `v = v'` solves it.
   * Otherwise, if it is constant, the number of steps by which `v'` trails `v`.
   */
  private apart(difference: Polynomial, c: Counter): "equal" | bigint | undefined {
    const one = splitAt(difference, c.id);
    const two = one && splitAt(one.rest, prime(c.id));
    if (!one || !two || isZero(one.slope) || !same(one.slope, negate(two.slope))) return undefined;
    const size = c.step === undefined || !this.sameRange(c) ? 1n : c.step < 0n ? -c.step : c.step;
    const [order, facts] = [this.order(), this.facts()];
    const up = multiply(one.slope, constant(size));
    const unit = notNegative(subtract(up, constant(1)), facts) ? up : negate(up);
    if (!notNegative(subtract(unit, constant(1)), facts)) return undefined;
    const rest = constantValue(two.rest);
    const by = constantValue(unit);
    if (rest !== undefined && rest !== 0n && by !== undefined && rest % by === 0n)
      return (rest / by) * (unit === up ? 1n : -1n) * (c.step !== undefined && c.step < 0n ? -1n : 1n);
    const least = extreme("least", two.rest, order, facts);
    const greatest = extreme("greatest", two.rest, order, facts);
    const below = greatest && notNegative(subtract(subtract(unit, greatest), constant(1)), facts);
    const above = least && notNegative(subtract(add(unit, least), constant(1)), facts);
    return below && above ? "equal" : undefined;
  }

  /** Both copies of the counter start at the same value and have the same step. */
  private sameRange(c: Counter): boolean {
    return c === this.nest[0] || (c.lower !== undefined && same(c.lower, rename(c.lower, this.copy)));
  }
}
