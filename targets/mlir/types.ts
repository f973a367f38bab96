/** C types as MLIR types: signless integers, and memrefs for arrays and pointer targets. */
import { canonical, INT_BITS, intKind, isSigned, underlying } from "../../core/lang/index.ts";
import type { CType, Loc } from "../../core/lang/tree/ast.ts";

/** The code cannot be expressed in MLIR's dialects. Caught where the region is printed. */
export class NotInMlir extends Error {
  readonly what: string;
  readonly loc: Loc | undefined;
  constructor(what: string, loc?: Loc) {
    super(what);
    this.what = what;
    this.loc = loc;
  }
}

export const GROUP = "#gpu.address_space<workgroup>";

/** The type of a scalar value: `i32`, `f64`. */
export function scalar(type: CType): string {
  const known = canonical(type);
  if (known.kind === "enum") return scalar(underlying(known));
  const kind = intKind(known);
  if (kind === "bool") return "i8";
  if (kind !== undefined) return `i${INT_BITS[kind]}`;
  if (known.kind === "float") {
    const found = {
      float: "f32",
      double: "f64",
      float32: "f32",
      float64: "f64",
      float16: "f16",
      bfloat16: "bf16",
    };
    const name = found[known.name as keyof typeof found];
    if (name !== undefined) return name;
    throw new NotInMlir(`the type '${known.name === "ldouble" ? "long double" : known.name}'`);
  }
  throw new NotInMlir(
    known.kind === "record"
      ? `a ${known.decl.union ? "union" : "struct"}`
      : `a value of kind '${known.kind}'`,
  );
}

export interface Shape {
  /** "?" if it is not constant. */
  readonly extents: readonly string[];
  readonly element: CType;
}

/** The shape of an array, down to its innermost elements. */
export function shapeOf(type: CType): Shape {
  const known = canonical(type);
  if (known.kind !== "array") return { extents: [], element: known };
  const inner = shapeOf(known.of);
  if (typeof known.size !== "number") throw new NotInMlir("an array of variable length");
  return { extents: [`${known.size}`, ...inner.extents], element: inner.element };
}

/** The shape of a pointer's target: an unknown number of elements. */
export function shapeBehind(type: CType): Shape {
  const known = canonical(type);
  if (known.kind !== "pointer") return shapeOf(type);
  const { extents, element } = shapeOf(known.to);
  return { extents: ["?", ...extents], element };
}

export function memref({ extents, element }: Shape, space?: string): string {
  const of = [...extents, scalar(element)].join("x");
  return `memref<${of}${space === undefined ? "" : `, ${space}`}>`;
}

export const isFloat = (type: CType): boolean => canonical(type).kind === "float";

export function isUnsigned(type: CType): boolean {
  const known = canonical(type);
  const integer = known.kind === "enum" ? underlying(known) : known;
  return intKind(integer) === "bool" || !isSigned(integer);
}
