/** Arrays of arrays as one array: number and type of the elements. */

import { canonical } from "../../../lang/index.ts";
import type { CType } from "../../../lang/tree/ast.ts";

/** The innermost element type of an array; other types unchanged. */
export function innermost(type: CType): CType {
  const canonicalType = canonical(type);
  return canonicalType.kind === "array" ? innermost(canonicalType.of) : type;
}

/** Extents, outermost first; empty for other types, undefined if one is not constant. */
export function extentsOf(type: CType): readonly number[] | undefined {
  const canonicalType = canonical(type);
  if (canonicalType.kind !== "array") return [];
  const inner = extentsOf(canonicalType.of);
  return typeof canonicalType.size === "number" && inner ? [canonicalType.size, ...inner] : undefined;
}

/** Number of innermost elements in an object of this type. */
export const elementsIn = (type: CType): number => product(extentsOf(type) ?? []);

export const product = (extents: readonly number[]): number => extents.reduce((a, b) => a * b, 1);
