/**
 * Floating-point values of a dataflow graph: operators on constants are folded, those without effect are removed, and
 * what C computes in a wide format is computed in a narrow one if the results have the same bits.
 */
import { entryOf, firstOf } from "../../checked/access.ts";
import type { Loc } from "../../lang/tree/ast.ts";
import { evaluator } from "../dfg/evaluate.ts";
import { binary64, bitsOf, codeOfDouble, floatShape, formatOf } from "../dfg/float-format.ts";
import type { Graph } from "../dfg/graph.ts";
import { BIT, type FloatOp, type Format, type Op, type Shape, sameShape, type Value } from "../dfg/value.ts";
import { isWholeNumber } from "./lowering.ts";
import { operatorGraph } from "./operator.ts";

/** An operator's value; `to`: the result's shape. */
export function floatValue(graph: Graph, op: FloatOp, to: Shape, args: readonly Value[], loc?: Loc): Value {
  const [a, b] = args as [Value, Value];
  if (args.every((v) => v.op === "const")) return graph.constant(folded(op, to, args), to);
  switch (op) {
    case "fadd":
      if (a.op === "const") return floatValue(graph, op, to, [b, a], loc);
      if (b.op === "const" && b.constant === signBit(to)) return a;
      break;
    case "fmul":
      if (a.op === "const") return floatValue(graph, op, to, [b, a], loc);
      if (b.op === "const" && b.constant === codeOf(1, formatOf(to))) return a;
      break;
    case "fpow":
      // A square is rounded once, too.
      if (b.op === "const" && b.constant === codeOf(2, formatOf(to)))
        return floatValue(graph, "fmul", to, [a, a], loc);
      break;
    case "ffmod":
    case "fremainder": {
      const narrower = (widenedFrom(a) ?? widenedFrom(b))?.shape;
      const [x, y] = narrower ? [narrowed(graph, a, narrower), narrowed(graph, b, narrower)] : [];
      if (narrower && x && y)
        return floatValue(graph, "ftof", to, [floatValue(graph, op, narrower, [x, y], loc)], loc);
      break;
    }
    case "fdiv": {
      const inverse = b.op === "const" ? reciprocal(b) : undefined;
      if (inverse !== undefined) return floatValue(graph, "fmul", to, [a, graph.constant(inverse, to)], loc);
      break;
    }
    case "ftof": {
      if (sameShape(a.shape, to)) return a;
      const same = narrowed(graph, a, to) ?? computedIn(graph, a, to);
      if (same) return same;
      break;
    }
    case "ftoi": {
      const before = widenedFrom(a);
      if (before) return floatValue(graph, op, to, [before], loc);
      break;
    }
    case "feq":
    case "flt":
    case "fle": {
      const same = comparedIn(graph, op, a, b, loc);
      if (same) return same;
      break;
    }
    default:
      break;
  }
  return graph.make(op, to, args, loc);
}

/** The code of a number in a format. */
export function codeOf(value: number, format: Format): bigint {
  const wide: Shape = floatShape(binary64);
  const code = codeOfDouble(value);
  return sameShape(floatShape(format), wide) ? code : evaluated("ftof", wide, floatShape(format), [code]);
}

/** The number with a code. */
export function numberOf(code: bigint, format: Format): number {
  const wide = floatShape(binary64);
  const same = sameShape(floatShape(format), wide);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, same ? code : evaluated("ftof", floatShape(format), wide, [code]));
  return view.getFloat64(0);
}

/** -x */
export function negatedFloat(graph: Graph, value: Value): Value {
  return graph.make("xor", value.shape, [value, graph.constant(signBit(value.shape), value.shape)]);
}

/** |x| */
export function magnitudeOf(graph: Graph, value: Value): Value {
  return graph.make("and", value.shape, [value, graph.constant(signBit(value.shape) - 1n, value.shape)]);
}

const signBit = ({ bits }: Shape): bigint => 1n << BigInt(bits - 1);

// ---------------------------------------------------------------- constants

function evaluated(op: FloatOp, from: Shape, to: Shape, codes: readonly bigint[], second?: Shape): bigint {
  const { graph, output } = operatorGraph({ op, from, ...(second && { second }), to, constants: codes });
  return entryOf(evaluator(graph)(new Map()), output);
}

const folded = (op: FloatOp, to: Shape, args: readonly Value[]): bigint =>
  evaluated(
    op,
    firstOf(args).shape,
    to,
    args.map((v) => v.constant as bigint),
    args[1]?.shape,
  );

/** The code of 1 / x if multiplying by it equals dividing by x: for powers of two whose inverse is a normal number. */
function reciprocal({ constant, shape }: Value): bigint | undefined {
  const { exponent, fraction } = formatOf(shape);
  const code = constant as bigint;
  const exponentCode = (code & (signBit(shape) - 1n)) >> BigInt(fraction);
  const inverse = BigInt(2 ** exponent - 2) - exponentCode;
  if (BigInt.asUintN(fraction, code) !== 0n || exponentCode === 0n || inverse < 1n) return undefined;
  return (code & signBit(shape)) | (inverse << BigInt(fraction));
}

// ---------------------------------------------------------------- narrower formats

/** Whether every number of `narrow` is one of `wide`. */
const holds = (wide: Format, narrow: Format): boolean =>
  wide.exponent >= narrow.exponent && wide.fraction >= narrow.fraction && bitsOf(wide) > bitsOf(narrow);

/** The operand of a lossless conversion. */
export function widenedFrom(value: Value): Value | undefined {
  const [from] = value.args;
  return value.op === "ftof" && from && holds(formatOf(value.shape), formatOf(from.shape)) ? from : undefined;
}

/** The value in format `to`, if it is one of its numbers. */
function narrowed(graph: Graph, value: Value, to: Shape): Value | undefined {
  const format = formatOf(to);
  if (!holds(formatOf(value.shape), format)) return undefined;
  if (value.op === "const") {
    const code = folded("ftof", to, [value]);
    const back = evaluated("ftof", to, value.shape, [code]);
    return back === value.constant ? graph.constant(code, to) : undefined;
  }
  const before = widenedFrom(value);
  if (before) {
    if (sameShape(before.shape, to)) return before;
    return holds(format, formatOf(before.shape)) ? floatValue(graph, "ftof", to, [before]) : undefined;
  }
  const [a, b, c] = value.args;
  if (value.op === "mux" && a && b && c) {
    const [then, otherwise] = [narrowed(graph, b, to), narrowed(graph, c, to)];
    return then && otherwise && graph.mux(a, then, otherwise);
  }
  const mask = signBit(value.shape);
  const inner = a && b?.op === "const" ? a : undefined;
  if (inner && value.op === "xor" && b?.constant === mask) {
    const same = narrowed(graph, inner, to);
    return same && negatedFloat(graph, same);
  }
  if (inner && value.op === "and" && b?.constant === mask - 1n) {
    const same = narrowed(graph, inner, to);
    return same && magnitudeOf(graph, same);
  }
  return undefined;
}

/**
 * A result rounded to the wide format and then to `to`, from operands in `to`: rounding once gives the same if the wide
 * format has more than twice the digits (S. A. Figueroa, SIGNUM Newsletter 30(3), 1995).
 */
function computedIn(graph: Graph, value: Value, to: Shape): Value | undefined {
  const [wide, narrow] = [formatOf(value.shape), formatOf(to)];
  const innocuous = wide.fraction + 1 >= 2 * (narrow.fraction + 1) + 2 && wide.exponent > narrow.exponent + 1;
  if (!innocuous) return undefined;
  const { op, args, loc } = value;
  const [first] = args;
  // Integers that the wide format holds exactly.
  if (op === "itof" && first && first.shape.bits <= wide.fraction + 1)
    return floatValue(graph, "itof", to, [first], loc);
  if (!isRoundedOnce(op)) return undefined;
  const same = args.map((v) => narrowed(graph, v, to));
  return same.every((v) => v !== undefined) ? floatValue(graph, op as FloatOp, to, same, loc) : undefined;
}

/** Operators whose results are exact except for one rounding. */
const isRoundedOnce = (op: Op): boolean =>
  ["fadd", "fmul", "fdiv", "fsqrt", "flogb"].includes(op) || isWholeNumber(op);

/** A comparison of numbers that a narrower format holds, or with a constant between two of its numbers. */
function comparedIn(
  graph: Graph,
  op: "feq" | "flt" | "fle",
  a: Value,
  b: Value,
  loc?: Loc,
): Value | undefined {
  const narrower = (widenedFrom(a) ?? widenedFrom(b))?.shape;
  if (!narrower) return undefined;
  const [x, y] = [narrowed(graph, a, narrower), narrowed(graph, b, narrower)];
  if (x && y) return floatValue(graph, op, BIT, [x, y], loc);
  if (x && b.op === "const") {
    const between = neighbours(b, narrower);
    if (!between) return undefined;
    if (op === "feq") return graph.constant(0, BIT);
    return floatValue(graph, "fle", BIT, [x, graph.constant(between.below, narrower)], loc);
  }
  if (y && a.op === "const") {
    const between = neighbours(a, narrower);
    if (!between) return undefined;
    if (op === "feq") return graph.constant(0, BIT);
    return floatValue(graph, "fle", BIT, [graph.constant(between.above, narrower), y], loc);
  }
  return undefined;
}

/** The numbers of a format next to one that it does not have; undefined for NaN. */
function neighbours(value: Value, to: Shape): { readonly below: bigint; readonly above: bigint } | undefined {
  const near = folded("ftof", to, [value]);
  const back = evaluated("ftof", to, value.shape, [near]);
  const less = (x: bigint, y: bigint) => evaluated("flt", value.shape, BIT, [x, y]) === 1n;
  const code = value.constant as bigint;
  if (less(back, code)) return { below: near, above: next(near, to, "larger") };
  return less(code, back) ? { below: next(near, to, "smaller"), above: near } : undefined;
}

/** The code of the nearest number on that side. */
function next(code: bigint, shape: Shape, side: "larger" | "smaller"): bigint {
  const larger = side === "larger";
  const sign = signBit(shape);
  if ((code & (sign - 1n)) === 0n) return larger ? 1n : sign | 1n;
  return larger === code < sign ? code + 1n : code - 1n;
}
