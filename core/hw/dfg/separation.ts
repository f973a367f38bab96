/**
 * Accesses that never meet, because of what loops say about their counters:
 *
 *     for (j = k + 1; j < n; j++) a[i][j] -= a[i][k] * a[k][j];     k < j: no iteration loads what another stored
 *
 * The places meet in a solution of inequalities: what holds of the variables in both iterations, and addresses less than
 * an element apart.
 */

import { type LinearForm, plus } from "../linear/form.ts";
import { haveNoSolution } from "../linear/inequalities.ts";
import { type AffineForm, affineForm } from "./affine.ts";
import type { Graph } from "./graph.ts";
import { readsVariable, type Value } from "./value.ts";

export interface Access {
  readonly address: Value;
  readonly bytes: number;
}

/** How many iterations lie between both. */
const LATER = { name: "iterations later" };

/**
 * Whether no access, in an iteration at least `from` after that of another, touches the same memory; 0: in the same
 * iteration. `strideOf`: by how much a value advances per iteration.
 */
export function neverMeet(
  graph: Graph,
  later: Access,
  earlier: Access,
  from: number,
  strideOf: (value: Value) => bigint | undefined,
): boolean {
  const { bounds } = graph;
  if (!bounds) return false;
  const end = from === 0 ? affineSum(later.address) : moved(affineForm(later.address), strideOf);
  if (!end) return false;
  const apart = plus(end, affineSum(earlier.address), -1n);
  return haveNoSolution([
    ...bounds,
    ...(from === 0 ? [] : thenHolding(graph, bounds, strideOf)),
    plus(constant(later.bytes - 1), apart),
    plus(constant(earlier.bytes - 1), apart, -1n),
    { constant: -BigInt(from), terms: new Map([[LATER, 1n]]) },
  ]);
}

const constant = (n: number): LinearForm => ({ constant: BigInt(n), terms: new Map() });

/** Variables before the iteration, and other values, as unknowns. */
const affineSum = (value: Value): LinearForm => {
  const { constant, terms } = affineForm(value);
  return { constant, terms: new Map([...terms].map(([term, factor]) => [unknownOf(term), factor])) };
};

const unknownOf = (value: Value): object => (readsVariable(value) ? value.variable : value);

/** The form some iterations later; undefined: not all of its terms advance by the same amount each time. */
function moved(
  { constant, terms }: AffineForm,
  strideOf: (value: Value) => bigint | undefined,
): LinearForm | undefined {
  const sum = new Map<object, bigint>();
  let advance = 0n;
  for (const [term, factor] of terms) {
    const stride = strideOf(term);
    if (stride === undefined) return undefined;
    sum.set(unknownOf(term), factor);
    advance += stride * factor;
  }
  return { constant, terms: advance === 0n ? sum : sum.set(LATER, advance) };
}

/** What holds some iterations later of variables that advance. */
function thenHolding(
  graph: Graph,
  bounds: readonly LinearForm[],
  strideOf: (value: Value) => bigint | undefined,
): readonly LinearForm[] {
  const strides = new Map<object, bigint | undefined>();
  for (const value of graph.values) if (readsVariable(value)) strides.set(value.variable, strideOf(value));
  return bounds.flatMap((bound) => {
    let advance = 0n;
    for (const [unknown, factor] of bound.terms) {
      // Nothing is said about variables that the iteration does not read, nor about others that change in any way.
      const stride = strides.get(unknown);
      if (stride === undefined) return [];
      advance += stride * factor;
    }
    return advance === 0n ? [] : [plus(bound, { constant: 0n, terms: new Map([[LATER, advance]]) })];
  });
}
