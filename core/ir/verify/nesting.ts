/** Which nodes may stand inside which, and the levels of nested loops. */
import type { Diagnostic, Symbol } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import type { IrNode, Level, Loop } from "../model/ir.ts";
import type { Routine } from "../model/program.ts";

const rank: Readonly<Record<Level, number>> = { gang: 0, worker: 1, vector: 2 };

/** Nodes that act on the host. */
const ofHost: ReadonlySet<string> = new Set(["data", "data-move", "host-data", "device-control", "declare"]);

/** `around`: the enclosing nodes, outermost first. `routine`: the enclosing function's, if it is one. */
export function nesting(n: IrNode, around: readonly IrNode[], routine: Routine | undefined): Diagnostic[] {
  const inTask = around.some((a) => a.kind === "task");
  if (n.kind === "spmd") return [];
  const { loc, what } = n.site;
  const error = (code: string, message: string, remedy: string, why?: string): Diagnostic[] => [
    { severity: "error", code, loc, message, remedy, ...(why && { why }) },
  ];
  if (n.kind === "task" && inTask)
    return error(
      "nested-region",
      `'${what}' stands inside another compute construct`,
      "use a loop directive inside",
    );
  if (inTask && (ofHost.has(n.kind) || (n.kind === "sync" && n.name === "wait")))
    return error(
      "host-directive-in-region",
      `'${what}' stands inside a compute construct`,
      "move it before or behind the construct",
      "it acts on the host",
    );
  if (n.kind === "sync" && n.name === "barrier" && !inTask && !routine)
    return error(
      "barrier-outside-region",
      "'barrier' stands outside a compute construct",
      "move it into the construct",
    );
  const shared = around.find(isShared);
  if (n.kind === "sync" && n.name === "barrier" && (shared || routine?.level === "seq"))
    return error(
      "barrier-in-loop",
      shared
        ? "'barrier' stands in a loop whose iterations are shared out"
        : "'barrier' stands in a seq routine",
      "end the loop, and begin another behind it: all of a gang have done the first one then",
      "workers and lanes have different numbers of iterations, and not all of them would come to it",
    );
  if (n.kind === "shuffle" && !around.some((a) => a.kind === "threads"))
    return error(
      "shuffle-outside-parallel",
      "'shuffle' stands outside of code that all threads of a team run",
      "move it into 'threads'",
    );
  if (n.kind === "cache" && !around.some((a) => a.kind === "loop"))
    return error(
      "cache-outside-loop",
      "'cache' stands outside a loop with a directive",
      "move it to the start of the loop's body",
    );
  if (n.kind !== "loop") return [];
  if (!inTask && !routine)
    return error(
      "loop-outside-region",
      "a loop directive stands outside a compute construct",
      "write 'parallel loop', or mark the function as a routine",
      "there are no gangs, workers or vector lanes to share the iterations out to",
    );
  return [...levelsOf(n, around), ...(routine ? levelOfRoutine(n, routine) : [])];
}

/** Distributed over workers or lanes, or over levels that the compiler chooses. */
function isShared(n: IrNode): boolean {
  if (n.kind !== "loop" || n.parallel.independence === "seq") return false;
  const { levels } = n.parallel;
  return levels.length === 0 || levels.includes("worker") || levels.includes("vector");
}

function levelsOf(n: Loop, around: readonly IrNode[]): Diagnostic[] {
  for (const level of n.parallel.levels) {
    for (const a of around) {
      if (a.kind !== "loop") continue;
      const clash = a.parallel.levels.find((l) => rank[l] >= rank[level]);
      const nested = clash === "gang" && n.parallel.dimension && a.parallel.dimension;
      if (!clash || nested) continue;
      return [
        {
          severity: "error",
          code: "level-nesting",
          loc: n.site.loc,
          message: `a '${level}' loop cannot stand inside a '${clash}' loop`,
          why: "gangs contain workers and workers contain vector lanes",
          remedy: "use seq, or a level that is not taken by a loop around it",
          notes: [{ message: `the '${clash}' loop is here`, loc: a.site.loc }],
        },
      ];
    }
  }
  return [];
}

/** A routine may use its own level and lower ones. */
function levelOfRoutine(n: Loop, routine: Routine): Diagnostic[] {
  const highest = routine.level === "seq" ? 3 : rank[routine.level];
  const above = n.parallel.levels.find((l) => rank[l] < highest);
  if (!above) return [];
  return [
    {
      severity: "error",
      code: "routine-level",
      loc: n.site.loc,
      message: `a '${above}' loop stands in '${routine.sym.name}', a '${routine.level}' routine`,
      why: "the routine's callers may already use that level",
      remedy: `mark the routine '${above}', or use a lower level`,
      notes: [{ message: "the routine directive is here", loc: routine.loc }],
    },
  ];
}

/**
 * Calls of routines inside a loop that already uses their level. Checked as read, since all loops of routines run in
 * order later.
 */
export function callsInside(
  n: IrNode,
  around: readonly IrNode[],
  routines: ReadonlyMap<Symbol, Routine>,
): Diagnostic[] {
  if (n.kind !== "loop" || around.some((a) => a.kind === "task" && a.region !== undefined)) return [];
  // Only the outermost conflicting loop of a nest reports.
  const ownLevels = (l: IrNode) => (l.kind === "loop" ? l.parallel.levels : []);
  return [...usesOf(n.body).calls].flatMap(([callee, call]) => {
    const level = routines.get(callee)?.level;
    if (level === undefined || level === "seq") return [];
    const clash = (l: IrNode) => ownLevels(l).find((t) => rank[t] >= rank[level]);
    const found = clash(n);
    if (!found || around.some(clash)) return [];
    return [
      {
        severity: "error" as const,
        code: "level-nesting",
        loc: call.span.start,
        message: `'${callee.name}' is a '${level}' routine, and a '${found}' loop calls it`,
        why: "gangs contain workers and workers contain vector lanes",
        remedy: "run the loop with seq, or mark the routine with a lower level",
        notes: [{ message: "the loop is here", loc: n.site.loc }],
      },
    ];
  });
}
