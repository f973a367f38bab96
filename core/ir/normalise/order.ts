/**
 * Clauses have no order: a region means the same whichever way they are written. Sorting by variable name makes the
 * arguments, and with them the kernel's text, independent of it.
 */

import { mapChildren } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import { asNode, extStmt, type Spmd, type Task } from "../model/ir.ts";

/** Several items of one variable keep their order: a struct comes before memory reached through it. */
export function inOrder(task: Task): Task {
  return { ...task, items: task.items.toSorted(bySymbol), body: clauses(task.body) };
}

function clauses(s: Stmt): Stmt {
  const inner = mapChildren(s, clauses);
  const spmd = asNode(inner, "spmd");
  if (spmd)
    return extStmt<Spmd>(
      { ...spmd, ...sorted(spmd), firstprivates: spmd.firstprivates.toSorted(byName) },
      s.span,
    );
  const loop = asNode(inner, "loop");
  return loop ? extStmt({ ...loop, ...sorted(loop) }, s.span) : inner;
}

const sorted = ({ privates, reductions }: Pick<Spmd, "privates" | "reductions">) => ({
  privates: privates.toSorted(byName),
  reductions: reductions.toSorted(bySymbol),
});

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;

const bySymbol = (a: { readonly sym: { readonly name: string } }, b: typeof a): number =>
  byName(a.sym, b.sym);
