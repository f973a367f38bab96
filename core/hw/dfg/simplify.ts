/** Simplifies operations as far as their operands allow: folded constants, identities, shifts for products. */
import { firstOf } from "../../checked/access.ts";
import { compute } from "./compute.ts";
import { BIT, interpret, type Op, type Shape, sameShape, type Value } from "./value.ts";

/** Makes the values that a simplified operation consists of. */
interface Operations {
  constant(value: bigint | number, shape: Shape): Value;
  make(op: Op, shape: Shape, args: readonly Value[]): Value;
  mux(test: Value, then: Value, otherwise: Value): Value;
  resize(value: Value, shape: Shape): Value;
}

/** The simpler value that an operation equals; undefined if there is none. */
export function simplified(
  graph: Operations,
  op: Op,
  shape: Shape,
  args: readonly Value[],
): Value | undefined {
  if (args.length > 0 && args.every(isConstant)) {
    const folded = compute(
      op,
      shape,
      args.map((a) => [a.constant as bigint, a.shape] as const),
    );
    if (folded !== undefined) return graph.constant(folded, shape);
  }
  const [a, b, c] = args as [Value, Value, Value];
  switch (op) {
    case "add":
      if (is(b, 0n)) return a;
      if (is(a, 0n)) return b;
      return a.op === "const" ? graph.make("add", shape, [b, a]) : concatenation(graph, shape, a, b);
    case "sub":
      if (a === b) return graph.constant(0, shape);
      if (b.op === "const") return graph.make("add", shape, [a, graph.constant(-b.constant, shape)]);
      return undefined;
    case "mul":
      if (a.op === "const") return graph.make("mul", shape, [b, a]);
      return b.op === "const" ? scaled(graph, shape, a, b.constant) : undefined;
    case "and":
      if (is(a, 0n) || isOnes(b, shape)) return a;
      if (is(b, 0n) || isOnes(a, shape) || a === b) return b;
      return ordered(graph, op, shape, a, b);
    case "or":
      if (is(a, 0n) || isOnes(b, shape)) return b;
      if (is(b, 0n) || isOnes(a, shape) || a === b) return a;
      return ordered(graph, op, shape, a, b);
    case "xor":
      if (is(b, 0n)) return a;
      if (is(a, 0n)) return b;
      if (a === b) return graph.constant(0, shape);
      // A bit inverted twice.
      if (is(b, 1n) && shape.bits === 1 && a.op === "xor" && is(a.args[1], 1n)) return a.args[0];
      return ordered(graph, op, shape, a, b);
    case "shl":
    case "shr":
      return is(b, 0n) ? a : undefined;
    case "div":
      return is(b, 1n) ? a : divided(graph, shape, a, b, false);
    case "rem":
      return divided(graph, shape, a, b, true);
    case "eq":
      if (a === b) return graph.constant(1, shape);
      return ordered(graph, op, shape, a, b);
    case "lt":
      return a === b ? graph.constant(0, shape) : undefined;
    case "mux":
      if (is(a, 1n) || b === c) return b;
      if (is(a, 0n)) return c;
      if (a.op === "xor" && is(a.args[1], 1n)) return graph.mux(firstOf(a.args), c, b);
      if (shape.bits === 1 && is(b, 1n) && is(c, 0n)) return a;
      return magnitude(graph, shape, a, b, c);
    default:
      return undefined;
  }
}

/** x < 0 ? -x : x inverts all bits and adds 1 if x < 0: an adder after one level of logic. */
function magnitude(
  graph: Operations,
  shape: Shape,
  test: Value,
  then: Value,
  otherwise: Value,
): Value | undefined {
  const [x, bound] = test.args;
  const isNegative = test.op === "lt" && x === otherwise && bound?.op === "const" && bound.constant === 0n;
  const isNegation = then.op === "sub" && then.args[0]?.constant === 0n && then.args[1] === otherwise;
  if (!isNegative || !isNegation || shape.float) return undefined;
  const turned = graph.mux(test, graph.make("not", shape, [otherwise]), otherwise);
  return graph.make("add", shape, [turned, graph.resize(test, shape)]);
}

/** Canonical order for commutative operations: constants last, other operands by id. */
function ordered(graph: Operations, op: Op, shape: Shape, a: Value, b: Value): Value | undefined {
  if (b.op === "const" || (a.op !== "const" && a.id <= b.id)) return undefined;
  return graph.make(op, shape, [b, a]);
}

/** (x + 1) + 2 is x + 3. */
function concatenation(graph: Operations, shape: Shape, a: Value, b: Value): Value | undefined {
  if (b.op !== "const" || a.op !== "add") return undefined;
  const [x, y] = a.args;
  if (y.op !== "const") return undefined;
  return graph.make("add", shape, [x, graph.constant(y.constant + b.constant, shape)]);
}

/** Products with constants become shifts and adds if the signed-digit form has few digits. */
function scaled(graph: Operations, shape: Shape, a: Value, factor: bigint): Value | undefined {
  if (factor === 0n) return graph.constant(0, shape);
  if (factor === 1n) return a;
  const digits = signedDigits(BigInt.asIntN(shape.bits, factor));
  if (digits.length > 4) return undefined;
  const shifted = (by: number) => graph.make("shl", shape, [a, graph.constant(by, shape)]);
  const positive = digits.filter((d) => !d.negative);
  const negative = digits.filter((d) => d.negative);
  const sum = (list: readonly { by: number }[]) =>
    list.map((d) => shifted(d.by)).reduce((x, y) => graph.make("add", shape, [x, y]));
  if (negative.length === 0) return sum(positive);
  const less = sum(negative);
  return graph.make("sub", shape, [positive.length ? sum(positive) : graph.constant(0, shape), less]);
}

/**
 * Quotients and remainders of a power of two are shifts and masks. C rounds towards 0, so one less than the divisor is
 * added to what is negative first.
 */
function divided(graph: Operations, shape: Shape, a: Value, b: Value, remainder: boolean): Value | undefined {
  if (b.op !== "const" || !sameShape(a.shape, shape)) return undefined;
  const by = interpret(b.constant, b.shape);
  const size = by < 0n ? -by : by;
  const places = size.toString(2).length - 1;
  if (size !== 1n << BigInt(places) || places === 0 || places >= shape.bits - 1) return undefined;
  const low = graph.constant(size - 1n, shape);
  const isNegative = graph.make("lt", BIT, [a, graph.constant(0, shape)]);
  const bias = shape.signed ? graph.mux(isNegative, low, graph.constant(0, shape)) : undefined;
  const sum = bias ? graph.make("add", shape, [a, bias]) : a;
  if (remainder) {
    const rest = graph.make("and", shape, [sum, low]);
    return bias ? graph.make("sub", shape, [rest, bias]) : rest;
  }
  const quotient = graph.make("shr", shape, [sum, graph.constant(places, shape)]);
  return by < 0n ? graph.make("sub", shape, [graph.constant(0, shape), quotient]) : quotient;
}

const isConstant = ({ op }: Value): boolean => op === "const";
const is = (v: Value | undefined, constant: bigint): boolean =>
  v !== undefined && v.op === "const" && v.constant === constant;
const isOnes = (v: Value, { bits }: Shape): boolean =>
  v.op === "const" && v.constant === BigInt.asUintN(bits, -1n);

/** The canonical signed-digit form of a number: no two adjacent digits are nonzero. */
function signedDigits(value: bigint): { by: number; negative: boolean }[] {
  const digits: { by: number; negative: boolean }[] = [];
  let rest = value;
  for (let by = 0; rest !== 0n; by++, rest >>= 1n) {
    if ((rest & 1n) === 0n) continue;
    const negative = (rest & 3n) === 3n;
    digits.push({ by, negative });
    rest += negative ? 1n : -1n;
  }
  return digits;
}
