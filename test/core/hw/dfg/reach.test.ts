import { expect, test } from "vitest";
import { Graph } from "../../../../core/hw/dfg/graph.ts";
import { fold, walkBack } from "../../../../core/hw/dfg/reach.ts";
import { rewrite } from "../../../../core/hw/dfg/rewrite.ts";
import type { Value } from "../../../../core/hw/dfg/value.ts";

const WORD = { bits: 32, signed: false };
/** Longer than any stack is deep. */
const LONG = 30_000;

/** x + x, the sum plus x, and so on: like a kernel with many statements that use each other. */
function chain(): { readonly graph: Graph; readonly x: Value; readonly last: Value } {
  const graph = new Graph();
  const x = graph.make("mul", WORD, [graph.constant(3, WORD), graph.constant(5, WORD)]);
  let last = graph.read({ name: "x", shape: WORD });
  const first = last;
  for (let k = 0; k < LONG; k += 1) last = graph.make("add", WORD, [last, first]);
  return { graph, x, last };
}

function behind(root: Value): ReadonlySet<Value> {
  const seen = new Set<Value>();
  walkBack([root], (value) => {
    if (seen.has(value)) return undefined;
    seen.add(value);
    return value.args;
  });
  return seen;
}

test("chains of values of any length are walked, folded and rewritten", () => {
  const { graph, last } = chain();
  const seen = behind(last);
  expect(seen.size).toBeGreaterThan(LONG);
  const depth = fold<number>(last, new Map(), (_, args) => 1 + Math.max(0, ...args));
  expect(depth).toBe(LONG + 1);
  const first = [...seen].find(({ op }) => op === "read") as Value;
  const other = graph.read({ name: "y", shape: WORD });
  const made = rewrite(graph, new Map([[first, other]]))(last);
  const after = behind(made);
  expect([after.has(first), after.has(other), after.size]).toEqual([false, true, seen.size]);
});
