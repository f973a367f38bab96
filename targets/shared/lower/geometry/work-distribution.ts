/** Index arithmetic: who runs which iterations of a loop nest. */

import { firstOf, itemAt, lastOf } from "../../../../core/checked/access.ts";
import { mapTuple } from "../../../../core/checked/tuples.ts";
import type { Loop, LoopHeader } from "../../../../core/ir/model/ir.ts";
import { evaluateInteger, LONG, substitute } from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  cond,
  declare,
  exprStmt,
  forStmt,
  freshSymbol,
  ident,
  ifStmt,
  incdec,
  intLit,
  whileStmt,
} from "../../../../core/lang/tree/build.ts";
import { flat } from "../../device/control.ts";
import { counted } from "../../device/counted-loop.ts";
import { type WorkItemId, workItemId } from "../../device/device.ts";
import { interleave } from "../../loops/interleave.ts";
import { sequentialNest } from "../../loops/sequential.ts";
import { tripCount, valueAt, valuesInNest } from "../../loops/trips.ts";
import { blockDepth, type Coverage, type Geometry, groupSize, NARROW, type Sharers } from "./geometry.ts";

/** The loop nest with its iterations divided: one statement list. */
export function share(geometry: Geometry, loop: Loop, kind: Exclude<Sharers, "none">, body: Stmt): Stmt[] {
  const items = groupSize(geometry);
  const plane = geometry.items[1] > 1 && kind === "groups+items" && loop.headers.length >= 2;
  if (geometry.partition === "block" && kind === "groups") return shareBlock(loop, body);
  if (plane) {
    const outer = loop.headers.slice(0, -1);
    const last = loop.headers.slice(-1);
    const [px, py] = [along(geometry, "x"), along(geometry, "y")];
    const times = geometry.perItem(loop);
    if (times > 1) return nest(last, px, compound(adjacent(outer, py, times, body)), "rounds");
    return nest(outer, py, compound(nest(last, px, body, geometry.coverage)), geometry.coverage);
  }
  const times = kind === "groups" ? 1 : geometry.perItem(loop);
  if (kind === "items" && loop.headers.length >= 2 && Number.isInteger(Math.log2(items))) {
    const { before, columns, rows } = rowsOf(loop.headers, items, times);
    const [outer, last] = [loop.headers.slice(0, -1), loop.headers.slice(-1)];
    const row = (inner: Stmt) =>
      times > 1 ? adjacent(outer, rows, times, inner) : nest(outer, rows, inner, "rounds");
    const all =
      times > 1
        ? nest(last, columns, compound(row(body)), "rounds")
        : row(compound(nest(last, columns, body, "rounds")));
    return [compound([...before, ...all])];
  }
  const start =
    kind === "groups"
      ? workItemId("group")
      : kind === "items"
        ? workItemId("item")
        : binary("+", binary("*", workItemId("group"), intLit(items, LONG)), workItemId("item"));
  const stride =
    kind === "groups"
      ? workItemId("groups")
      : kind === "items"
        ? intLit(items, LONG)
        : binary("*", workItemId("groups"), intLit(items, LONG));
  if (kind === "groups+items" && geometry.narrows(loop)) {
    const { before, by } = narrowed(firstOf(loop.headers), items);
    const all = times > 1 ? distant(loop.headers, by, times, body) : nest(loop.headers, by, body, "rounds");
    return [compound([...before, ...all])];
  }
  if (times > 1) return distant(loop.headers, { start, stride }, times, body);
  return nest(loop.headers, { start, stride }, body, kind === "groups+items" ? geometry.coverage : "rounds");
}

/** Items side by side that read memory well. */
const COLUMNS = 32;
/** Rounds of the last loop of which the last one, with idle items, is a small part. */
const ROUNDS = 8;

/**
 * Items of a group as rows and columns, for the outer loops of a nest and its last: no division in each iteration. There
 * are as many columns as the last loop needs, up to 32. There are more of them where the last loop is so long that few
 * of them idle in its last round, or where an item would have less than `times` iterations of the outer loops.
 */
function rowsOf(
  headers: readonly LoopHeader[],
  items: number,
  times: number,
): { readonly before: readonly Stmt[]; readonly columns: Walk; readonly rows: Walk } {
  const size = (n: number) => intLit(n, LONG);
  const walks = (columns: Expr, rows: Expr) => ({
    columns: { start: binary("%", workItemId("item"), columns), stride: columns },
    rows: { start: binary("/", workItemId("item"), columns), stride: rows },
  });
  const known = headers.map((h) => Number(evaluateInteger(tripCount(h)) ?? Number.NaN));
  if (!known.some(Number.isNaN)) {
    const columns = columnsFor(items, times, lastOf(known), known.slice(0, -1));
    return { before: [], ...walks(size(columns), size(items / columns)) };
  }
  const counts = headers.map((h) => freshSymbol(`arc_n_${h.var.name}`, LONG));
  const down = counts.slice(0, -1).map((n): Expr => ident(n));
  const across = ident(lastOf(counts));
  const [width, height] = mapTuple(["arc_columns", "arc_rows"], (name) => freshSymbol(name, LONG));
  const columns = ident(width);
  const wider = [
    binary("<", columns, size(COLUMNS)),
    binary("<=", binary("*", columns, size(ROUNDS)), across),
    binary(
      "<",
      [...down, columns].reduce((a, b) => binary("*", a, b)),
      size(items * times),
    ),
  ].reduce((a, b) => binary("||", a, b));
  const room = binary("&&", binary("<", columns, size(items)), binary("<", columns, across));
  return {
    before: [
      ...headers.map((h, k) => declare(itemAt(counts, k), tripCount(h))),
      declare(width, size(1)),
      whileStmt(binary("&&", room, wider), exprStmt(assign(columns, size(2), "*="))),
      declare(height, binary("/", size(items), columns)),
    ],
    ...walks(columns, ident(height)),
  };
}

/** The same for lengths that are known. */
function columnsFor(items: number, times: number, across: number, down: readonly number[]): number {
  const rows = down.reduce((a, b) => a * b, 1);
  const isWider = (n: number) => n < COLUMNS || n * ROUNDS <= across || rows * n < items * times;
  let columns = 1;
  while (columns < items && columns < across && isWider(columns)) columns *= 2;
  return columns;
}

/** As many items of each group as suffice, if the launch has groups for that. Others begin behind the end. */
function narrowed(
  header: LoopHeader,
  items: number,
): { readonly before: readonly Stmt[]; readonly by: Walk } {
  const [trips, width] = [freshSymbol("arc_trips", LONG), freshSymbol("arc_width", LONG)];
  const suffices = binary(">=", binary("*", workItemId("groups"), intLit(NARROW, LONG)), ident(trips));
  const own = binary("+", binary("*", workItemId("group"), ident(width)), workItemId("item"));
  return {
    before: [
      declare(trips, tripCount(header)),
      declare(width, cond(suffices, intLit(NARROW, LONG), intLit(items, LONG))),
    ],
    by: {
      start: cond(binary("<", workItemId("item"), ident(width)), own, ident(trips)),
      stride: binary("*", workItemId("groups"), ident(width)),
    },
  };
}

function along(geometry: Geometry, axis: "x" | "y"): { start: Expr; stride: Expr } {
  const size = intLit(geometry.items[axis === "x" ? 0 : 1], LONG);
  return {
    start: binary(
      "+",
      binary("*", workItemId(`group_${axis}` as WorkItemId), size),
      workItemId(`item_${axis}` as WorkItemId),
    ),
    stride: binary("*", workItemId(`groups_${axis}` as WorkItemId), size),
  };
}

interface Walk {
  readonly start: Expr;
  readonly stride: Expr;
}

/** Interleaved iterations one stride apart: neighbouring items still get neighbouring iterations. */
function distant(headers: readonly LoopHeader[], by: Walk, times: number, body: Stmt): Stmt[] {
  const { before, total, t, variables } = linear(headers);
  const step = freshSymbol("arc_stride", LONG);
  const end = freshSymbol("arc_end", LONG);
  const one = [...variables, ...flat(body)];
  const apart = (n: number): Expr =>
    n === 0
      ? ident(t)
      : binary("+", ident(t), n === 1 ? ident(step) : binary("*", intLit(n, LONG), ident(step)));
  const rest = freshSymbol("arc_rest", LONG);
  return [
    compound([
      ...before,
      declare(end, total),
      declare(step, by.stride),
      counted(
        t,
        by.start,
        ident(end),
        binary("*", intLit(times, LONG), ident(step)),
        ifElse(
          binary("<", apart(times - 1), ident(end)),
          compound(interleave(one, copiesOf(t, times, apart))),
          counted(rest, ident(t), ident(end), ident(step), renamed(one, t, rest)),
        ),
      ),
    ]),
  ];
}

/** Consecutive iterations interleaved, if the launch gives each item that many. */
function adjacent(headers: readonly LoopHeader[], by: Walk, times: number, body: Stmt): Stmt[] {
  const { before, total, t, variables } = linear(headers);
  const end = freshSymbol("arc_end", LONG);
  const chunk = freshSymbol("arc_chunk", LONG);
  const one = [...variables, ...flat(body)];
  const next = (n: number): Expr => (n === 0 ? ident(t) : binary("+", ident(t), intLit(n, LONG)));
  const rest = freshSymbol("arc_rest", LONG);
  const inChunk = binary(
    "&&",
    binary("<", ident(rest), ident(end)),
    binary("<", ident(rest), binary("+", ident(t), ident(chunk))),
  );
  return [
    compound([
      ...before,
      declare(end, total),
      declare(chunk, cond(binary("<", by.stride, ident(end)), intLit(times, LONG), intLit(1, LONG))),
      counted(
        t,
        binary("*", by.start, ident(chunk)),
        ident(end),
        binary("*", by.stride, ident(chunk)),
        ifElse(
          binary(
            "&&",
            binary("==", ident(chunk), intLit(times, LONG)),
            binary("<", next(times - 1), ident(end)),
          ),
          compound(interleave(one, copiesOf(t, times, next))),
          forStmt(declare(rest, ident(t)), inChunk, incdec("++", false, ident(rest)), renamed(one, t, rest)),
        ),
      ),
    ]),
  ];
}

function copiesOf(t: Symbol, times: number, value: (n: number) => Expr): ReadonlyMap<Symbol, Expr>[] {
  return Array.from({ length: times }, (_, n) => new Map([[t, value(n)]]));
}

function renamed(body: readonly Stmt[], from: Symbol, to: Symbol): Stmt {
  return substitute(compound(body), new Map([[from, ident(to)]]));
}

function ifElse(test: Expr, then: Stmt, other: Stmt): Stmt {
  return { kind: "if", test, then, else: other, span: then.span };
}

/**
 * `for (t = start; t < trips; t += stride) { i = ...; body }`, with division for nests. If an item has
 * at most one iteration, an `if` replaces the loop, or nothing.
 */
function nest(
  headers: readonly LoopHeader[],
  by: { start: Expr; stride: Expr },
  body: Stmt,
  coverage: Coverage,
): Stmt[] {
  const { before, total, t, variables } = linear(headers);
  if (coverage !== "rounds") {
    const iteration = compound([...variables, ...flat(body)]);
    const guarded = coverage === "exact" ? iteration : ifStmt(binary("<", ident(t), total), iteration);
    return [compound([...before, declare(t, by.start), guarded])];
  }
  const loop = counted(t, by.start, total, by.stride, compound([...variables, ...flat(body)]));
  return before.length ? [compound([...before, loop])] : [loop];
}

/** Each group takes a range of the outer loops; the innermost of several loops is not divided. */
function shareBlock(loop: Loop, body: Stmt): Stmt[] {
  const depth = blockDepth(loop);
  const inner = loop.headers.length > depth ? sequentialNest(loop.headers.slice(depth), body) : body;
  const { before, total, t, variables } = linear(loop.headers.slice(0, depth));
  const [n, first, last] = mapTuple(["arc_n", "arc_first", "arc_last"], (name) => freshSymbol(name, LONG));
  // n * g / G cuts [0, n) into G ranges whose lengths differ by at most one.
  const cut = (g: Expr): Expr => binary("/", binary("*", ident(n), g), workItemId("groups"));
  return [
    compound([
      ...before,
      declare(n, total),
      declare(first, cut(workItemId("group"))),
      declare(last, cut(binary("+", workItemId("group"), intLit(1, LONG)))),
      counted(t, ident(first), ident(last), intLit(1, LONG), compound([...variables, ...flat(inner)])),
    ]),
  ];
}

interface Linear {
  /** Declarations of the trip counts. */
  readonly before: readonly Stmt[];
  readonly total: Expr;
  readonly t: Symbol;
  /** Declarations of the loop variables in iteration `t`. */
  readonly variables: readonly Stmt[];
}

/** A nest as one loop over `t` from 0 to `total`. */
function linear(headers: readonly LoopHeader[]): Linear {
  const t = freshSymbol(`arc_${lastOf(headers).var.name}`, LONG);
  if (headers.length === 1) {
    const h = firstOf(headers);
    return { before: [], total: tripCount(h), t, variables: [declare(h.var, valueAt(h, ident(t)))] };
  }
  const counts = headers.map((h) => freshSymbol(`arc_n_${h.var.name}`, LONG));
  const before = headers.map((h, i) => declare(itemAt(counts, i), tripCount(h)));
  // A product of negative counts could be positive, so all must be positive.
  const product = counts.map((n): Expr => ident(n)).reduce((a, b) => binary("*", a, b));
  const positive = counts
    .map((n): Expr => binary(">", ident(n), intLit(0)))
    .reduce((a, b) => binary("&&", a, b));
  const values = valuesInNest(
    headers,
    counts.map((n) => ident(n)),
    ident(t),
  );
  const variables = headers.map((h, i) => declare(h.var, values[i]));
  return { before, total: cond(positive, product, intLit(0, LONG)), t, variables };
}
