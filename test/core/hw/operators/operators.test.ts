/** Operators as integer graphs, interpreted, against exact fractions. */
import { describe, expect, it } from "vitest";
import { evaluator } from "../../../../core/hw/dfg/evaluate.ts";
import {
  bfloat16,
  binary16,
  binary32,
  binary64,
  bitsOf,
  floatShape,
} from "../../../../core/hw/dfg/float-format.ts";
import {
  BIT,
  type FloatOp,
  type Format,
  interpret,
  type Shape,
  type Variable,
} from "../../../../core/hw/dfg/value.ts";
import { type FloatOperator, nameOfOperator, operatorGraph } from "../../../../core/hw/operators/operator.ts";
import { isNan, reference, specialCodes } from "./reference.ts";

const slow = process.env.ARC_SLOW_TESTS !== undefined;

/** A sign, four bits of exponent and three of fraction: all pairs can be tried. */
const tiny: Format = { exponent: 4, fraction: 3 };
const int = (bits: number, signed = true): Shape => ({ bits, signed });

const binary: readonly FloatOp[] = ["fadd", "fmul", "fdiv", "feq", "flt", "fle"];

function operator(op: FloatOp, from: Shape, to: Shape): FloatOperator {
  return { op, from, to, constants: binary.includes(op) ? [undefined, undefined] : [undefined] };
}

const within = (format: Format): readonly FloatOperator[] => {
  const shape = floatShape(format);
  return [
    ...(["fadd", "fmul", "fdiv", "fsqrt"] as const).map((op) => operator(op, shape, shape)),
    ...(["feq", "flt", "fle"] as const).map((op) => operator(op, shape, BIT)),
  ];
};

type Pair = readonly [bigint, bigint];

/** The first operands for which circuit and fractions differ. */
function faults(op: FloatOperator, pairs: Iterable<Pair>): readonly string[] {
  const { graph, inputs, output } = operatorGraph(op);
  const evaluate = evaluator(graph);
  const found: string[] = [];
  for (const [a, b] of pairs) {
    const pair: readonly [bigint, bigint?] = inputs.length === 1 ? [a] : [a, b];
    const want = reference(op, pair);
    if (want === undefined) continue;
    const given = new Map<Variable, bigint>(inputs.map((v, k) => [v, pair[k] as bigint]));
    const code = evaluate(given).get(output) as bigint;
    const got = op.to.float && isNan(code, op.to.float) ? "nan" : code;
    if (got !== want && found.length < 5)
      found.push(`${pair.map((v) => v?.toString(2))}: ${got}, not ${want}`);
  }
  return found;
}

const signOf = (format: Format): bigint => 1n << BigInt(bitsOf(format) - 1);

/** Subnormal, or 0. */
const isTiny = (code: bigint, format: Format): boolean =>
  (code & (signOf(format) - 1n)) >> BigInt(format.fraction) === 0n;

/** Every `step`th pair of codes with this many bits; for one operand, pairs with 0. */
function* codes(bits: number, operands: number, step: number): Iterable<Pair> {
  const size = 1n << BigInt(bits);
  const all = operands === 1 ? size : size * size;
  for (let k = 0n; k < all; k += BigInt(step)) yield [k % size, k / size];
}

function* specialPairs(format: Format, operands: number): Iterable<Pair> {
  const list = specialCodes(format);
  let k = 0;
  for (const a of list)
    for (const b of operands === 1 ? [0n] : list) if (slow || operands === 1 || k++ % 17 === 0) yield [a, b];
}

/** Codes from a seeded generator, dense around equal exponents. */
function* random(bits: number, count: number): Iterable<Pair> {
  let state = 0x9e3779b97f4a7c15n;
  const next = () => {
    state ^= BigInt.asUintN(64, state << 13n);
    state ^= state >> 7n;
    state ^= BigInt.asUintN(64, state << 17n);
    return state;
  };
  for (let k = 0; k < count; k++) {
    const a = BigInt.asUintN(bits, next());
    yield [a, k % 2 ? BigInt.asUintN(bits, next()) : a ^ BigInt.asUintN(bits - (k % 7), next())];
  }
}

describe("floating-point operators give the exact result, rounded", {
  timeout: slow ? 600_000 : 60_000,
}, () => {
  it.each(within(tiny).map((op) => [nameOfOperator(op), op] as const))(
    "on numbers of 8 bits: %s",
    (_, op) => {
      expect(faults(op, codes(8, op.constants.length, slow || op.constants.length === 1 ? 1 : 29))).toEqual(
        [],
      );
    },
  );

  const shape = floatShape(tiny);
  const conversions: readonly FloatOperator[] = [
    ...[binary16, { exponent: 3, fraction: 2 }, { exponent: 5, fraction: 2 }].map((to) =>
      operator("ftof", shape, floatShape(to)),
    ),
    ...[
      { exponent: 5, fraction: 5 },
      { exponent: 3, fraction: 6 },
      { exponent: 4, fraction: 5 },
    ].map((from) => operator("ftof", floatShape(from), shape)),
    ...[int(8), int(11, false), int(3)].map((from) => operator("itof", from, shape)),
    ...[int(8), int(16, false), int(2)].map((to) => operator("ftoi", shape, to)),
  ];
  it.each(conversions.map((op) => [nameOfOperator(op), op] as const))("in conversions: %s", (_, op) => {
    expect(faults(op, codes(op.from.bits, 1, 1))).toEqual([]);
  });

  it.each([
    ["bfloat16", bfloat16],
    ["binary16", binary16],
    ["binary32", binary32],
    ["binary64", binary64],
  ] as const)("at the ends of the ranges of %s", (_, format) => {
    for (const op of within(format))
      expect(faults(op, specialPairs(format, op.constants.length))).toEqual([]);
  });

  it.each([
    ["bfloat16", bfloat16],
    ["binary16", binary16],
    ["binary32", binary32],
    ["binary64", binary64],
  ] as const)("on random operands of %s", (_, format) => {
    for (const op of within(format)) expect(faults(op, random(bitsOf(format), slow ? 2000 : 20))).toEqual([]);
  });

  it.each([
    ["8 bits", tiny],
    ["bfloat16", bfloat16],
    ["binary32", binary32],
  ] as const)("without subnormal numbers, of %s", (_, format) => {
    const shape = floatShape(format);
    for (const op of within(format).filter(({ to }) => to.float)) {
      const { graph, inputs, output } = operatorGraph({ ...op, flush: true });
      const evaluate = evaluator(graph);
      const two = inputs.length === 2;
      const some = format === tiny ? codes(8, inputs.length, two ? 101 : 1) : random(shape.bits, 20);
      for (const pair of [...some, ...specialPairs(format, inputs.length)]) {
        const [a, b] = pair.map((code) => (isTiny(code, format) ? code & signOf(format) : code)) as [
          bigint,
          bigint,
        ];
        const want = reference(op, two ? [a, b] : [a]) as bigint | "nan";
        const code = evaluate(new Map(inputs.map((v, k) => [v, pair[k] as bigint]))).get(output) as bigint;
        const zero = want === "nan" ? want : want & signOf(format);
        const got = isNan(code, format) ? "nan" : code;
        const least = 1n << BigInt(format.fraction);
        // What rounds up to the least normal number was below it.
        const near = want !== "nan" && (want & (signOf(format) - 1n)) === least;
        if (near && got === zero) continue;
        expect([op.op, ...pair, got]).toEqual([
          op.op,
          ...pair,
          want !== "nan" && isTiny(want, format) ? zero : want,
        ]);
      }
    }
  });

  it.each([
    [4, true, 3, true, 7],
    [4, false, 3, true, 5],
    [3, true, 5, false, 8],
    [1, false, 4, true, 4],
    [1, true, 1, true, 2],
    [6, true, 6, true, 6],
    [5, false, 2, false, 7],
  ])(
    "as products of integers: %i bits, signed: %s, by %i bits, signed: %s, to %i bits",
    (a, s, b, t, bits) => {
      const [from, second] = [int(a, s), int(b, t)];
      const plain = { op: "mul", from, second, to: int(bits, false) } as const;
      const { graph, inputs, output } = operatorGraph({ ...plain, constants: [undefined, undefined] });
      const evaluate = evaluator(graph);
      for (const [x] of codes(a, 1, 1))
        for (const [y] of codes(b, 1, 1)) {
          const want = BigInt.asUintN(bits, interpret(x, from) * interpret(y, second));
          expect(evaluate(new Map(inputs.map((v, k) => [v, k ? y : x]))).get(output)).toBe(want);
          const folded = operatorGraph({ ...plain, constants: [undefined, y] });
          const given = new Map([[folded.inputs[0] as Variable, x]]);
          expect(evaluator(folded.graph)(given).get(folded.output)).toBe(want);
        }
    },
  );

  it("where one operand is a constant", () => {
    for (const [op, constant] of [
      ["fmul", 0x3dn],
      ["fmul", 0x28n],
      ["fadd", 0x01n],
      ["fdiv", 0x3bn],
      ["flt", 0x00n],
    ] as const) {
      const plain = operator(op, shape, op === "flt" ? BIT : shape);
      const folded = operatorGraph({ ...plain, constants: [undefined, constant] });
      const evaluate = evaluator(folded.graph);
      for (let a = 0n; a < 256n; a++) {
        const want = reference(plain, [a, constant]);
        const code = evaluate(new Map([[folded.inputs[0] as Variable, a]])).get(folded.output);
        expect(folded.output.shape.bits === 8 && isNan(code as bigint, tiny) ? "nan" : code).toBe(want);
      }
    }
  });
});
