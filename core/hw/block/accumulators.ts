/** The partial results of a reduction, one step of it. */
import type { Expr, Stmt, Symbol } from "../../lang/ast.ts";
import type { Value, Variable } from "../graph.ts";
import { unsupportedStatement } from "../refusals.ts";
import { stripped } from "../syntax.ts";
import type { Path } from "./path.ts";

export function accumulate(
  path: Path,
  node: { readonly register: Expr; readonly depth: number; readonly partial: Symbol; readonly body: Stmt },
  base: Value,
): void {
  const at = node.register.span.start;
  const bare = stripped(node.register);
  const storage = bare.kind === "ident" ? path.scope.of(bare.sym, at) : undefined;
  if (storage?.kind !== "registers") throw unsupportedStatement("accumulator", at);
  const { elements } = storage;
  const partial = path.scope.register(node.partial, at);
  path.set(partial, path.get(elements[0] as Variable));
  path.statement(node.body, base);
  const shifted = elements.map((_, k) =>
    k < node.depth - 1 ? path.get(elements[k + 1] as Variable) : undefined,
  );
  const newest = path.get(partial);
  elements.forEach((variable, k) => {
    if (k < node.depth) path.set(variable, shifted[k] ?? newest);
  });
}
