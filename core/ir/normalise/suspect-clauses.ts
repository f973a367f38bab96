/**
 * Data clauses that are valid but certainly a mistake: sums that lanes race on, and arrays read before they are set.
 */

import { canonical, isScalar, printExpr, walkExpr, walkStmt } from "../../lang/index.ts";
import type { Diagnostic, Expr, Stmt } from "../../lang/tree/ast.ts";
import { rootOf, usesOf } from "../analysis/access.ts";
import { reductionUse } from "../analysis/reductions.ts";
import { asNode, type DataItem, type Loop, type Task } from "../model/ir.ts";
import { findNode } from "../model/nodes.ts";
import { spmdOf } from "../model/region.ts";

/** For a task whose loops have their levels. */
export function suspectClauses(task: Task): readonly Diagnostic[] {
  const spmd = spmdOf(task);
  const loops = sharedOut(spmd.body);
  return task.items.flatMap((item) => {
    if (item.mapping.vis !== "explicit" || item.sharing.is !== "shared") return [];
    if (isScalar(item.sym.type) && canonical(item.sym.type).kind !== "pointer") {
      if (spmd.reductions.some((r) => r.sym === item.sym)) return [];
      return loops.flatMap((loop) => raced(loop, item)).slice(0, 1);
    }
    const read = item.mapping.is === "from" ? readFirst(spmd.body, item) : undefined;
    return read ? [unset(item, read)] : [];
  });
}

/** The outermost loops whose iterations are distributed. */
function sharedOut(s: Stmt): readonly Loop[] {
  const found: Loop[] = [];
  walkStmt(s, {
    stmt(inner) {
      const loop = asNode(inner, "loop");
      if (!loop || loop.parallel.levels.length === 0) return true;
      found.push(loop);
      return false;
    },
  });
  return found;
}

function raced(loop: Loop, { sym }: DataItem): readonly Diagnostic[] {
  if ([...loop.privates, ...reducedIn(loop)].includes(sym)) return [];
  // Iterations take turns in critical sections.
  if (findNode(loop.body, "sync")?.name === "flush") return [];
  const { op } = reductionUse(loop.body, sym);
  const at = op && usesOf(loop.body).of.get(sym)?.at.span.start;
  if (!at) return [];
  return [
    {
      severity: "warning",
      code: "unreduced",
      loc: at.line > 0 ? at : loop.site.loc,
      message: `iterations that run at the same time all change '${sym.name}': its result is left to chance`,
      why: "a data clause makes one variable for all gangs and lanes, and no clause combines what they add to it",
      remedy: `say reduction(${op}:${sym.name})`,
    },
  ];
}

function reducedIn(loop: Loop): readonly DataItem["sym"][] {
  const inner: DataItem["sym"][] = loop.reductions.map((r) => r.sym);
  walkStmt(loop.body, {
    stmt(s) {
      inner.push(...(asNode(s, "loop")?.reductions ?? []).map((r) => r.sym));
    },
  });
  return inner;
}

/**
 * The first access, if it certainly reads an element that nothing has set: `a[i] += x`, `a[i] = 2 * a[i]`, `a[i]++`.
 * Under a condition, or after any other access, it may have been set.
 */
function readFirst(body: Stmt, { sym }: DataItem): Expr | undefined {
  let read: Expr | undefined;
  let over = false;
  const isElement = (e: Expr) => e.kind === "index" && rootOf(e)?.sym === sym;
  walkStmt(body, {
    stmt(s) {
      if (s.kind === "if" || s.kind === "switch" || s.kind === "while") {
        if (usesOf(s).of.has(sym)) over = true;
        return false;
      }
      return !over;
    },
    expr(e) {
      if (over) return false;
      if (isConditional(e)) {
        if (mentions(e, (part) => part.kind === "ident" && part.sym === sym)) over = true;
        return false;
      }
      if (e.kind === "assign" && isElement(e.left)) {
        const element = printExpr(e.left);
        const again = (part: Expr) => printExpr(part) === element;
        if (e.op !== "=" || (mentions(e.right, again) && !mentions(e.right, isConditional))) read = e.left;
        over = true;
      } else if (e.kind === "incdec" && isElement(e.arg)) {
        read = e.arg;
        over = true;
      } else if (e.kind === "ident" && e.sym === sym) over = true;
      return !over;
    },
  });
  return read;
}

const isConditional = (e: Expr): boolean =>
  e.kind === "cond" || (e.kind === "binary" && (e.op === "&&" || e.op === "||"));

function mentions(e: Expr, holds: (part: Expr) => boolean): boolean {
  let found = false;
  walkExpr(e, {
    expr(part) {
      if (holds(part)) found = true;
      return !found;
    },
  });
  return found;
}

const unset = ({ sym, loc }: DataItem, read: Expr): Diagnostic => ({
  severity: "warning",
  code: "read-before-set",
  loc: read.span.start.line > 0 ? read.span.start : loc,
  message: `the region reads '${printExpr(read)}' before anything has set it there`,
  why: `the clause makes room for '${sym.name}' on the device and copies nothing in`,
  remedy: `map '${sym.name}' in both directions`,
});
