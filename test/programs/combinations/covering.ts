/** Covering arrays: few rows that together contain every pair of values of any two axes. */

export type Axes = Readonly<Record<string, readonly string[]>>;
export type Row<A extends Axes> = { readonly [K in keyof A]: A[K][number] };

/** All rows that `allowed` accepts. */
export function allRows<A extends Axes>(axes: A, allowed: (row: Row<A>) => boolean): Row<A>[] {
  const rows = Object.entries(axes).reduce<Record<string, string>[]>(
    (found, [name, values]) => found.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  );
  return (rows as Row<A>[]).filter(allowed);
}

/** More rows than anybody needs to choose from. */
const MANY = 200_000;
const SAMPLE = 4000;

/** All rows that `allowed` accepts; of very many, the same sample each time. */
export function rowsOf<A extends Axes>(axes: A, allowed: (row: Row<A>) => boolean): Row<A>[] {
  const values = Object.values(axes);
  if (values.reduce((product, { length }) => product * length, 1) <= MANY) return allRows(axes, allowed);
  let state = 1;
  const below = (limit: number): number => {
    // Numerical Recipes' generator; the upper half of its bits is random enough to choose by.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 16) % limit;
  };
  const found: Row<A>[] = [];
  while (found.length < SAMPLE) {
    const row = Object.fromEntries(
      Object.entries(axes).map(([name, of]) => [name, of[below(of.length)] as string]),
    ) as Row<A>;
    if (allowed(row)) found.push(row);
  }
  return found;
}

/** Rows that contain every pair of values in some allowed row: greedy, the row with the most new pairs first. */
export function pairwise<A extends Axes>(rows: readonly Row<A>[]): Row<A>[] {
  const pairs = rows.map(pairsOf);
  const missing = new Set(pairs.flat());
  const chosen: Row<A>[] = [];
  while (missing.size > 0) {
    let best = 0;
    let most = 0;
    pairs.forEach((of, k) => {
      const gain = of.filter((p) => missing.has(p)).length;
      if (gain > most) [best, most] = [k, gain];
    });
    chosen.push(rows[best] as Row<A>);
    for (const p of pairs[best] as string[]) missing.delete(p);
  }
  return chosen;
}

function pairsOf(row: Readonly<Record<string, string>>): string[] {
  const cells = Object.entries(row).map(([name, value]) => `${name}=${value}`);
  return cells.flatMap((a, k) => cells.slice(k + 1).map((b) => `${a} ${b}`));
}
