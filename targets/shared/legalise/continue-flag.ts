/**
 * A loop's body without `continue`: the rest of an iteration stands under a flag.
 *
 *     if (c) continue;             int on = 1;
 *     rest;                 =>     if (c) on = 0;
 *                                  if (on) { rest; }
 */
import { INT, mapChildren } from "../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
} from "../../../core/lang/tree/build.ts";
import { escapes, flat, usesContinue } from "../device/control.ts";

/** Undefined where control could leave or enter the rest of the iteration in another way. */
export function withContinueFlag(body: Stmt): Stmt | undefined {
  if (!isStructured(body)) return undefined;
  const on = freshSymbol("arc_on", INT);
  return compound([declare(on, intLit(1)), ...underFlag(flat(body), on)], body.span);
}

/** Whether `continue` stands only in blocks and branches: one in a `switch` would have to leave that first. */
function isStructured(s: Stmt): boolean {
  if (s.kind === "goto" || s.kind === "label") return false;
  if (s.kind === "switch") return !usesContinue(s) && !escapes(s, true, true);
  let all = true;
  mapChildren(s, (child) => {
    all &&= isStructured(child);
    return child;
  });
  return all;
}

function underFlag(statements: readonly Stmt[], on: Symbol): readonly Stmt[] {
  const at = statements.findIndex(usesContinue);
  const found = statements[at];
  if (found === undefined) return statements;
  const rest = underFlag(statements.slice(at + 1), on);
  const guarded = rest.length > 0 ? [ifStmt(ident(on), compound(rest))] : [];
  return [...statements.slice(0, at), cleared(found, on), ...guarded];
}

function cleared(s: Stmt, on: Symbol): Stmt {
  if (s.kind === "continue") return exprStmt(assign(ident(on), intLit(0)));
  if (s.kind === "compound") return { ...s, body: underFlag(s.body, on) };
  return usesContinue(s) ? mapChildren(s, (child) => cleared(child, on)) : s;
}
