/**
 * Matrix products in blocks. The launch chooses the block size: large blocks need the fewest loads, but
 * small products have too few of them to keep the device busy, and tiny matrices would leave most items idle.
 */

import { itemAt } from "../../../../core/checked/access.ts";
import { mapTuple } from "../../../../core/checked/tuples.ts";
import { rootOf } from "../../../../core/ir/analysis/access.ts";
import { extStmt, type LoopHeader, type Threads } from "../../../../core/ir/model/ir.ts";
import { node } from "../../../../core/ir/model/node-shapes.ts";
import { copyWithFreshLocals, evaluateInteger, LONG, sizeOf } from "../../../../core/lang/index.ts";
import type { Diagnostic, Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  binary,
  compound,
  cond,
  declare,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { WARP } from "../../device/exchange.ts";
import { STEP, type StepType } from "../../device/matrix-step.ts";
import { isolate } from "../../loops/alpha-rename.ts";
import { tripCount } from "../../loops/trips.ts";
import type { Operand } from "../../mapping/products/operands.ts";
import type { Product } from "../../mapping/products/product-loop.ts";
import { BlockCode, type Counts, tripsIn } from "./block-code.ts";
import { RUN, type Tiles } from "./layout.ts";

interface ProductCode {
  /** Chooses the block size at launch, or the loop without tiles. */
  readonly body: Stmt;
  readonly groupMemory: readonly Symbol[];
  /** Groups that should fit into a compute unit's registers at a time. */
  readonly resident?: number;
  readonly remark: Diagnostic;
}

/** Tiles, and the conditions for using them. */
interface Size {
  readonly tiles: Tiles;
  /** The fewest rows and columns. */
  readonly least: { readonly row: number; readonly column: number };
  /** The fewest blocks per compute unit, in halves. */
  readonly busy: number;
}

/** Iterations of the inner loop per piece. */
const DEPTH = 16;
const ACROSS = 16;
/** Warps side by side along the columns, and steps of a warp along its columns. */
const WARPS_ACROSS = 2;
const STEPS = 4;
/** Items per compute unit: the sums of some hide the loads of others. */
const BESIDE = 512;
/** `capacity` per compute unit. */
const UNIT = 1024;

/** Undefined: tiles do not fit the device. `available`: bytes of group memory. `matrixUnits`: the types that the device's multiply. */
export function productCode(
  product: Product,
  items: number,
  available: number,
  capacity: Symbol,
  matrixUnits: readonly StepType[],
): ProductCode | undefined {
  const counts = countsOf(product);
  const variants: { readonly size: Size; readonly code: BlockCode }[] = [];
  let left = available;
  for (const size of sizesFor(product, items, matrixUnits)) {
    const code = new BlockCode(product, size.tiles, counts);
    if (code.bytes > left) continue;
    left -= code.bytes;
    variants.push({ size, code });
  }
  const [first] = variants;
  if (!first) return undefined;
  const { loop, plain, row, inner, batch } = product;
  const { span } = loop.body;
  // Its counters are per group and the nest's per item, so they must be different variables.
  const otherwise = isolate(extStmt(plain, span));
  const chosen = variants.reduceRight<Stmt>((other, { size, code }) => {
    const [blocks, high, wide] = mapTuple(["blocks", "high", "wide"], (name) =>
      freshSymbol(`arc_${name}`, LONG),
    );
    const over = (side: "row" | "column"): Expr => {
      const n = size.tiles.group[side];
      return binary("/", binary("+", ident(counts[side]), intLit(n - 1, LONG)), intLit(n, LONG));
    };
    const all = [high, wide, ...counts.batch].map((sym): Expr => ident(sym));
    // The plain loop's variables are declared around both: the tiles have their own by the same names.
    const body = copyWithFreshLocals(code.code(blocks, high, wide));
    const together = node<Threads>({ kind: "threads", body, site: loop.site });
    return compound([
      declare(high, over("row")),
      declare(wide, over("column")),
      declare(
        blocks,
        all.reduce((a, b) => binary("*", a, b)),
      ),
      ifStmt(enough(product, counts, size, blocks, capacity), compound([extStmt(together, span)]), other),
    ]);
  }, otherwise);
  return {
    body: compound([
      declare(counts.row, tripCount(row)),
      declare(counts.column, columnsOf(product, counts)),
      declare(counts.inner, tripCount(inner)),
      ...batch.map((h, k) => declare(itemAt(counts.batch, k), tripCount(h))),
      chosen,
    ]),
    groupMemory: variants.flatMap(({ code }) => code.groupMemory),
    ...(first.size.tiles.own.column >= RUN && { resident: Math.max(1, Math.floor(BESIDE / items)) }),
    remark: remarkOn(product, first.size.tiles),
  };
}

function countsOf({ row, column, inner, batch }: Product): Counts {
  const count = (h: LoopHeader) => freshSymbol(`arc_n_${h.var.name}`, LONG);
  return { row: count(row), column: count(column), inner: count(inner), batch: batch.map(count) };
}

/** The sizes that a product can have, largest first. */
function sizesFor(product: Product, items: number, matrixUnits: readonly StepType[]): readonly Size[] {
  const { row, column, batch, factors } = product;
  const small = batch.length > 0 ? [smallSize(items)] : [];
  const inUnits = factors && matrixUnits.includes(factors.type) ? stepSizes(items) : [];
  const sizes = [...(inUnits.length > 0 ? inUnits : runSizes(product, items)), ...small];
  const [rows, columns] = [row, column].map((h) => evaluateInteger(tripCount(h)));
  return sizes.filter(
    ({ tiles, least }) =>
      loadsEqually(tiles) && (rows ?? Infinity) >= least.row && (columns ?? Infinity) >= least.column,
  );
}

/** Whether all items load equal parts of a piece. */
const loadsEqually = ({ items, group, depth }: Tiles): boolean =>
  [group.row, group.column].every((side) => side > 0 && (side * depth) % items === 0);

const runTiles = (items: number, own: number, across: number, depth: number): Tiles => ({
  items,
  across: ACROSS,
  own: { row: own, column: across },
  group: { row: (own * items) / ACROSS, column: across * ACROSS },
  depth,
});

function smallSize(items: number): Size {
  const tiles = runTiles(items, 2, 2, 2 * DEPTH);
  return { tiles, least: { row: tiles.group.row / 2, column: tiles.group.column / 2 }, busy: 1 };
}

/** With a tile of its own for each item. */
function runSizes({ liveAcross, operands }: Product, items: number): readonly Size[] {
  const wide = [...liveAcross.map((s) => s.type), ...operands.map((o) => o.type)].some(
    (t) => (sizeOf(t) ?? 8) > 4,
  );
  const middle = middling(runTiles(items, RUN, RUN, DEPTH));
  return wide || liveAcross.length > 1 ? [middle] : [plentiful(runTiles(items, 2 * RUN, RUN, DEPTH)), middle];
}

/** With a tile of matrix steps for each warp. */
function stepSizes(items: number): readonly Size[] {
  const warps = items / WARP;
  if (warps % WARPS_ACROSS !== 0) return [];
  const tiles = (rows: number, depth: number): Tiles => ({
    items,
    across: WARPS_ACROSS,
    own: { row: rows, column: 2 * STEPS },
    group: { row: (warps / WARPS_ACROSS) * rows * STEP, column: WARPS_ACROSS * STEPS * STEP },
    depth,
    matrixUnits: true,
  });
  return [plentiful(tiles(STEPS, DEPTH / 2)), middling(tiles(STEPS / 2, DEPTH))];
}

/** For products of many blocks. */
const plentiful = (tiles: Tiles): Size => ({
  tiles,
  least: { row: tiles.group.row / 2, column: tiles.group.column / 2 },
  busy: 4,
});

const middling = (tiles: Tiles): Size => ({
  tiles,
  least: { row: (tiles.group.row * 3) / 4, column: (tiles.group.column * 3) / 4 },
  busy: 1,
});

/** Columns of the longest row, which is the first or the last one. */
function columnsOf({ ragged, row, column }: Product, counts: Counts): Expr {
  if (!ragged) return tripCount(column);
  const [first, last] = endsOf(row, column, counts);
  return cond(binary(">", first, last), first, last);
}

function endsOf(row: LoopHeader, column: LoopHeader, counts: Counts): readonly [Expr, Expr] {
  return [
    tripsIn(column, row, intLit(0, LONG)),
    tripsIn(column, row, binary("-", ident(counts.row), intLit(1, LONG))),
  ];
}

/** Whether tiles are worth it: small products keep the device busier with one item per element. */
function enough(
  { ragged, begins, row, column }: Product,
  counts: Counts,
  { tiles, least, busy }: Size,
  blocks: Symbol,
  capacity: Symbol,
): Expr {
  const atLeast = (n: Expr, what: number): Expr => binary(">=", n, intLit(what, LONG));
  return [
    ...counts.batch.map((n) => atLeast(ident(n), 1)),
    atLeast(ident(counts.row), least.row),
    atLeast(ident(counts.column), least.column),
    atLeast(ident(counts.inner), Math.min(DEPTH, tiles.depth)),
    // Tiles load an operand for each row, which a row without columns might not have.
    ...(ragged || begins ? endsOf(row, begins ?? column, counts).map((n) => atLeast(n, 1)) : []),
    binary(
      ">=",
      binary("*", ident(blocks), intLit(2 * UNIT, LONG)),
      binary("*", ident(capacity), intLit(busy, LONG)),
    ),
  ].reduce((a, b) => binary("&&", a, b));
}

function remarkOn({ loop, operands, factors }: Product, { group, matrixUnits }: Tiles): Diagnostic {
  const names = [...new Set(operands.map((o) => `'${rootName(o)}'`))].join(", ");
  const rounded = factors?.type === "float" ? ", which round factors to 11 bits" : "";
  const units = matrixUnits ? `, by matrix units${rounded}` : "";
  return {
    severity: "note",
    code: "tiled",
    loc: loop.site.loc,
    message: `groups compute ${group.row} x ${group.column} iterations together, from pieces of ${names} in group memory${units}`,
    remedy: "name levels (gang, vector) to have the loops shared out as written",
  };
}

function rootName({ loads: [load] }: Operand): string {
  return rootOf(load as Expr)?.sym.name ?? "";
}
