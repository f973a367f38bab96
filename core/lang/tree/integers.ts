/** Width, signedness, rank and conversion of integer types (C11 6.3.1). */
import type { CType, FloatKind, IntKind } from "./ast.ts";
import { canonical, complexOf, floatType, INT, intType, UINT, underlying, unqualified } from "./types.ts";

/** Value bits plus sign bit; `bool` has one. */
export const INT_BITS: Readonly<Record<IntKind, number>> = {
  bool: 1,
  char: 8,
  schar: 8,
  uchar: 8,
  short: 16,
  ushort: 16,
  int: 32,
  uint: 32,
  long: 64,
  ulong: 64,
  llong: 64,
  ullong: 64,
  int128: 128,
  uint128: 128,
};

const UNSIGNED_OF: Readonly<Partial<Record<IntKind, IntKind>>> = {
  char: "uchar",
  schar: "uchar",
  short: "ushort",
  int: "uint",
  long: "ulong",
  llong: "ullong",
  int128: "uint128",
};
const RANKS: Readonly<Record<IntKind, number>> = {
  bool: 0,
  char: 1,
  schar: 1,
  uchar: 1,
  short: 2,
  ushort: 2,
  int: 3,
  uint: 3,
  long: 4,
  ulong: 4,
  llong: 5,
  ullong: 5,
  int128: 6,
  uint128: 6,
};

/** The integer kind of an integer or enum type. */
export function intKind(type: CType): IntKind | undefined {
  const seen = canonical(type);
  if (seen.kind === "int") return seen.name;
  if (seen.kind !== "enum") return undefined;
  const base = underlying(seen);
  return base.kind === "int" ? base.name : undefined;
}

export function isUnsignedKind(kind: IntKind): boolean {
  return kind === "bool" || kind.startsWith("u");
}

export function isSigned(type: CType): boolean {
  const kind = intKind(type);
  return kind !== undefined && !isUnsignedKind(kind);
}

export function unsignedOf(kind: IntKind): IntKind {
  return UNSIGNED_OF[kind] ?? kind;
}

/** `value` reduced to what the type can hold. */
export function wrapInteger(value: bigint, kind: IntKind): bigint {
  if (kind === "bool") return value === 0n ? 0n : 1n;
  const bits = INT_BITS[kind];
  return isUnsignedKind(kind) ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
}

/**
 * Integer promotion. A bit-field narrower than int promotes to int whatever its declared type
 * (`bitWidth`); other types come back unqualified.
 */
export function promote(type: CType, bitWidth?: number): CType {
  const kind = intKind(type);
  if (kind === undefined) return unqualified(type);
  if (bitWidth !== undefined && RANKS[kind] >= RANKS.int) {
    if (bitWidth < 32 || (bitWidth === 32 && !isUnsignedKind(kind))) return INT;
    return bitWidth === 32 ? UINT : unqualified(type);
  }
  if (RANKS[kind] < RANKS.int) return INT;
  const seen = canonical(type);
  return seen.kind === "enum" ? underlying(seen) : unqualified(type);
}

const FLOAT_RANKS: Readonly<Record<FloatKind, number>> = {
  bfloat16: 0,
  float16: 0,
  float: 1,
  float32: 2,
  double: 3,
  float32x: 4,
  float64: 5,
  ldouble: 6,
  float64x: 7,
  float128: 8,
};

/** The common type of C11 6.3.1.8; undefined unless both are arithmetic. */
export function usualArithmetic(left: CType, right: CType): CType | undefined {
  const a = canonical(left);
  const b = canonical(right);
  const real = widerFloat(a, b);
  if (real) return a.kind === "complex" || b.kind === "complex" ? complexOf(real) : floatType(real);
  const promotedLeft = promote(left);
  const promotedRight = promote(right);
  const x = intKind(promotedLeft);
  const y = intKind(promotedRight);
  if (x === undefined || y === undefined) return undefined;
  if (x === y) return promotedLeft;
  if (isUnsignedKind(x) === isUnsignedKind(y)) return RANKS[x] > RANKS[y] ? promotedLeft : promotedRight;
  const [unsigned, signed] = isUnsignedKind(x) ? [x, y] : [y, x];
  const [unsignedType, signedType] = isUnsignedKind(x)
    ? [promotedLeft, promotedRight]
    : [promotedRight, promotedLeft];
  if (RANKS[unsigned] >= RANKS[signed]) return unsignedType;
  if (INT_BITS[signed] > INT_BITS[unsigned]) return signedType;
  return intType(unsignedOf(signed));
}

function widerFloat(a: CType, b: CType): FloatKind | undefined {
  const x = a.kind === "float" || a.kind === "complex" ? a.name : undefined;
  const y = b.kind === "float" || b.kind === "complex" ? b.name : undefined;
  if (x === undefined) return isReal(a) ? y : undefined;
  if (y === undefined) return isReal(b) ? x : undefined;
  return FLOAT_RANKS[x] >= FLOAT_RANKS[y] ? x : y;
}

const isReal = (type: CType): boolean =>
  type.kind === "int" || type.kind === "enum" || type.kind === "float" || type.kind === "complex";
