/**
 * The iterations of a piece of a matrix product, by the device's matrix units: each warp multiplies its rows and columns,
 * 16 rows, 8 columns and 4 iterations at a time. Sums of doubles take their terms in the order of the source, each rounded
 * once, as fused multiply-adds are.
 */
import { arrayOf, DOUBLE, FLOAT, INT, mapExpr } from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  index,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { counted } from "../../device/counted-loop.ts";
import { matrixStep, STEP_DEPTH } from "../../device/matrix-step.ts";
import { unrollPragma } from "../../device/pragmas.ts";
import type { Factors } from "../../mapping/products/factors.ts";
import type { Operand } from "../../mapping/products/operands.ts";
import type { Side, StepLayout, Tiles } from "./layout.ts";

/** An operand's piece in group memory: [iteration][row or column]. */
export interface HeldOperand {
  readonly operand: Operand;
  readonly memory: Symbol;
}

interface Piece {
  readonly factors: Factors;
  readonly steps: StepLayout;
  readonly tiles: Tiles;
  readonly held: readonly HeldOperand[];
  /** The item's sums: [row][column]. */
  readonly sums: Symbol;
}

export function stepsOf({ factors, steps, tiles, held, sums }: Piece): Stmt {
  const { own, depth } = tiles;
  const type = factors.type === "double" ? DOUBLE : FLOAT;
  const counts = { row: own.row, column: own.column / 2 };
  const k = freshSymbol("arc_k", INT);
  const of = { row: freshSymbol("arc_r", INT), column: freshSymbol("arc_s", INT) };
  const values = {
    row: freshSymbol("arc_rows", arrayOf(type, counts.row)),
    column: freshSymbol("arc_columns", arrayOf(type, counts.column)),
  };
  const over = (side: Side, body: Stmt): Stmt => unrolled(of[side], counts[side], 1, body);
  const fetch = (side: Side): Stmt =>
    over(side, exprStmt(assign(index(ident(values[side]), ident(of[side])), loaded(side))));
  const loaded = (side: Side): Expr => {
    const from = new Map<Expr, Expr>();
    const iteration = binary("+", ident(k), steps.iteration);
    for (const { operand, memory } of held)
      for (const load of operand.loads)
        from.set(load, index(index(ident(memory), iteration), steps.operand(side, ident(of[side]))));
    return mapExpr(factors[side], { expr: (e) => from.get(e) ?? e });
  };
  const sum = (half: number, beside: number): Expr => {
    const row = binary("+", ident(of.row), intLit(half));
    const column = binary("+", binary("*", ident(of.column), intLit(2)), intLit(beside));
    return index(ident(sums), binary("+", binary("*", row, intLit(own.column)), column));
  };
  const step = matrixStep({
    type: factors.type,
    sums: [
      [sum(0, 0), sum(0, 1)],
      [sum(1, 0), sum(1, 1)],
    ],
    rows: [
      index(ident(values.row), ident(of.row)),
      index(ident(values.row), binary("+", ident(of.row), intLit(1))),
    ],
    column: index(ident(values.column), ident(of.column)),
  });
  return unrolled(
    k,
    depth,
    STEP_DEPTH,
    compound([
      declare(values.row),
      declare(values.column),
      fetch("row"),
      fetch("column"),
      unrolled(of.row, counts.row, 2, compound([over("column", compound([step]))])),
    ]),
  );
}

function unrolled(counter: Symbol, end: number, by: number, body: Stmt): Stmt {
  const loop = counted(counter, intLit(0), intLit(end), intLit(by), body);
  return { ...loop, pragmas: [unrollPragma(0)] };
}
