/** Products whose terms are what matrix units multiply: one factor of the row, one of the column, added to one sum. */
import { canonical, walkExpr } from "../../../../core/lang/index.ts";
import type { AssignOp, Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import { stripImplicit, unary } from "../../../../core/lang/tree/build.ts";
import { flat } from "../../device/control.ts";
import type { StepType } from "../../device/matrix-step.ts";
import type { Operand } from "./operands.ts";

export interface Factors {
  /** Of the sum and of each product. */
  readonly type: StepType;
  /** Each contains loads of its side's operands and what stays the same in the whole product. */
  readonly row: Expr;
  readonly column: Expr;
}

/**
 * Undefined: an iteration does something else than `sum += row * column` in one of these types. `varies`: variables that
 * change in the nest.
 */
export function factorsOf(
  body: Stmt,
  sum: Symbol,
  operands: readonly Operand[],
  varies: ReadonlySet<Symbol>,
): Factors | undefined {
  const [only, ...more] = flat(body);
  if (only?.kind !== "expr" || only.expr?.kind !== "assign" || more.length > 0) return undefined;
  const { left, right, op } = only.expr;
  const type = stepType(left);
  if (left.kind !== "ident" || left.sym !== sum || type === undefined) return undefined;
  const term = termOf(op, sum, right);
  if (term?.product.kind !== "binary" || term.product.op !== "*") return undefined;
  if (stepType(term.product) !== type) return undefined;
  const [a, b] = [term.product.left, term.product.right];
  const sides = [a, b].map((e) => sideOf(e, operands, varies));
  const minus = (e: Expr) => (term.minus ? unary("-", e) : e);
  if (sides[0] === "row" && sides[1] === "column") return { type, row: minus(a), column: b };
  if (sides[0] === "column" && sides[1] === "row") return { type, row: minus(b), column: a };
  return undefined;
}

function stepType({ type }: Expr): StepType | undefined {
  const plain = canonical(type);
  return plain.kind === "float" && (plain.name === "double" || plain.name === "float")
    ? plain.name
    : undefined;
}

/** What an assignment adds to `sum`, or takes from it. */
function termOf(op: AssignOp, sum: Symbol, right: Expr): { product: Expr; minus: boolean } | undefined {
  if (op === "+=" || op === "-=") return { product: stripImplicit(right), minus: op === "-=" };
  const value = stripImplicit(right);
  if (op !== "=" || value.kind !== "binary" || (value.op !== "+" && value.op !== "-")) return undefined;
  const [first, second] = [stripImplicit(value.left), stripImplicit(value.right)];
  const isSum = (e: Expr) => e.kind === "ident" && e.sym === sum;
  if (isSum(first)) return { product: second, minus: value.op === "-" };
  return isSum(second) && value.op === "+" ? { product: first, minus: false } : undefined;
}

/** The side whose operands a factor loads, if it loads those of one side and nothing else. */
function sideOf(
  factor: Expr,
  operands: readonly Operand[],
  varies: ReadonlySet<Symbol>,
): Operand["side"] | undefined {
  const sides = new Map(operands.flatMap(({ loads, side }) => loads.map((load) => [load, side] as const)));
  const found = new Set<Operand["side"]>();
  let known = true;
  walkExpr(factor, {
    expr(e) {
      const side = sides.get(e);
      if (side !== undefined) found.add(side);
      else known &&= isArithmetic(e) && !(e.kind === "ident" && varies.has(e.sym));
      return side === undefined;
    },
  });
  const [side] = found;
  return known && found.size === 1 ? side : undefined;
}

/** Of numbers and scalar variables, without a load. */
const isArithmetic = (e: Expr): boolean =>
  e.kind === "unary"
    ? e.op === "-" || e.op === "+"
    : ["ident", "int", "float", "binary", "cast"].includes(e.kind);
