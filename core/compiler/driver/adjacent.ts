/** Finds regions that follow each other directly, with nothing in between that uses their results. */
import { asNode, type DataItem, type DataRegion, type Task } from "../../ir/model/ir.ts";
import type { Program } from "../../ir/model/program.ts";
import { mapChildren } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";

/** Regions that follow each other directly in one block, with the data regions around them. */
interface Run {
  readonly tasks: readonly Task[];
  readonly around: readonly DataRegion[];
}

/** How often each region occurs in the program. */
export function regionCounts(program: Program): ReadonlyMap<string | undefined, number> {
  const counts = new Map<string | undefined, number>();
  for (const external of program.unit.externals)
    for (const { tasks } of external.kind === "function" ? runsIn(external.body) : [])
      for (const { region } of tasks) counts.set(region, (counts.get(region) ?? 0) + 1);
  return counts;
}

export function runsIn(body: Stmt): readonly Run[] {
  const runs: Run[] = [];
  const look = (s: Stmt, around: readonly DataRegion[]): void => {
    const data = asNode(s, "data");
    const inner = data ? [...around, data] : around;
    const task = asNode(s, "task");
    if (task) {
      runs.push({ tasks: [task], around });
      return;
    }
    if (s.kind === "compound") {
      let open: Task[] = [];
      const close = () => {
        if (open.length > 0) runs.push({ tasks: open, around });
        open = [];
      };
      for (const child of s.body) {
        const own = asNode(child, "task");
        if (own) open.push(own);
        else if (!isEmpty(child)) {
          close();
          look(child, around);
        }
      }
      close();
      return;
    }
    mapChildren(s, (child) => {
      look(child, inner);
      return child;
    });
  };
  look(body, []);
  return runs;
}

const isEmpty = (s: Stmt): boolean => s.kind === "expr" && s.expr === undefined;

/** Why their launches cannot be delayed until the last one's. `names`: how often each region occurs in the program. */
export function apart(
  members: readonly Task[],
  runs: readonly Run[],
  names: ReadonlyMap<string | undefined, number>,
): string | undefined {
  const run = runs.find(({ tasks }) => members.every((task) => tasks.includes(task)));
  if (!run) return "something else happens between the regions";
  if (members.some((task) => (names.get(task.region) ?? 0) > 1))
    return "one of the regions stands elsewhere too";
  for (const task of members) {
    if (task.async !== undefined || task.wait) return "async and wait order the regions";
    if (task.device || task.condition || task.self !== undefined) return "a region may run on the host";
  }
  const here = new Set<Symbol>(run.around.flatMap((data) => data.items.map((i) => i.sym)));
  for (const task of members.slice(0, -1)) {
    const own = task.items.find((item) => endsWithRegion(item, here));
    if (own)
      return `'${own.sym.name}' leaves the device when the first region ends: map it in a data region around both`;
  }
  return undefined;
}

function endsWithRegion({ sym, access, sharing, mapping }: DataItem, around: ReadonlySet<Symbol>): boolean {
  if (access === "none" || mapping.pipe || sharing.is !== "shared") return false;
  if (["present", "none", "deviceptr", "no-create"].includes(mapping.is)) return false;
  return !around.has(sym);
}
