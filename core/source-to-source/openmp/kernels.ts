/**
 * `kernels`: normalisation has decided what runs in parallel, and that result is translated. A construct with one loop
 * nest becomes one `target`; one with several nests becomes a data region with a `target` for each. If other statements
 * are between the nests, all of it becomes one `target` with one team, which keeps their order.
 */
import { asNode, type Loop, type Task } from "../../ir/model/ir.ts";
import { wholeLoop } from "../../ir/normalise/levels.ts";
import { walkStmt } from "../../lang/index.ts";
import type { Facts, LoopFacts } from "../sites/facts.ts";
import { spmd } from "../sites/facts.ts";
import type { Site } from "../sites/site.ts";

type Form = "teams" | "split" | "one-team";

export function formOf({ directive: d }: Site, facts: Facts): Form {
  const tasks = facts.tasks(d.pragma);
  const [only] = tasks;
  if (tasks.length === 1 && only) return gangLoop(only) ? "teams" : "one-team";
  const queued = d.clauses.some((c) => ["if", "self", "async", "wait"].includes(c.name));
  return !queued && tasks.every(gangLoop) ? "split" : "one-team";
}

/** The loop over gangs that makes up a whole region. */
export function gangLoop(task: Task): Loop | undefined {
  const loop = wholeLoop(spmd(task).body);
  return loop?.parallel.levels.includes("gang") ? loop : undefined;
}

/** A loop of a construct that runs on one team: threads replace the gangs. */
export function inOneTeam(found: LoopFacts): LoopFacts {
  const { levels } = found.loop.parallel;
  const others = levels.filter((l) => l !== "gang");
  const instead = levels.length > 0 && others.length === 0 ? (["vector"] as const) : others;
  const around = new Set([...found.around].filter((l) => l !== "gang"));
  const covered =
    around.has("vector") || (levels.includes("gang") && others.length === 0 && hasLanes(found.loop));
  return {
    ...found,
    around,
    loop: { ...found.loop, parallel: { ...found.loop.parallel, levels: covered ? others : instead } },
  };
}

function hasLanes({ body }: Loop): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      const loop = asNode(s, "loop");
      found ||= loop !== undefined && loop.parallel.independence !== "seq" && loop.parallel.levels.length > 0;
    },
    expr: () => false,
  });
  return found;
}
