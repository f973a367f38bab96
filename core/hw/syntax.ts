/** Small questions about C's syntax that building hardware asks. */
import type { Expr, Stmt } from "../lang/ast.ts";
import { canonical, isPointer } from "../lang/index.ts";

/** Without the conversions of the same kind that C inserts, and without the decay of arrays. */
export function stripped(e: Expr): Expr {
  return e.kind === "cast" && e.implicit && canonical(e.arg.type).kind === canonical(e.to).kind
    ? stripped(e.arg)
    : e.kind === "cast" && e.implicit && canonical(e.arg.type).kind === "array"
      ? stripped(e.arg)
      : e;
}

/** `#pragma unroll`: 0, `#pragma unroll N`: N; undefined without. */
export function unrollOf(loop: Stmt): number | undefined {
  for (const pragma of loop.pragmas ?? []) {
    const [word, count] = pragma.tokens;
    if (word?.text !== "unroll") continue;
    return count ? Number(count.text.replace(/[()]/g, "")) || 1 : 0;
  }
  return undefined;
}

/** The variable an access starts from, for names of signals. */
export function nameOf(e: Expr): string {
  const root = (x: Expr): string => {
    switch (x.kind) {
      case "ident":
        return x.sym.name;
      case "index":
      case "member":
        return root(x.base);
      case "cast":
      case "unary":
        return root(x.arg);
      case "binary":
        return root(isPointer(x.right.type) ? x.right : x.left);
      default:
        return "memory";
    }
  };
  return root(e);
}
