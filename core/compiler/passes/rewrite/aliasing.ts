/** Whether two arrays of a region are known to be in different memory. */

import { canonical } from "../../../lang/index.ts";
import type { Symbol } from "../../../lang/tree/ast.ts";

/**
 * Declared arrays are separate objects, and two restrict pointers share nothing that is written. One restrict pointer
 * alone says less: any other pointer may be based on it (C11 6.7.3.1p3), and lead to the same memory.
 */
export function distinct(a: Symbol, b: Symbol): boolean {
  if (a === b) return false;
  return isOwn(a) && isOwn(b);
}

function isOwn({ type }: Symbol): boolean {
  const { kind, quals } = canonical(type);
  return kind === "array" || type.quals?.restrict === true || quals?.restrict === true;
}
