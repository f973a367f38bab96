/** Shapes of C types. */

import { canonical, INT_BITS, intKind, isUnsignedKind, sizeOf } from "../../lang/index.ts";
import type { CType, Loc } from "../../lang/tree/ast.ts";
import { bfloat16, binary16, binary32, binary64, floatShape } from "./float-format.ts";
import { Unsupported } from "./region.ts";
import type { Format, Shape } from "./value.ts";

const formats: Readonly<Record<string, Format>> = {
  float16: binary16,
  bfloat16,
  float: binary32,
  float32: binary32,
  double: binary64,
  float64: binary64,
  float32x: binary64,
};

/** Whether a record fits a register as one number. */
export function isWord(type: CType): boolean {
  const canonicalType = canonical(type);
  return canonicalType.kind === "record" && [1, 2, 4, 8].includes(sizeOf(canonicalType) ?? 0);
}

/** Pointers have `addressBits` bits. */
export function shapeOf(type: CType, addressBits: number, loc: Loc): Shape {
  const canonicalType = canonical(type);
  const kind = intKind(canonicalType);
  if (kind !== undefined) return { bits: INT_BITS[kind], signed: !isUnsignedKind(kind) };
  if (canonicalType.kind === "pointer" || canonicalType.kind === "array")
    return { bits: addressBits, signed: false };
  const format = canonicalType.kind === "float" ? formats[canonicalType.name] : undefined;
  if (format) return floatShape(format);
  if (canonicalType.kind === "float")
    throw new Unsupported(
      "no-operator",
      loc,
      `there are no operators for '${canonicalType.name === "ldouble" ? "long double" : canonicalType.name}' yet`,
      "operators exist for the binary formats of 16, 32 and 64 bits",
      "compute in float or double",
    );
  if (isWord(canonicalType)) return { bits: 8 * (sizeOf(canonicalType) as number), signed: false };
  if (canonicalType.kind === "record" && canonicalType.decl.union)
    throw new Unsupported(
      "no-operator",
      loc,
      `a value of a union type of ${sizeOf(canonicalType) ?? "unknown"} bytes cannot be in registers`,
      "its members have the same bits, which are one register of 8, 16, 32 or 64 bits",
      "use a struct, or smaller unions",
    );
  throw new Unsupported(
    "no-operator",
    loc,
    `a value of a ${canonicalType.kind === "record" ? "struct" : canonicalType.kind} type cannot be in a register yet`,
    "registers hold scalars",
    "use its members one by one",
  );
}
