/** Which elements of its group's block of a matrix product an item computes. */
import { LONG } from "../../../../core/lang/index.ts";
import type { Expr, Stmt } from "../../../../core/lang/tree/ast.ts";
import { binary, declare, freshSymbol, ident, intLit } from "../../../../core/lang/tree/build.ts";
import { workItemId } from "../../device/device.ts";
import { WARP } from "../../device/exchange.ts";
import { STEP, STEP_DEPTH } from "../../device/matrix-step.ts";

/** Sizes of the tiles. */
export interface Tiles {
  readonly items: number;
  /** Items adjacent along the columns; of matrix units: warps. */
  readonly across: number;
  /** Rows and columns per item. */
  readonly own: { readonly row: number; readonly column: number };
  /** Rows and columns per group. */
  readonly group: { readonly row: number; readonly column: number };
  /** Iterations of the inner loop per piece. */
  readonly depth: number;
  /** Warps compute together with the device's matrix units. */
  readonly matrixUnits?: true;
}

export type Side = "row" | "column";

/** Elements that an item reads from group memory with one load. */
export const RUN = 4;

const long = (n: number): Expr => intLit(n, LONG);
const times = (a: Expr, b: Expr): Expr => binary("*", a, b);
const plus = (a: Expr, b: Expr): Expr => binary("+", a, b);

export interface Layout {
  /** Declares the item's place. */
  readonly places: readonly Stmt[];
  /** The position in the block of the item's `n`-th row or column. */
  inBlock(side: Side, n: Expr): Expr;
}

/** A tile of its own for each item, in runs of neighbours, which one load can read. */
export function inRuns({ items, across, own }: Tiles): Layout {
  const at = { row: freshSymbol("arc_y", LONG), column: freshSymbol("arc_x", LONG) };
  return {
    places: [
      declare(at.column, binary("%", workItemId("item"), long(across))),
      declare(at.row, binary("/", workItemId("item"), long(across))),
    ],
    inBlock(side, n) {
      const beside = side === "column" ? across : items / across;
      const run = Math.min(RUN, own[side]);
      return plus(
        plus(times(binary("/", n, intLit(run)), long(beside * run)), times(ident(at[side]), long(run))),
        binary("%", n, intLit(run)),
      );
    },
  };
}

/** Sums and operands as matrix units spread them over a warp (device/matrix-step.ts). */
export interface StepLayout extends Layout {
  /** The iteration of a step of which the item has the operands. */
  readonly iteration: Expr;
  /** The position in the block of the row or column whose operand the item has for the `n`-th step. */
  operand(side: Side, n: Expr): Expr;
}

/** Each warp has a tile of steps. */
export function inSteps({ across, own }: Tiles): StepLayout {
  const lane = freshSymbol("arc_lane", LONG);
  const warp = freshSymbol("arc_warp", LONG);
  const first = { row: freshSymbol("arc_y", LONG), column: freshSymbol("arc_x", LONG) };
  const [quarter, part] = [
    binary("/", ident(lane), long(STEP_DEPTH)),
    binary("%", ident(lane), long(STEP_DEPTH)),
  ];
  const steps = (n: Expr): Expr => times(n, long(STEP));
  const operand = (side: Side, n: Expr): Expr => plus(plus(ident(first[side]), quarter), steps(n));
  return {
    places: [
      declare(lane, binary("%", workItemId("item"), long(WARP))),
      declare(warp, binary("/", workItemId("item"), long(WARP))),
      declare(first.row, times(binary("/", ident(warp), long(across)), long(own.row * STEP))),
      declare(first.column, times(binary("%", ident(warp), long(across)), long((own.column / 2) * STEP))),
    ],
    iteration: part,
    operand,
    inBlock: (side, n) =>
      side === "row"
        ? operand(side, n)
        : plus(
            plus(plus(ident(first.column), times(part, long(2))), steps(binary("/", n, intLit(2)))),
            binary("%", n, intLit(2)),
          ),
  };
}
