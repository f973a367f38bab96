/**
 * Whether the variables in an array's size expression still have their values from its declaration. If so, the size can
 * be evaluated again to declare a copy of the array for each thread.
 */
import { walkExpr, walkStmt } from "../../lang/index.ts";
import type { CType, Expr, External, Loc, Symbol } from "../../lang/tree/ast.ts";
import { rootOf } from "./access.ts";

/** Size expressions of a variable-length array type, outermost first. */
function sizesOf(type: CType): readonly Expr[] {
  if (type.kind === "pointer") return sizesOf(type.to);
  if (type.kind === "typedef") return sizesOf(type.sym.type);
  if (type.kind !== "array") return [];
  return [...(typeof type.size === "object" ? [type.size] : []), ...sizesOf(type.of)];
}

/** No code after the declaration changes a variable in the size expressions, and no pointer leads to one. */
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
  const isRetained = (sym: Symbol): boolean =>
    sym.scope !== "file" || sym.storage === "static" || sym.type.quals?.const === true;
  if (!plain || ![...named].every(isRetained)) return false;
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

/** The target of an assignment, or the object whose address is taken. */
function changedBy(e: Expr): Expr | undefined {
  if (e.kind === "assign") return e.left;
  if (e.kind === "incdec") return e.arg;
  return e.kind === "unary" && e.op === "&" ? e.arg : undefined;
}

const isBefore = (a: Loc, b: Loc): boolean =>
  a.file === b.file && (a.line < b.line || (a.line === b.line && a.col < b.col));
