/**
 * `kernels` regions: the compiler finds the parallelism. Every outermost loop nest becomes a separate task, run in
 * order on one queue; statements between nests become serial tasks. Loops without a directive are treated as `loop
 * auto`.
 */

import { firstOf } from "../../checked/access.ts";
import { canonical, isScalar, mapChildren } from "../../lang/index.ts";
import type { DeclStmt, ForStmt, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { type Use, usesOf } from "../analysis/access.ts";
import { definedFirst, liveAfter } from "../analysis/liveness.ts";
import { countedHeader } from "../analysis/loops/counted.ts";
import { asNode, type DataRegion, extStmt, type Loop, type Spmd, type Task } from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import { hasNode } from "../model/nodes.ts";
import { wholeLoop } from "./levels.ts";

/** What code uses of the variables around it, itself or through functions. */
type Needed = (code: Stmt) => ReadonlyMap<Symbol, Use>;

/**
 * The data region and tasks that replace a `kernels` task. `escapes`: whether a variable's value at the end of the
 * region may be used later.
 */
export function splitKernels(
  task: Task,
  escapes: (sym: Symbol) => boolean,
  needed: Needed,
): DataRegion | Task {
  const spmd = asNode(task.body, "spmd") as Spmd;
  const { body } = spmd;
  const auto = autoLoops(body, (s, sym) => escapes(sym) || liveAfter(body, s, sym));
  const groups = grouped(auto.kind === "compound" ? auto.body : [auto], needed);
  const { wait, condition, self, ...rest } = task;
  const tasks = groups.map((group) => {
    const [only] = group;
    const shared = group.length === 1 && only && wholeLoop(only);
    const inner = node<Spmd>({
      ...spmd,
      // Without loops there is nothing to distribute.
      ...(shared || group.some((s) => hasNode(s, "loop")) ? {} : { serial: true as const }),
      body: group.length === 1 && only ? only : { kind: "compound", body: group, span: body.span },
    });
    return node<Task>({ ...rest, body: extStmt(inner, body.span) });
  });
  const [single] = tasks;
  if (tasks.length === 1 && single)
    return node<Task>({
      ...single,
      ...(wait && { wait }),
      ...(condition && { condition }),
      ...(self && { self }),
    });
  return node<DataRegion>({
    kind: "data",
    site: task.site,
    ...(task.async && { async: task.async }),
    ...(wait && { wait }),
    ...(condition && { condition }),
    ...(self && { self }),
    items: task.items,
    kernels: true,
    body: { kind: "compound", body: tasks.map((t) => extStmt(t, body.span)), span: body.span },
  });
}

/** Each loop nest by itself, and the statements between nests together. */
function grouped(stmts: readonly Stmt[], needed: Needed): Stmt[][] {
  const declarations = stmts.filter((s): s is DeclStmt => s.kind === "decl");
  const rest = stmts.filter((s) => s.kind !== "decl" && !(s.kind === "expr" && !s.expr));
  const parts: Stmt[][] = [];
  for (const s of rest) {
    const last = parts.at(-1);
    if (asNode(s, "loop") || !last || asNode(firstOf(last), "loop")) parts.push([s]);
    else last.push(s);
  }
  if (handingOn(stmts, parts) ?? movedPointer(parts, needed)) return [[...stmts]];
  if (declarations.length === 0) return parts.length ? parts : [[]];
  // Each part gets the variables that it uses, and those that they are computed from.
  return parts.map((part) => {
    const used = new Set(usesOf(...part).of.keys());
    for (const { sym, init } of declarations.flatMap((d) => d.decls).reverse())
      if (init?.kind === "expr" && used.has(sym))
        for (const from of usesOf(init.expr).of.keys()) used.add(from);
    const own = declarations
      .map((d) => ({ ...d, decls: d.decls.filter(({ sym }) => used.has(sym)) }))
      .filter((d) => d.decls.length > 0);
    if (own.length === 0) return part;
    return [{ kind: "compound", body: [...own, ...part], span: firstOf(part).span }];
  });
}

/** A variable that passes a value from one part to another, which prevents a split. */
export function handedOn(body: Stmt, needed: Needed): Symbol | undefined {
  const stmts = body.kind === "compound" ? body.body : [body];
  const parts = stmts.filter((s) => s.kind !== "decl").map((s) => [s]);
  return handingOn(stmts, parts) ?? movedPointer(parts, needed);
}

/** A pointer from outside of the region that one part changes and another one uses: each kernel begins with its own. */
function movedPointer(parts: readonly (readonly Stmt[])[], needed: Needed): Symbol | undefined {
  if (parts.length < 2) return undefined;
  const uses = parts.map((part) => needed({ kind: "compound", body: part, span: firstOf(part).span }));
  const isMoved = (sym: Symbol, { written, addressTaken }: Use) =>
    canonical(sym.type).kind === "pointer" && (written || addressTaken);
  return uses
    .flatMap((own) => [...own])
    .find(([sym, use]) => isMoved(sym, use) && uses.filter((other) => other.has(sym)).length > 1)?.[0];
}

function handingOn(stmts: readonly Stmt[], parts: readonly (readonly Stmt[])[]): Symbol | undefined {
  const { of } = usesOf(...stmts.filter((s) => s.kind !== "decl"));
  const stays = (sym: Symbol) => !of.get(sym)?.written && !of.get(sym)?.addressTaken;
  for (const s of stmts)
    for (const { sym, init } of s.kind === "decl" ? s.decls : []) {
      const computed =
        init?.kind === "expr" && isScalar(sym.type) && stays(sym) ? usesOf(init.expr) : undefined;
      const anywhere =
        computed &&
        !computed.indirectCall &&
        computed.calls.size === 0 &&
        [...computed.of].every(([from, use]) => isScalar(from.type) && stays(from) && only(use));
      if (!(anywhere || (!init && fits(sym, parts)))) return sym;
    }
  return undefined;
}

/** The value is read, but not what it points to. */
const only = (use: Use): boolean =>
  !use.written && !use.addressTaken && !use.elementsRead && !use.elementsWritten;

/** No part passes a value of the variable to another. */
function fits(sym: Symbol, parts: readonly (readonly Stmt[])[]): boolean {
  if (!isScalar(sym.type)) return false;
  return parts.every((part) => definedFirst({ kind: "compound", body: part, span: firstOf(part).span }, sym));
}

/** Plain counted loops become `loop auto`. `live`: whether a variable is used after a statement. */
function autoLoops(s: Stmt, live: (s: Stmt, sym: Symbol) => boolean): Stmt {
  // Every thread runs the whole body of a `threads` node.
  if (asNode(s, "threads")) return s;
  const header = s.kind === "for" ? countedHeader(s) : undefined;
  if (s.kind !== "for" || !header || "severity" in header || !leavesOnlyAtEnd(s) || !boundsStay(s))
    return mapChildren(s, (child) => autoLoops(child, live));
  // A partitioned loop leaves no value in its counter.
  if (!header.declares && live(s, header.var)) return mapChildren(s, (child) => autoLoops(child, live));
  const loop = node<Loop>({
    kind: "loop",
    headers: [header],
    parallel: { levels: [], independence: "auto" },
    privates: [],
    reductions: [],
    body: autoLoops(s.body, live),
    site: { loc: s.span.start, what: "loop", stmt: s },
  });
  return extStmt(loop, s.span);
}

/** The body must not change the loop's counter or the variables in its bounds. */
function boundsStay(loop: ForStmt): boolean {
  const header = countedHeader(loop);
  if ("severity" in header) return false;
  const fixed = usesOf(header.lower, header.bound, header.step).of;
  const body = usesOf(loop.body).of;
  return ![...fixed.keys(), header.var].some((sym) => body.get(sym)?.written || body.get(sym)?.addressTaken);
}

function leavesOnlyAtEnd(loop: ForStmt): boolean {
  let leaves = false;
  const visit = (s: Stmt, nested: boolean): Stmt => {
    if (s.kind === "return" || s.kind === "goto" || (s.kind === "break" && !nested)) leaves = true;
    const inner = nested || s.kind === "for" || s.kind === "while" || s.kind === "do" || s.kind === "switch";
    return mapChildren(s, (child) => visit(child, inner));
  };
  visit(loop.body, false);
  return !leaves;
}
