/** gcc's builtins on GPUs: those that kernels may use, and their names in CUDA and in OpenCL C. */

type Spelled = (...args: string[]) => string;

const call =
  (name: string): Spelled =>
  (x) =>
    `${name}(${x})`;
const forms: Readonly<Record<string, Spelled>> = {
  expect: (x) => `(${x})`,
  unreachable: () => "__builtin_unreachable()",
  // The unsigned int would not become an int in the sum that it is part of.
  bswap16: (x) => `(unsigned short)__byte_perm(${x}, 0, 0x4401)`,
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
    [`clrsb${suffix}`]: (x) => {
      const type = suffix ? "long" : "int";
      return `({ const ${type} arc_value = ${x}; ${zeros}(arc_value ^ arc_value >> ${suffix ? 63 : 31}) - 1; })`;
    },
  };
}

/**
 * The functions of OpenCL C that do the same. Compilers for OpenCL take gcc's names too, as clang does, but not all give
 * the right numbers: NVIDIA's swaps the bytes of 16 bits wrongly.
 */
const openClForms: Readonly<Record<string, Spelled>> = {
  bswap16: (x) => `as_ushort(as_uchar2((ushort)(${x})).yx)`,
  bswap32: (x) => `as_uint(as_uchar4((uint)(${x})).wzyx)`,
  bswap64: (x) => `as_ulong(as_uchar8((ulong)(${x})).s76543210)`,
  ...openClCounting("", "uint", 32),
  ...openClCounting("l", "ulong", 64),
  ...openClCounting("ll", "ulong", 64),
};

function openClCounting(suffix: string, type: string, bits: number): Record<string, Spelled> {
  const value = (x: string, is: string): string => `({ const ${type} arc_value = ${x}; ${is}; })`;
  const fromLowest =
    (count: number): Spelled =>
    (x) =>
      value(x, `${count} - (int)clz(arc_value & -arc_value)`);
  return {
    [`popcount${suffix}`]: (x) => `(int)popcount((${type})(${x}))`,
    [`parity${suffix}`]: (x) => `((int)popcount((${type})(${x})) & 1)`,
    [`clz${suffix}`]: (x) => `(int)clz((${type})(${x}))`,
    [`ctz${suffix}`]: fromLowest(bits - 1),
    [`ffs${suffix}`]: fromLowest(bits),
    [`clrsb${suffix}`]: (x) => value(x, `(int)clz(arc_value >> ${bits - 1} ? ~arc_value : arc_value) - 1`),
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

/** How OpenCL C spells the builtin, where it has a function for it. */
export const openClForm = (name: string): Spelled | undefined =>
  name.startsWith("__builtin_") ? openClForms[name.slice("__builtin_".length)] : undefined;
