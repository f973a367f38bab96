/**
 * One step of a matrix product by the matrix units of a device: 32 neighbouring work-items together add to the sums of 16
 * rows and 8 columns what 4 iterations contribute. Item `l` has the sums of rows `l / 4` and `l / 4 + 8` in columns
 * `2 * (l % 4)` and the next. Its operands are those of its two rows in iteration `l % 4`, and that of column `l / 4` in the
 * same iteration. See "Matrix Fragments for mma.m16n8k4" with .f64 and with .tf32 floating point type in NVIDIA's PTX ISA.
 */
import { NOWHERE } from "../../../core/lang/index.ts";
import type { Expr, ExtNode, ExtShape, Stmt } from "../../../core/lang/tree/ast.ts";

/** Columns of a step, and rows of each of its halves. */
export const STEP = 8;
/** Its iterations. */
export const STEP_DEPTH = 4;

/** Factors of type `float` are rounded to 11 bits. */
export type StepType = "double" | "float";

type Pair = readonly [Expr, Expr];

export interface MatrixStep extends ExtNode {
  readonly kind: "matrix-step";
  readonly type: StepType;
  /** Changed: of each of the item's two rows, the neighbouring columns. */
  readonly sums: readonly [Pair, Pair];
  readonly rows: Pair;
  readonly column: Expr;
}

const shape: ExtShape<MatrixStep> = {
  parts: (n) => ({ stmts: [], exprs: [...n.sums.flat(), ...n.rows, n.column] }),
  withParts(n, _, exprs) {
    const [a, b, c, d, first, second, column] = exprs as [Expr, Expr, Expr, Expr, Expr, Expr, Expr];
    return {
      ...n,
      sums: [
        [a, b],
        [c, d],
      ],
      rows: [first, second],
      column,
    };
  },
};

export function matrixStep(fields: Omit<MatrixStep, "kind" | "shape">): Stmt {
  const ext: MatrixStep = { kind: "matrix-step", shape, ...fields };
  return { kind: "ext", ext, span: NOWHERE };
}
