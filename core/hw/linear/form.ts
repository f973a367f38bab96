/** Sums of unknowns with whole factors. */

/** A sum of unknowns with factors other than 0. */
export interface LinearForm<Unknown = object> {
  readonly constant: bigint;
  readonly terms: ReadonlyMap<Unknown, bigint>;
}

/** a + factor * b. */
export function plus<Unknown>(
  a: LinearForm<Unknown>,
  b: LinearForm<Unknown>,
  factor = 1n,
): LinearForm<Unknown> {
  const terms = new Map(a.terms);
  for (const [unknown, by] of b.terms) {
    const sum = (terms.get(unknown) ?? 0n) + factor * by;
    if (sum === 0n) terms.delete(unknown);
    else terms.set(unknown, sum);
  }
  return { constant: a.constant + factor * b.constant, terms };
}

export const scaled = <Unknown>(
  { constant, terms }: LinearForm<Unknown>,
  by: bigint,
): LinearForm<Unknown> => ({
  constant: constant * by,
  terms: new Map([...terms].map(([unknown, factor]) => [unknown, factor * by])),
});
