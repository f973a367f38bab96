/**
 * Parameters whose address a kernel takes, for functions that change where they lead, as variables of the kernel:
 *
 *     next(&from)   =>   unsigned char *from_own = from; next(&from_own)
 */
import { substitute, walkStmt } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { declare, freshSymbol, ident } from "../../lang/tree/build.ts";

export function withOwnParameters(body: readonly Stmt[], parameters: readonly Symbol[]): readonly Stmt[] {
  const addressed = new Set<Symbol>();
  for (const s of body)
    walkStmt(s, {
      expr: (e) => {
        if (e.kind === "unary" && e.op === "&" && e.arg.kind === "ident") addressed.add(e.arg.sym);
      },
    });
  const own = parameters
    .filter((p) => addressed.has(p))
    .map((p) => [p, freshSymbol(`${p.name}_own`, p.type)] as const);
  if (own.length === 0) return body;
  const replacements = new Map(own.map(([p, copy]) => [p, ident(copy)]));
  return [
    ...own.map(([p, copy]) => declare(copy, ident(p))),
    ...body.map((s) => substitute(s, replacements)),
  ];
}
