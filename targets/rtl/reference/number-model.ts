/** C code for the numbers in which a region computes where the source says float: `arc_number` and its operations. */

import { biasOf, formatOf } from "../../../core/hw/dfg/float-format.ts";
import type { Format } from "../../../core/hw/dfg/value.ts";
import { interpret, type Shape } from "../../../core/hw/dfg/value.ts";
import { type FixedShape, isFixed } from "../../../core/hw/operators/fixed/format.ts";
import { fixedCode } from "../../../core/hw/operators/fixed/values.ts";
import { codeOf, numberOf } from "../../../core/hw/operators/float-values.ts";

export interface NumberModel {
  readonly definitions: readonly string[];
  /** A number literal. */
  literal(value: number): string;
  /** A call of a function of <math.h>, by its name without f; undefined if there is no such function. */
  call(name: string, args: readonly string[]): string | undefined;
}

export const modelOf = (shape: Shape): NumberModel =>
  isFixed(shape) ? fixedPoint(shape) : floatingPoint(formatOf(shape));

/**
 * Doubles, each rounded to the format: rounding twice gives the same (see `computedIn` in
 * core/hw/operators/float-values.ts).
 */
function floatingPoint(format: Format): NumberModel {
  const { fraction } = format;
  const least = 2 - biasOf(format);
  const largest = numberOf(codeOf(Number.POSITIVE_INFINITY, format) - 1n, format);
  const text = (value: number) => (Object.is(value, -0) ? "-0.0" : `${value}`.replace(/^(-?\d+)$/, "$1.0"));
  return {
    definitions: [
      "typedef double arc_number;",
      `static inline arc_number arc_of(double x) {
  int exponent;
  if (x == 0 || isnan(x) || isinf(x)) return x;
  frexp(x, &exponent);
  exponent = (exponent < ${least} ? ${least} : exponent) - ${fraction + 1};
  x = ldexp(rint(ldexp(x, -exponent)), exponent);
  return fabs(x) > ${text(largest)} ? copysign(__builtin_inf(), x) : x;
}`,
      "#define arc_of_integer(x) arc_of((double)(x))",
      "#define arc_real(x) (x)",
      "#define arc_float(x) ((float)(x))",
      "#define arc_whole(x) (x)",
      "#define arc_minus(x) (-(x))",
      ...(["sum +", "difference -", "product *", "quotient /"] as const).map((of) => {
        const [name, op] = of.split(" ");
        return `static inline arc_number arc_${name}(arc_number a, arc_number b) { return arc_of(a ${op} b); }`;
      }),
    ],
    literal: (value) =>
      Number.isFinite(value)
        ? text(numberOf(codeOf(value, format), format))
        : Number.isNaN(value)
          ? '__builtin_nan("")'
          : "__builtin_inf()",
    call: (name, args) => `arc_of(${name}(${args.join(", ")}))`,
  };
}

function fixedPoint(shape: FixedShape): NumberModel {
  const { bits, fractionBits } = shape;
  const least = bits === 64 ? "INT64_MIN" : `-((int64_t)1 << ${bits - 1})`;
  const one = `((int64_t)1 << ${fractionBits})`;
  const half = fractionBits > 0 ? `((__int128)1 << ${fractionBits - 1})` : "0";
  return {
    definitions: [
      "typedef int64_t arc_number;",
      `static inline arc_number arc_wrapped(uint64_t x) { return (int64_t)(x << ${64 - bits}) >> ${64 - bits}; }`,
      `static inline arc_number arc_limited(__int128 x) {
  const int64_t least = ${least};
  return x < least ? least : x > -(least + 1) ? -(least + 1) : (int64_t)x;
}`,
      `static inline arc_number arc_of(double x) {
  x = rint(ldexp(x, ${fractionBits}));
  if (isnan(x)) return 0;
  return fabs(x) < 0x1p100 ? arc_limited((__int128)x) : arc_limited(x < 0 ? -((__int128)1 << 100) : (__int128)1 << 100);
}`,
      `static inline arc_number arc_of_integer(uint64_t x) { return arc_wrapped(${fractionBits < 64 ? `x << ${fractionBits}` : "0"}); }`,
      `static inline double arc_real(arc_number x) { return ldexp((double)x, ${-fractionBits}); }`,
      `static inline float arc_float(arc_number x) { return ldexpf((float)x, ${-fractionBits}); }`,
      `static inline int64_t arc_whole(arc_number x) { return (int64_t)(((__int128)x + (x < 0 ? ${one} - 1 : 0)) >> ${fractionBits}); }`,
      "static inline arc_number arc_minus(arc_number x) { return arc_wrapped(-(uint64_t)x); }",
      "static inline arc_number arc_sum(arc_number a, arc_number b) { return arc_wrapped((uint64_t)a + (uint64_t)b); }",
      "static inline arc_number arc_difference(arc_number a, arc_number b) { return arc_wrapped((uint64_t)a - (uint64_t)b); }",
      `static inline arc_number arc_fma(arc_number a, arc_number b, arc_number c) {
  const __int128 exact = (__int128)((unsigned __int128)((__int128)a * b) + ((unsigned __int128)c << ${fractionBits}));
  const __int128 up = (exact + ${half}) >> ${fractionBits};
  const int tie = ${fractionBits} > 0 && (exact & ((((__int128)1 << ${fractionBits}) - 1))) == ${half};
  return arc_wrapped((uint64_t)(tie ? up & ~(__int128)1 : up));
}`,
      "static inline arc_number arc_product(arc_number a, arc_number b) { return arc_fma(a, b, 0); }",
      `static inline arc_number arc_quotient(arc_number a, arc_number b) {
  const __int128 n = a < 0 ? -(__int128)a : a, d = b < 0 ? -(__int128)b : b;
  const int negative = (a < 0) != (b < 0);
  if (b == 0) return arc_limited(a < 0 ? -((__int128)1 << 100) : (__int128)1 << 100);
  const __int128 below = (n << ${fractionBits}) / d, rest = 2 * ((n << ${fractionBits}) % d);
  const __int128 nearest = below + (rest > d || (rest == d && (below & 1)));
  return arc_limited(negative ? -nearest : nearest);
}`,
      `static inline arc_number arc_sqrt(arc_number x) {
  const unsigned __int128 radicand = x < 0 ? 0 : (unsigned __int128)x << ${fractionBits};
  unsigned __int128 root = 0;
  for (int bit = 63; bit >= 0; bit--) {
    const unsigned __int128 more = root | ((unsigned __int128)1 << bit);
    if (more * more <= radicand) root = more;
  }
  return arc_limited((__int128)(root + (radicand - root * root > root)));
}`,
      "static inline arc_number arc_fabs(arc_number x) { return x < 0 ? arc_minus(x) : x; }",
      "static inline arc_number arc_fmax(arc_number a, arc_number b) { return a < b ? b : a; }",
      "static inline arc_number arc_fmin(arc_number a, arc_number b) { return b < a ? b : a; }",
      "static inline arc_number arc_fdim(arc_number a, arc_number b) { return b < a ? arc_difference(a, b) : 0; }",
      "static inline arc_number arc_copysign(arc_number a, arc_number b) { return b < 0 ? arc_minus(arc_fabs(a)) : arc_fabs(a); }",
      `static inline arc_number arc_floor(arc_number x) { return x & ~(${one} - 1); }`,
      `static inline arc_number arc_ceil(arc_number x) { return arc_floor(arc_sum(x, ${one} - 1)); }`,
      `static inline arc_number arc_trunc(arc_number x) { return arc_floor(arc_sum(x, x < 0 ? ${one} - 1 : 0)); }`,
      `static inline arc_number arc_round(arc_number x) { return ${fractionBits > 0 ? `arc_floor(arc_sum(x, ${one} / 2 - (x < 0)))` : "x"}; }`,
      `static inline arc_number arc_rint(arc_number x) { return ${fractionBits > 0 ? `arc_wrapped((uint64_t)arc_product(x, 1) << ${fractionBits})` : "x"}; }`,
      "#define arc_nearbyint(x) arc_rint(x)",
    ],
    literal: (value) => `${interpret(fixedCode(value, shape), shape)}`,
    call: (name, args) => `arc_${name}(${args.join(", ")})`,
  };
}
