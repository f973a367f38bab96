/** Arrays of arrays as one array: number and type of the elements. */

import { canonical } from "../../../lang/index.ts";
import type { CType } from "../../../lang/tree/ast.ts";

/** The innermost element type of an array; other types unchanged. */
export function innermost(type: CType): CType {
  const seen = canonical(type);
  return seen.kind === "array" ? innermost(seen.of) : type;
}

/** Extents, outermost first; empty for other types, undefined if one is not constant. */
export function extentsOf(type: CType): readonly number[] | undefined {
  const seen = canonical(type);
  if (seen.kind !== "array") return [];
  const inner = extentsOf(seen.of);
  return typeof seen.size === "number" && inner ? [seen.size, ...inner] : undefined;
}

/** Number of innermost elements in an object of this type. */
export const elementsIn = (type: CType): number => product(extentsOf(type) ?? []);

export const product = (extents: readonly number[]): number => extents.reduce((a, b) => a * b, 1);
