/** Floating-point arithmetic by exact fractions and one rounding: what circuits are compared with. */
import { biasOf, bitsOf } from "../../../../core/hw/dfg/float-format.ts";
import { type Format, interpret } from "../../../../core/hw/dfg/value.ts";
import type { FloatOperator } from "../../../../core/hw/operators/operator.ts";

/** n / d, d > 0. */
interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

type Decoded = "nan" | { readonly sign: bigint; readonly magnitude: Fraction | "infinite" };

const power = (by: number): Fraction =>
  by >= 0 ? { n: 1n << BigInt(by), d: 1n } : { n: 1n, d: 1n << BigInt(-by) };
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const over = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n });
const compare = (a: Fraction, b: Fraction): number => {
  const [x, y] = [a.n * b.d, b.n * a.d];
  return x < y ? -1 : x > y ? 1 : 0;
};
const absolute = (v: bigint) => (v < 0n ? -v : v);

function decode(code: bigint, format: Format): Decoded {
  const { exponent: e, fraction: f } = format;
  const fraction = code & ((1n << BigInt(f)) - 1n);
  const exponent = Number((code >> BigInt(f)) & ((1n << BigInt(e)) - 1n));
  const sign = code >> BigInt(e + f);
  if (exponent === 2 ** e - 1) return fraction === 0n ? { sign, magnitude: "infinite" } : "nan";
  const significand = exponent === 0 ? fraction : fraction + (1n << BigInt(f));
  const scale = power(Math.max(1, exponent) - biasOf(format) - f);
  return { sign, magnitude: times({ n: significand, d: 1n }, scale) };
}

export const isNan = (code: bigint, format: Format): boolean => decode(code, format) === "nan";

const infinity = ({ exponent, fraction }: Format, sign: bigint): bigint =>
  (((1n << BigInt(exponent)) - 1n) << BigInt(fraction)) | (sign << BigInt(exponent + fraction));

/** Rounds to nearest, ties to even. */
function encode(sign: bigint, { n, d }: Fraction, format: Format): bigint {
  const { exponent: e, fraction: f } = format;
  const least = 1 - biasOf(format);
  let exponent = n === 0n ? least : n.toString(2).length - d.toString(2).length;
  if (compare({ n, d }, power(exponent)) < 0) exponent--;
  exponent = Math.max(exponent, least);
  const units = over({ n, d }, power(exponent - f));
  const below = units.n / units.d;
  const rest = 2n * (units.n - below * units.d);
  const up = rest > units.d || (rest === units.d && below % 2n === 1n);
  // A code's exponent counts from 1 for the smallest normal numbers, whose leading bit is implicit.
  const code = below + (up ? 1n : 0n) + (BigInt(exponent - least) << BigInt(f));
  const largest = infinity(format, 0n);
  return (code < largest ? code : largest) | (sign << BigInt(e + f));
}

/** The root's code: the largest number whose rounding interval begins at or below it. */
function rootOf(value: Fraction, format: Format): bigint {
  if (value.n === 0n) return 0n;
  // Enough places to tell on which side of a midpoint the root is.
  const places = 4 * (format.fraction + 4) + 2 * biasOf(format) * 2;
  const scaled = (value.n << BigInt(2 * places)) / value.d;
  let [low, high] = [0n, 1n << BigInt(Math.ceil(scaled.toString(2).length / 2) + 1)];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle * middle <= scaled) low = middle;
    else high = middle;
  }
  const exact = low * low * value.d === value.n << BigInt(2 * places);
  return encode(0n, { n: 2n * low + (exact ? 0n : 1n), d: 1n << BigInt(places + 1) }, format);
}

/** The code of the result; "nan" for any NaN, undefined where C leaves it undefined. */
export function reference(
  { op, from, to }: FloatOperator,
  operands: readonly [bigint, bigint?],
): bigint | "nan" | undefined {
  const target = to.float as Format;
  if (op === "itof") {
    const value = interpret(operands[0], from);
    return encode(value < 0n ? 1n : 0n, { n: absolute(value), d: 1n }, target);
  }
  const format = from.float as Format;
  const [a, b = a] = operands.map((x) => decode(x as bigint, format)) as [Decoded, Decoded?];
  if (a === "nan" || b === "nan") {
    if (op === "feq" || op === "flt" || op === "fle") return 0n;
    return op === "ftoi" ? undefined : "nan";
  }
  const signed = ({ sign, magnitude }: Exclude<Decoded, "nan">): Fraction | number =>
    magnitude === "infinite"
      ? sign
        ? Number.NEGATIVE_INFINITY
        : Number.POSITIVE_INFINITY
      : { n: sign ? -magnitude.n : magnitude.n, d: magnitude.d };
  const order = (): number => {
    const [x, y] = [signed(a), signed(b)];
    if (typeof x === "object" && typeof y === "object") return compare(x, y);
    if (typeof x === "number") return x === y ? 0 : x < 0 ? -1 : 1;
    return (y as number) < 0 ? 1 : -1;
  };
  const zero = { n: 0n, d: 1n };
  const isZero = (v: Fraction | "infinite") => v !== "infinite" && v.n === 0n;
  switch (op) {
    case "feq":
      return order() === 0 ? 1n : 0n;
    case "flt":
      return order() < 0 ? 1n : 0n;
    case "fle":
      return order() <= 0 ? 1n : 0n;
    case "ftof":
      return a.magnitude === "infinite" ? infinity(target, a.sign) : encode(a.sign, a.magnitude, target);
    case "ftoi": {
      if (a.magnitude === "infinite") return undefined;
      const whole = a.magnitude.n / a.magnitude.d;
      const value = a.sign ? -whole : whole;
      const raw = BigInt.asUintN(to.bits, value);
      return interpret(raw, to) === value ? raw : undefined;
    }
    case "fsqrt":
      if (isZero(a.magnitude)) return operands[0];
      if (a.sign) return "nan";
      return a.magnitude === "infinite" ? infinity(target, 0n) : rootOf(a.magnitude, target);
    case "fadd": {
      if (a.magnitude === "infinite" || b.magnitude === "infinite") {
        if (a.magnitude === b.magnitude && a.sign !== b.sign) return "nan";
        return infinity(target, a.magnitude === "infinite" ? a.sign : b.sign);
      }
      const [x, y] = [signed(a), signed(b)] as [Fraction, Fraction];
      const n = x.n * y.d + y.n * x.d;
      const sign = n === 0n ? a.sign & b.sign : n < 0n ? 1n : 0n;
      return encode(sign, { n: absolute(n), d: x.d * y.d }, target);
    }
    case "fmul":
    case "fdiv": {
      const sign = a.sign ^ b.sign;
      const [x, y] = [a.magnitude, b.magnitude];
      const [infinite, none] = [x === "infinite", op === "fmul" ? y === "infinite" : isZero(y)];
      const vanishes = [isZero(x), op === "fmul" ? isZero(y) : y === "infinite"];
      if ((infinite || none) && (vanishes[0] || vanishes[1])) return "nan";
      if (infinite || none) return infinity(target, sign);
      if (vanishes[0] || vanishes[1]) return encode(sign, zero, target);
      const [p, q] = [x as Fraction, y as Fraction];
      return encode(sign, op === "fmul" ? times(p, q) : over(p, q), target);
    }
    default:
      throw new Error(`no reference for ${op}`);
  }
}

/** Codes that are likely to go wrong: the ends of ranges and their neighbours, both signs. */
export function specialCodes(format: Format): readonly bigint[] {
  const top = infinity(format, 0n);
  const least = 1n << BigInt(format.fraction);
  const one = BigInt(biasOf(format)) << BigInt(format.fraction);
  const found = [0n, least, 2n * least, one, one + least, top, (top + least) / 2n].flatMap((v) => [
    v - 1n,
    v,
    v + 1n,
  ]);
  const sign = 1n << BigInt(bitsOf(format) - 1);
  const codes = new Set(found.filter((v) => v >= 0n && v < sign));
  return [...codes].flatMap((v) => [v, v | sign]);
}
