/**
 * Host code for `ARC_CHECK=transfers`: runtime calls around host reads of memory that may be on the device: elements,
 * members behind pointers, and variables that directives name.
 */

import type { IrNode } from "../../../core/ir/model/ir.ts";
import type { Program } from "../../../core/ir/model/program.ts";
import { canonical, isScalar, printDecl, printExpr, sizeOf, walkStmt } from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import { pointerTo } from "../../../core/lang/tree/types.ts";

/** The text of a read, by its expression. */
type ReadText = (expr: Expr, print: (expr: Expr) => string) => string | undefined;

/** The reads of all functions of the program. */
export function watchedReads(program: Program): ReadText {
  const found = new Set<Expr>();
  const mapped = mappedVariables(program);
  for (const e of program.unit.externals) if (e.kind === "function") collect(e.body, mapped, found);
  return (expr, print) => (found.has(expr) ? readText(expr, print(expr)) : undefined);
}

function readText(expr: Expr, text: string): string {
  const { file, line } = expr.span.start;
  const type = canonical(expr.type);
  const pointer =
    type.kind === "enum" ? `__typeof__(${text}) *` : printDecl(pointerTo({ ...type, quals: {} }), "");
  const place = `${JSON.stringify(file)}, ${line}, ${JSON.stringify(printExpr(expr))}`;
  return `(*(${pointer})arc_host_read((void *)&(${text}), ${sizeOf(type)}, ${place}))`;
}

/** Variables that stay on the device longer than a launch. */
function mappedVariables(program: Program): ReadonlySet<Symbol> {
  const found = new Set<Symbol>(program.declares.flatMap((d) => d.items.map((i) => i.sym)));
  const look = (s: Stmt): void => {
    if (s.kind !== "ext") return;
    const n = s.ext as IrNode;
    if (n.kind === "data" || n.kind === "data-move" || n.kind === "declare")
      for (const { sym } of n.items) found.add(sym);
  };
  for (const e of program.unit.externals) if (e.kind === "function") walkStmt(e.body, { stmt: look });
  return found;
}

function collect(body: Stmt, mapped: ReadonlySet<Symbol>, found: Set<Expr>): void {
  /** Expressions that only designate memory without reading it. */
  const named = new Set<Expr>();
  const expr = (e: Expr): boolean => {
    if (e.kind === "sizeof" || e.kind === "alignof" || e.kind === "builtin" || e.kind === "generic")
      return false;
    if (e.kind === "unary" && e.op === "&") named.add(stripImplicit(e.arg));
    if (e.kind === "assign" && e.op === "=") named.add(stripImplicit(e.left));
    if (e.kind === "member" && !e.arrow) named.add(stripImplicit(e.base));
    if (!named.has(e) && isWatched(e, mapped)) found.add(e);
    return true;
  };
  walkStmt(body, {
    expr,
    stmt: (s) => {
      if (s.kind === "ext") return !["task", "host-data", "atomic"].includes(s.ext.kind);
      if (s.kind === "case") collect(s.body, mapped, found);
      if (s.kind === "decl") return s.decls.every((d) => d.sym.storage !== "static");
      return s.kind !== "case";
    },
  });
}

function isWatched(e: Expr, mapped: ReadonlySet<Symbol>): boolean {
  const type = canonical(e.type);
  if (!isScalar(type) || type.quals?.volatile || type.quals?.atomic || !sizeOf(type)) return false;
  if (e.kind === "ident") return e.sym.kind !== "function" && mapped.has(e.sym) && type.kind !== "pointer";
  if (e.kind === "index" || (e.kind === "unary" && e.op === "*")) return true;
  return e.kind === "member" && e.field !== undefined && !e.field.bits && reaches(e);
}

/** Whether it is memory behind a pointer or in an array; a member of a local struct is too short-lived. */
function reaches(e: Expr): boolean {
  if (e.kind !== "member") return e.kind === "index" || (e.kind === "unary" && e.op === "*");
  return e.arrow || reaches(stripImplicit(e.base));
}
