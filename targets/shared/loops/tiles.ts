/**
 * Tiled loop nests: a loop over tiles, in which the loops over a tile's elements run in order.
 *
 *     tile(16, 4)                            for each tile (it, jt) of ceil(n / 16) x ceil(m / 4)
 *     for (i = 0; i < n; i++)        =>        for (i = it * 16; i < min(n, it * 16 + 16); i++)
 *       for (j = 0; j < m; j++)                  for (j = jt * 4; j < min(m, jt * 4 + 4); j++)
 *
 * Where groups have several work-items the tile is the group's shape instead (`groupShape`).
 */
import { asNode, type Loop, type LoopHeader } from "../../../core/ir/model/ir.ts";
import { evaluateInteger, isPointer, LONG, mapStmt } from "../../../core/lang/index.ts";
import type { Expr, Stmt } from "../../../core/lang/tree/ast.ts";
import {
  binary,
  compound,
  cond,
  declare,
  freshSymbol,
  ident,
  intLit,
} from "../../../core/lang/tree/build.ts";
import { sequentialNest } from "./sequential.ts";
import { countsDown, reachedAt, tripCount, valueAt } from "./trips.ts";

/** Elements along a dimension whose size the user leaves open: tiles of two dimensions fit a first-level cache. */
const OPEN = 32;

/** Sizes of the tiles of each loop, outermost first, where they are known now. */
function tileSizes({ parallel, headers }: Loop): readonly number[] | undefined {
  const sizes = parallel.tile?.map((e) => (e === "*" ? OPEN : Number(evaluateInteger(e) ?? 0n)));
  return sizes?.length === headers.length && sizes.every((s) => s > 0) ? sizes : undefined;
}

export interface Tiled {
  readonly body: Stmt;
  /** The loops over tiles: of which loop, and how many iterations of it make one of theirs. */
  readonly headers: ReadonlyMap<LoopHeader, { readonly of: LoopHeader; readonly size: number }>;
}

/** `body` with its tiled loops as loops over tiles. */
export function tiled(body: Stmt): Tiled {
  const headers = new Map<LoopHeader, { of: LoopHeader; size: number }>();
  const made = mapStmt(body, {
    stmt(s) {
      const loop = asNode(s, "loop");
      const sizes = loop && loop.parallel.independence !== "seq" && tileSizes(loop);
      if (!loop || !sizes || s.kind !== "ext" || sizes.every((size) => size === 1)) return s;
      const dims = loop.headers.map((h, k) => dimension(h, sizes[k] as number));
      for (const [k, d] of dims.entries())
        headers.set(d.tiles, { of: loop.headers[k] as LoopHeader, size: d.size });
      const elements = sequentialNest(
        dims.map((d) => d.elements),
        loop.body,
      );
      const ext: Loop = {
        ...loop,
        headers: dims.map((d) => d.tiles),
        body: compound([...dims.flatMap((d) => d.before), elements], s.span),
      };
      return { ...s, ext };
    },
  });
  return { body: made, headers };
}

interface Dimension {
  readonly size: number;
  readonly tiles: LoopHeader;
  /** Where a tile's elements begin and end. */
  readonly before: readonly Stmt[];
  readonly elements: LoopHeader;
}

function dimension(h: LoopHeader, size: number): Dimension {
  const named = (what: string) => freshSymbol(`arc_${h.var.name}_${what}`, LONG);
  const [tile, first] = [named("tile"), named("first")];
  const end = isPointer(h.var.type) ? freshSymbol(`arc_${h.var.name}_end`, h.var.type) : named("end");
  const n = tripCount(h);
  const behind = binary("+", ident(first), intLit(size, LONG));
  const last: Expr = cond(binary("<", n, behind), n, behind);
  const rounded = binary("+", n, intLit(size - 1, LONG));
  return {
    size,
    tiles: {
      var: tile,
      declares: true,
      lower: intLit(0, LONG),
      relation: "<",
      bound: binary("/", rounded, intLit(size, LONG)),
      step: intLit(1, LONG),
      span: h.span,
    },
    before: [declare(first, binary("*", ident(tile), intLit(size, LONG))), declare(end, reachedAt(h, last))],
    elements: {
      ...h,
      lower: valueAt(h, ident(first)),
      relation: countsDown(h) ? ">" : "<",
      bound: ident(end),
    },
  };
}

/** The tile as a group's shape, x along the innermost loop, if it has enough elements to keep lanes busy. */
export function groupShape(loop: Loop, most: number): readonly [number, number] | undefined {
  const sizes = loop.parallel.tile?.includes("*") ? undefined : tileSizes(loop);
  const x = sizes?.at(-1);
  if (!sizes || x === undefined || sizes.length < 2) return undefined;
  const y = sizes.slice(0, -1).reduce((a, b) => a * b, 1);
  return x >= ROW && x * y >= FEWEST && x * y <= most ? [x, y] : undefined;
}

/** Smaller groups keep a compute unit half empty; shorter rows load parts of memory lines. */
const FEWEST = 64;
const ROW = 8;
