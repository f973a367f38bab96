/**
 * Loops that gangs share and whose iterations change what a gang has alone: its variables, and memory that it finds by its
 * number. One lane of each gang runs these, since iterations of one gang follow each other:
 *
 *     teams { int counts[8] = {0}, own = omp_get_team_num();
 *       distribute for (i) { counts[a[i]] += 1; sums[own][b[i]] += c[i]; } }
 */
import { isScalar, walkExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import { definedFirst } from "../analysis/liveness.ts";
import { mayTellThreads } from "../analysis/loops/thread-numbers.ts";
import { reductionUse } from "../analysis/reductions.ts";
import { routineCalled } from "../model/device-routines.ts";
import type { Loop } from "../model/ir.ts";

/** `own`: variables of which each gang has its own, and which are no pointers. `changed`: outer variables that it changes. */
export function changesOwnOfGang(
  loop: Loop,
  region: Stmt,
  own: ReadonlySet<Symbol>,
  changed: readonly Symbol[],
): boolean {
  const reduced = new Set(loop.reductions.map((r) => r.sym));
  const keeps = changed.some(
    (sym) =>
      own.has(sym) &&
      !reduced.has(sym) &&
      !(
        isScalar(sym.type) &&
        (definedFirst(loop.body, sym) || reductionUse(loop.body, sym).op !== undefined)
      ),
  );
  return keeps || storesByNumber(loop.body, numbered(region));
}

/** Whether an expression depends on the gang's number, directly or through one of these variables. */
function dependsOn(e: Expr, numbers: ReadonlySet<Symbol>): boolean {
  let found = false;
  walkExpr(e, {
    expr(part) {
      if (part.kind === "ident") found ||= numbers.has(part.sym);
      if (part.kind === "call") found ||= isNumber(part);
    },
  });
  return found;
}

/** A call that may return the gang's number. */
function isNumber(e: Expr & { readonly kind: "call" }): boolean {
  const routine = routineCalled(e);
  if (routine) return routine === "omp_get_team_num" || routine === "omp_get_thread_num";
  return e.callee.kind !== "ident" || mayTellThreads(e.callee.sym);
}

/** Variables of the region whose values depend on the gang's number. */
function numbered(region: Stmt): ReadonlySet<Symbol> {
  const { declared } = usesOf(region);
  const found = new Set<Symbol>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    walkStmt(region, {
      stmt(s) {
        if (s.kind !== "decl") return;
        for (const { sym, init } of s.decls)
          if (init?.kind === "expr" && dependsOn(init.expr, found)) found.add(sym);
      },
      expr(e) {
        if (e.kind !== "assign" || e.left.kind !== "ident" || !declared.has(e.left.sym)) return;
        if (dependsOn(e.right, found)) found.add(e.left.sym);
      },
    });
  }
  return found;
}

/** Whether the code stores, or has a function store, where one of these variables says. */
function storesByNumber(body: Stmt, numbers: ReadonlySet<Symbol>): boolean {
  let found = false;
  walkStmt(body, {
    expr(e) {
      if (e.kind === "assign" && e.left.kind !== "ident") found ||= dependsOn(e.left, numbers);
      if (e.kind === "incdec" && e.arg.kind !== "ident") found ||= dependsOn(e.arg, numbers);
      if (e.kind === "call" && !routineCalled(e)) found ||= e.args.some((arg) => dependsOn(arg, numbers));
    },
  });
  return found;
}
