/**
 * Functions of <math.h> as integer graphs, compiled to C: every number of binary16 and a hundred thousand of
 * binary32 against the computer's functions in double. ARC_SLOW_TESTS takes a hundred times as many, and more formats.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { evaluator } from "../../../../core/hw/dfg/evaluate.ts";
import { bfloat16, binary16, binary32, binary64, floatShape } from "../../../../core/hw/dfg/float-format.ts";
import type {
  BinaryFloatOp,
  Elementary,
  Format,
  UnaryFloatOp,
  Variable,
} from "../../../../core/hw/dfg/value.ts";
import { type OperatorGraph, operatorGraph } from "../../../../core/hw/operators/operator.ts";
import { nativeFunction } from "./native.ts";
import { specialCodes } from "./reference.ts";

const slow = process.env.ARC_SLOW_TESTS !== undefined;
const count = slow ? 10_000_000 : 100_000;

/** In C, on doubles. */
const functions: Readonly<Record<Exclude<UnaryFloatOp, "fsqrt">, string>> = {
  fexp: "exp",
  fexp2: "exp2",
  fexp10: "exp10",
  fexpm1: "expm1",
  flog: "log",
  flog2: "log2",
  flog10: "log10",
  fsin: "sin",
  fcos: "cos",
  ftan: "tan",
  flog1p: "log1p",
  ftanh: "tanh",
  ferf: "erf",
  ferfc: "erfc",
  fcbrt: "cbrt",
  frsqrt: "rsqrt",
  fasin: "asin",
  facos: "acos",
  fatan: "atan",
  fsinh: "sinh",
  fcosh: "cosh",
  fasinh: "asinh",
  facosh: "acosh",
  fatanh: "atanh",
  ftgamma: "tgamma",
  ffloor: "floor",
  fceil: "ceil",
  ftrunc: "trunc",
  fround: "round",
  frint: "rint",
  flogb: "logb",
};
type Function = keyof typeof functions;
const single = floatShape(binary32);
const ops = Object.keys(functions) as Function[];

/** Operands in binary32 for which the graphs are interpreted as well. */
const codes = [0n, 0x3f000000n, 0x42280000n, 0xbf9e0610n, 0x7f800000n, 0x00000007n, 0x4b7fffffn];

/** Units in the last place that a result may be off: half of one is rounding. Whole numbers are exact. */
const allowed = (op: string): number => {
  if (op === "fhypot") return 0.5001;
  if (op === "flogb") return 0;
  return /^f(exp|log|a?sin|a?cos|a?tan|tgamma|pow|erf|cbrt|rsqrt)/.test(op) ? 1 : 0;
};

const formats: readonly (readonly [string, Format])[] = [
  ["binary16", binary16],
  ["binary32", binary32],
  ...(slow
    ? ([
        ["tiny", { exponent: 4, fraction: 3 }],
        ["bfloat16", bfloat16],
      ] as const)
    : []),
];

const graphOf = (op: UnaryFloatOp, format: Format): OperatorGraph => {
  const shape = floatShape(format);
  return operatorGraph({ op, from: shape, to: shape, constants: [undefined] });
};

/** Functions of two numbers, but powers: they have operands of their own. */
const pairs = [
  ["fatan2", "atan2"],
  ["fhypot", "hypot"],
  ["ffmod", "fmod"],
  ["fremainder", "remainder"],
] as const;

/** Those of binary32 alone: what they give hangs on the format. */
const ofSingle = [["fnextafter", "next_single"]] as const;

/** x 2^n for an int n. */
const scaleOf = (format: Format): OperatorGraph => {
  const shape = floatShape(format);
  const second = { bits: 32, signed: true };
  return operatorGraph({ op: "fscale", from: shape, second, to: shape, constants: [undefined, undefined] });
};

const ofSeveral = (op: BinaryFloatOp | "ffma", operands: number, format: Format): OperatorGraph => {
  const shape = floatShape(format);
  return operatorGraph({ op, from: shape, to: shape, constants: Array(operands).fill(undefined) });
};

/** Prints a line per function: its name, the largest error in ulps, where; faults of special values. */
function program(): string {
  const parts = formats.flatMap(([name, format]) =>
    ops.map((op) => nativeFunction(`${op}_${name}`, graphOf(op, format))),
  );
  const runs = formats.flatMap(([name, format]) =>
    ops.map((op) => {
      const special = specialCodes(format).map((code) => `0x${code.toString(16)}`);
      return `{ static const uint64_t special[] = {${special}};
    measure("${op}_${name}", ${op}_${name}, ${functions[op]}, ${format.exponent}, ${format.fraction}, special, ${special.length}); }`;
    }),
  );
  const calls = ops.flatMap((op) =>
    codes.map((code) => `printf("%llx\\n", (unsigned long long)${op}_binary32(${code}u));`),
  );
  return `#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
static double rsqrt(double x) { return 1 / sqrt(x); }
${parts.join("\n")}
${nativeFunction("power", operatorGraph({ op: "fpow", from: single, to: single, constants: [undefined, undefined] }))}
${formats.flatMap(([name, format]) => pairs.map(([op]) => nativeFunction(`${op}_${name}`, ofSeveral(op, 2, format)))).join("\n")}
${ofSingle.map(([op]) => nativeFunction(`${op}_binary32`, ofSeveral(op, 2, binary32))).join("\n")}
static double next_single(double x, double y) { return nextafterf(x, y); }
${nativeFunction("fma_of", ofSeveral("ffma", 3, binary32))}
${nativeFunction("scaled_single", scaleOf(binary32))}
${nativeFunction("scaled_half", scaleOf(binary16))}
static double valueOf(uint64_t code, int e, int f) {
  uint64_t fraction = code & ((1ull << f) - 1);
  int exponent = code >> f & ((1 << e) - 1), bias = (1 << (e - 1)) - 1;
  double sign = code >> (e + f) & 1 ? -1 : 1;
  if (exponent == (1 << e) - 1) return fraction ? NAN : sign * INFINITY;
  return sign * ldexp(exponent ? fraction + (1ull << f) : fraction, (exponent ? exponent : 1) - bias - f);
}
static uint64_t state = 88172645463325252ull;
static uint64_t next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static void measure(const char *name, uint64_t (*circuit)(uint64_t), double (*exact)(double), int e, int f,
                    const uint64_t *special, int specials) {
  int bits = 1 + e + f, bias = (1 << (e - 1)) - 1;
  long all = bits <= 16 ? 1l << bits : ${count};
  double most = 0, at = 0;
  for (long k = 0; k < all; k++) {
    uint64_t code = k;
    if (bits > 16) {
      code = next() & ((1ull << bits) - 1);
      // Half of them where the functions are neither 0 nor infinite.
      if (k % 2) code = (code & ~(((1ull << e) - 1) << f)) | (uint64_t)(bias - 12 + (int)(next() % 20)) << f;
      if (k < specials) code = special[k];
    }
    double x = valueOf(code, e, f), want = exact(x), got = valueOf(circuit(code), e, f);
    if (isnan(want) || isnan(got)) {
      if (isnan(want) != isnan(got)) printf("%s(%a) gives %a, not %a\\n", name, x, got, want);
      continue;
    }
    double largest = ldexp(2 - ldexp(1, -f), bias), unit = ldexp(1, (want == 0 ? 1 - bias : (int)fmax(1 - bias, ilogb(want))) - f);
    // What rounds to infinity.
    if (isinf(got) || isinf(want) || fabs(want) > largest) {
      int near = fabs(fabs(want) - ldexp(1, bias + 1)) < unit * 1.5 && signbit(want) == signbit(got);
      if (got != want && !(isinf(got) && fabs(want) > largest && signbit(want) == signbit(got)) && !near)
        printf("%s(%a) gives %a, not %a\\n", name, x, got, want);
      continue;
    }
    if (want == 0 && got == 0 && signbit(want) != signbit(got)) printf("%s(%a) has the wrong sign\\n", name, x);
    double error = fabs(got - want) / unit;
    if (error > most) { most = error; at = x; }
  }
  printf("%s %.4f at %a\\n", name, most, at);
}
/** Codes whose exponents are near each other's, or any. */
static uint64_t near(uint64_t other, int e, int f, int span) {
  uint64_t code = next() & ((1ull << (1 + e + f)) - 1);
  if (next() % 8 == 0) return code;
  long exponent = (long)(other >> f & ((1 << e) - 1)) + (long)(next() % (2 * span + 1)) - span;
  if (exponent < 0 || exponent >= 1 << e) exponent = 0;
  return (code & ~(((1ull << e) - 1) << f)) | (uint64_t)exponent << f;
}
static void both(const char *name, uint64_t (*circuit)(uint64_t, uint64_t), double (*exact)(double, double), int e, int f,
                 const uint64_t *special, int specials) {
  double most = 0, atX = 0, atY = 0;
  for (long k = 0; k < specials * specials + ${count}; k++) {
    uint64_t a = next() & ((1ull << (1 + e + f)) - 1), b = near(a, e, f, f + 3);
    if (k < specials * specials) { a = special[k % specials]; b = special[k / specials]; }
    double x = valueOf(a, e, f), y = valueOf(b, e, f), want = exact(x, y), got = valueOf(circuit(a, b), e, f);
    double largest = ldexp(2 - ldexp(1, -f), (1 << (e - 1)) - 1);
    int huge = isinf(want) || fabs(want) > largest;
    if (isnan(want) != isnan(got) || signbit(want) != signbit(got) && !isnan(want) || isinf(got) && !huge)
      printf("%s(%a, %a) gives %a, not %a\\n", name, x, y, got, want);
    if (isnan(want) || huge) continue;
    double error = fabs(got - want) / ldexp(1, (want == 0 ? 2 - (1 << (e - 1)) : (int)fmax(2 - (1 << (e - 1)), ilogb(want))) - f);
    if (error > most) { most = error; atX = x; atY = y; }
  }
  printf("%s %.4f at %a, %a\\n", name, most, atX, atY);
}
static void fused(void) {
  for (long k = 0; k < ${count}; k++) {
    uint32_t a = next(), b = near(0x3f800000, 8, 23, 40), c;
    union { uint32_t code; float number; } x = { a }, y = { b }, p, z, want, got;
    p.number = x.number * y.number;
    z.code = c = near(p.code, 8, 23, 30);
    // What cancels to the last bits.
    if (k % 5 == 0) z.number = -p.number;
    want.number = fmaf(x.number, y.number, z.number);
    got.code = fma_of(a, b, z.code);
    if (isnan(want.number) ? !isnan(got.number) : got.code != want.code)
      printf("fma(%a, %a, %a) gives %a, not %a\\n", x.number, y.number, z.number, got.number, want.number);
  }
}
static void scaled(void) {
  for (long k = 0; k < ${count}; k++) {
    union { uint32_t code; float number; } x = { next() }, single, got;
    union { uint16_t code; _Float16 number; } y = { next() }, half, gotHalf;
    int n = k % 3 == 0 ? (int)(next() % 601) - 300 : k % 3 == 1 ? (int)(next() % 81) - 40 : (int)next();
    single.number = ldexpf(x.number, n);
    got.code = scaled_single(x.code, (uint32_t)n);
    if (isnan(x.number) ? !isnan(got.number) : got.code != single.code)
      printf("ldexp(%a, %d) gives %a, not %a\\n", x.number, n, got.number, single.number);
    half.number = ldexp(y.number, n);
    gotHalf.code = scaled_half(y.code, (uint32_t)n);
    if (isnan((float)y.number) ? !isnan((float)gotHalf.number) : gotHalf.code != half.code)
      printf("ldexp(%a, %d) gives %a, not %a\\n", (double)y.number, n, (double)gotHalf.number, (double)half.number);
  }
}
${(["ffmod", "fremainder"] as const).map((op) => nativeFunction(`${op}_binary64`, ofSeveral(op, 2, binary64))).join("\n")}
static void divided(void) {
  static const uint64_t special[] = {${specialCodes(binary64).map((code) => `0x${code.toString(16)}`)}};
  int n = sizeof special / sizeof *special;
  for (long k = 0; k < n * n + ${count / 10}; k++) {
    union { uint64_t code; double number; } x = { next() }, y = { next() }, want, got;
    // Numbers of few digits, and exponents that are near.
    if (k % 2) x.code &= next() << (next() & 63);
    if (k % 3 == 0) y.code = x.code + (next() >> (next() & 63));
    if (k < n * n) { x.code = special[k % n]; y.code = special[k / n]; }
    want.number = fmod(x.number, y.number);
    got.code = ffmod_binary64(x.code, y.code);
    if (isnan(want.number) ? !isnan(got.number) : got.code != want.code)
      printf("fmod(%a, %a) gives %a, not %a\\n", x.number, y.number, got.number, want.number);
    want.number = remainder(x.number, y.number);
    got.code = fremainder_binary64(x.code, y.code);
    if (isnan(want.number) ? !isnan(got.number) : got.code != want.code)
      printf("remainder(%a, %a) gives %a, not %a\\n", x.number, y.number, got.number, want.number);
  }
}
static const uint64_t specials[] = {${specialCodes(binary32).map((code) => `0x${code.toString(16)}`)}};
static void powers(void) {
  int n = sizeof specials / sizeof *specials;
  double most = 0, atX = 0, atY = 0;
  for (long k = 0; k < n * n + ${count}; k++) {
    uint64_t a = next() & 0xffffffff, b = next() & 0xffffffff;
    // Whole numbers, and products with the logarithm that the exponent holds.
    float whole = (int)(b % 64) - 32, y = valueOf(b, 8, 23), x;
    if (k % 3) x = ldexpf((int32_t)a, (int)(b >> 20 & 7) - 32);
    else x = 1 + ldexpf((int32_t)a, -31 - (int)(b >> 20 & 15));
    if (k % 3 != 1) y = (int32_t)b * 0x1p-31 * 140 / fmax(1e-9, fabs(log2(fabs(x))));
    if (k % 3 == 1) y = whole;
    if (k < n * n) { x = valueOf(specials[k % n], 8, 23); y = valueOf(specials[k / n], 8, 23); }
    union { float number; uint32_t code; } p = { x }, q = { y };
    double want = pow(x, y), got = valueOf(power(p.code, q.code), 8, 23);
    float nearest = want;
    int alike = isnan(want) ? isnan(got) : isinf(nearest) || isinf(got) ? got == nearest : !signbit(got) == !signbit(want);
    if (!alike) printf("pow(%a, %a) gives %a, not %a\\n", x, y, got, want);
    if (isnan(want) || isinf(nearest)) continue;
    double error = fabs(got - want) / ldexp(1, (want == 0 ? -126 : (int)fmax(-126, ilogb(want))) - 23);
    if (error > most) { most = error; atX = x; atY = y; }
  }
  printf("fpow_binary32 %.4f at %a, %a\\n", most, atX, atY);
}
int main(int count, char **args) {
  if (count > 1) {
    ${calls.join("\n    ")}
    return 0;
  }
  ${runs.join("\n  ")}
  powers();
  fused();
  scaled();
  divided();
  ${formats
    .flatMap(([name, format]) =>
      (format === binary32 ? [...pairs, ...ofSingle] : pairs).map(([op, exact]) => {
        const special = specialCodes(format).map((code) => `0x${code.toString(16)}`);
        return `{ static const uint64_t special[] = {${special}};
    both("${op}_${name}", ${op}_${name}, ${exact}, ${format.exponent}, ${format.fraction}, special, ${special.length}); }`;
      }),
    )
    .join("\n  ")}
  return 0;
}
`;
}

describe("functions of <math.h>", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "arc-elementary-"));
    writeFileSync(path.join(folder, "measure.c"), program());
    execFileSync("gcc", ["-O1", "-w", "measure.c", "-o", "measure", "-lm"], { cwd: folder });
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true }));
  const lines = (...args: readonly string[]): readonly string[] =>
    execFileSync("./measure", args, { cwd: folder, encoding: "utf8" }).trim().split("\n");

  it("are within one unit in the last place", { timeout: slow ? 3_600_000 : 600_000 }, () => {
    const measured = lines();
    const errors = measured.filter((line) => {
      const [, op, error] = /^(f\w+)_\w+ ([\d.]+) at /.exec(line) ?? [];
      return op === undefined || Number(error) > allowed(op);
    });
    expect(errors).toEqual([]);
    expect(measured.length).toBe(formats.length * (ops.length + pairs.length) + ofSingle.length + 1);
  });

  it("give the same codes where graphs are interpreted", () => {
    const want = ops.flatMap((op) => {
      const { graph, inputs, output } = graphOf(op, binary32);
      const evaluate = evaluator(graph);
      return codes.map((code) =>
        evaluate(new Map([[inputs[0] as Variable, code]]))
          .get(output)
          ?.toString(16),
      );
    });
    expect(lines("codes")).toEqual(want);
  });
});

describe("functions of double", () => {
  const view = new DataView(new ArrayBuffer(8));
  const codeOf = (x: number): bigint => {
    view.setFloat64(0, x);
    return view.getBigUint64(0);
  };
  const numberOf = (code: bigint): number => {
    view.setBigUint64(0, code);
    return view.getFloat64(0);
  };
  const computer: Readonly<Record<Exclude<Elementary, "ferf" | "ferfc" | "ftgamma">, (x: number) => number>> =
    {
      fexp: Math.exp,
      fexp2: (x) => 2 ** x,
      fexp10: (x) => 10 ** x,
      flog: Math.log,
      flog2: Math.log2,
      flog10: Math.log10,
      fsin: Math.sin,
      fcos: Math.cos,
      ftan: Math.tan,
      fexpm1: Math.expm1,
      flog1p: Math.log1p,
      ftanh: Math.tanh,
      fcbrt: Math.cbrt,
      frsqrt: (x) => 1 / Math.sqrt(x),
      fasin: Math.asin,
      facos: Math.acos,
      fatan: Math.atan,
      fsinh: Math.sinh,
      fcosh: Math.cosh,
      fasinh: Math.asinh,
      facosh: Math.acosh,
      fatanh: Math.atanh,
    };
  it.each(Object.entries(computer))(
    "are within two units in the last place of this computer's: %s",
    (op, exact) => {
      const { graph, inputs, output } = operatorGraph({
        op: op as Elementary,
        from: floatShape(binary64),
        to: floatShape(binary64),
        constants: [undefined],
      });
      const evaluate = evaluator(graph);
      for (const x of [0.3, 1 - 2 ** -30, 1, 1.75, 2.5, 11, 1e-9, 300.123, 2 ** 70]) {
        const got = numberOf(evaluate(new Map([[inputs[0] as Variable, codeOf(x)]])).get(output) as bigint);
        const want = exact(x);
        if (Number.isFinite(want))
          expect(Math.abs(got - want)).toBeLessThanOrEqual(Math.abs(want) * 2 ** -51);
        else expect(got).toBe(want);
      }
    },
  );
});
