/**
 * Linear inequalities over integers: whether some have no solution in common. Unknowns are eliminated one after the
 * other (Fourier and Motzkin); constants are rounded to what whole numbers can reach.
 */
import { itemAt } from "../../checked/access.ts";
import { type LinearForm, plus, scaled } from "./form.ts";

/** More inequalities than this are not combined any further: then nothing is proved. */
const MOST = 300;

/** Whether no integers make all forms 0 or more. "No" may also mean that it was too much work to find out. */
export function haveNoSolution(forms: readonly LinearForm[]): boolean {
  let rows = tightened(forms);
  while (rows !== undefined) {
    const unknown = cheapest(rows);
    if (unknown === undefined) return false;
    const factorOf = ({ terms }: LinearForm) => terms.get(unknown) ?? 0n;
    const [above, below] = [rows.filter((r) => factorOf(r) < 0n), rows.filter((r) => factorOf(r) > 0n)];
    const others = rows.filter((r) => factorOf(r) === 0n);
    if (others.length + above.length * below.length > MOST) return false;
    const combined = above.flatMap((a) => below.map((b) => plus(scaled(a, factorOf(b)), b, -factorOf(a))));
    rows = tightened([...others, ...combined]);
  }
  return true;
}

/** The unknown whose elimination makes the fewest inequalities. */
function cheapest(rows: readonly LinearForm[]): object | undefined {
  const signs = new Map<object, [number, number]>();
  for (const { terms } of rows)
    for (const [unknown, factor] of terms) {
      const counts = signs.get(unknown) ?? [0, 0];
      counts[factor > 0n ? 0 : 1]++;
      signs.set(unknown, counts);
    }
  const made = [...signs].map(([unknown, [up, down]]) => ({ unknown, more: up * down - up - down }));
  return made.toSorted((a, b) => a.more - b.more)[0]?.unknown;
}

/** Without common factors and repetitions; undefined: one of them cannot hold. */
function tightened(forms: readonly LinearForm[]): readonly LinearForm[] | undefined {
  const kept: LinearForm[] = [];
  for (const form of forms) {
    const { constant, terms } = form;
    if (terms.size === 0) {
      if (constant < 0n) return undefined;
      continue;
    }
    const common = [...terms.values()].reduce(divisor, 0n);
    const small = {
      constant: floor(constant, common),
      terms: new Map([...terms].map(([unknown, factor]) => [unknown, factor / common])),
    };
    const same = kept.findIndex((other) => isSameSum(other, small));
    if (same < 0) kept.push(small);
    else if (small.constant < itemAt(kept, same).constant) kept[same] = small;
  }
  return kept;
}

const isSameSum = (a: LinearForm, b: LinearForm): boolean =>
  a.terms.size === b.terms.size && [...a.terms].every(([unknown, factor]) => b.terms.get(unknown) === factor);

const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : divisor(b, a % b));

/** Rounded down; `by` is positive. */
const floor = (a: bigint, by: bigint): bigint => a / by - (a % by < 0n ? 1n : 0n);
