/**
 * Divides a windowed nest into blocks with a halo, so that a window's size does not grow with the length of the rows:
 *
 *     for (k...) for (j...) for (i...)   =>   for (j block) for (i block)
 *                                               traverse k, and in it the block with its halo
 *
 * A block is traversed as if it were a separate array, with rows as long as the block and its halo; elements are loaded
 * from their original locations. The order of iterations changes, so they must be independent.
 */

import { tripCount } from "../../../../targets/shared/loops/trips.ts";
import { entryOf, firstOf, itemAt } from "../../../checked/access.ts";
import type { Interval, Neighbourhood, Offset } from "../../../ir/analysis/loops/neighbourhood.ts";
import { asNode, type Loop, type LoopHeader } from "../../../ir/model/ir.ts";
import { evaluateInteger, LONG } from "../../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  exprStmt,
  forStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
} from "../../../lang/tree/build.ts";
import { counters } from "./counters.ts";
import { add, constant, long, times } from "./folding.ts";
import { firstElement, type Walk, type Walked } from "./walk.ts";

export interface Blocks {
  /** In the order in which the arrays were given. */
  readonly arrays: readonly BlockedArray[];
  /** The walk through one block. */
  readonly walk: Walk;
  /** Declarations before all blocks. */
  readonly before: readonly Stmt[];
  /** Wraps the walk of one block in loops over all blocks. */
  around(walk: Stmt): Stmt;
  /** Positions in a block's rows, including the halo. */
  readonly sizes: readonly number[];
}

/** One array in a walk through blocks. */
export interface BlockedArray {
  /** Converts an offset in memory to elements of the walk. */
  project(offset: bigint): bigint;
  /** The range of all elements that an access may touch. */
  reach(offset: Offset): Interval;
  /** The element loaded at position `from`, which may be before the block; a step advances it. */
  lead(from: bigint): {
    readonly before: readonly Stmt[];
    readonly load: Expr;
    readonly advance: readonly Stmt[];
  };
}

/** Returns a reason if the nest cannot be divided into blocks of `size` iterations of each loop but the outermost. */
export function blocksOf(
  loop: Loop,
  arrays: readonly Walked[],
  size: number,
  factor: number,
): Blocks | string {
  const { headers } = loop;
  if (headers.length < 2) return "there is one loop, and its window does not grow with rows";
  if (loop.parallel.independence !== "independent") return "the iterations may depend on each other's order";
  if (headers.slice(1).some((h) => evaluateInteger(h.step) !== 1n || !["<", "<="].includes(h.relation)))
    return "an inner loop does not count up by 1";
  const shaped: Shaped[] = [];
  for (const { input, n } of arrays) {
    if (n.accesses.some((a) => a.written))
      return `'${input.name}' is updated in place, in an order that blocks would change`;
    const strides = headers.map((h) => (n.base.loop.get(h.var) ?? 0n) * (evaluateInteger(h.step) ?? 0n));
    if (strides.some((s) => s <= 0n) || strides.at(-1) !== 1n)
      return `the loops do not walk through '${input.name}' upwards, element by element`;
    const reach = shapeOf(strides, n);
    if (typeof reach === "string") return reach;
    shaped.push({ input, n, strides, reach });
  }
  return cut(headers, shaped, size, factor);
}

interface Shaped {
  readonly input: Symbol;
  readonly n: Neighbourhood;
  /** Elements per step of each loop. */
  readonly strides: readonly bigint[];
  /** How far accesses reach along each loop. */
  readonly reach: readonly Interval[];
}

/** Splits an offset into multiples of the loops' strides, each rounded to nearest. */
function parts(offset: bigint, strides: readonly bigint[]): readonly bigint[] {
  let rest = offset;
  return strides.map((s, m) => {
    if (m === strides.length - 1) return rest;
    const half = s / 2n;
    const q = (rest >= 0n ? rest + half : rest - half) / s;
    rest -= q * s;
    return q;
  });
}

/** How far accesses reach along each loop. */
function shapeOf(strides: readonly bigint[], n: Neighbourhood): readonly Interval[] | string {
  const reach = (o: Offset): readonly Interval[] => {
    if (o.kind === "choice") return union(reach(o.then), reach(o.else));
    const own = parts(o.constant, strides).map((c): Interval => ({ min: c, max: c }));
    return [...o.inner].reduce<readonly Interval[]>((sum, [sym, c]) => {
      const range = entryOf(n.ranges, sym);
      return sum.map((s, m) => {
        const by = itemAt(parts(c, strides), m);
        const [a, b] = [by * range.min, by * range.max];
        return { min: s.min + (a < b ? a : b), max: s.max + (a < b ? b : a) };
      });
    }, own);
  };
  if (n.accesses.some((a) => unknown(a.offset, n.ranges))) return "an access has no range";
  return n.accesses.map((a) => reach(a.offset)).reduce(union);
}

const union = (a: readonly Interval[], b: readonly Interval[]): readonly Interval[] =>
  a.map((x, m) => {
    const y = itemAt(b, m);
    return { min: x.min < y.min ? x.min : y.min, max: x.max > y.max ? x.max : y.max };
  });

const unknown = (o: Offset, ranges: ReadonlyMap<Symbol, Interval>): boolean =>
  o.kind === "choice"
    ? unknown(o.then, ranges) || unknown(o.else, ranges)
    : [...o.inner.keys()].some((sym) => !ranges.has(sym));

/** What all arrays of the walk share. */
interface Grid {
  /** For each loop except the outermost: positions before the block, and positions including the halo. */
  readonly halo: readonly bigint[];
  readonly widths: readonly bigint[];
  /** Positions of the walk per step of each loop. */
  readonly virtual: readonly bigint[];
  /** First iterations of the block, relative to the lower bounds. */
  readonly starts: readonly Symbol[];
  readonly factor: bigint;
}

function gridOf(inner: readonly LoopHeader[], shaped: readonly Shaped[], size: bigint, factor: bigint): Grid {
  const reach = shaped.map((s): readonly Interval[] => s.reach.slice(1)).reduce(union);
  const halo = reach.map(({ min }) => (min < 0n ? -min : 0n));
  const widths = reach.map(({ max }, m) => {
    const width = itemAt(halo, m) + size + (max > 0n ? max : 0n);
    // The lanes of a step stay in one row.
    const rest = m === inner.length - 1 ? width % factor : 0n;
    return rest === 0n ? width : width + factor - rest;
  });
  const virtual = [1n];
  for (const width of widths.toReversed()) virtual.unshift(firstOf(virtual) * width);
  const starts = inner.map((h) => freshSymbol(`arc_${h.var.name}_block`, LONG));
  return { halo, widths, virtual, starts, factor };
}

function cut(
  headers: readonly LoopHeader[],
  shaped: readonly Shaped[],
  blockSize: number,
  factor: number,
): Blocks {
  const size = BigInt(blockSize);
  const [outer, ...inner] = headers as readonly [LoopHeader, ...LoopHeader[]];
  const grid = gridOf(inner, shaped, size, BigInt(factor));
  const { halo, widths, virtual, starts } = grid;
  const rows = freshSymbol(`arc_n_${outer.var.name}`, LONG);
  const start = (h: LoopHeader, m: number) => add(long(h.lower), ident(itemAt(starts, m)));
  const from = inner.map((h, m) => add(start(h, m), constant(-itemAt(halo, m))));
  const moved = [outer, ...inner.map((h, m): LoopHeader => ({ ...h, lower: itemAt(from, m) }))];
  const passed = (h: LoopHeader): Expr | undefined => {
    const m = moved.indexOf(h) - 1;
    return m < 0
      ? undefined
      : binary("==", long(ident(h.var)), add(itemAt(from, m), constant(itemAt(widths, m))));
  };
  const count = counters(moved, passed);
  const arrays = shaped.map((s) => new Cut(grid, s, firstElement(s.n, headers)));
  return {
    arrays,
    walk: {
      before: count.before,
      end: times(ident(rows), firstOf(virtual)),
      inside: inner.flatMap((h, m) => [
        binary(">=", long(ident(h.var)), start(h, m)),
        binary("<", long(ident(h.var)), add(start(h, m), constant(size))),
        binary(h.relation, ident(h.var), h.bound),
      ]),
      advance: count.advance,
      strides: virtual,
    },
    before: [...arrays.map((a) => a.declaration), declare(rows, tripCount(outer))],
    around: (walk) =>
      starts.reduceRight((body, symbol, m) => {
        const block = ident(symbol);
        return forStmt(
          declare(symbol, intLit(0)),
          binary("<", block, tripCount(itemAt(inner, m))),
          assign(block, constant(size), "+="),
          asNode(body, "loop") ? compound([body]) : body,
        );
      }, walk),
    sizes: widths.map(Number),
  };
}

class Cut implements BlockedArray {
  readonly declaration: Stmt;
  private readonly name: string;
  private readonly first: Symbol;
  private readonly grid: Grid;
  private readonly strides: readonly bigint[];
  private readonly ranges: ReadonlyMap<Symbol, Interval>;

  constructor(grid: Grid, { input, n, strides }: Shaped, first: Expr) {
    this.grid = grid;
    this.strides = strides;
    this.ranges = n.ranges;
    this.name = input.name;
    this.first = freshSymbol(`arc_${input.name}_first`, LONG);
    this.declaration = declare(this.first, first);
  }

  project(offset: bigint): bigint {
    const { virtual } = this.grid;
    return parts(offset, this.strides).reduce((sum, c, m) => sum + c * itemAt(virtual, m), 0n);
  }

  reach(offset: Offset): Interval {
    if (offset.kind === "choice") {
      const [a, b] = [this.reach(offset.then), this.reach(offset.else)];
      return firstOf(union([a], [b]));
    }
    const start = this.project(offset.constant);
    return [...offset.inner].reduce<Interval>(
      ({ min, max }, [sym, c]) => {
        const range = entryOf(this.ranges, sym);
        const [a, b] = [this.project(c) * range.min, this.project(c) * range.max];
        return { min: min + (a < b ? a : b), max: max + (a < b ? b : a) };
      },
      { min: start, max: start },
    );
  }

  /** The element's row and column as separate counters. */
  lead(from: bigint): { before: readonly Stmt[]; load: Expr; advance: readonly Stmt[] } {
    const { virtual, starts, halo, widths, factor } = this.grid;
    let rest = from;
    const initial = virtual.map((v, m) => {
      if (m === virtual.length - 1) return rest;
      const q = rest >= 0n ? rest / v : -((-rest + v - 1n) / v);
      rest -= q * v;
      return q;
    });
    const places = initial.map((_, m) => freshSymbol(`arc_${this.name}_lead_${m}`, LONG));
    let load: Expr = ident(this.first);
    places.forEach((place, m) => {
      const at: Expr =
        m === 0
          ? ident(place)
          : add(add(ident(place), ident(itemAt(starts, m - 1))), constant(-itemAt(halo, m - 1)));
      load = add(load, times(at, itemAt(this.strides, m)));
    });
    const step = (m: number): Stmt[] => {
      const place = ident(itemAt(places, m));
      const by = exprStmt(assign(place, constant(m === places.length - 1 ? factor : 1n), "+="));
      if (m === 0) return [by];
      const full = binary(">=", place, constant(itemAt(widths, m - 1)));
      return [by, ifStmt(full, compound([exprStmt(assign(place, intLit(0))), ...step(m - 1)]))];
    };
    return {
      before: places.map((place, m) => declare(place, constant(itemAt(initial, m)))),
      load,
      advance: step(places.length - 1),
    };
  }
}
