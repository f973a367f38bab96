/** Shapes of C types. */

import { canonical, INT_BITS, intKind, isUnsignedKind, sizeOf } from "../../lang/index.ts";
import type { CType, Loc } from "../../lang/tree/ast.ts";
import { bfloat16, binary16, binary32, binary64, floatShape } from "./float-format.ts";
import type { Format, Shape } from "./graph.ts";
import { Unsupported } from "./region.ts";

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
  const seen = canonical(type);
  return seen.kind === "record" && [1, 2, 4, 8].includes(sizeOf(seen) ?? 0);
}

/** Pointers have `addressBits` bits. */
export function shapeOf(type: CType, addressBits: number, loc: Loc): Shape {
  const seen = canonical(type);
  const kind = intKind(seen);
  if (kind !== undefined) return { bits: INT_BITS[kind], signed: !isUnsignedKind(kind) };
  if (seen.kind === "pointer" || seen.kind === "array") return { bits: addressBits, signed: false };
  const format = seen.kind === "float" ? formats[seen.name] : undefined;
  if (format) return floatShape(format);
  if (seen.kind === "float")
    throw new Unsupported(
      "no-operator",
      loc,
      `there are no operators for '${seen.name === "ldouble" ? "long double" : seen.name}' yet`,
      "operators exist for the binary formats of 16, 32 and 64 bits",
      "compute in float or double",
    );
  if (isWord(seen)) return { bits: 8 * (sizeOf(seen) as number), signed: false };
  if (seen.kind === "record" && seen.decl.union)
    throw new Unsupported(
      "no-operator",
      loc,
      `a value of a union type of ${sizeOf(seen) ?? "unknown"} bytes cannot be in registers`,
      "its members have the same bits, which are one register of 8, 16, 32 or 64 bits",
      "use a struct, or smaller unions",
    );
  throw new Unsupported(
    "no-operator",
    loc,
    `a value of a ${seen.kind === "record" ? "struct" : seen.kind} type cannot be in a register yet`,
    "registers hold scalars",
    "use its members one by one",
  );
}
