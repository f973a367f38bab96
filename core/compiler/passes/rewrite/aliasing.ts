/** Whether two arrays of a region are known to be in different memory. */

import { canonical } from "../../../lang/index.ts";
import type { Symbol } from "../../../lang/tree/ast.ts";

/**
 * Declared arrays are separate objects; memory accessed through a restrict pointer may be shared only if it is never
 * written.
 */
export function distinct(a: Symbol, b: Symbol): boolean {
  if (a === b) return false;
  const [x, y] = [canonical(a.type), canonical(b.type)];
  if (x.kind === "array" && y.kind === "array") return true;
  return restricted(a) || restricted(b);
}

function restricted(sym: Symbol): boolean {
  return sym.type.quals?.restrict === true || canonical(sym.type).quals?.restrict === true;
}
