/**
 * Arrays of several dimensions become flat: `a[i][j]` => `a[i * N + j]`. Windows count elements, and pipelines need a
 * single address. Arrays whose rows are passed on, or whose extents are known only at run time, are left unchanged.
 */

import { firstOf, itemAt } from "../../checked/access.ts";
import { usesOf } from "../../ir/analysis/access.ts";
import { isBuiltin, isGlobal } from "../../ir/analysis/routines.ts";
import type { DataItem, SectionDim, Task } from "../../ir/model/ir.ts";
import { spmdOf } from "../../ir/model/region.ts";
import {
  arrayOf,
  canonical,
  evaluateInteger,
  LONG,
  mapStmt,
  pointerTo,
  promote,
  qualify,
  walkStmt,
} from "../../lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { binary, cast, freshSymbol, ident, index, intLit, stripImplicit } from "../../lang/tree/build.ts";
import type { Pass, PassInput, PassResult, Remark } from "./rewrite/pass.ts";
import { loopStmt, mapLoops, withBody } from "./rewrite/region.ts";

export const flatten: Pass = {
  name: "flatten",
  description: "arrays of several dimensions become flat",
  axes: [],
  run,
};

interface Shape {
  readonly element: CType;
  /** Elements per step of each subscript, outermost first. */
  readonly strides: readonly bigint[];
  /** Total number of elements, if known. */
  readonly total?: bigint;
}

function shapeOf(type: CType): Shape | undefined {
  const outer = canonical(type);
  if (outer.kind !== "array" && outer.kind !== "pointer") return undefined;
  const extents: bigint[] = [];
  let inner = canonical(outer.kind === "array" ? outer.of : outer.to);
  let element = outer.kind === "array" ? outer.of : outer.to;
  while (inner.kind === "array") {
    if (typeof inner.size !== "number") return undefined;
    extents.push(BigInt(inner.size));
    element = inner.of;
    inner = canonical(inner.of);
  }
  if (extents.length === 0) return undefined;
  const strides = [1n];
  for (const extent of [...extents].reverse()) strides.unshift(firstOf(strides) * extent);
  const first = outer.kind === "array" && typeof outer.size === "number" ? BigInt(outer.size) : undefined;
  return { element, strides, ...(first !== undefined && { total: first * firstOf(strides) }) };
}

/** The subscripts of `a[i][j]...` from outermost to innermost, if `a` is at its root. */
function subscripts(e: Expr, sym: Symbol): Expr[] | undefined {
  const b = stripImplicit(e);
  if (b.kind === "ident") return b.sym === sym ? [] : undefined;
  if (b.kind !== "index") return undefined;
  const outer = subscripts(b.base, sym);
  return outer && [...outer, b.index];
}

/** Whether every use of the array has all its subscripts. */
function fullySubscripted(body: Stmt, sym: Symbol, dims: number): boolean {
  let uses = 0;
  let complete = 0;
  walkStmt(body, {
    expr(e) {
      if (e.kind === "ident" && e.sym === sym) uses++;
      if (e.kind === "index" && subscripts(e, sym)?.length === dims) complete++;
    },
  });
  return uses > 0 && uses === complete;
}

function run({ task }: PassInput): PassResult {
  const remarks: Remark[] = [];
  let result: Task = task;
  for (const item of task.items) {
    if (item.object.kind !== "ident") continue;
    const shape = shapeOf(item.sym.type);
    const { body } = spmdOf(result);
    // Functions may access a file-scope array without it being passed.
    if (isGlobal(item.sym) && [...usesOf(body).calls.keys()].some((callee) => !isBuiltin(callee))) continue;
    if (!shape || !fullySubscripted(body, item.sym, shape.strides.length)) continue;
    result = flattened(result, item, shape);
    remarks.push({
      pass: "flatten",
      applied: true,
      message: `'${item.sym.name}' is accessed as a flat array`,
      loc: item.loc,
    });
  }
  return { task: result, remarks };
}

function flattened(task: Task, item: DataItem, { element, strides, total }: Shape): Task {
  const outer = canonical(item.sym.type);
  const type =
    outer.kind === "array"
      ? total === undefined
        ? arrayOf(element)
        : arrayOf(element, Number(total))
      : qualify(pointerTo(element), outer.quals);
  const flat = freshSymbol(item.sym.name, type);
  const wide = total === undefined || total > 0x7fffffffn;
  const rewrite = (e: Expr): Expr => {
    const at = e.kind === "index" ? subscripts(e, item.sym) : undefined;
    if (at?.length !== strides.length) return e;
    // The subscripts were rewritten before: this node is the outermost of its chain.
    const sum = at
      .map(stripImplicit)
      .map((sub, k) => scaled(wide ? cast(LONG, sub) : sub, itemAt(strides, k)))
      .reduce((a, b) => binary("+", a, b));
    return { ...index(ident(flat), sum, e.span), type: e.type };
  };
  const body = mapLoops(mapStmt(spmdOf(task).body, { expr: rewrite }), (loop, at) => {
    const windows = loop.hints?.windows;
    if (!windows) return at;
    const to = (s: Symbol) => (s === item.sym ? flat : s);
    const moved = windows.map((w) => ({ ...w, input: to(w.input), outputs: w.outputs.map(to) }));
    return loopStmt({ ...loop, hints: { ...loop.hints, windows: moved } }, at);
  });
  const section = flatSection(item.section, strides);
  const items = task.items.map(
    (i): DataItem =>
      i === item ? { ...i, sym: flat, own: true, object: ident(flat, i.object.span), section } : i,
  );
  return withBody({ ...task, items }, body);
}

/** A section of whole rows, the further dimensions of which need not be given; empty if a section leaves elements out. */
function flatSection(section: readonly SectionDim[], strides: readonly bigint[]): readonly SectionDim[] {
  const [first, ...rest] = section;
  if (!first || section.some((dim) => dim.stride)) return [];
  const isEntire = rest.every((dim, k) => {
    const extent = itemAt(strides, k) / itemAt(strides, k + 1);
    const from = dim.start ? evaluateInteger(dim.start) : 0n;
    return from === 0n && (dim.length === undefined || evaluateInteger(dim.length) === extent);
  });
  if (!isEntire) return [];
  const by = firstOf(strides);
  return [
    {
      ...(first.start && { start: scaled(first.start, by) }),
      ...(first.length && { length: scaled(first.length, by) }),
    },
  ];
}

function scaled(e: Expr, by: bigint): Expr {
  if (by === 1n) return e;
  const value = evaluateInteger(e);
  const type = promote(e.type);
  return value === undefined ? binary("*", e, intLit(by, type)) : intLit(value * by, type);
}
