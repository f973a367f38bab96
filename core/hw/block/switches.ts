/** `switch`: every statement of the body under the condition that one of the labels above it was jumped to. */
import type { Stmt } from "../../lang/ast.ts";
import { evaluateInteger } from "../../lang/index.ts";
import { BIT, type Value } from "../graph.ts";
import { unsupportedStatement } from "../refusals.ts";
import type { Path } from "./path.ts";

type Switch = Stmt & { readonly kind: "switch" };
type Label = Stmt & { readonly kind: "case" };

export function choose(path: Path, s: Switch, base: Value): void {
  const selector = path.value(s.test, path.effective(base));
  const parts = (s.body.kind === "compound" ? s.body.body : [s.body]).map(labelled);
  const matches = new Map<Label, Value>();
  for (const label of parts.flatMap((p) => p.labels))
    if (label.value) matches.set(label, matching(path, label, selector));
  const none = path.graph.not([...matches.values()].reduce((a, b) => path.graph.or(a, b), path.no));
  path.enter("switch");
  let reached = path.no;
  for (const { labels, body } of parts) {
    for (const label of labels) reached = path.graph.or(reached, matches.get(label) ?? none);
    const here = reached;
    path.branch(
      here,
      () => path.statement(body, path.graph.and(base, here)),
      () => undefined,
    );
  }
  path.leave();
}

/** A statement without the labels in front of it. */
function labelled(s: Stmt): { readonly labels: readonly Label[]; readonly body: Stmt } {
  if (s.kind !== "case") return { labels: [], body: s };
  const { labels, body } = labelled(s.body);
  return { labels: [s, ...labels], body };
}

function matching({ graph }: Path, { value, to, span }: Label, selector: Value): Value {
  const constant = (e: typeof value) => {
    const known = e && evaluateInteger(e);
    if (known === undefined) throw unsupportedStatement("case label", span.start);
    return graph.constant(known, selector.shape);
  };
  const from = constant(value);
  if (!to) return graph.make("eq", BIT, [selector, from]);
  const below = graph.make("lt", BIT, [selector, from]);
  const above = graph.make("lt", BIT, [constant(to), selector]);
  return graph.and(graph.not(below), graph.not(above));
}
