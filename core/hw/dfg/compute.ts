/** Results of integer operations on constants. */

import { interpret, type Op, type Shape } from "./value.ts";

const asBit = (truth: boolean): bigint => (truth ? 1n : 0n);

/** The result of an integer operation on raw operands; undefined where C defines none. */
export function compute(
  op: Op,
  shape: Shape,
  args: readonly (readonly [bigint, Shape])[],
): bigint | undefined {
  const values = args.map(([raw, of]) => interpret(raw, of));
  const [a = 0n, b = 0n, c = 0n] = values;
  const result = ((): bigint | undefined => {
    switch (op) {
      case "add":
        return a + b;
      case "sub":
        return a - b;
      case "mul":
        return a * b;
      case "div":
        return b === 0n ? undefined : a / b;
      case "rem":
        return b === 0n ? undefined : a % b;
      case "and":
        return a & b;
      case "or":
        return a | b;
      case "xor":
        return a ^ b;
      case "not":
        return ~a;
      case "shl":
        return b < 0n || b >= BigInt(shape.bits) ? undefined : a << b;
      case "shr":
        return b < 0n || b >= BigInt(shape.bits) ? undefined : a >> b;
      case "eq":
        return asBit(a === b);
      case "lt":
        return asBit(a < b);
      case "mux":
        return a !== 0n ? b : c;
      case "concat":
        return (a << BigInt(args[1]?.[1].bits ?? 0)) | (args[1]?.[0] ?? 0n);
      case "resize":
        return a;
      default:
        return undefined;
    }
  })();
  return result === undefined ? undefined : BigInt.asUintN(shape.bits, result);
}
