/**
 * Elements that each iteration computes from the previous one, as a loop-carried variable (scalar replacement of
 * a recurrence, Callahan, Carr and Kennedy 1990):
 *
 *     for (i = 1; i < n; i++)              int c = 1 < n ? b[1 - 1] : 0;
 *       b[i] = b[i - 1] + a[i];     =>     for (i = 1; i < n; i++) { c = c + a[i]; b[i] = c; }
 */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import {
  constant,
  isZero,
  multiply,
  type Polynomial,
  splitAt,
  subtract,
} from "../../../core/ir/analysis/loops/polynomial.ts";
import { sameBase } from "../../../core/ir/dependence/meeting.ts";
import { idOf } from "../../../core/ir/dependence/memory-location.ts";
import { type Reference, referencesOf } from "../../../core/ir/dependence/references.ts";
import type { Loop, LoopHeader } from "../../../core/ir/model/ir.ts";
import {
  canonical,
  evaluateInteger,
  mapStmt,
  printExpr,
  substituteExpr,
  unqualified,
} from "../../../core/lang/index.ts";
import type { BinaryOp, Expr, Loc, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  cast,
  compound,
  cond,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  intLit,
} from "../../../core/lang/tree/build.ts";
import { flat } from "../device/control.ts";
import { rootName } from "./accumulators.ts";
import { same } from "./same-expression.ts";

interface CarriedElement {
  readonly body: Stmt;
  readonly before: readonly Stmt[];
  /** The element, as written in the program. */
  readonly name: string;
  readonly loc: Loc;
}

export function carriedElement(loop: Loop, header: LoopHeader): CarriedElement | undefined {
  const known = carriedElements.get(loop.body);
  if (known) return known.of;
  const of = carried(loop, header);
  carriedElements.set(loop.body, { of });
  return of;
}

/** Caches the analysis of each body. */
const carriedElements = new WeakMap<Stmt, { readonly of: CarriedElement | undefined }>();

function carried(loop: Loop, header: LoopHeader): CarriedElement | undefined {
  const step = evaluateInteger(header.step);
  if (step === undefined) return undefined;
  const uses = usesOf(loop.body);
  const { list, obstacle } = referencesOf(
    [header],
    loop.body,
    uses,
    new Set([...uses.declared, ...loop.privates, header.var]),
  );
  if (obstacle) return undefined;
  const stmts = flat(loop.body);
  for (const [k, s] of stmts.entries()) {
    const e = s.kind === "expr" ? s.expr : undefined;
    if (e?.kind !== "assign" || !isNumber(e.left)) continue;
    const write = list.find((r) => r.mode === "write" && same(r.expr, e.left) && r.location.steps.length > 0);
    if (!write || list.some((r) => r !== write && r.mode !== "read" && sameBase(r, write))) continue;
    const read = list.find((r) => r.mode === "read" && isBefore(r, write, header.var, step));
    if (!read || !holds(s, read.expr) || stmts.slice(k + 1).some((later) => holds(later, read.expr)))
      continue;
    const sym = freshSymbol(`${rootName(e.left)}_before`, unqualified(e.left.type));
    const value = e.op === "=" ? e.right : binary(e.op.slice(0, -1) as BinaryOp, e.left, e.right);
    const next = exprStmt({ ...assign(ident(sym), value), span: e.span });
    const body = [...stmts.slice(0, k), next, exprStmt(assign(e.left, ident(sym))), ...stmts.slice(k + 1)];
    const some = binary(header.relation, header.lower, header.bound);
    const first = substituteExpr(read.expr, new Map([[header.var, cast(header.var.type, header.lower)]]));
    return {
      body: replaced(compound(body, loop.body.span), read.expr, sym),
      before: [declare(sym, cond(some, first, intLit(0)))],
      name: printExpr(e.left),
      loc: e.span.start,
    };
  }
  return undefined;
}

function isNumber({ type }: Expr): boolean {
  const { kind, quals } = canonical(type);
  return (kind === "int" || kind === "float") && !quals?.volatile && !quals?.atomic;
}

/** Whether it reads the element that the previous iteration wrote. */
function isBefore(read: Reference, write: Reference, counter: Symbol, step: bigint): boolean {
  if (!sameBase(read, write) || read.loops.length > 0 || write.loops.length > 0) return false;
  const [from, to] = [read.location.steps, write.location.steps];
  if (from.length !== to.length) return false;
  let moves = false;
  for (const [k, a] of from.entries()) {
    const b = to[k];
    if (a.is === "field" || b?.is !== "index") {
      if (a.is !== "field" || b?.is !== "field" || a.name !== b.name) return false;
      continue;
    }
    const earlier = b.at && stepBack(b.at, counter, step);
    if (!a.at || !b.at || !earlier || !isZero(subtract(a.at, earlier))) return false;
    moves ||= !isZero(subtract(b.at, earlier));
  }
  return moves;
}

function stepBack(at: Polynomial, counter: Symbol, step: bigint): Polynomial | undefined {
  const parts = splitAt(at, idOf(counter));
  return parts && subtract(at, multiply(parts.slope, constant(step)));
}

function holds(s: Stmt, element: Expr): boolean {
  let found = false;
  mapStmt(s, {
    expr(e) {
      found ||= same(e, element);
      return e;
    },
  });
  return found;
}

const replaced = (s: Stmt, element: Expr, by: Symbol): Stmt =>
  mapStmt(s, { expr: (e) => (same(e, element) && !e.kind.startsWith("cast") ? ident(by, e.span) : e) });
