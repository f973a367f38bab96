/**
 * OpenMP's target tasks, if the C compiler implements tasks for the host's threads: a construct with `nowait`, `depend`
 * or `in_reduction` is put in a `task`. The C compiler then orders it among the program's tasks, `taskwait`,
 * `taskgroup` and barriers (OpenMP 5.2, section 13.8).
 *
 *     #pragma omp target nowait depend(in: a) map(to: a[0:n])
 *
 *     #pragma omp task depend(in: a) default(shared) firstprivate(a, n)
 *     { arc_data_begin(...); arc_launch(...); arc_data_end(...); }
 *
 * Pointers, sizes and copies of scalars are captured when the construct is reached.
 */
import { isArray, usesOf } from "../../../core/ir/analysis/access.ts";
import type { DataItem, DataMove, Task } from "../../../core/ir/model/ir.ts";
import { spmdOf } from "../../../core/ir/model/region.ts";
import { canonical } from "../../../core/lang/index.ts";
import type { Expr, Symbol } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import type { HostNames } from "./host-names.ts";
import { mapPath, type ReachedItem, reached } from "./reached.ts";

/** The construct's text, in a task if one is requested. `text`: prints the construct. */
export function inHostTask<N extends Task | DataMove>(
  n: N,
  names: HostNames,
  text: (n: N) => readonly string[],
): readonly string[] {
  if (n.hostTask === undefined) return text(n);
  const { node, before, variables } = reached(n, names);
  const reduced = reducedBy(n.hostTask);
  const captured = [...new Set([...capturedBy(node), ...variables])]
    .map(({ name }) => name)
    .filter((name) => !reduced.has(name));
  const copies = captured.length > 0 ? ` firstprivate(${captured.join(", ")})` : "";
  const task = [`#pragma omp task ${n.hostTask} default(shared)${copies}`, "{", ...text(node), "}"];
  return before.length > 0 ? ["{", ...before, ...task, "}"] : task;
}

/** The variables that `in_reduction` names: in the task, pointers among them lead to its copies. */
function reducedBy(clauses: string): ReadonlySet<string> {
  const lists = clauses.replace(/\[[^\]]*\]/g, "").matchAll(/\bin_reduction \([^:()]*:([^()]*)\)/g);
  return new Set([...lists].flatMap(([, list = ""]) => list.split(",").map((name) => name.trim())));
}

/** Variables captured by value: sizes, conditions, pointers, and the region's private copies. */
function capturedBy(n: Task | DataMove): ReadonlySet<Symbol> {
  const captured = new Set<Symbol>();
  const shared = new Set<Symbol>();
  const read = (e: Expr | undefined): void => {
    if (!e) return;
    for (const sym of usesOf(e).of.keys()) captured.add(sym);
  };
  read(n.device);
  read(n.condition);
  if (n.kind === "task") {
    const { numTeams, numUnits, numLanes } = spmdOf(n);
    for (const e of [numTeams, numUnits, numLanes]) read(e);
  }
  for (const item of n.items) {
    for (const { start, length } of item.section) {
      read(start);
      read(length);
    }
    if (isCopied(item)) captured.add(item.sym);
    else locate(item.object, captured, shared);
    const { original }: ReachedItem = item;
    if (original) locate(original, captured, shared);
  }
  return new Set([...captured].filter((sym) => !shared.has(sym) && isVariable(sym)));
}

/**
 * The variables that lead to an object: those whose values say where it is, like `s` and `i` of `s->rows[i].length`,
 * and the one that it is a part of. The function may have returned when the task runs, and its variables are gone then.
 */
function locate(object: Expr, captured: Set<Symbol>, shared: Set<Symbol>): void {
  mapPath(object, {
    pointer: (e) => {
      readPointer(e, captured, shared);
      return e;
    },
    subscript: (e) => {
      for (const sym of usesOf(e).of.keys()) captured.add(sym);
      return e;
    },
    root: (e) => {
      for (const sym of usesOf(e).of.keys()) shared.add(sym);
      return e;
    },
  });
}

/** The variables that lead to what a pointer points to, or to the elements of an array. */
function readPointer(pointer: Expr, captured: Set<Symbol>, shared: Set<Symbol>): void {
  const e = stripImplicit(pointer);
  if (e.kind === "cast") return readPointer(e.arg, captured, shared);
  if (e.kind === "ident" && !isArray(e)) captured.add(e.sym);
  else if (e.kind === "binary") for (const part of [e.left, e.right]) readPointer(part, captured, shared);
  else locate(e, captured, shared);
}

/** The construct needs the variable's value, not its address: a copy, or a pointer to mapped memory. */
function isCopied({ sym, object, own, sharing, mapping, section }: DataItem): boolean {
  if (own || object.kind !== "ident" || mapping.is === "attach" || mapping.is === "detach") return false;
  if (mapping.is === "copied") return true;
  if (sharing.is === "firstprivate" || sharing.is === "private") return sharing.is === "firstprivate";
  return canonical(sym.type).kind === "pointer" && (section.length > 0 || mapping.is !== "none");
}

const isVariable = ({ kind, type }: Symbol): boolean =>
  (kind === "var" || kind === "param") && canonical(type).kind !== "function";
