/**
 * Loops that look for the greatest or least value and where it is. Lanes can share them, if the largest value and its
 * place are variables that only the loop changes:
 *
 *     for (j = 0; j < n; j++)            float most = -INFINITY; long at = none;
 *       if (a[j] > m) {                  for (j = 0; j < n; j++)
 *         m = a[j];               =>       if (a[j] > most) { most = a[j]; at = j; }
 *         k = j;                         if (at != none && most > m) { m = most; k = at; }
 *       }
 *
 * A place alone counts as well: `if (a[j] > a[k]) k = j;`. Each lane finds the first of its own largest values. Of the
 * lanes whose value is the team's, the one with the first place has the place that the loop in order finds.
 */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { liveAfter } from "../../../core/ir/analysis/liveness.ts";
import { isVolatile, pureReads } from "../../../core/ir/analysis/purity.ts";
import { dependence } from "../../../core/ir/dependence/dependence.ts";
import { identity } from "../../../core/ir/model/identity.ts";
import type { Loop, LoopHeader, Reduction } from "../../../core/ir/model/ir.ts";
import {
  canonical,
  evaluateInteger,
  findStatement,
  isPointer,
  isScalar,
  isSigned,
  LONG,
  sizeOf,
  substituteExpr,
  unqualified,
} from "../../../core/lang/index.ts";
import type { BinaryOp, CType, Expr, Span, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  cast,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  stripImplicit,
} from "../../../core/lang/tree/build.ts";
import { containsAtomic, escapesLoop, flat } from "../device/control.ts";
import { countedLoop } from "./counted-loops.ts";
import { same } from "./same-expression.ts";

/** A loop that finds `value` and the place `at` of it; both have reductions of their own. */
export interface Position {
  readonly header: LoopHeader;
  readonly body: Stmt;
  readonly privates: readonly Symbol[];
  readonly value: Symbol;
  readonly at: Symbol;
  readonly reductions: readonly Reduction[];
  /** What it finds, as the program names it. */
  readonly names: readonly string[];
}

/** An iteration's statements with such loops rewritten, and what was found of the new loops. */
interface Positions {
  readonly stmts: readonly Stmt[];
  readonly of: ReadonlyMap<Stmt, Position>;
}

/** `own`: whether a variable belongs to the iteration of `outer`. */
export function withPositions(outer: Loop, own: (sym: Symbol) => boolean): Positions {
  const of = new Map<Stmt, Position>();
  const stmts = flat(outer.body).flatMap((s): readonly Stmt[] => {
    const found = positionLoop(outer, s, own);
    if (!found) return [s];
    of.set(found.loop, found.position);
    return [...found.before, found.loop, found.behind];
  });
  return { stmts, of };
}

interface Found {
  readonly before: readonly Stmt[];
  readonly loop: Stmt;
  readonly behind: Stmt;
  readonly position: Position;
}

function positionLoop(outer: Loop, s: Stmt, own: (sym: Symbol) => boolean): Found | undefined {
  const loop = s.kind === "for" ? countedLoop(s) : undefined;
  const [header] = loop?.headers ?? [];
  const step = header && evaluateInteger(header.step);
  if (s.kind !== "for" || !loop || !header || !step || isPointer(header.var.type)) return undefined;
  const rest = flat(loop.body).slice(0, -1);
  const search = searchOf(flat(loop.body).at(-1), header.var);
  if (!search || !isNumber(search.type) || !search.targets.every((sym) => own(sym))) return undefined;
  const after = (sym: Symbol) => !own(sym) || liveAfter(outer.body, s, sym);
  if ((!header.declares && after(header.var)) || !isSearch(loop.body, search, rest)) return undefined;
  // What is left must be independent: the value of each iteration.
  const values = compound([...rest, ...[search.found, ...search.guards].map((e) => exprStmt(e))]);
  const proof = dependence({ ...loop, body: values }, { liveAfter: after });
  if (!proof.independent || proof.reductions.length > 0) return undefined;
  const value = freshSymbol(`${search.name}_most`, unqualified(search.type));
  const at = freshSymbol(`${search.name}_at`, LONG);
  const order = search.first === step > 0n ? "min" : "max";
  const none = identity(order, LONG);
  const better = search.relation(search.found, ident(value));
  const body = compound(
    [
      ...rest,
      ifStmt(
        [...search.guards, better].reduce((a, b) => binary("&&", a, b)),
        compound([
          exprStmt(assign(ident(value), search.found)),
          exprStmt(assign(ident(at), cast(LONG, ident(header.var)))),
        ]),
      ),
    ],
    loop.body.span,
  );
  const found = binary("!=", ident(at), none);
  const behind = ifStmt(
    binary("&&", found, search.relation(ident(value), search.held)),
    compound(search.changes(ident(value), cast(header.var.type, ident(at)))),
  );
  return {
    before: [declare(value, identity(search.op, value.type)), declare(at, none)],
    loop: { ...s, body },
    behind,
    position: {
      header,
      body,
      privates: [...loop.privates, ...proof.privates],
      value,
      at,
      reductions: [
        { op: search.op, sym: value, loc: search.span.start },
        { op: order, sym: at, loc: search.span.start },
      ],
      names: search.targets.map((sym) => sym.name),
    },
  };
}

/** A statement that replaces the greatest or least value, or its place. */
interface Search {
  readonly op: "max" | "min";
  /** Of equal values the first one counts, not the last one. */
  readonly first: boolean;
  /** The type in which values are compared. */
  readonly type: CType;
  readonly found: Expr;
  /** What it is compared with. */
  readonly held: Expr;
  readonly relation: (found: Expr, held: Expr) => Expr;
  /** Further conditions. */
  readonly guards: readonly Expr[];
  /** The variables that it changes. */
  readonly targets: readonly Symbol[];
  readonly values: readonly Expr[];
  readonly changes: (value: Expr, at: Expr) => Stmt[];
  readonly name: string;
  readonly span: Span;
}

function searchOf(s: Stmt | undefined, counter: Symbol): Search | undefined {
  if (s?.kind !== "if" || s.else) return undefined;
  const { tests, then } = decided(s);
  const set = flat(then).map(assigned);
  const pairs = set.flatMap((one) => (one ? [one] : []));
  const targets = pairs.map(({ to }) => to);
  if (pairs.length < set.length || pairs.length === 0 || new Set(targets).size < targets.length)
    return undefined;
  const mentioned = (e: Expr) => targets.some((sym) => usesOf(exprStmt(e)).of.has(sym));
  const deciding = tests.filter(mentioned);
  const [test] = deciding;
  if (deciding.length !== 1 || test?.kind !== "binary" || !(test.op in turned)) return undefined;
  for (const turn of [false, true]) {
    const [found, held] = turn ? [test.right, test.left] : [test.left, test.right];
    const op = (turn ? turned[test.op] : test.op) as BinaryOp;
    const kept = heldValue(pairs, found, held) ?? heldPlace(pairs, found, held, counter);
    if (!kept || mentioned(found)) continue;
    const others = pairs.filter((pair) => pair !== kept.value);
    if (others.some(({ value }) => mentioned(value))) return undefined;
    return {
      op: op.startsWith(">") ? "max" : "min",
      first: !op.endsWith("="),
      type: held.type,
      found,
      held,
      relation: (a, b) => binary(op, a, b),
      guards: tests.filter((other) => other !== test),
      targets,
      values: others.map(({ value }) => value),
      changes: (value, at) =>
        pairs.map((pair) =>
          exprStmt(
            assign(
              ident(pair.to),
              pair === kept.value ? value : substituteExpr(pair.value, new Map([[counter, at]])),
            ),
          ),
        ),
      name: kept.of.to.name,
      span: s.span,
    };
  }
  return undefined;
}

const turned: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

interface Assigned {
  readonly to: Symbol;
  readonly value: Expr;
}

function assigned(s: Stmt): Assigned | undefined {
  const e = s.kind === "expr" ? s.expr : undefined;
  if (e?.kind !== "assign" || e.op !== "=" || e.left.kind !== "ident") return undefined;
  return { to: e.left.sym, value: e.right };
}

/** All conditions of a statement, also of one `if` in another. */
function decided(s: Stmt & { readonly kind: "if" }): {
  readonly tests: readonly Expr[];
  readonly then: Stmt;
} {
  const tests = conjuncts(s.test);
  const [only, ...more] = flat(s.then);
  if (only?.kind !== "if" || only.else || more.length > 0) return { tests, then: s.then };
  const inner = decided(only);
  return { tests: [...tests, ...inner.tests], then: inner.then };
}

function conjuncts(e: Expr): readonly Expr[] {
  const test = stripImplicit(e);
  return test.kind === "binary" && test.op === "&&"
    ? [...conjuncts(test.left), ...conjuncts(test.right)]
    : [test];
}

/** What holds the value so far, and the assignment that changes it to the value found. */
interface Kept {
  readonly of: Assigned;
  readonly value?: Assigned;
}

/** `if (e > m) { m = e; ... }`, compared as what `m` is. */
function heldValue(pairs: readonly Assigned[], found: Expr, held: Expr): Kept | undefined {
  const inner = stripImplicit(held);
  if (inner.kind !== "ident" || !alike(inner.type, held.type)) return undefined;
  const value = pairs.find(({ to, value }) => to === inner.sym && same(value, found));
  return value && { of: value, value };
}

/** `if (e(j) > e(k)) k = j;` */
function heldPlace(pairs: readonly Assigned[], found: Expr, held: Expr, counter: Symbol): Kept | undefined {
  const place = pairs.find(
    ({ to, value }) =>
      same(value, ident(counter)) && same(substituteExpr(found, new Map([[counter, ident(to)]])), held),
  );
  return place && { of: place };
}

function alike(a: CType, b: CType): boolean {
  const [x, y] = [canonical(a), canonical(b)];
  return x.kind === y.kind && sizeOf(x) === sizeOf(y) && isSigned(x) === isSigned(y);
}

/** Values that lanes can exchange. */
function isNumber(type: CType): boolean {
  const { kind, quals } = canonical(type);
  const size = sizeOf(type);
  return (kind === "int" || kind === "float") && (size === 4 || size === 8) && !quals?.volatile;
}

/** The body only looks: it stores nothing, and what it sets follows from the place that it found. */
function isSearch(body: Stmt, { targets, values, found, held }: Search, rest: readonly Stmt[]): boolean {
  if (escapesLoop(body) || containsAtomic(body)) return false;
  if (findStatement(body, (inner) => inner.kind === "ext" || inner.kind === "label")) return false;
  const uses = usesOf(body);
  if (uses.indirectCall || ![...uses.calls.keys()].every((f) => pureReads(f))) return false;
  const changed = (sym: Symbol) => uses.declared.has(sym) || (uses.of.get(sym)?.written ?? false);
  for (const [sym, use] of uses.of) {
    if (isVolatile(sym.type) || (use.addressTaken && targets.includes(sym))) return false;
    if (use.elementsWritten && !uses.declared.has(sym)) return false;
  }
  const before = usesOf(compound(rest)).of;
  const fixed = [...values, ...(stripImplicit(held).kind === "ident" ? [] : [found])];
  return (
    targets.every((sym) => !before.has(sym) && isScalar(sym.type) && !isPointer(sym.type)) &&
    fixed.every((e) => [...usesOf(exprStmt(e)).of.keys()].every((sym) => !changed(sym)))
  );
}
