/** Functions with other bodies. */
import type { FunctionDef, Stmt } from "./ast.ts";

/** The function with another body, which must be a block; its symbol then names it as its definition. */
export function withBody(def: FunctionDef, body: Stmt): FunctionDef {
  if (body === def.body) return def;
  if (body.kind !== "compound") throw new Error(`the body of ${def.sym.name} is no block`);
  const result = { ...def, body };
  if (def.sym.definition === def) def.sym.definition = result;
  return result;
}
