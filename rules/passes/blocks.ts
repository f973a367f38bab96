/**
 * Blocks of a windowed nest with halo, so that a window's size does not grow with the rows:
 *
 *     for (k...) for (j...) for (i...)   =>   for (j block) for (i block)
 *                                               walk k, and in it the block with the halo around it
 *
 * The walk goes through a block as if it were an array of its own, whose rows are as long as the block and its
 * halo; elements are loaded from where they are. Iterations run in another order, so they must be independent.
 */
import { asNode, type Loop, type LoopHeader } from "../../core/ir/ir.ts";
import type { Interval, Neighbourhood, Offset } from "../../core/ir/neighbourhood.ts";
import type { Expr, Stmt, Symbol } from "../../core/lang/ast.ts";
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
} from "../../core/lang/build.ts";
import { evaluateInteger, LONG } from "../../core/lang/index.ts";
import { tripCount } from "../../targets/shared/trips.ts";
import { counters } from "./counters.ts";
import { add, constant, long, times } from "./folding.ts";

export interface Blocks {
  /** Where an offset in memory is, in elements of the walk. */
  project(offset: bigint): bigint;
  /** Of all places that an access may take. */
  reach(offset: Offset): Interval;
  /** Positions of the walk in one block. */
  readonly end: Expr;
  /** Declarations in front of all blocks, and within each. */
  readonly before: readonly Stmt[];
  readonly within: readonly Stmt[];
  /** What must hold for a position to be an iteration. */
  readonly inside: readonly Expr[];
  /** Steps the loop variables to the next position. */
  readonly advance: readonly Stmt[];
  /** The element that is loaded `ahead` of position 0 after `steps` of `factor` less; a step moves it on. */
  lead(from: bigint): {
    readonly before: readonly Stmt[];
    readonly load: Expr;
    readonly advance: readonly Stmt[];
  };
  /** The walk of one block, for every block. */
  around(walk: Stmt): Stmt;
  readonly sizes: readonly number[];
}

/** A reason where the nest cannot be cut into blocks of `size` iterations of each loop but the outermost. */
export function blocksOf(loop: Loop, n: Neighbourhood, size: number, factor: number): Blocks | string {
  const { headers } = loop;
  if (headers.length < 2) return "there is one loop, and its window does not grow with rows";
  if (loop.parallel.independence !== "independent") return "the iterations may depend on each other's order";
  if (n.accesses.some((a) => a.written))
    return "it is updated in place, in an order that blocks would change";
  const strides = headers.map((h) => (n.base.loop.get(h.var) ?? 0n) * (evaluateInteger(h.step) ?? 0n));
  if (strides.some((s) => s <= 0n) || strides.at(-1) !== 1n)
    return "the loops do not walk through memory upwards, element by element";
  if (headers.slice(1).some((h) => evaluateInteger(h.step) !== 1n || !["<", "<="].includes(h.relation)))
    return "an inner loop does not count up by 1";
  const shapes = shapeOf(strides, n);
  if (typeof shapes === "string") return shapes;
  return new Cut(headers, strides, n, shapes, size, factor);
}

/** Offsets per loop: the multiple of each stride that is nearest. */
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
      const range = n.ranges.get(sym) as Interval;
      return sum.map((s, m) => {
        const by = parts(c, strides)[m] as bigint;
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
    const y = b[m] as Interval;
    return { min: x.min < y.min ? x.min : y.min, max: x.max > y.max ? x.max : y.max };
  });

const unknown = (o: Offset, ranges: ReadonlyMap<Symbol, Interval>): boolean =>
  o.kind === "choice"
    ? unknown(o.then, ranges) || unknown(o.else, ranges)
    : [...o.inner.keys()].some((sym) => !ranges.has(sym));

class Cut implements Blocks {
  readonly end: Expr;
  readonly before: readonly Stmt[];
  readonly within: readonly Stmt[];
  readonly inside: readonly Expr[];
  readonly advance: readonly Stmt[];
  readonly sizes: readonly number[];
  private readonly strides: readonly bigint[];
  private readonly ranges: ReadonlyMap<Symbol, Interval>;
  /** Of each loop but the outermost: elements in front of the block, and positions with the halo. */
  private readonly halo: readonly bigint[];
  private readonly widths: readonly bigint[];
  /** Elements of the walk per step of each loop. */
  private readonly virtual: readonly bigint[];
  private readonly starts: readonly Symbol[];
  private readonly trips: readonly Expr[];
  private readonly size: bigint;
  private readonly first: Symbol = freshSymbol("arc_first", LONG);
  private readonly factor: bigint;

  constructor(
    headers: readonly LoopHeader[],
    strides: readonly bigint[],
    n: Neighbourhood,
    shapes: readonly Interval[],
    size: number,
    factor: number,
  ) {
    this.strides = strides;
    this.ranges = n.ranges;
    this.size = BigInt(size);
    this.factor = BigInt(factor);
    const inner = headers.slice(1);
    const reach = shapes.slice(1);
    this.halo = reach.map(({ min }) => (min < 0n ? -min : 0n));
    this.widths = reach.map(({ max }, m) => {
      const width = (this.halo[m] as bigint) + this.size + (max > 0n ? max : 0n);
      // The lanes of a step stay in one row.
      const rest = m === inner.length - 1 ? width % this.factor : 0n;
      return rest === 0n ? width : width + this.factor - rest;
    });
    const virtual = [1n];
    for (let m = this.widths.length - 1; m >= 0; m--)
      virtual.unshift((virtual[0] as bigint) * (this.widths[m] as bigint));
    this.virtual = virtual;
    this.sizes = this.widths.map(Number);

    const outer = headers[0] as LoopHeader;
    let first: Expr = constant(0n);
    for (const h of headers) first = add(first, times(long(h.lower), n.base.loop.get(h.var) ?? 0n));
    for (const [sym, c] of n.base.invariant) first = add(first, times(long(ident(sym)), c));
    const rows = freshSymbol(`arc_n_${outer.var.name}`, LONG);
    this.trips = inner.map((h) => tripCount(h));
    this.before = [declare(this.first, first), declare(rows, tripCount(outer))];
    this.end = times(ident(rows), virtual[0] as bigint);

    this.starts = inner.map((h) => freshSymbol(`arc_${h.var.name}_block`, LONG));
    const from = inner.map((h, m) =>
      add(add(long(h.lower), ident(this.starts[m] as Symbol)), constant(-(this.halo[m] as bigint))),
    );
    const moved = [outer, ...inner.map((h, m): LoopHeader => ({ ...h, lower: from[m] as Expr }))];
    const passed = (h: LoopHeader): Expr | undefined => {
      const m = moved.indexOf(h) - 1;
      return m < 0
        ? undefined
        : binary("==", long(ident(h.var)), add(from[m] as Expr, constant(this.widths[m] as bigint)));
    };
    const count = counters(moved, passed);
    this.within = count.before;
    this.advance = count.advance;
    this.inside = inner.flatMap((h, m) => {
      const start = add(long(h.lower), ident(this.starts[m] as Symbol));
      return [
        binary(">=", long(ident(h.var)), start),
        binary("<", long(ident(h.var)), add(start, constant(this.size))),
        binary(h.relation, ident(h.var), h.bound),
      ];
    });
  }

  project(offset: bigint): bigint {
    return parts(offset, this.strides).reduce((sum, c, m) => sum + c * (this.virtual[m] as bigint), 0n);
  }

  reach(offset: Offset): Interval {
    if (offset.kind === "choice") {
      const [a, b] = [this.reach(offset.then), this.reach(offset.else)];
      return union([a], [b])[0] as Interval;
    }
    const start = this.project(offset.constant);
    return [...offset.inner].reduce<Interval>(
      ({ min, max }, [sym, c]) => {
        const range = this.ranges.get(sym) as Interval;
        const [a, b] = [this.project(c) * range.min, this.project(c) * range.max];
        return { min: min + (a < b ? a : b), max: max + (a < b ? b : a) };
      },
      { min: start, max: start },
    );
  }

  /** Counters of their own: the element's row and column, from a place that may lie in front of the block. */
  lead(from: bigint): { before: readonly Stmt[]; load: Expr; advance: readonly Stmt[] } {
    let rest = from;
    const initial = this.virtual.map((v, m) => {
      if (m === this.virtual.length - 1) return rest;
      const q = rest >= 0n ? rest / v : -((-rest + v - 1n) / v);
      rest -= q * v;
      return q;
    });
    const places = initial.map((_, m) => freshSymbol(`arc_lead_${m}`, LONG));
    let load: Expr = ident(this.first);
    places.forEach((place, m) => {
      const at: Expr =
        m === 0
          ? ident(place)
          : add(
              add(ident(place), ident(this.starts[m - 1] as Symbol)),
              constant(-(this.halo[m - 1] as bigint)),
            );
      load = add(load, times(at, this.strides[m] as bigint));
    });
    const step = (m: number): Stmt[] => {
      const place = ident(places[m] as Symbol);
      const by = exprStmt(assign(place, constant(m === places.length - 1 ? this.factor : 1n), "+="));
      if (m === 0) return [by];
      const full = binary(">=", place, constant(this.widths[m - 1] as bigint));
      return [by, ifStmt(full, compound([exprStmt(assign(place, intLit(0))), ...step(m - 1)]))];
    };
    return {
      before: places.map((place, m) => declare(place, constant(initial[m] as bigint))),
      load,
      advance: step(places.length - 1),
    };
  }

  around(walk: Stmt): Stmt {
    return this.starts.reduceRight((inner, start, m) => {
      const block = ident(start);
      return forStmt(
        declare(start, intLit(0)),
        binary("<", block, this.trips[m] as Expr),
        assign(block, constant(this.size), "+="),
        asNode(inner, "loop") ? compound([inner]) : inner,
      );
    }, walk);
  }
}
