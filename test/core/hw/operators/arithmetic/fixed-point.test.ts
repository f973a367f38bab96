/** Circuits in fixed point, compared with exact fractions that are rounded once. */
import { describe, expect, it } from "vitest";
import { evaluator } from "../../../../../core/hw/dfg/evaluate.ts";
import { binary16, binary32, binary64, floatShape } from "../../../../../core/hw/dfg/float-format.ts";
import { Graph } from "../../../../../core/hw/dfg/graph.ts";
import {
  type Format,
  interpret,
  type Shape,
  type Value,
  type Variable,
} from "../../../../../core/hw/dfg/value.ts";
import { fixedShape } from "../../../../../core/hw/operators/fixed/format.ts";
import {
  fixedArithmetic,
  fixedCast,
  fixedCode,
  roundedToInteger,
} from "../../../../../core/hw/operators/fixed/values.ts";
import { type FloatOperator, operatorGraph } from "../../../../../core/hw/operators/operator.ts";

const slow = process.env.ARC_SLOW_TESTS !== undefined;

const signed = (bits: number): Shape => ({ bits, signed: true });

function circuit(operator: FloatOperator): (...codes: readonly bigint[]) => bigint {
  const { graph, inputs, output } = operatorGraph(operator);
  const evaluate = evaluator(graph);
  return (...codes) => evaluate(new Map(inputs.map((v, k) => [v, codes[k] as bigint]))).get(output) as bigint;
}

/** n / d rounded to nearest, ties to even, and limited to the given bits. */
function nearest(n: bigint, d: bigint, bits: number): bigint {
  const [p, q] = d < 0n ? [-n, -d] : [n, d];
  const below = p >= 0n ? p / q : -((-p + q - 1n) / q);
  const rest = 2n * (p - below * q);
  return limited(rest > q || (rest === q && below % 2n !== 0n) ? below + 1n : below, bits);
}

function limited(value: bigint, bits: number): bigint {
  const end = 1n << BigInt(bits - 1);
  return value >= end ? end - 1n : value < -end ? -end : value;
}

function* all(bits: number): Iterable<bigint> {
  for (let k = -(1n << BigInt(bits - 1)); k < 1n << BigInt(bits - 1); k++) yield k;
}

/** The message contains the operands. */
function same(operands: readonly bigint[], got: bigint, want: bigint): void {
  if (got !== want) expect(`${operands}: ${got}`).toBe(`${operands}: ${want}`);
}

const raw = (value: bigint, bits: number) => BigInt.asUintN(bits, value);

/** A number of a floating-point format as n / d; undefined for infinities and NaNs. */
function fraction(code: bigint, { exponent: e, fraction: f }: Format): readonly [bigint, bigint] | undefined {
  const exponent = Number((code >> BigInt(f)) & ((1n << BigInt(e)) - 1n));
  if (exponent === 2 ** e - 1) return undefined;
  const rest = code & ((1n << BigInt(f)) - 1n);
  const significand = exponent === 0 ? rest : rest | (1n << BigInt(f));
  const by = Math.max(1, exponent) - (2 ** (e - 1) - 1) - f;
  const n = code >> BigInt(e + f) ? -significand : significand;
  return by >= 0 ? [n << BigInt(by), 1n] : [n, 1n << BigInt(-by)];
}

describe("numbers in fixed point", () => {
  it.each([
    [8, 0],
    [6, 6],
    ...(slow
      ? [
          [8, 4],
          [12, 3],
        ]
      : []),
    [24, 16],
  ] as [number, number][])("are made of binary16, %i bits with %i fractionBits", (bits, fractionBits) => {
    const of = circuit({
      op: "ftox",
      from: floatShape(binary16),
      to: signed(bits),
      fractionBits,
      constants: [undefined],
    });
    for (let code = 0n; code < 65536n; code += 61n) {
      const exact = fraction(code, binary16);
      const infinite = (code & 0x3ffn) === 0n ? limited(code < 32768n ? 1n << 99n : -(1n << 99n), bits) : 0n;
      const want = exact ? nearest(exact[0] << BigInt(fractionBits), exact[1], bits) : infinite;
      same([code], interpret(of(code), signed(bits)), want);
    }
  });

  it.each([
    [10, 4, binary16],
    [10, 20, binary16],
    [10, 3, { exponent: 5, fraction: 4 }],
    [9, 0, binary32],
  ] as const)("become floating-point numbers: %i bits with %i fractionBits", (bits, fractionBits, format) => {
    const to = floatShape(format);
    const of = circuit({ op: "xtof", from: signed(bits), to, fractionBits, constants: [undefined] });
    const wide = circuit({ op: "ftof", from: floatShape(binary64), to, constants: [undefined] });
    const view = new DataView(new ArrayBuffer(8));
    for (const value of all(bits)) {
      view.setFloat64(0, Number(value) * 2 ** -fractionBits);
      same([value], of(raw(value, bits)), wide(view.getBigUint64(0)));
    }
  });

  it.each([
    [5, 0],
    [5, 5],
    ...(slow
      ? [
          [6, 3],
          [6, 1],
        ]
      : []),
  ] as [number, number][])("divide: %i bits with %i fractionBits", (bits, fractionBits) => {
    const shape = signed(bits);
    const of = circuit({
      op: "xdiv",
      from: shape,
      second: shape,
      to: shape,
      fractionBits,
      constants: [undefined, undefined],
    });
    for (const a of all(bits))
      for (const b of all(bits)) {
        const want =
          b === 0n
            ? limited(a < 0n ? -(1n << 99n) : 1n << 99n, bits)
            : nearest(a << BigInt(fractionBits), b, bits);
        same([a, b], interpret(of(raw(a, bits), raw(b, bits)), shape), want);
      }
  });

  it.each([
    [8, 3],
    [9, 0],
    [8, 7],
    [8, 8],
    [9, 6],
  ])("have square roots: %i bits with %i fractionBits", (bits, fractionBits) => {
    const shape = signed(bits);
    const of = circuit({ op: "xsqrt", from: shape, to: shape, fractionBits, constants: [undefined] });
    for (const a of all(bits)) {
      const want = a < 0n ? 0n : BigInt(Math.round(Math.sqrt(Number(a) * 2 ** fractionBits)));
      same([a], interpret(of(raw(a, bits)), shape), limited(want, bits));
    }
  });

  const format = { whole: 3, fractionBits: 4 };
  const shape = { ...fixedShape(format), fractionBits: 4 };
  const at = { file: "", line: 1, col: 1 };
  const values = (make: (graph: Graph, a: Value, b: Value) => Value) => {
    const graph = new Graph();
    const [a, b] = ["a", "b"].map((name): Variable => ({ name, shape })) as [Variable, Variable];
    const result: Variable = { name: "result", shape };
    graph.updates.set(result, make(graph, graph.read(a), graph.read(b)));
    const evaluate = evaluator(graph);
    return (x: bigint, y = 0n) => {
      const codes = new Map([
        [a, raw(x, 7)],
        [b, raw(y, 7)],
      ]);
      return interpret(evaluate(codes).get(result) as bigint, shape);
    };
  };

  it("multiply, and wrap round", () => {
    const of = values((graph, a, b) => fixedArithmetic(graph, "*", a, b, shape, at) as Value);
    for (const a of all(7))
      for (const b of all(7)) same([a, b], of(a, b), BigInt.asIntN(7, nearest(a * b, 16n, 99)));
  });

  it.each([1, 2])("are divided by %i without a divider", (by) => {
    const divisor = BigInt(by) * 16n;
    const of = values((graph, a) => {
      const made = fixedArithmetic(graph, "/", a, graph.constant(divisor, shape), shape, at) as Value;
      expect(graph.values.some((v) => v.op === "xdiv")).toBe(false);
      return made;
    });
    for (const a of all(7)) expect(of(a)).toBe(nearest(a << 4n, divisor, 7));
  });

  it.each([
    ["down", Math.floor],
    ["up", Math.ceil],
    ["zero", Math.trunc],
    ["away", (x: number) => Math.sign(x) * Math.round(Math.abs(x))],
    ["even", (x: number) => Number(nearest(BigInt(x * 16), 16n, 99))],
  ] as const)("have whole numbers next to them: %s", (how, want) => {
    const of = values((graph, a) => roundedToInteger(graph, a, how));
    for (const a of all(7)) same([a], of(a), BigInt.asIntN(7, BigInt(want(Number(a) / 16)) * 16n));
  });

  it("are made of integers, and cut off to them", () => {
    const there = values((graph, a) => fixedCast(graph, graph.resize(a, signed(7)), shape, at));
    const back = values((graph, a) => graph.resize(fixedCast(graph, a, signed(7), at), shape));
    for (const a of all(7)) {
      expect(there(a)).toBe(BigInt.asIntN(7, a * 16n));
      same([a], back(a), a / 16n);
    }
  });

  it("are spelled in decimal", () => {
    expect([0.3, -0.3, 4, -9, 0.03125].map((v) => interpret(fixedCode(v, shape), shape))).toEqual([
      5n,
      -5n,
      63n,
      -64n,
      0n,
    ]);
  });
});
