/** Names for variables that transformations make: emitters and the text print them as they are. */
import type { Expr, Stmt } from "../../lang/tree/ast.ts";
import { usesOf } from "./access.ts";

/** The name, or that with a number behind it if a variable in the code is called so. */
export function unusedName(name: string, code: Stmt | Expr): string {
  const { of, declared } = usesOf(code);
  const taken = new Set([...of.keys(), ...declared].map((sym) => sym.name));
  if (!taken.has(name)) return name;
  let count = 2;
  while (taken.has(`${name}_${count}`)) count++;
  return `${name}_${count}`;
}
