/**
 * The size of the memory that pointers get from an allocation visible in the source: `p = malloc(n * sizeof *p)`, where
 * nothing else is assigned to `p` and `n` still has that value at the directive.
 */

import { firstOf } from "../../checked/access.ts";
import {
  canonical,
  elementType,
  evaluateInteger,
  printExpr,
  sizeOf,
  walkExpr,
  walkStmt,
} from "../../lang/index.ts";
import type {
  Expr,
  FunctionDef,
  Init,
  Loc,
  Pragma,
  Stmt,
  Symbol,
  TranslationUnit,
} from "../../lang/tree/ast.ts";
import { binary, cast, ident, intLit, sizeofExpr, stripImplicit, unary } from "../../lang/tree/build.ts";
import { SIZE } from "../../lang/tree/types.ts";
import { objectOf, rootOf } from "../analysis/access.ts";
import { calleeOf } from "../analysis/pointer-flow.ts";

interface Allocated {
  /** Number of elements. */
  readonly length: Expr;
  /** Location of the allocation. */
  readonly loc: Loc;
}

type Call = Expr & { readonly kind: "call" };

/** An event in a variable's life, numbered in source order. */
interface Event {
  readonly def: FunctionDef;
  readonly at: number;
  /** The assigned value, if known. */
  readonly value?: Expr;
}

/** The numbers of the first and last event in a statement. */
interface Stretch {
  readonly def: FunctionDef;
  readonly from: number;
  readonly to: number;
}

/** Which argument is the number of bytes, or which two are its factors. */
const allocators: Readonly<Record<string, readonly number[]>> = {
  malloc: [0],
  alloca: [0],
  __builtin_malloc: [0],
  __builtin_alloca: [0],
  valloc: [0],
  calloc: [0, 1],
  aligned_alloc: [1],
  memalign: [1],
};

/** Functions that store through the addresses they get, but retain none of them. */
const storing = /^(__isoc99_|__isoc23_)?(f|s)?scanf$/;

/** Events of a unit's variables. The unit is scanned at the first query, since most programs make none. */
export class Allocations {
  private readonly unit: TranslationUnit;
  private isRead = false;
  private readonly assigned = new Map<Symbol, Event[]>();
  /** Variables whose address is taken in a way that `assigned` does not cover. */
  private readonly exposed = new Set<Symbol>();
  private readonly loops: Stretch[] = [];
  private readonly pragmas = new Map<Pragma, Stretch>();
  /** Stretches of code that may not run. */
  private readonly conditional: Stretch[] = [];
  private readonly jumps = new Set<FunctionDef>();
  private readonly jumpsBack = new Set<FunctionDef>();

  constructor(unit: TranslationUnit) {
    this.unit = unit;
  }

  /** The memory that `sym` points to at a directive, or why that is unknown. */
  at(sym: Symbol, pragma: Pragma): Allocated | string {
    this.read();
    return this.from(sym, pragma, 3);
  }

  private from(sym: Symbol, pragma: Pragma, chain: number): Allocated | string {
    const name = `'${sym.name}'`;
    if (sym.kind === "param") return `${name} is a parameter: what it leads to is the caller's`;
    if (sym.storage === "extern") return `${name} is defined in another file`;
    if (this.exposed.has(sym)) return `the address of ${name} is taken, so that others may change it`;
    const events = (this.assigned.get(sym) ?? []).filter(({ value }) => !value || !isNull(value));
    const [event] = events;
    if (!event) return `nothing is assigned to ${name} in this file`;
    if (events.length > 1) return `${name} is assigned in ${events.length} places`;
    const place = this.pragmas.get(pragma);
    const outside = sym.scope === "file";
    if (!place || (place.def !== event.def && !outside)) return `${name} is assigned elsewhere`;
    if (place.def === event.def && event.at > place.from) return `${name} is assigned behind the directive`;
    const value = event.value && withoutCasts(event.value);
    if (value?.kind === "ident" && canonical(value.type).kind === "pointer" && chain > 0 && !outside) {
      const from = this.from(value.sym, pragma, chain - 1);
      const [to, source] = [elementType(sym.type), elementType(value.type)];
      return to && source && sizeOf(to) !== undefined && sizeOf(to) === sizeOf(source)
        ? from
        : `${name} is assigned a pointer of another type`;
    }
    const array = value?.kind === "ident" ? canonical(value.type) : undefined;
    const fixed = array?.kind === "array" && typeof array.size === "number" ? array : undefined;
    const pointee = elementType(sym.type);
    if (fixed && value && pointee && sizeOf(pointee) !== undefined && sizeOf(pointee) === sizeOf(fixed.of))
      return { length: intLit(Number(fixed.size)), loc: value.span.start };
    const factors = value?.kind === "call" ? allocation(value) : undefined;
    if (!factors || value === undefined)
      return `what is assigned to ${name} is not the result of an allocation`;
    const element = elementType(sym.type);
    if (!element || canonical(element).kind === "void") return `${name} has no type of elements`;
    for (const v of variablesOf(factors)) {
      const problem = this.unsteady(v, event, pragma, outside || sym.storage === "static");
      if (problem) return problem;
    }
    if (factors.some(changesOrReadsMemory))
      return `the size of what ${name} leads to cannot be computed twice`;
    const length = elements(factors, ident(sym));
    const hidden = [...namesIn(length)].find((v) => v !== sym && pragma.scope.lookup(v.name) !== v);
    if (hidden) return `'${hidden.name}', by which the size is known, is not visible here`;
    return { length, loc: value.span.start };
  }

  /** Why a variable in the size may have another value at the directive, if it may. */
  private unsteady(v: Symbol, allocated: Event, pragma: Pragma, lasting: boolean): string | undefined {
    if (v.kind === "enumerator" || v.kind === "function" || v.kind === "typedef") return undefined;
    const name = `'${v.name}'`;
    if (v.type.quals?.volatile) return `${name}, by which the size is known, is volatile`;
    if (canonical(v.type).quals?.const && v.storage !== "extern") return undefined;
    if (v.storage === "extern") return `${name}, by which the size is known, is defined in another file`;
    if (this.exposed.has(v)) return `the address of ${name}, by which the size is known, is taken`;
    const place = this.pragmas.get(pragma);
    const changes = this.assigned.get(v) ?? [];
    // Memory that outlives a call may have been allocated by an earlier call.
    if (v.scope !== "file" && lasting && !this.always(allocated))
      return `the allocation may have been left out, and ${name}, by which the size is known, be another`;
    const together = (at: number) =>
      this.loops.some((l) => l.def === allocated.def && within(l, at) && within(l, allocated.at));
    const steady =
      changes.every((c) => c.def === allocated.def && c.at < allocated.at && !together(c.at)) &&
      !(changes.length > 0 && this.jumpsBack.has(allocated.def)) &&
      (v.scope === "file" || place?.def === allocated.def);
    return steady ? undefined : `${name}, by which the size is known, may have changed since the allocation`;
  }

  /** Whether the event happens in every run of its function. */
  private always({ def, at }: Event): boolean {
    return !this.jumps.has(def) && !this.conditional.some((c) => c.def === def && within(c, at));
  }

  // ---------------------------------------------------------------- reading the unit

  private read(): void {
    if (this.isRead) return;
    this.isRead = true;
    for (const e of this.unit.externals) {
      if (e.kind === "function") this.readFunction(e);
      if (e.kind !== "decl") continue;
      for (const { init } of e.decls)
        if (init) walkInits(init, (value) => walkExpr(value, { expr: (x) => void this.addressIn(x) }));
    }
  }

  private readFunction(def: FunctionDef): void {
    let n = 0;
    const loops: { part: Stmt; from: number }[] = [];
    const branches = new Set<Stmt>();
    const labels = new Set<string>();
    const counted = new Set<Expr>();
    const note = (sym: Symbol, value?: Expr) =>
      void this.assigned.set(sym, [
        ...(this.assigned.get(sym) ?? []),
        { def, at: n, ...(value && { value }) },
      ]);
    walkStmt(def.body, {
      stmt: (s) => {
        n++;
        for (const pragma of s.pragmas ?? []) this.pragmas.set(pragma, { def, from: n, to: n });
        if (s.kind === "for" || s.kind === "while" || s.kind === "do") loops.push({ part: s, from: n });
        if (s.kind === "if") for (const branch of [s.then, s.else]) if (branch) branches.add(branch);
        if (s.kind === "switch") branches.add(s.body);
        if (branches.has(s)) this.conditional.push({ def, from: n, to: n + partsOf(s) - 1 });
        if (s.kind === "label") labels.add(s.name);
        if (s.kind === "goto" || s.kind === "asm") this.jumps.add(def);
        if (s.kind === "goto" && (s.label === undefined || labels.has(s.label))) this.jumpsBack.add(def);
        if (s.kind !== "decl") return;
        for (const { sym, init } of s.decls) {
          const once = sym.storage === "static" && canonical(sym.type).kind !== "pointer";
          if (init && !once) note(sym, init.kind === "expr" ? init.expr : undefined);
        }
      },
      expr: (e) => {
        n++;
        if (e.kind === "cond" || (e.kind === "binary" && (e.op === "&&" || e.op === "||")))
          this.conditional.push({ def, from: n, to: n + partsOfExpr(e) - 1 });
        if (e.kind === "assign" || e.kind === "incdec") {
          const place = e.kind === "assign" ? e.left : e.arg;
          const target = objectOf(place) ?? pointerItself(place);
          if (target)
            note(target, e.kind === "assign" && e.op === "=" && isWhole(place) ? e.right : undefined);
        }
        if (e.kind === "call") {
          const callee = calleeOf(e)?.name ?? "";
          for (const [i, arg] of e.args.entries()) {
            const address = addressOf(arg);
            if (!address) continue;
            if (storing.test(callee)) note(address.sym);
            else if (callee === "posix_memalign" && i === 0) note(address.sym, e);
            else continue;
            counted.add(address.expr);
          }
        }
        if (!counted.has(e)) this.addressIn(e);
      },
    });
    for (const { part, from } of loops) {
      const stretch = { def, from, to: from + partsOf(part) - 1 };
      this.loops.push(stretch);
      this.conditional.push(stretch);
    }
  }

  private addressIn(e: Expr): void {
    if (e.kind !== "unary" || e.op !== "&") return;
    const sym = objectOf(e.arg) ?? pointerItself(e.arg);
    if (sym) this.exposed.add(sym);
  }
}

function partsOf(s: Stmt): number {
  let parts = 0;
  const count = () => void parts++;
  walkStmt(s, { stmt: count, expr: count });
  return parts;
}

function partsOfExpr(e: Expr): number {
  let parts = 0;
  const count = () => void parts++;
  walkExpr(e, { stmt: count, expr: count });
  return parts;
}

const within = ({ from, to }: Stretch, at: number) => from <= at && at <= to;

/** A pointer variable that is itself the lvalue. */
function pointerItself(place: Expr): Symbol | undefined {
  const e = stripImplicit(place);
  return e.kind === "ident" && (e.sym.kind === "var" || e.sym.kind === "param") ? e.sym : undefined;
}

const isWhole = (place: Expr): boolean => stripImplicit(place).kind === "ident";

function addressOf(arg: Expr): { readonly sym: Symbol; readonly expr: Expr } | undefined {
  const e = withoutCasts(arg);
  if (e.kind !== "unary" || e.op !== "&") return undefined;
  const sym = objectOf(e.arg) ?? pointerItself(e.arg);
  return sym && { sym, expr: e };
}

export function withoutCasts(e: Expr): Expr {
  const inner = stripImplicit(e);
  return inner.kind === "cast" ? withoutCasts(inner.arg) : inner;
}

export const isNull = (e: Expr): boolean => evaluateInteger(withoutCasts(e)) === 0n;

/** The number of bytes that a call allocates, as factors; undefined: it allocates nothing. */
export function allocation(e: Call): readonly Expr[] | undefined {
  const name = calleeOf(e)?.name ?? "";
  const sizes = name === "posix_memalign" ? [2] : allocators[name];
  const args = sizes?.map((i) => e.args[i]);
  return args?.every((a) => a !== undefined) ? args.map(stripImplicit) : undefined;
}

function variablesOf(list: readonly Expr[]): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  for (const e of list)
    walkExpr(e, {
      expr(part) {
        if (part.kind === "ident") found.add(part.sym);
        // The sizeof operand is not evaluated.
        return !(part.kind === "sizeof" && (part.arg || evaluateInteger(part) !== undefined));
      },
    });
  return found;
}

function namesIn(e: Expr): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  walkExpr(e, { expr: (part) => void (part.kind === "ident" && found.add(part.sym)) });
  return found;
}

/** Whether it changes anything, or reads memory other than variables. */
function changesOrReadsMemory(e: Expr): boolean {
  let found = false;
  walkExpr(e, {
    expr(part) {
      if (part.kind === "sizeof" && evaluateInteger(part) !== undefined) return false;
      if (["assign", "incdec", "call", "stmt-expr", "comma", "compound", "builtin"].includes(part.kind))
        found = true;
      if (part.defines) found = true;
      const reads =
        part.kind === "member" || part.kind === "index" || (part.kind === "unary" && part.op === "*");
      if (reads && objectOf(part) === undefined && rootOf(part) !== undefined) found = true;
      return part.kind !== "sizeof";
    },
  });
  return found;
}

/** Bytes divided by the element size: the factor that equals the size is left out. */
function elements(bytes: readonly Expr[], pointer: Expr): Expr {
  const first = unary("*", pointer);
  const size = sizeOf(first.type);
  const factors = bytes.flatMap(factorsOf);
  const isSize = (e: Expr) => {
    const value = evaluateInteger(e);
    if (size !== undefined) return value === BigInt(size);
    return e.kind === "sizeof" && e.arg !== undefined && printExpr(e.arg) === printExpr(first);
  };
  const isKeyword = (e: Expr) => withoutCasts(e).kind === "sizeof" && isSize(e);
  const found = factors.findIndex(isKeyword);
  const at = found >= 0 ? found : factors.findIndex(isSize);
  const rest = factors.filter((_, i) => i !== at);
  if (at >= 0 && rest.length === 0) return intLit(1);
  // Without the size factor, the others must still be multiplied in its width.
  const wide = at >= 0 && at < rest.length && rest.length > 1 && rest.every((e) => (sizeOf(e.type) ?? 0) < 8);
  const [head, ...others] = wide ? [cast(SIZE, firstOf(rest)), ...rest.slice(1)] : rest;
  const product = others.reduce((a, b) => binary("*", a, b), head as Expr);
  return at >= 0 ? product : binary("/", product, sizeofExpr(first));
}

function factorsOf(e: Expr): readonly Expr[] {
  const inner = stripImplicit(e);
  return inner.kind === "binary" && inner.op === "*"
    ? [...factorsOf(inner.left), ...factorsOf(inner.right)]
    : [inner];
}

function walkInits(init: Init, found: (value: Expr) => void): void {
  if (init.kind === "expr") found(init.expr);
  else for (const item of init.items) walkInits(item.init, found);
}
