/** Arrays of arrays as one: how many elements there are, and of what. */

import { canonical } from "../../../lang/index.ts";
import type { CType } from "../../../lang/tree/ast.ts";

/** What an array holds in the end; of other types themselves. */
export function innermost(type: CType): CType {
  const seen = canonical(type);
  return seen.kind === "array" ? innermost(seen.of) : type;
}

/** Outermost first; none of what is no array, undefined where one is not constant. */
export function extentsOf(type: CType): readonly number[] | undefined {
  const seen = canonical(type);
  if (seen.kind !== "array") return [];
  const inner = extentsOf(seen.of);
  return typeof seen.size === "number" && inner ? [seen.size, ...inner] : undefined;
}

/** Innermost elements that an object of this type has. */
export const elementsIn = (type: CType): number => product(extentsOf(type) ?? []);

export const product = (extents: readonly number[]): number => extents.reduce((a, b) => a * b, 1);
