/** The text of the functions that convert halves, for a kernel's text that calls them. */
import { halfNames } from "./conversions.ts";

interface Spelling {
  /** Words before a function. */
  readonly prefix: string;
  readonly stored: string;
  /** `into` becomes the bits of `from`, of a type with the same size. */
  readonly copyBits: (into: string, from: string) => string;
  /** Statements that return the float of `h`, and the half that `x` is rounded to. */
  readonly value: readonly string[];
  readonly of: readonly string[];
}

/** The definitions that `text` needs. */
export function halfDefinitions(text: string, spelling: Spelling): readonly string[] {
  const { prefix, stored } = spelling;
  const calls = (name: string) => text.includes(`${name}(`);
  const lines = (head: string, body: readonly string[]) => [
    `${prefix} ${head} {`,
    ...body.map((line) => (line.startsWith("#") ? line : `  ${line}`)),
    "}",
  ];
  const fromDouble = calls(halfNames.ofDouble);
  return [
    ...(calls(halfNames.value) ? lines(`float ${halfNames.value}(${stored} h)`, spelling.value) : []),
    ...(fromDouble || calls(halfNames.of) ? lines(`${stored} ${halfNames.of}(float x)`, spelling.of) : []),
    ...(fromDouble ? lines(`${stored} ${halfNames.ofDouble}(double x)`, roundedOnce(spelling)) : []),
  ];
}

/**
 * A double that lies between two floats becomes the one whose last bit is set (rounding to odd, Boldo and Melquiond 2008):
 * rounding that to a half is rounding the double.
 */
const roundedOnce = ({ copyBits }: Spelling): readonly string[] => [
  "float near = (float)x;",
  "unsigned int bits;",
  copyBits("bits", "near"),
  "if ((double)near != x && (bits & 1u) == 0) {",
  "  const double size = x < 0 ? -x : x, reached = near < 0 ? -(double)near : (double)near;",
  "  bits = reached < size ? bits + 1u : bits - 1u;",
  "}",
  copyBits("near", "bits"),
  `return ${halfNames.of}(near);`,
];

/** For compilers without instructions for halves. */
export const plainValue = (copyBits: Spelling["copyBits"]): readonly string[] => [
  "const unsigned int size = h & 0x7fffu;",
  "const unsigned int bits = (size << 13) + (size < 0x7c00u ? 0x38000000u : 0x70000000u);",
  "float x;",
  copyBits("x", "bits"),
  "if (size < 0x400u) x = (float)size * 5.9604644775390625e-8f;",
  "return h & 0x8000u ? -x : x;",
];

/** Adding a half to a number below 2^-14 leaves the multiple of 2^-24 that it is rounded to in the last bits of the sum. */
export const plainOf = (stored: string, copyBits: Spelling["copyBits"]): readonly string[] => [
  "unsigned int bits;",
  copyBits("bits", "x"),
  `const ${stored} sign = (${stored})(bits >> 16 & 0x8000u);`,
  "bits &= 0x7fffffffu;",
  `if (bits > 0x7f800000u) return (${stored})(sign | 0x7e00u | (bits >> 13 & 0x3ffu));`,
  `if (bits >= 0x477ff000u) return (${stored})(sign | 0x7c00u);`,
  "if (bits < 0x38800000u) {",
  "  float sum;",
  `  ${copyBits("sum", "bits")}`,
  "  sum += 0.5f;",
  `  ${copyBits("bits", "sum")}`,
  `  return (${stored})(sign | (bits - 0x3f000000u));`,
  "}",
  "bits += 0xfffu + (bits >> 13 & 1u);",
  `return (${stored})(sign | ((bits - 0x38000000u) >> 13));`,
];
