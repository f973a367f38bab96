/**
 * Makes every implicit rule of the directive model explicit: `kernels` regions are split, loops get their levels, and
 * every variable of a compute construct gets a data item. Idempotent.
 */
import { evaluateInteger, mapChildren, withBody } from "../../lang/index.ts";
import type { Diagnostic, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import { liveAfter } from "../analysis/liveness.ts";
import { deviceFunctions, type Linkage, noOtherUnits } from "../analysis/routines.ts";
import { asNode, type DataItem, type DataRegion, extStmt, type Mapping, type Task } from "../model/ir.ts";
import type { Program } from "../model/program.ts";
import { spmdOf } from "../model/region.ts";
import { complete, neededBy } from "./complete.ts";
import type { Context, ItemAround, Visible } from "./context.ts";
import { lostCounters } from "./counters.ts";
import { handedOn, splitKernels } from "./kernels.ts";
import { levelsOfRoutine } from "./levels.ts";
import { escaping, lostValues, reading } from "./lost-values.ts";
import { suspectClauses } from "./suspect-clauses.ts";

export function normalise(
  program: Program,
  linkage: Linkage = { kind: "whole", others: noOtherUnits },
): Program {
  const diagnostics: Diagnostic[] = [...program.diagnostics];
  const declared = new Map(program.declares.flatMap((d) => d.items.map((i) => [i.sym, i] as const)));
  const externals = program.unit.externals.map((e) => {
    if (e.kind !== "function") return e;
    const context = { program, linkage, diagnostics, def: e, around: [] };
    const body = visit(e.body, declared, context);
    const routine = program.routines.get(e.sym);
    const ordered = routine ? levelsOfRoutine(body, routine.level) : body;
    return withBody(e, ordered);
  });
  return { ...program, unit: { ...program.unit, externals }, diagnostics };
}

function visit(s: Stmt, visible: Visible, context: Context): Stmt {
  const task = asNode(s, "task");
  if (task && s.kind === "ext") {
    const behind = { escapes: escaping(task, s, context), reads: reading(s, context) };
    const { escapes } = behind;
    if (task.construct !== "kernels" || task.region) {
      const done = complete(task, behind, visible, context);
      if (!task.region)
        context.diagnostics.push(
          ...lostValues(done, task, s, context),
          ...lostCounters(done, s, context.def),
          ...suspectClauses(done),
        );
      return { ...s, ext: done };
    }
    const { program, linkage } = context;
    const needed = (code: Stmt) => neededBy(code, deviceFunctions(program, code, linkage).own);
    const split = splitKernels(task, escapes, needed);
    const held = split.kind === "task" ? handedOn(spmdOf(task).body, needed) : undefined;
    if (held) context.diagnostics.push(heldTogether(task, held));
    if (split.kind === "task") return { ...s, ext: complete(split, behind, visible, context) };
    const later = (part: Stmt) => (sym: Symbol) => escapes(sym) || liveAfter(split.body, part, sym);
    const parts = (around: Visible, within: Context) =>
      mapChildren(split.body, (part) =>
        part.kind === "ext"
          ? { ...part, ext: complete(part.ext as Task, { ...behind, escapes: later(part) }, around, within) }
          : part,
      );
    const items = sharedData(parts(visible, { ...context, diagnostics: [] }), split.items);
    const body = parts(new Map([...visible, ...items.map((i) => [i.sym, i] as const)]), context);
    return extStmt({ ...split, items, body }, s.span);
  }
  const data = asNode(s, "data");
  const named = data ? itemsAround(data) : [];
  const inner = data ? new Map([...visible, ...named.map((i) => [i.sym, i] as const)]) : visible;
  const declare = s.kind === "compound" ? s.body.flatMap((c) => asNode(c, "declare")?.items ?? []) : [];
  const scope = declare.length ? new Map([...inner, ...declare.map((i) => [i.sym, i] as const)]) : inner;
  const around = [...context.around, ...named, ...declare];
  return mapChildren(s, (child) => visit(child, scope, { ...context, around }));
}

/** The items of a data construct as the code inside sees them. */
function itemsAround({ items, condition, kernels }: DataRegion): readonly ItemAround[] {
  const named = items.filter((i) => !i.each);
  // The parts of a `kernels` construct whose condition does not hold run on the host.
  return condition && !kernels && !evaluateInteger(condition)
    ? named.map((i) => ({ ...i, conditional: true }))
    : named;
}

function heldTogether({ site, body }: Task, sym: Symbol): Diagnostic {
  return {
    severity: "note",
    code: "one-gang",
    loc: sym.span.start.line > 0 ? sym.span.start : site.loc,
    message: `one gang runs the whole region: '${sym.name}' hands a value from one of its statements to another`,
    remedy: usesOf(body).declared.has(sym)
      ? `declare '${sym.name}' before the region`
      : `count with an integer instead of moving '${sym.name}'`,
  };
}

/** The data region around a split `kernels`: data shared by its tasks stays on the device between them. */
function sharedData(body: Stmt, items: readonly DataItem[]): readonly DataItem[] {
  const explicit = new Set(items.map((i) => i.sym));
  const tasks = body.kind === "compound" ? body.body.flatMap((c) => asNode(c, "task") ?? []) : [];
  const merged = new Map<Symbol, DataItem>();
  for (const { own: _, ...item } of tasks.flatMap((t) => t.items)) {
    // Objects that the construct itself names, and their members and elements, are among the region's own items, too.
    if (item.object.kind !== "ident" || !["to", "from", "tofrom"].includes(item.mapping.is)) continue;
    // A task's copy stands for the variable.
    const { sym } = item.object;
    if (explicit.has(sym)) continue;
    const known = merged.get(sym);
    const is: Mapping = !known || known.mapping.is === item.mapping.is ? item.mapping.is : "tofrom";
    merged.set(sym, { ...item, sym, mapping: { ...item.mapping, is } });
  }
  return [...items, ...merged.values()];
}

/** Every task of a unit in source order. */
export function tasksOf(
  program: Program,
): { readonly task: Task; readonly function: Symbol; readonly loc: Loc }[] {
  const found: { task: Task; function: Symbol; loc: Loc }[] = [];
  for (const e of program.unit.externals) {
    if (e.kind !== "function") continue;
    const look = (s: Stmt): Stmt => {
      const task = asNode(s, "task");
      if (task) found.push({ task, function: e.sym, loc: task.site.loc });
      return mapChildren(s, look);
    };
    look(e.body);
  }
  return found;
}
