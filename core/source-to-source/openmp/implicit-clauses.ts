/** What the implicit rules of the two languages say, and where they differ. */
import { usesOf } from "../../ir/analysis/access.ts";
import type { DataItem, Task } from "../../ir/model/ir.ts";
import { canonical, isScalar, printExpr, type Stmt, type Symbol } from "../../lang/index.ts";
import { implicitItems, standIns } from "../sites/facts.ts";
import { type NewClause, put } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import type { ToOpenMp } from "./context.ts";
import { assertion } from "./data.ts";

/** Clauses for variables that none names, where OpenACC's and OpenMP's implicit rules differ. */
export function implicit(
  site: Site,
  tasks: readonly Task[],
  stmt: Stmt | undefined,
  reduced: ReadonlySet<Symbol>,
  { version, facts, onHost }: ToOpenMp,
  kind: string,
): Part {
  const clauses: NewClause[] = [];
  const before: string[] = [];
  const because: string[] = [];
  const named = new Set(site.directive.clauses.flatMap((c) => c.vars.map((v) => v.sym)));
  const uses = stmt && usesOf(stmt);
  const seen = new Set<Symbol>(reduced);
  const candidates = tasks.flatMap((task) => [...implicitItems(task), ...standIns(task)]);
  const items = candidates.filter((item) => {
    const usedHere = !named.has(item.sym) && uses?.of.has(item.sym) === true && !seen.has(item.sym);
    // Of several regions, the one that moves the variable decides.
    const decides = item.sharing.is === "shared" || !tasks.some((t) => movesScalar(t, item.sym));
    if (usedHere && decides) seen.add(item.sym);
    return usedHere && decides;
  });
  const list = (some: readonly DataItem[]): string => some.map((i) => i.written).join(", ");
  const say = (text: string, why: string): void => {
    clauses.push(put(text));
    because.push(`${text}: ${why}`);
  };
  const copies = items.filter((i) => i.sharing.is !== "shared" && isScalar(i.sym.type));
  let saysLess = false;
  const changed = copies.filter((i) => i.access === "read-write" || i.access === "write-only");
  if (kind === "target teams" || onHost) {
    const isLoop = site.directive.name.endsWith(" loop");
    for (const sharing of ["firstprivate", "private"] as const) {
      const own = changed.filter((i) => i.sharing.is === sharing);
      if (own.length === 0 || (isLoop && sharing === "private")) continue;
      saysLess = true;
      say(`${sharing}(${list(own)})`, "each gang has its own copy, and OpenMP's teams share one");
    }
  }
  const scalars = items.filter((i) => i.sharing.is === "shared" && isPlainScalar(i.sym));
  // The regions of a split construct find what it moved; a single region moves the data itself.
  const sharedScalars = new Set(
    kind === "target" ? facts.shared(site.directive.pragma).map((i) => i.sym) : [],
  );
  const moves = (i: DataItem): boolean =>
    ["to", "from", "tofrom"].includes(i.mapping.is) || sharedScalars.has(i.sym);
  const moved = scalars.filter(moves);
  if (moved.length > 0)
    say(`map(tofrom: ${list(moved)})`, "OpenMP would give the region copies of scalars that no clause names");
  const there = scalars.filter((i) => i.mapping.is === "present" && !moves(i) && !facts.declared.has(i.sym));
  saysLess ||= there.length > 0;
  if (there.length > 0)
    say(
      `map(${version === "5.1" ? "present, " : ""}alloc: ${list(there)})`,
      "the data construct around has the scalar on the device, where OpenMP would copy its value",
    );
  for (const item of items.filter((i) => i.section.length > 0 && moves(i))) {
    const [{ length } = {}] = item.section;
    if (length)
      say(
        `map(${item.mapping.is}: ${item.written}[0:${printExpr(length)}])`,
        "OpenMP would take what the pointer leads to for present",
      );
  }
  const pointers = items.filter((i) => i.mapping.is === "deviceptr");
  if (pointers.length > 0)
    say(
      `is_device_ptr(${list(pointers)})`,
      "the clause of the data construct around, which OpenMP's has not",
    );
  if (tasks[0]?.defaultData === "present") {
    const arrays = items.filter((i) => i.mapping.is === "present" && !isScalar(i.sym.type));
    for (const { object, section, written, loc, sym } of arrays) {
      if (version === "5.1") clauses.push(put(`map(present, alloc: ${written})`));
      else before.push(assertion({ object, section, written, loc, sym }));
    }
  }
  return { clauses, before, because, ...(saysLess && { saysLess }) };
}

export const movesScalar = (task: Task, sym: Symbol): boolean =>
  task.items.some((i) => i.sym === sym && i.sharing.is === "shared");

export const isPlainScalar = (sym: Symbol): boolean =>
  isScalar(sym.type) && canonical(sym.type).kind !== "pointer";
export interface Part {
  readonly clauses: readonly NewClause[];
  readonly before: readonly string[];
  readonly because: readonly string[];
  /** A clause says what OpenACC implies. */
  readonly saysLess?: boolean;
}
