/** `switch`: each statement of the body is executed if one of the labels above it was jumped to. */
import { entryOf } from "../../../checked/access.ts";
import { BIT, type Value } from "../../dfg/value.ts";
import { type Labelled, partsOf, type Switch, selectorOf } from "../scope/switches.ts";
import type { Path } from "./path.ts";

export function choose(path: Path, s: Switch, base: Value): void {
  const { graph } = path;
  const selector = path.value(selectorOf(s), path.effective(base));
  const matches = new Map<Labelled, Value>();
  const parts = partsOf(s);
  for (const label of parts.flatMap(({ labels }) => labels))
    if (label !== "default") matches.set(label, matching(path, label, selector));
  const none = graph.not([...matches.values()].reduce((a, b) => graph.or(a, b), path.no));
  path.enter("switch");
  let reached = path.no;
  for (const { labels, body } of parts) {
    for (const label of labels)
      reached = graph.or(reached, label === "default" ? none : entryOf(matches, label));
    const entered = reached;
    path.branch(
      entered,
      () => path.statement(body, graph.and(base, entered)),
      () => undefined,
    );
  }
  path.leave();
}

function matching({ graph }: Path, { from, to }: Labelled, selector: Value): Value {
  const [first, last] = [graph.constant(from, selector.shape), graph.constant(to, selector.shape)];
  if (from === to) return graph.make("eq", BIT, [selector, first]);
  const below = graph.make("lt", BIT, [selector, first]);
  const above = graph.make("lt", BIT, [last, selector]);
  return graph.and(graph.not(below), graph.not(above));
}
