/**
 * A thread's copy of a variable: initialised from the original and stored back. Arrays are copied element by element,
 * since C has no array assignment.
 */
import { canonical, INT, LONG } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import {
  assign,
  binary,
  declare,
  exprStmt,
  forStmt,
  freshSymbol,
  ident,
  incdec,
  index,
  intLit,
} from "../../lang/tree/build.ts";

/** `to = from` */
export function copyTo(to: Symbol, from: Symbol): Stmt {
  return elements(ident(to), ident(from), 0);
}

/** `to[first..end] = from[first..end]` */
export function copyPart(to: Symbol, from: Symbol, first: Expr, end: Expr): Stmt {
  const at = freshSymbol("arc_element", LONG);
  return forStmt(
    declare(at, first),
    binary("<", ident(at), end),
    incdec("++", true, ident(at)),
    elements(index(ident(to), ident(at)), index(ident(from), ident(at)), 1),
  );
}

/** The copy's declaration, initialised from `original` if there is one. */
export function begun(copy: Symbol, original?: Symbol): readonly Stmt[] {
  if (!original) return [declare(copy)];
  if (canonical(copy.type).kind !== "array") return [declare(copy, ident(original))];
  return [declare(copy), copyTo(copy, original)];
}

function elements(to: Expr, from: Expr, depth: number): Stmt {
  const type = canonical(to.type);
  if (type.kind !== "array" || type.size === undefined || type.size === "*")
    return exprStmt(assign(to, from));
  const size = typeof type.size === "number" ? intLit(type.size) : type.size;
  const at = freshSymbol(`arc_element_${depth}`, typeof type.size === "number" ? INT : LONG);
  return forStmt(
    declare(at, intLit(0)),
    binary("<", ident(at), size),
    incdec("++", true, ident(at)),
    elements(index(to, ident(at)), index(from, ident(at)), depth + 1),
  );
}
