/** How many lanes a team has, chosen when the kernel starts, from the trip counts of the outer and inner loop. */
import { usesOf } from "../../../../core/ir/analysis/access.ts";
import { type Affine, affine } from "../../../../core/ir/analysis/loops/affine.ts";
import type { Loop, LoopHeader } from "../../../../core/ir/model/ir.ts";
import {
  evaluateInteger,
  isPointer,
  LONG,
  printExpr,
  sizeOf,
  substituteExpr,
  walkExpr,
} from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
  stripImplicit,
  whileStmt,
} from "../../../../core/lang/tree/build.ts";
import { long, tripCount, valueAt } from "../../loops/trips.ts";
import { leadingLoop, sharedLoops } from "../../mapping/team-steps.ts";
import type { TeamLoop } from "../../mapping/teams.ts";

/** Items that keep the device busy, passed by the launch to kernels that use it. */
export const capacity = freshSymbol("arc_capacity", LONG);
export const CAPACITY = "cu 1024 *";

/** Lanes of a team that can use shuffles; wider teams need group memory, which only more work per lane repays. */
const NEIGHBOURS = 32;
/** Iterations of the inner loop per lane that make a wider team worthwhile. */
const ROUNDS = 8;
/** Iterations per lane that justify doubling the lanes: short rows of different lengths leave lanes idle. */
const ENOUGH = { alike: 2, others: 4 };
/**
 * Columns get twice the lanes while at most so many quarters of the capacity work, so that no more than one and a half
 * times the capacity start. The last groups of more would run nearly alone.
 */
const MOST_QUARTERS = 3;
/** Bytes that a lane loads at once. */
const WIDE = 16;
/** Bytes of memory that neighbouring teams access together: the smallest unit that memory delivers. */
const SECTOR = 32;

/** Whether a loop has the same length in every iteration of the enclosing one: pieces may begin at `i * n`. */
export function lengthOf(header: LoopHeader, loop: Loop): "alike" | "others" {
  const [from, to] = [affine(header.lower), affine(header.bound)];
  return from && to && sameTerms(from, to) ? "alike" : boundsOf(header, loop);
}

/** Whether a loop has the same bounds in every iteration of the enclosing one. */
export function boundsOf({ lower, bound }: LoopHeader, loop: Loop): "alike" | "others" {
  const changed = usesOf(loop.body);
  let length: "alike" | "others" = "alike";
  for (const e of [lower, bound])
    walkExpr(e, {
      expr(sub) {
        if (sub.kind === "index" || (sub.kind === "unary" && sub.op === "*")) length = "others";
        if (sub.kind !== "ident") return;
        if (
          loop.headers.some((h) => h.var === sub.sym) ||
          changed.declared.has(sub.sym) ||
          changed.of.get(sub.sym)?.written
        )
          length = "others";
      },
    });
  return length;
}

export interface Sizes {
  readonly rows: Symbol;
  readonly trips: Symbol;
  readonly lanes: Symbol;
}

/** Doubles `lanes` up to `most` as long as all of `also` hold. */
function doubled(lanes: Symbol, most: number, ...also: readonly Expr[]): Stmt {
  const double = exprStmt(assign(ident(lanes), intLit(2, LONG), "*="));
  const test = also.reduce((a, b) => binary("&&", a, b), binary("<", ident(lanes), intLit(most, LONG)));
  return whileStmt(test, double);
}

/** Most lanes for each column of a group whose teams sum elements of so many bytes. */
export const mostLanesDown = (items: number, bytes = 4): number =>
  Math.max(1, Math.floor(items / (SECTOR / bytes)));

/** Doubles `lanes` as long as it pays. `together`: rows that a team runs at a time. */
export function widths(
  { along, steps, loop }: TeamLoop,
  items: number,
  together: number,
  { rows, trips, lanes }: Sizes,
): Stmt[] {
  const times = (e: Expr, n: number): Expr => binary("*", e, intLit(n, LONG));
  const widen = (most: number, ...also: Expr[]): Stmt => doubled(lanes, most, ...also);
  const enough = binary("<=", times(ident(lanes), ROUNDS), ident(trips));
  const working = binary("*", ident(rows), ident(lanes));
  const idle = binary("<", working, together === 1 ? ident(capacity) : times(ident(capacity), together));
  if (along === "outer") {
    const reduced = sharedLoops(steps).flatMap((s) => s.reductions);
    const bytes = Math.min(...reduced.map((r) => sizeOf(r.sym.type) ?? 8));
    // Teams that load the same need not be neighbours for what differs.
    if (together > 1) return [widen(items, idle, enough)];
    const most = mostLanesDown(items, bytes);
    return [widen(most, binary("<=", times(working, 4), times(ident(capacity), MOST_QUARTERS)), enough)];
  }
  return [
    widen(
      Math.min(NEIGHBOURS, items),
      binary("<=", times(ident(lanes), ENOUGH[lengthOf(leadingLoop(steps).header, loop)]), ident(trips)),
    ),
    widen(items, idle, enough),
  ];
}

/** Bytes of a row that each lane holds at most: in rows of a length known at run time, and of another one. */
const HELD = { anyLength: 64, known: 128 };

/**
 * Elements that a lane holds of a row, and the lanes for rows of constant length; undefined: too many or too few. On an
 * H200, lanes with 64 to 128 bytes each took less time than more lanes with fewer, for rows of 768 to 4096 numbers of 32
 * bits.
 */
export function heldPerLane(
  header: LoopHeader,
  size: number,
  items: number,
): { readonly elements: number; readonly lanes?: number } | undefined {
  const width = WIDE / size;
  const trips = evaluateInteger(tripCount(header));
  if (trips === undefined) return { elements: HELD.anyLength / size };
  const length = Number(trips);
  let lanes = Math.min(NEIGHBOURS, items);
  while (lanes * 2 <= items && length * size >= lanes * 2 * HELD.anyLength) lanes *= 2;
  // Rows that do not end with a piece, or leave lanes without one, are not held.
  if (length % width !== 0 || length < lanes * width) return undefined;
  const elements = Math.ceil(length / lanes / width) * width;
  return elements * size <= HELD.known ? { elements, lanes } : undefined;
}

/** Lanes of teams that hold their rows: as many as that takes. */
export function widthsHeld(
  team: TeamLoop,
  items: number,
  { elements, lanes: known }: NonNullable<ReturnType<typeof heldPerLane>>,
  sizes: Sizes,
): Stmt[] {
  const { trips, lanes } = sizes;
  const few = (n: number, relation: "<=" | ">"): Expr => binary(relation, ident(trips), intLit(n, LONG));
  const [neighbours, more] = widths(team, items, 1, sizes);
  if (known) return [...(neighbours ? [neighbours] : []), doubled(lanes, known, few(0, ">"))];
  const short = binary("<", binary("*", ident(lanes), intLit(elements, LONG)), ident(trips));
  const most = items * elements;
  return [
    ...(neighbours ? [neighbours] : []),
    doubled(lanes, items, short, few(most, "<=")),
    ...(more ? [ifStmt(few(most, ">"), more)] : []),
  ];
}

/** Lanes of a column in large groups, while all of these can start at once. */
const LANES_DOWN = 64;

/**
 * The same for columns in large groups: 32 lanes for each of 32 columns at first, since memory delivers 128 bytes of a row
 * faster than four times 32 (gemver of 8192 columns 0.22 ms instead of 0.28), as long as all groups can start at once; 64
 * where that leaves half of the device idle (4096 columns 0.034 ms instead of 0.042). Where columns are too few, more.
 */
export function widthsDown(
  team: TeamLoop,
  items: number,
  together: number,
  { rows, trips, lanes }: Sizes,
): Stmt[] {
  const room = binary("<=", binary("*", ident(rows), ident(lanes)), ident(capacity));
  const enough = binary("<=", binary("*", ident(lanes), intLit(ROUNDS, LONG)), ident(trips));
  return [
    doubled(lanes, Math.min(LANES_DOWN, items), room, enough),
    ...widths(team, items, together, { rows, trips, lanes }),
  ];
}

/** Used if nothing is known. */
const UNKNOWN_TRIPS = 32;

/** The trip count of the leading inner loop, or about its mean: an expression computable before the loop. */
export function meanTrips({ loop, steps }: TeamLoop, rows: Symbol): Expr {
  const unknown = intLit(UNKNOWN_TRIPS, LONG);
  const [outer, ...more] = loop.headers as [LoopHeader, ...LoopHeader[]];
  const inner = leadingLoop(steps);
  if ([inner.header, ...loop.headers].some((h) => isPointer(h.var.type))) return unknown;
  const initial = new Map<Symbol, Expr>();
  const changed = usesOf(loop.body).of;
  const before = steps.slice(
    0,
    steps.findIndex((s) => s.is === "loop" && s.header === inner.header),
  );
  for (const { stmt } of before.filter((s) => s.is === "code"))
    for (const { sym, init } of stmt.kind === "decl" ? stmt.decls : [])
      if (init?.kind === "expr" && !changed.get(sym)?.written && !changed.get(sym)?.addressTaken)
        initial.set(sym, init.expr);
  const { lower, bound, step, ...rest } = inner.header;
  const h: LoopHeader = { ...rest, lower: resolved(lower, initial), bound: resolved(bound, initial), step };
  const { declared } = usesOf(loop.body);
  let [known, alike] = [evaluateInteger(step) !== undefined, true];
  for (const e of [h.lower, h.bound])
    walkExpr(e, {
      expr(sub) {
        if (["call", "stmt-expr", "assign", "incdec"].includes(sub.kind)) known = false;
        if (sub.kind !== "ident" || sub.sym.kind === "enumerator") return;
        if (loop.headers.some((h) => h.var === sub.sym)) alike = false;
        else if (declared.has(sub.sym) || changed.get(sub.sym)?.written) known = false;
        else if (changed.get(sub.sym)?.elementsWritten) known = false;
      },
    });
  if (!known) return unknown;
  if (alike) return long(tripCount(h));
  if (more.length > 0) return unknown;
  const at = (e: Expr, t: Expr): Expr => substituteExpr(e, new Map([[outer.var, valueAt(outer, t)]]));
  if (adjoining(h, outer)) {
    const last = at(h.bound, binary("-", ident(rows), intLit(1, LONG)));
    return binary("/", binary("-", long(last), long(at(h.lower, intLit(0, LONG)))), ident(rows));
  }
  const middle = binary("/", ident(rows), intLit(2, LONG));
  return long(tripCount({ ...h, lower: at(h.lower, middle), bound: at(h.bound, middle) }));
}

/** Replaces variables that are computed once per iteration by their values. */
function resolved(e: Expr, initial: ReadonlyMap<Symbol, Expr>, depth = 4): Expr {
  const one = substituteExpr(e, initial);
  return one === e || depth === 0 ? one : resolved(one, initial, depth - 1);
}

/** Ranges x[i] to x[i + 1], as for rows of sparse matrices: together they span from the first to the last. */
function adjoining({ lower, bound, relation, step }: LoopHeader, outer: LoopHeader): boolean {
  const [from, to] = [stripImplicit(lower), stripImplicit(bound)];
  if (from.kind !== "index" || to.kind !== "index" || relation !== "<") return false;
  if (evaluateInteger(step) !== 1n || evaluateInteger(outer.step) !== 1n) return false;
  if (printExpr(from.base) !== printExpr(to.base)) return false;
  const [a, b] = [affine(from.index), affine(to.index)];
  return (
    a !== undefined &&
    b !== undefined &&
    a.terms.get(outer.var) === 1n &&
    b.constant - a.constant === 1n &&
    sameTerms(a, b)
  );
}

const sameTerms = (a: Affine, b: Affine): boolean =>
  a.terms.size === b.terms.size && [...a.terms].every(([sym, n]) => b.terms.get(sym) === n);
