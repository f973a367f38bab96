/** gcc's builtins on GPUs: those that kernels may use, and their names in CUDA. */

type Spelled = (...args: string[]) => string;

const call =
  (name: string): Spelled =>
  (x) =>
    `${name}(${x})`;
const forms: Readonly<Record<string, Spelled>> = {
  expect: (x) => `(${x})`,
  unreachable: () => "__builtin_unreachable()",
  bswap16: (x) => `__byte_perm(${x}, 0, 0x4401)`,
  bswap64: (x) =>
    `({ const unsigned long arc_value = ${x}; ` +
    "(unsigned long)__byte_perm((unsigned int)arc_value, 0, 0x0123) << 32 | " +
    "__byte_perm((unsigned int)(arc_value >> 32), 0, 0x0123); })",
  bswap32: (x) => `__byte_perm(${x}, 0, 0x0123)`,
  ...counting("", "__popc", "__clz", "__ffs"),
  ...counting("l", "__popcll", "__clzll", "__ffsll"),
  ...counting("ll", "__popcll", "__clzll", "__ffsll"),
};

function counting(suffix: string, ones: string, zeros: string, first: string): Record<string, Spelled> {
  return {
    [`popcount${suffix}`]: call(ones),
    [`clz${suffix}`]: call(zeros),
    [`ffs${suffix}`]: call(first),
    [`ctz${suffix}`]: (x) => `(${first}(${x}) - 1)`,
    [`parity${suffix}`]: (x) => `(${ones}(${x}) & 1)`,
  };
}

/** Names as in programs, without those of <math.h>. */
export const knownBuiltins = new RegExp(
  `^__builtin_(${[...Object.keys(forms), "mem(cpy|set)", "abort", "l{0,2}abs"].join("|")})$`,
);

/** By name without `__builtin_`: CUDA's form if it has one; the others have C's names. */
export const inCuda = (name: string, args: readonly string[]): string =>
  forms[name]?.(...args) ?? `${name}(${args.join(", ")})`;

/** clang has all of them. */
export const inClang = (name: string, args: readonly string[]): string =>
  `${name in forms ? "__builtin_" : ""}${name}(${args.join(", ")})`;
