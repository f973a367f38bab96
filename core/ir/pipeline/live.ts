/** Live nodes: hardware is built only for these. */
import type { NodeId } from "./graph.ts";
import type { Pipeline } from "./pipeline.ts";

export function liveNodes(p: Pipeline): ReadonlySet<NodeId> {
  const live = new Set<NodeId>();
  const open: NodeId[] = [];
  const need = (id: NodeId | undefined): void => {
    if (id === undefined || live.has(id)) return;
    live.add(id);
    open.push(id);
  };
  for (const a of p.accesses)
    if (a.write) {
      need(a.index);
      need(a.node);
      need(a.guard);
    }
  // Nested loops read values of the body around them.
  if (p.inner.length > 0 || p.headers.length === 0) for (const id of p.graph.nodes.keys()) need(id);
  // Values left in variables or partial results are used after the loop; counters are not.
  for (const c of p.carried) if (!p.strides.has(c.from)) need(c.to);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const arg of p.graph.at(id).args) need(arg);
    for (const c of p.carried) if (c.from === id) need(c.to);
  }
  return live;
}
