/** Lists whose length is part of their type. */

/** `list.map(f)`, with as many elements as the list is known to have. */
export function mapTuple<const L extends readonly unknown[], R>(
  list: L,
  f: (element: L[number], at: number) => R,
): { readonly [K in keyof L]: R } {
  return list.map(f) as { readonly [K in keyof L]: R };
}
