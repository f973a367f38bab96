/**
 * Scalar replacement (Callahan, Carr and Kennedy 1990): an element that every iteration of a sequential loop updates is a
 * variable while the loop runs.
 *
 *     for (k = 0; k < n; k++)                 float kept = c[i][j];
 *       c[i][j] += a[i][k] * b[k][j];   =>    for (k = 0; k < n; k++) kept += a[i][k] * b[k][j];
 *                                             c[i][j] = kept;
 *
 * Other accesses in the loop must not alias the element: arrays, restrict pointers and other types do not; for any other
 * pair of pointers the launch checks.
 */
import { isArray, rootOf, usesOf } from "../../../core/ir/analysis/access.ts";
import { countedHeader } from "../../../core/ir/analysis/loops/counted.ts";
import { type Reference, referencesOf } from "../../../core/ir/dependence/references.ts";
import { asNode, type LoopHeader } from "../../../core/ir/model/ir.ts";
import {
  canonical,
  compatibleUnqualified,
  isPointer,
  isScalar,
  mapChildren,
  mapStmt,
  sizeOf,
  unqualified,
  walkExpr,
} from "../../../core/lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  cond,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
  stripImplicit,
} from "../../../core/lang/tree/build.ts";
import { same } from "./same-expression.ts";

export interface Accumulated {
  readonly body: Stmt;
  /** The elements, as expressions of the program. */
  readonly elements: readonly Expr[];
  /** Pointers that must not point to the same memory. */
  readonly pairs: readonly (readonly [Symbol, Symbol])[];
}

/** What lowering knows about a region's variables. */
export interface Arguments {
  /** A pointer or array passed by the launch. */
  isBuffer(sym: Symbol): boolean;
  /** An outside variable that other code may access too, not just a copy of its value. */
  isArgument(sym: Symbol): boolean;
}

/** An iteration's body with elements in variables; undefined: there are none. */
export function withAccumulators(body: Stmt, args: Arguments): Accumulated | undefined {
  const search = new Search(args);
  const made = search.block(body);
  const { elements, pairs } = search;
  return elements.length > 0 ? { body: made, elements, pairs: [...pairs.values()] } : undefined;
}

class Search {
  readonly elements: Expr[] = [];
  readonly pairs = new Map<string, readonly [Symbol, Symbol]>();
  private readonly args: Arguments;

  constructor(args: Arguments) {
    this.args = args;
  }

  block(s: Stmt): Stmt {
    if (s.kind !== "compound") return this.stmt(s);
    const body: Stmt[] = [];
    for (const [k, child] of s.body.entries()) {
      const { loop, kept } = this.allKept(child, s.body.slice(0, k));
      const starts = startsOf(body, kept);
      body.length -= starts.size;
      // In the order in which the program sets them.
      const [set, others] = [[...starts.keys()], kept.filter((e) => !starts.has(e))];
      body.push(...[...set, ...others].map((e) => declare(e.sym, starts.get(e) ?? loaded(e))));
      body.push(loop, ...kept.map(stored));
    }
    return { ...s, body };
  }

  private stmt(s: Stmt): Stmt {
    if (s.kind === "compound") return this.block(s);
    const { loop, kept } = this.allKept(s, []);
    if (kept.length === 0) return loop;
    return compound([...kept.map((e) => declare(e.sym, loaded(e))), loop, ...kept.map(stored)]);
  }

  /** A statement with elements in variables: all that it keeps itself, then those of loops inside. */
  private allKept(s: Stmt, before: readonly Stmt[]): { readonly loop: Stmt; readonly kept: readonly Kept[] } {
    const kept: Kept[] = [];
    let rest = s;
    for (let loop = inOrder(rest); loop; loop = inOrder(rest)) {
      const next = this.kept(loop, before);
      if (!next) break;
      kept.push(next);
      rest = withVariable(loop, next);
    }
    const loop = rest.kind === "compound" ? this.block(rest) : mapChildren(rest, (child) => this.stmt(child));
    return { loop, kept };
  }

  /** `before`: earlier statements of the same block. */
  private kept(loop: OrderedLoop, before: readonly Stmt[]): Kept | undefined {
    const uses = usesOf(loop.body);
    const own = new Set([...uses.declared, ...loop.own]);
    for (const [sym, use] of uses.of)
      if (use.written && !this.args.isArgument(sym) && isScalar(sym.type)) own.add(sym);
    const { list, obstacle } = referencesOf([loop.header], loop.body, uses, own);
    if (obstacle) return undefined;
    for (const r of list) {
      if (r.mode !== "write" || !r.always || r.location.steps.length === 0) continue;
      if (!this.isCandidate(r, loop)) continue;
      const others = this.apart(r, list);
      if (!others) continue;
      const touched = before.some((s) => touches(s, r.expr));
      if (!touched && r.loops.length > 0) continue;
      for (const pair of others) this.pairs.set(pair.map((p) => p.id).join(" "), pair);
      this.elements.push(r.expr);
      const sym = freshSymbol(`${rootName(r.expr)}_kept`, unqualified(r.expr.type));
      return { element: r.expr, sym, touched, header: loop.header };
    }
    return undefined;
  }

  /** A scalar number in memory whose address is loop-invariant and computed without loads. */
  private isCandidate({ location, expr, type }: Reference, { header, body, own }: OrderedLoop): boolean {
    const { kind, quals } = canonical(type);
    if ((kind !== "int" && kind !== "float") || quals?.volatile || quals?.atomic) return false;
    if (location.base.is !== "variable" && location.base.is !== "pointee") return false;
    if (!isSpine(expr)) return false;
    const changed = usesOf(body);
    let fixed = true;
    walkExpr(expr, {
      expr(e) {
        if (e.kind === "call" || e.kind === "assign" || e.kind === "incdec" || e.kind === "stmt-expr")
          fixed = false;
        if (e.kind !== "ident") return;
        const use = changed.of.get(e.sym);
        const ofIteration = e.sym === header.var || own.includes(e.sym) || changed.declared.has(e.sym);
        fixed &&= !ofIteration && !use?.written && !use?.addressTaken;
      },
    });
    return fixed;
  }

  /** Pairs of pointers that must differ so that nothing else in the loop aliases the element; undefined: unprovable. */
  private apart(element: Reference, list: readonly Reference[]): (readonly [Symbol, Symbol])[] | undefined {
    const root = rootOf(element.expr)?.sym;
    const pairs: (readonly [Symbol, Symbol])[] = [];
    for (const other of list) {
      const { base, steps } = other.location;
      if (base.is !== "variable" && base.is !== "pointee") return undefined;
      // The pointer itself, not its target.
      if (steps.length === 0 && isPointer(other.type)) continue;
      if (base.sym === root) {
        if (other.mode === "atomic" || !same(other.expr, element.expr)) return undefined;
        continue;
      }
      // Variables of the iteration, and copies of values.
      if (
        steps.length === 0 &&
        isScalar(base.sym.type) &&
        !isPointer(other.type) &&
        !this.args.isArgument(base.sym)
      )
        continue;
      if (!root) return undefined;
      if (distinct(root, base.sym) || !sharesType(element.type, other.type)) continue;
      if (!this.args.isBuffer(root) || !this.args.isBuffer(base.sym)) return undefined;
      pairs.push([root, base.sym]);
    }
    return pairs;
  }
}

interface Kept {
  readonly element: Expr;
  /** Has its value while the loop runs. */
  readonly sym: Symbol;
  readonly header: LoopHeader;
  /** Code before the loop accesses the element; otherwise only iterations do, if there are any. */
  readonly touched: boolean;
}

interface OrderedLoop {
  readonly header: LoopHeader;
  readonly body: Stmt;
  /** Variables private to each iteration, by a clause or by analysis. */
  readonly own: readonly Symbol[];
  readonly with: (body: Stmt) => Stmt;
}

/** A loop whose iterations one lane runs in order. */
function inOrder(s: Stmt): OrderedLoop | undefined {
  const loop = asNode(s, "loop");
  if (loop && s.kind === "ext") {
    const [header] = loop.headers;
    if (!header || loop.headers.length > 1 || loop.parallel.levels.length > 0) return undefined;
    const { body, privates } = loop;
    return {
      header,
      body,
      own: privates,
      with: (body) => ({ ...s, ext: { ...loop, body } }),
    };
  }
  if (s.kind !== "for") return undefined;
  const header = countedHeader(s);
  if ("severity" in header) return undefined;
  const fixed = usesOf(header.lower, header.bound, header.step).of;
  const changed = usesOf(s.body).of;
  const moves = [...fixed.keys(), header.var].some((sym) => {
    const use = changed.get(sym);
    return use?.written || use?.addressTaken || use?.elementsWritten;
  });
  return moves ? undefined : { header, body: s.body, own: [], with: (body) => ({ ...s, body }) };
}

/** Subscripts of an array or pointer variable, with no loads in between. */
export function isSpine(e: Expr): boolean {
  if (e.kind === "ident") return true;
  const loadsNothing = (sub: Expr) => {
    let plain = true;
    walkExpr(sub, {
      expr(x) {
        if (x.kind === "index" || x.kind === "member" || (x.kind === "unary" && x.op === "*")) plain = false;
      },
    });
    return plain;
  };
  if (e.kind === "index") {
    const base = stripImplicit(e.base);
    return loadsNothing(e.index) && (base.kind === "ident" || (isArray(base) && isSpine(base)));
  }
  return e.kind === "unary" && e.op === "*" && loadsNothing(e.arg);
}

/** A statement that certainly accesses the element. */
function touches(s: Stmt, element: Expr): boolean {
  const e = s.kind === "expr" ? s.expr : undefined;
  return e?.kind === "assign" && same(e.left, element);
}

/** The initial values of elements that the statements at the end of a block store; the loop's end stores them again. */
function startsOf(block: readonly Stmt[], kept: readonly Kept[]): ReadonlyMap<Kept, Expr> {
  const starts: [Kept, Expr][] = [];
  for (const s of block.toReversed()) {
    const e = s.kind === "expr" ? s.expr : undefined;
    if (e?.kind !== "assign" || e.op !== "=") break;
    const element = kept.find((k) => same(e.left, k.element));
    // A value that is stored later must not depend on this one.
    if (!element || starts.some(([k]) => k === element) || (starts.length > 0 && !isConstant(starts))) break;
    starts.unshift([element, e.right]);
  }
  return new Map(starts);
}

const isConstant = (starts: readonly (readonly [Kept, Expr])[]): boolean =>
  starts.every(([, value]) => usesOf(value).of.size === 0 && usesOf(value).calls.size === 0);

const hasIterations = ({ header }: Kept): Expr => binary(header.relation, header.lower, header.bound);

const loaded = (e: Kept): Expr => (e.touched ? e.element : cond(hasIterations(e), e.element, intLit(0)));

function stored(e: Kept): Stmt {
  const store = exprStmt(assign(e.element, ident(e.sym)));
  return e.touched ? store : ifStmt(hasIterations(e), store);
}

const withVariable = ({ body, with: around }: OrderedLoop, { element, sym }: Kept): Stmt =>
  around(
    mapStmt(body, {
      expr: (e) => (same(e, element) && !e.kind.startsWith("cast") ? ident(sym) : e),
    }),
  );

/**
 * Declared arrays are separate objects; two restrict pointers share nothing that is written. Any other pointer may
 * be derived from the restrict one (C11 6.7.3.1p3), and so point to the same memory.
 */
export function distinct(a: Symbol, b: Symbol): boolean {
  return isOwn(a) && isOwn(b);
}

function isOwn({ type }: Symbol): boolean {
  const { kind, quals } = canonical(type);
  return kind === "array" || type.quals?.restrict === true || quals?.restrict === true;
}

/** C's effective types (C11 6.5p7). */
function sharesType(a: CType, b: CType): boolean {
  const [x, y] = [canonical(a), canonical(b)];
  const plain = (t: CType) => t.kind === "int" || t.kind === "float";
  if (!plain(x) || !plain(y) || sizeOf(x) === 1 || sizeOf(y) === 1) return true;
  if (x.kind === "float" || y.kind === "float") return compatibleUnqualified(x, y);
  return sizeOf(x) === sizeOf(y);
}

/** Prefix of variables that replace an element: the name of its array. */
export const rootName = (element: Expr): string => rootOf(element)?.sym.name ?? "element";
