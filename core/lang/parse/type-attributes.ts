/** GNU attributes that change a type: `vector_size` and `mode`. */
import type { Attribute, CType, FloatKind, IntKind } from "../tree/ast.ts";
import { intKind, isUnsignedKind, unsignedOf } from "../tree/integers.ts";
import { canonical, complexOf, floatType, intType, qualify } from "../tree/types.ts";

const INT_MODES: Readonly<Record<string, IntKind>> = {
  QI: "schar",
  byte: "schar",
  HI: "short",
  SI: "int",
  DI: "long",
  word: "long",
  pointer: "long",
  unwind_word: "long",
  TI: "int128",
};
const FLOAT_MODES: Readonly<Record<string, FloatKind>> = {
  HF: "float16",
  SF: "float",
  DF: "double",
  XF: "ldouble",
  TF: "float128",
};
const COMPLEX_MODES: Readonly<Record<string, FloatKind>> = {
  SC: "float",
  DC: "double",
  XC: "ldouble",
  TC: "float128",
};

const bare = (name: string): string =>
  name.length > 3 && name.startsWith("__") && name.endsWith("__") ? name.slice(2, -2) : name;

/** The attributed type, and the attributes that still have to be printed. */
export function applyTypeAttributes(
  type: CType,
  attrs: readonly Attribute[],
): { readonly type: CType; readonly attrs: readonly Attribute[] } {
  let result = type;
  const rest: Attribute[] = [];
  for (const attr of attrs) {
    const name = bare(attr.name);
    const { value } = attr;
    if (name === "vector_size" && value !== undefined) {
      result = atElement(result, (of) => ({ kind: "vector", of, bytes: value }));
    } else if (name === "mode" && attr.args !== undefined) {
      const mode = bare(attr.args.trim());
      result = atElement(result, (of) => moded(of, mode));
    } else rest.push(attr);
  }
  return rest.length === attrs.length ? { type, attrs } : { type: result, attrs: rest };
}

/** Attributes after a declarator apply to the element type. */
function atElement(type: CType, change: (type: CType) => CType): CType {
  if (type.kind === "pointer") return { ...type, to: atElement(type.to, change) };
  if (type.kind === "array") return { ...type, of: atElement(type.of, change) };
  if (type.kind === "function") return { ...type, ret: atElement(type.ret, change) };
  return change(type);
}

function moded(type: CType, mode: string): CType {
  const seen = canonical(type);
  const kind = intKind(type);
  const int = INT_MODES[mode];
  if (int && kind) return qualify(intType(isUnsignedKind(kind) ? unsignedOf(int) : int), seen.quals);
  const float = FLOAT_MODES[mode];
  if (float && seen.kind === "float") return qualify(floatType(float), seen.quals);
  const complex = COMPLEX_MODES[mode];
  if (complex && seen.kind === "complex") return qualify(complexOf(complex), seen.quals);
  return type;
}
