/**
 * Tiled loop nests: a loop over tiles, in which the loops over a tile's elements run in order.
 *
 *     tile(16, 4)                            for each tile (it, jt) of ceil(n / 16) x ceil(m / 4)
 *     for (i = 0; i < n; i++)        =>        for (i = it * 16; i < min(n, it * 16 + 16); i++)
 *       for (j = 0; j < m; j++)                  for (j = jt * 4; j < min(m, jt * 4 + 4); j++)
 *
 * If groups have several work-items, the tile is the group's shape instead (`groupShape`); or if it does not have one
 * element per item, a group takes the tile and its items share the elements (`tiledForGroups`).
 */
import { itemAt } from "../../../core/checked/access.ts";
import { asNode, extStmt, type Loop, type LoopHeader } from "../../../core/ir/model/ir.ts";
import { evaluateInteger, isPointer, LONG, mapStmt, walkStmt } from "../../../core/lang/index.ts";
import type { Diagnostic, Expr, Stmt } from "../../../core/lang/tree/ast.ts";
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

/** Default tile size for a dimension: tiles of two dimensions fit a first-level cache. */
const OPEN = 32;

/** Tile sizes of each loop, outermost first, if constant. */
function tileSizes({ parallel, headers }: Loop): readonly number[] | undefined {
  const sizes = parallel.tile?.map((e) => (e === "*" ? OPEN : Number(evaluateInteger(e) ?? 0n)));
  return sizes?.length === headers.length && sizes.every((s) => s > 0) ? sizes : undefined;
}

export interface Tiled {
  readonly body: Stmt;
  /** The loops over tiles: the original loop of each, and how many of its iterations make one tile. */
  readonly headers: ReadonlyMap<LoopHeader, { readonly of: LoopHeader; readonly size: number }>;
}

/** `body` with its tiled loops as loops over tiles. */
export function tiled(body: Stmt): Tiled {
  return inTiles(body, (loop, dims) => {
    const elements = sequentialNest(
      dims.map((d) => d.elements),
      loop.body,
    );
    return {
      ...loop,
      headers: dims.map((d) => d.tiles),
      body: compound([...dims.flatMap((d) => d.before), elements], loop.body.span),
    };
  });
}

/**
 * The same if items share a tile's elements, as in OpenACC: gangs take tiles, workers and lanes elements. Tiles or
 * elements without such a level run in order.
 */
export function tiledForGroups(body: Stmt): Tiled {
  return inTiles(body, (loop, dims, sizes) => {
    const { levels, gangs, workers, lanes, tile: _, free: __, ...parallel } = loop.parallel;
    const ofElements = levels.filter((l) => l !== "gang");
    const size = sizes.reduce((a, b) => a * b, 1);
    // No more lanes than elements, in whole warps.
    const few = lanes ?? (size < ENOUGH ? intLit(Math.ceil(size / WARP) * WARP, LONG) : undefined);
    const elements: Stmt =
      ofElements.length > 0
        ? extStmt(
            {
              ...loop,
              headers: dims.map((d) => d.shared.header),
              body: compound([...dims.map((d) => d.shared.value), loop.body], loop.body.span),
              parallel: {
                ...parallel,
                levels: ofElements,
                ...(workers && { workers }),
                ...(few && { lanes: few }),
              },
            },
            loop.body.span,
          )
        : sequentialNest(
            dims.map((d) => d.elements),
            loop.body,
          );
    return {
      ...loop,
      headers: dims.map((d) => d.tiles),
      privates: ofElements.length > 0 ? [] : loop.privates,
      reductions: levels.includes("gang") || ofElements.length === 0 ? loop.reductions : [],
      parallel: {
        ...parallel,
        levels: levels.filter((l) => l === "gang"),
        ...(levels.includes("gang") ? gangs && { gangs } : { independence: "seq" }),
      },
      body: compound(
        [...dims.flatMap((d) => (ofElements.length > 0 ? d.shared.before : d.before)), elements],
        loop.body.span,
      ),
    };
  });
}

function inTiles(
  body: Stmt,
  rebuilt: (loop: Loop, dims: readonly Dimension[], sizes: readonly number[]) => Loop,
): Tiled {
  const headers = new Map<LoopHeader, { of: LoopHeader; size: number }>();
  const tiled = mapStmt(body, {
    stmt(s) {
      const loop = asNode(s, "loop");
      const sizes = loop && loop.parallel.independence !== "seq" && tileSizes(loop);
      if (!loop || !sizes || s.kind !== "ext" || sizes.every((size) => size === 1)) return s;
      const dims = loop.headers.map((h, k) => dimension(h, itemAt(sizes, k)));
      for (const [k, d] of dims.entries())
        headers.set(d.tiles, { of: itemAt(loop.headers, k), size: d.size });
      return { ...s, ext: rebuilt(loop, dims, sizes) };
    },
  });
  return { body: tiled, headers };
}

/** Why requested tiles are not used. */
export function untiled(body: Stmt, inOrder: boolean, device: "order" | "groups" | undefined): Diagnostic[] {
  const remarks: Diagnostic[] = [];
  walkStmt(body, {
    stmt(s) {
      const loop = asNode(s, "loop");
      if (!loop?.parallel.tile) return;
      const sizes = tileSizes(loop);
      const why = whyUntiled(loop, sizes, inOrder, device);
      const { loc } = loop.site;
      if (why)
        remarks.push({ severity: "note", code: "not-tiled", loc, message: `'tile' is left out: ${why}` });
      else if (device === "groups" && sizes && loop.parallel.levels.some((l) => l !== "gang")) {
        const size = sizes.reduce((a, b) => a * b, 1);
        if (size > 1 && size < WARP)
          remarks.push({
            severity: "note",
            code: "tile-small",
            loc,
            message: `a tile has ${size} iterations, and a group has at least ${WARP} lanes: the others are idle`,
            remedy: `ask for tiles of a multiple of ${WARP} iterations`,
          });
      }
    },
  });
  return remarks;
}

function whyUntiled(
  { parallel, headers }: Loop,
  sizes: readonly number[] | undefined,
  inOrder: boolean,
  device: "order" | "groups" | undefined,
): string | undefined {
  if (inOrder) return "the region runs in order, and the loops as they are written";
  if (parallel.independence === "seq")
    return "the loop runs in order, and its iterations in that of the source";
  if (!device)
    return "the device's kernels run this loop as a pipeline, whose memory accesses follow the source's order";
  if (!sizes && parallel.tile?.length !== headers.length)
    return "another directive took loops from the nest that it names";
  return sizes ? undefined : "its sizes are not known when the program is built";
}

/** Lanes that run in lock-step, and the default number of lanes in a group. */
const WARP = 32;
const ENOUGH = 256;

interface Dimension {
  readonly size: number;
  readonly tiles: LoopHeader;
  /** The first element of a tile and its end. */
  readonly before: readonly Stmt[];
  readonly elements: LoopHeader;
  /** A tile's elements for sharing among items: counted from 0, their number, and the loop variable's value. */
  readonly shared: { readonly before: readonly Stmt[]; readonly header: LoopHeader; readonly value: Stmt };
}

function dimension(h: LoopHeader, size: number): Dimension {
  const named = (what: string) => freshSymbol(`arc_${h.var.name}_${what}`, LONG);
  const [tile, first] = [named("tile"), named("first")];
  const end = isPointer(h.var.type) ? freshSymbol(`arc_${h.var.name}_end`, h.var.type) : named("end");
  const n = tripCount(h);
  const behind = binary("+", ident(first), intLit(size, LONG));
  const last: Expr = cond(binary("<", n, behind), n, behind);
  const rounded = binary("+", n, intLit(size - 1, LONG));
  const [count, element] = [named("count"), named("element")];
  const start = declare(first, binary("*", ident(tile), intLit(size, LONG)));
  const rest = binary("-", n, ident(first));
  const fewer = cond(binary("<", rest, intLit(size, LONG)), rest, intLit(size, LONG));
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
    before: [start, declare(end, reachedAt(h, last))],
    shared: {
      before: [start, declare(count, fewer)],
      header: {
        var: element,
        declares: true,
        lower: intLit(0, LONG),
        relation: "<",
        bound: ident(count),
        step: intLit(1, LONG),
        span: h.span,
      },
      value: declare(h.var, valueAt(h, binary("+", ident(first), ident(element)))),
    },
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
