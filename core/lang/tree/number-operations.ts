/**
 * C operators on JavaScript numbers, for estimates and samples: exact as long as the values are integers below 2^53.
 * `constant-evaluation.ts` is always exact.
 */
import type { BinaryOp } from "./ast.ts";

/**
 * `right` is evaluated only if the left operand does not decide. `integer`: the operands are integers. Undefined if a
 * needed operand is unknown or the result is undefined in C.
 */
export function binaryOperation(
  op: BinaryOp,
  a: number | undefined,
  right: () => number | undefined,
  integer: boolean,
): number | undefined {
  if (op === "&&" && a === 0) return 0;
  if (op === "||" && a !== undefined && a !== 0) return 1;
  const b = right();
  if (op === "&&" && b === 0) return 0;
  if (op === "||" && b !== undefined && b !== 0) return 1;
  if (a === undefined || b === undefined) return undefined;
  switch (op) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return integer ? (b === 0 ? undefined : Math.trunc(a / b)) : a / b;
    case "%":
      return b === 0 ? undefined : a % b;
    case "<<":
      return b >= 0 && b < 64 ? a * 2 ** b : undefined;
    case ">>":
      return b >= 0 && b < 64 ? Math.floor(a / 2 ** b) : undefined;
    case "&":
      return bits(a, b, (x, y) => x & y);
    case "|":
      return bits(a, b, (x, y) => x | y);
    case "^":
      return bits(a, b, (x, y) => x ^ y);
    case "<":
      return Number(a < b);
    case "<=":
      return Number(a <= b);
    case ">":
      return Number(a > b);
    case ">=":
      return Number(a >= b);
    case "==":
      return Number(a === b);
    case "!=":
      return Number(a !== b);
    case "&&":
    case "||":
      return Number(op === "&&");
    default:
      return undefined;
  }
}

/** Averages of integers are not integers, so they have no bits. */
function bits(a: number, b: number, of: (x: bigint, y: bigint) => bigint): number | undefined {
  return Number.isInteger(a) && Number.isInteger(b) ? Number(of(BigInt(a), BigInt(b))) : undefined;
}
