/** Names for variables made by transformations: emitters and the IR's text print them unchanged. */
import type { Expr, Stmt } from "../../lang/tree/ast.ts";
import { usesOf } from "./access.ts";

/** The name, with a number appended if a variable in the code has it already. */
export function unusedName(name: string, code: Stmt | Expr): string {
  const { of, declared } = usesOf(code);
  const used = new Set([...of.keys(), ...declared].map((sym) => sym.name));
  if (!used.has(name)) return name;
  let count = 2;
  while (used.has(`${name}_${count}`)) count++;
  return `${name}_${count}`;
}
