/**
 * The delay line of one array in a windowed loop: whether it is legal, how long it is, what a step loads into it, and
 * where in it the body finds what it reads.
 */

import { unrollPragma } from "../../../../targets/shared/device/pragmas.ts";
import { usesOf } from "../../../ir/analysis/access.ts";
import {
  type ElementAccess,
  type Interval,
  isRefusal,
  type Neighbourhood,
  neighbourhood,
  type Offset,
} from "../../../ir/analysis/loops/neighbourhood.ts";
import { isBuiltin, isGlobal } from "../../../ir/analysis/routines.ts";
import { type DelayLine, idiom } from "../../../ir/model/idioms.ts";
import type { Apart, Loop, Task, WindowRequest } from "../../../ir/model/ir.ts";
import { argumentsOf } from "../../../ir/model/region.ts";
import {
  arrayOf,
  canonical,
  elementType,
  evaluateInteger,
  LONG,
  mapStmt,
  printExpr,
  unqualified,
  walkExpr,
} from "../../../lang/index.ts";
import type { CType, Expr, Loc, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { assign, cond, freshSymbol, ident, index, intLit, stripImplicit } from "../../../lang/tree/build.ts";
import { distinct } from "./aliasing.ts";
import type { BlockedArray } from "./blocks.ts";
import { add, atLeast, conj, constant, less, long, times } from "./folding.ts";
import { Illegal } from "./pass.ts";
import type { Course, Walk } from "./walk.ts";

/** An array that the loop may read through a window. */
export interface Input {
  readonly input: Symbol;
  readonly loc: Loc;
  readonly element: CType;
  readonly n: Neighbourhood;
  /** The elements that the device has, if known. */
  readonly extent?: { readonly from: Expr; readonly length: Expr };
  readonly refuse: (message: string, loc?: Loc, remedy?: string) => never;
}

/** Throws `Illegal` if a window over the array would be wrong, or cannot be proved correct. */
export function checkedInput(task: Task, loop: Loop, { input, loc }: WindowRequest): Input {
  const refuse = (message: string, at: Loc = loc, remedy?: string): never => {
    throw new Illegal({
      code: "window",
      loc: at,
      message: `no window over '${input.name}': ${message}`,
      why: "a delay line serves accesses at constant distances from a place that moves by one element per iteration",
      remedy: remedy ?? "remove the window directive, or write the loop so that this holds",
    });
  };
  const element = elementType(input.type);
  if (!element || canonical(element).kind === "array" || canonical(element).kind === "void")
    return refuse(`'${input.name}' is not an array of one dimension with constant extents`);
  const n = neighbourhood(loop, input);
  if (isRefusal(n)) return refuse(n.reason, n.loc);
  const extent = extentOf(input, task);
  const result: Input = { input, loc, element: unqualified(element), n, refuse, ...(extent && { extent }) };
  checkAliases(result, loop);
  return result;
}

function checkAliases({ input, n, refuse }: Input, loop: Loop): void {
  const uses = usesOf(loop.body);
  const offsets = new Set(n.accesses.filter((a) => a.read).map((a) => `${a.range.min} ${a.range.max}`));
  for (const [sym, use] of uses.of) {
    if (sym === input || !use.elementsWritten || uses.declared.has(sym)) continue;
    if (distinct(input, sym)) continue;
    // Independent iterations must not write what others read, and with two offsets some other iteration reads it.
    if (loop.parallel.independence === "independent" && offsets.size > 1) continue;
    refuse(
      `'${sym.name}' may be the same memory under another name`,
      use.at.span.start,
      `declare '${sym.name}' and '${input.name}' restrict, or assert 'loop independent'`,
    );
  }
  const windowed = new Set(loop.hints?.windows?.map((w) => w.input));
  for (const a of n.accesses) {
    const test = testUsing(a.offset, windowed);
    if (test) refuse(`'${printExpr(a.expr)}' chooses its element by the value of another`, test.span.start);
  }
  const writes = n.accesses.some((a) => a.written);
  for (const [callee, call] of uses.calls)
    if (!isBuiltin(callee) && (writes || isGlobal(input)))
      refuse(`'${callee.name}' is called, which might use '${input.name}'`, call.span.start);
}

function testUsing(o: Offset, arrays: ReadonlySet<Symbol>): Expr | undefined {
  if (o.kind === "sum") return undefined;
  let uses = false;
  walkExpr(o.test, {
    expr(e) {
      if (e.kind === "ident" && arrays.has(e.sym)) uses = true;
    },
  });
  return uses ? o.test : (testUsing(o.then, arrays) ?? testUsing(o.else, arrays));
}

/** The extent in a data clause of the region, else that of the array's type. */
export function extentOf(array: Symbol, task: Task): { from: Expr; length: Expr } | undefined {
  const item = task.items.find((i) => i.sym === array && i.object.kind === "ident");
  const type = canonical(array.type);
  const entire = type.kind === "array" && typeof type.size === "number" ? intLit(type.size, LONG) : undefined;
  const [dim] = item?.section ?? [];
  if (dim?.stride) return undefined;
  if (!dim) return entire && { from: constant(0n), length: entire };
  const values = new Set(
    argumentsOf(task)
      .filter((a) => a.how === "value")
      .map((a) => a.sym),
  );
  const usable = (e: Expr) =>
    evaluateInteger(e) !== undefined ||
    (item?.mapping.vis === "explicit" &&
      [...usesOf(e).of].every(([s, u]) => values.has(s) && !u.elementsRead));
  const from = dim.start ?? constant(0n);
  const length = dim.length ?? entire;
  return length && usable(from) && usable(length) ? { from: long(from), length: long(length) } : undefined;
}

// ---------------------------------------------------------------- the line

/** How the walk traverses the array: row by row as in memory, or in blocks. */
type Way =
  | { readonly by: "rows"; readonly course: Course }
  /** `column`: the required position of each load, modulo the number of lanes. */
  | { readonly by: "blocks"; readonly array: BlockedArray; readonly column?: bigint };

export interface Line extends Input {
  readonly line: Symbol;
  readonly length: number;
  /** Positions between the oldest element and the iteration's place, and from there to the newest. */
  readonly behind: bigint;
  readonly ahead: bigint;
  readonly inPlace: boolean;
  readonly way: Way;
  /** Positions that are read besides those of the accesses, relative to the iteration's place. */
  readonly besides: readonly bigint[];
}

export function lineOver(input: Input, way: Way, lanes: number, besides: readonly bigint[] = []): Line {
  const { n, refuse } = input;
  const ends = n.accesses.flatMap(({ offset, range }) => {
    const { min, max } = way.by === "blocks" ? way.array.reach(offset) : range;
    return way.by === "blocks" ? [min, max] : [along(way, min), along(way, max)];
  });
  const [first, last] = [least([...ends, ...besides]), most([...ends, ...besides])];
  const rest = way.by === "blocks" && way.column !== undefined ? way.column - last : 0n;
  const ahead = last + modulo(rest, BigInt(lanes));
  if (ahead - first >= 1n << 24n) refuse(`accesses are up to ${last - first} elements apart`);
  const length = Number(ahead - first) + lanes;
  const line = freshSymbol(`arc_${input.input.name}_window`, arrayOf(input.element, length));
  const inPlace = n.accesses.some((a) => a.written);
  return { ...input, line, length, behind: -first, ahead, inPlace, way, besides };
}

/** An offset in memory, in the direction of the walk. */
function along(way: Way, offset: bigint): bigint {
  return way.by === "blocks" ? way.array.project(offset) : offset * way.course.direction;
}

/** A step of the loop: `factor` positions, one per lane, starting `warm` positions before the first iteration. */
export interface Step {
  readonly position: Symbol;
  readonly lane: Symbol;
  readonly factor: number;
  readonly warm: number;
}

interface Move {
  /** Declarations before the loop. */
  readonly before: readonly Stmt[];
  readonly move: Stmt;
  /** Statements after the move. */
  readonly advance: readonly Stmt[];
}

/** Advances the line by a step. */
export function moveOf(line: Line, walk: Walk, { position, lane, factor, warm }: Step, at: Stmt): Move {
  const { input, ahead, way } = line;
  const lead = way.by === "blocks" ? way.array.lead(ahead - BigInt(warm)) : undefined;
  const one: Expr = factor === 1 ? constant(0n) : ident(lane);
  const place =
    way.by === "rows"
      ? add(way.course.base, times(add(add(ident(position), one), constant(ahead)), way.course.direction))
      : add(lead?.load as Expr, one);
  const guard = guardOf(line, walk, place);
  return {
    before: lead?.before ?? [],
    move: idiom<DelayLine>(
      {
        kind: "delayline",
        line: ident(line.line),
        type: line.element,
        length: line.length,
        shift: factor,
        taps: tapsOf(line, factor),
        ...(line.inPlace && { written: writtenPlaces(line, factor) }),
        ...(factor > 1 && { lane }),
        ...(guard && { guard }),
        value: index(ident(input), place),
      },
      at,
    ),
    advance: lead?.advance ?? [],
  };
}

/**
 * The maximum number of positions between the one where the line takes in the array's first element and the first
 * iteration.
 */
export function leadOf({ extent, way, ahead }: Line): number {
  const [base, from, length] = [
    way.by === "rows" ? way.course.base : undefined,
    extent?.from,
    extent?.length,
  ].map((e) => e && evaluateInteger(e));
  if (way.by !== "rows" || base === undefined || from === undefined || length === undefined)
    return Number.POSITIVE_INFINITY;
  const first = way.course.direction > 0n ? base - from : from + length - 1n - base;
  return Number(first + ahead);
}

/** The condition that the element at `place` exists; undefined: always. */
export function guardOf({ extent, n, way, input, refuse }: Line, walk: Walk, place: Expr): Expr | undefined {
  if (extent) return conj([atLeast(place, extent.from), less(place, add(extent.from, extent.length))]);
  if (way.by === "blocks") throw new Error("blocks of an array whose extent is not known");
  // Elements that every iteration reads exist, and so do those between them.
  const all = n.accesses.flatMap(ends);
  const certain = n.accesses.filter((a) => !a.conditional).flatMap(ends);
  if (certain.length === 0 || least(certain) !== least(all) || most(certain) !== most(all)) {
    const conditional = n.accesses.find((a) => a.conditional) as ElementAccess;
    refuse(
      `'${printExpr(conditional.expr)}' is read only under a condition, and how many elements '${input.name}' has is not known`,
      conditional.expr.span.start,
      `give its extent in a data clause of the region: copyin(${input.name}[0:n])`,
    );
  }
  const { base, direction } = way.course;
  const far = times(add(walk.end, constant(-1n)), direction);
  const reach = (d: bigint) => add(base, constant(d));
  const [low, high] =
    direction > 0n
      ? [reach(least(all)), add(reach(most(all)), far)]
      : [add(reach(least(all)), far), reach(most(all))];
  return conj([atLeast(place, low), atLeast(high, place)]);
}

/** Places of the line that lanes read, if all are constant. */
export function tapsOf({ n, behind, way, besides }: Line, lanes: number): readonly number[] | "all" {
  const places = new Set(besides.map((d) => Number(behind + d)));
  const collect = (o: Offset): boolean => {
    if (o.kind === "choice") return collect(o.then) && collect(o.else);
    if (o.inner.size > 0) return false;
    for (let lane = 0; lane < lanes; lane++) places.add(Number(behind + along(way, o.constant)) + lane);
    return true;
  };
  return n.accesses.every((a) => collect(a.offset)) ? [...places].sort((a, b) => a - b) : "all";
}

/** Places that lanes may write. */
function writtenPlaces({ n, behind, way }: Line, lanes: number): readonly number[] {
  const places = new Set<number>();
  for (const access of n.accesses.filter((a) => a.written)) {
    const reach = ends(access).map((d) => behind + along(way, d));
    for (let place = Number(least(reach)); place < Number(most(reach)) + lanes; place++) places.add(place);
  }
  return [...places].sort((a, b) => a - b);
}

/**
 * What is known about shared elements of steps: iterations run in order, `factor` per step. An array updated in place
 * is loaded only ahead of its stores, whatever elements the iterations read.
 */
export function apartInSteps(loop: Loop, lines: readonly Line[], factor: number): readonly Apart[] {
  const windowed = new Set(lines.map((l) => l.input));
  const proved = (loop.hints?.apart ?? []).filter((a) => !windowed.has(a.array));
  const updated = lines.flatMap((l): Apart[] =>
    l.inPlace && isUnaliased(loop, l.input) ? [updates(l)] : [],
  );
  return [...proved, ...updated].flatMap(({ array, distance, loadsFirst }): Apart[] => {
    if (distance === undefined) return [{ array }];
    const steps = Math.floor(distance / factor);
    if (loadsFirst) return [{ array, distance: Math.max(1, steps), loadsFirst }];
    return steps === 0 ? [] : [{ array, distance: steps }];
  });
}

/** Whether no other variable may lead to the array's memory. */
export function isUnaliased(loop: Loop, array: Symbol): boolean {
  const { of, declared } = usesOf(loop.body);
  return [...of].every(
    ([sym, use]) =>
      sym === array ||
      declared.has(sym) ||
      !(use.elementsRead || use.elementsWritten) ||
      distinct(sym, array),
  );
}

/** Distances between the load and the stores of an element, and between stores. */
function updates({ input, n, way, ahead }: Line): Apart {
  const places = n.accesses.flatMap((a) => (a.written ? ends(a) : [])).map((d) => along(way, d));
  const all = [ahead, ...places];
  const apart = all.flatMap((p) => all.map((q) => p - q)).filter((d) => d > 0n);
  if (apart.length === 0) return { array: input };
  // An element is loaded when it comes within reach, which is before any iteration stores it.
  return { array: input, distance: Number(least(apart)), loadsFirst: true };
}

// ---------------------------------------------------------------- the body

/**
 * The loop's body with reads from the lines, for the iteration of `lane`; writes go to memory and also to the line, so
 * that later iterations see them.
 */
export function readingLines(loop: Loop, lines: readonly Line[], lane: Expr): Stmt {
  const found = new Map<Expr, { readonly access: ElementAccess; readonly of: Line }>();
  for (const of of lines) for (const access of of.n.accesses) found.set(access.expr, { access, of });
  const pending = new Set([...found.values()].filter(({ access }) => access.written));
  const inner = new Set([...found.values()].flatMap(({ access }) => innerVariables(access.offset)));
  const place = (o: Offset, of: Line): Expr =>
    o.kind === "choice"
      ? cond(o.test, place(o.then, of), place(o.else, of))
      : index(ident(of.line), tap(o, of, lane));
  // Accesses are found by identity: mapping preserves nodes with unchanged parts, such as subscripts.
  const expr = (e: Expr): Expr => {
    const target = e.kind === "assign" ? found.get(stripImplicit(e.left)) : undefined;
    if (e.kind === "assign" && target && target.access.offset.kind === "sum") {
      pending.delete(target);
      return assign(target.access.expr, { ...e, left: place(target.access.offset, target.of) });
    }
    const read = found.get(e);
    return read && !read.access.written ? place(read.access.offset, read.of) : e;
  };
  const stmt = (s: Stmt): Stmt => {
    // Unroll inner loops over the neighbourhood, so that every tap is at a constant place.
    const v = s.kind === "for" && s.init?.kind === "decl" ? s.init.decls[0]?.sym : undefined;
    return v && inner.has(v) && !s.pragmas?.length ? { ...s, pragmas: [unrollPragma(0)] } : s;
  };
  const rewritten = mapStmt(loop.body, { expr, stmt });
  for (const { access, of } of pending)
    of.refuse(
      `'${printExpr(access.expr)}' is changed other than by an assignment at a constant distance`,
      access.expr.span.start,
    );
  return rewritten;
}

/** The place in the line of an element that `lane`'s iteration reads. */
function tap(offset: Offset & { readonly kind: "sum" }, { way, behind }: Line, lane: Expr): Expr {
  let at: Expr = add(lane, constant(behind + along(way, offset.constant)));
  for (const [sym, c] of offset.inner) at = add(at, times(ident(sym), along(way, c)));
  return at;
}

function innerVariables(o: Offset): Symbol[] {
  return o.kind === "sum" ? [...o.inner.keys()] : [...innerVariables(o.then), ...innerVariables(o.else)];
}

const ends = ({ range }: { readonly range: Interval }) => [range.min, range.max];
const least = (values: readonly bigint[]) => values.reduce((a, b) => (a < b ? a : b));
const most = (values: readonly bigint[]) => values.reduce((a, b) => (a > b ? a : b));
const modulo = (a: bigint, by: bigint) => ((a % by) + by) % by;
