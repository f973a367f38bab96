/**
 * Whether what an array's size was computed from is still what it was: then the size can be computed again, where each
 * thread has an array like it.
 */
import { walkExpr, walkStmt } from "../../lang/index.ts";
import type { CType, Expr, External, Loc, Symbol } from "../../lang/tree/ast.ts";
import { rootOf } from "./access.ts";

/** Sizes of variable arrays, outermost first. */
export function sizesOf(type: CType): readonly Expr[] {
  if (type.kind === "pointer") return sizesOf(type.to);
  if (type.kind === "typedef") return sizesOf(type.sym.type);
  if (type.kind !== "array") return [];
  return [...(typeof type.size === "object" ? [type.size] : []), ...sizesOf(type.of)];
}

/** Nothing behind its declaration changes a variable that its sizes name, and nobody else can. */
export function keepsSizes({ type, span }: Symbol, externals: readonly External[]): boolean {
  const named = new Set<Symbol>();
  let plain = true;
  for (const size of sizesOf(type))
    walkExpr(size, {
      expr(e) {
        if (e.kind === "ident" && e.sym.kind !== "enumerator") named.add(e.sym);
        plain &&= ["ident", "int", "char", "binary", "unary", "cast", "sizeof"].includes(e.kind);
        if (e.kind === "unary") plain &&= e.op !== "*" && e.op !== "&";
      },
    });
  const kept = (sym: Symbol): boolean =>
    sym.scope !== "file" || sym.storage === "static" || sym.type.quals?.const === true;
  if (!plain || ![...named].every(kept)) return false;
  let changed = false;
  const look = (e: Expr): void => {
    const target = changedBy(e);
    const sym = target && rootOf(target)?.sym;
    if (!target || !sym || !named.has(sym)) return;
    changed ||= sym.scope === "file" || !isBefore(target.span.start, span.start);
  };
  for (const external of externals) if (external.kind === "function") walkStmt(external.body, { expr: look });
  return !changed;
}

/** What an expression assigns to, or gives away the address of. */
function changedBy(e: Expr): Expr | undefined {
  if (e.kind === "assign") return e.left;
  if (e.kind === "incdec") return e.arg;
  return e.kind === "unary" && e.op === "&" ? e.arg : undefined;
}

const isBefore = (a: Loc, b: Loc): boolean =>
  a.file === b.file && (a.line < b.line || (a.line === b.line && a.col < b.col));
