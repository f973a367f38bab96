/** Interprets a graph: to fold constants, and to test circuits. */

import { entryOf } from "../../checked/access.ts";
import { compute } from "./compute.ts";
import type { Graph } from "./graph.ts";
import { isLiteral, readsVariable, type Value, type Variable } from "./value.ts";

/** Computes the updates of an iteration from its variables. The graph must have no loads and no delay lines. */
export function evaluator(
  graph: Graph,
): (variables: ReadonlyMap<Variable, bigint>) => ReadonlyMap<Variable, bigint> {
  // Operands come before their users. No recursion: chains of values may be too long for it.
  const needed = new Set<Value>(graph.updates.values());
  for (const value of graph.values.toReversed())
    if (needed.has(value)) for (const operand of value.args) needed.add(operand);
  const values = graph.values.filter((v) => needed.has(v));
  return (variables) => {
    const known = new Map<Value, bigint>();
    for (const value of values) known.set(value, evaluated(value, known, variables));
    return new Map([...graph.updates].map(([variable, value]) => [variable, entryOf(known, value)]));
  };
}

function evaluated(
  value: Value,
  known: ReadonlyMap<Value, bigint>,
  variables: ReadonlyMap<Variable, bigint>,
): bigint {
  if (isLiteral(value)) return value.constant;
  if (value.op === "table") return value.entries?.[Number(known.get(value.args[0]))] ?? 0n;
  const result = readsVariable(value)
    ? variables.get(value.variable)
    : compute(
        value.op,
        value.shape,
        value.args.map((a) => [entryOf(known, a), a.shape] as const),
      );
  if (result === undefined) throw new Error(`${value.op} has no value here`);
  return result;
}
