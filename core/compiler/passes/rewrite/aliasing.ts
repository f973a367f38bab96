/** What is known of two arrays of a region being different memory. */

import { canonical } from "../../../lang/index.ts";
import type { Symbol } from "../../../lang/tree/ast.ts";

/** Declared arrays are objects of their own; a restrict pointer shares nothing that is written. */
export function distinct(a: Symbol, b: Symbol): boolean {
  if (a === b) return false;
  const [x, y] = [canonical(a.type), canonical(b.type)];
  if (x.kind === "array" && y.kind === "array") return true;
  return restricted(a) || restricted(b);
}

function restricted(sym: Symbol): boolean {
  return sym.type.quals?.restrict === true || canonical(sym.type).quals?.restrict === true;
}
