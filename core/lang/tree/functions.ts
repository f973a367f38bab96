/** Functions: definitions and the symbols that name them refer to each other, which this file alone keeps true. */
import type { FunctionDef, Stmt, Symbol } from "./ast.ts";
import { makeSymbol } from "./scope.ts";

/** Makes it the definition that its symbol names. */
export function define(def: FunctionDef): FunctionDef {
  (def.sym as { definition?: FunctionDef }).definition = def;
  return def;
}

/** The function with another body, which must be a block; its symbol then names it as its definition. */
export function withBody(def: FunctionDef, body: Stmt): FunctionDef {
  if (body === def.body) return def;
  if (body.kind !== "compound") throw new Error(`the body of ${def.sym.name} is no block`);
  const result = { ...def, body };
  return def.sym.definition === def ? define(result) : result;
}

/** A symbol for a copy of the function. It has the function's definition: it must not be taken for a library's function. */
export const symbolOfCopy = (def: FunctionDef): Symbol => ({
  ...makeSymbol(def.sym.name, "function", def.sym.type, "file"),
  definition: def,
});
