/**
 * Levels of loads. Loads run ahead of the computation: their addresses come from pipelines of their own. Addresses of
 * level 0 need no loaded value, those of level n need values of levels below n.
 */
import { firstOf } from "../../checked/access.ts";
import type { Loc } from "../../lang/tree/ast.ts";
import type { Graph } from "./graph.ts";
import { NotStraight } from "./region.ts";
import { type Fetch, readsVariable, type Value } from "./value.ts";

/**
 * The level of each load. `more`, the condition for another iteration, makes the graph a loop, in which variables carry
 * values. Throws NotStraight if a load's address, or `more`, depends on what an earlier iteration loaded from there.
 */
export function loadLevels(graph: Graph, more: Value | undefined, loc: Loc): ReadonlyMap<Value, number> {
  const loads = graph.values.filter((v) => v.op === "load");
  const writtenRams = new Set(loads.length > 0 ? graph.writes.map((w) => w.ram) : []);
  // Code that runs once has written nothing before the first of its own writes.
  const changes = ({ ram, after }: Fetch) => writtenRams.has(ram) && (more !== undefined || after > 0);
  /** One more than the highest level of a load that the value depends on; 0 if there is none. */
  const depths = new Map<Value, number>(graph.values.map((v) => [v, 0]));
  const depth = (v: Value | undefined): number => (v && depths.get(v)) ?? 0;
  for (let changed = true; changed; ) {
    changed = false;
    for (const value of graph.values) {
      const update = more && readsVariable(value) ? graph.updates.get(value.variable) : undefined;
      const below = Math.max(depth(update), ...value.args.map(depth));
      // Processes that run ahead take nothing from channels, and do not see what the computation writes.
      const late = value.op === "receive" || (value.fetch && changes(value.fetch));
      const now = late ? Number.POSITIVE_INFINITY : value.op === "load" ? below + 1 : below;
      if (now === depth(value)) continue;
      depths.set(value, now);
      changed = true;
      if (value.op === "load" && now > loads.length)
        throw new NotStraight(
          `the address of '${value.memory?.name}' depends on what ${now === Number.POSITIVE_INFINITY ? "comes through a channel or is in an array that the loop writes" : "an earlier iteration loaded"}`,
          value.loc ?? loc,
        );
    }
  }
  // An iteration starts when its inputs are known, and a word of an array is available a cycle later.
  const later = new Set<Value>();
  if (graph.receives.length > 0)
    for (const v of graph.values) if (v.fetch || v.args.some((a) => later.has(a))) later.add(v);
  for (const { args, channel, loc: at } of graph.receives)
    if (later.has(firstOf(args)))
      throw new NotStraight(`whether it takes a value from '${channel}' stands in a local array`, at ?? loc);
  if (depth(more) > 0)
    throw new NotStraight("whether it goes on depends on a value that it loads or receives", loc);
  return new Map(loads.map((load) => [load, depth(load) - 1]));
}
