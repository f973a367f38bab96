/** C's types as MLIR's: integers without signs, arrays and what pointers lead to as memrefs. */
import { canonical, INT_BITS, intKind, isSigned, underlying } from "../../core/lang/index.ts";
import type { CType, Loc } from "../../core/lang/tree/ast.ts";

/** What MLIR's dialects have no words for. Caught where the region is printed. */
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

/** `i32`, `f64`: of a value. */
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
    throw new NotInMlir(`the type '${known.name}'`);
  }
  throw new NotInMlir(
    known.kind === "record"
      ? `a ${known.decl.union ? "union" : "struct"}`
      : `a value of kind '${known.kind}'`,
  );
}

export interface Shape {
  /** "?" where it is not a constant. */
  readonly extents: readonly string[];
  readonly element: CType;
}

/** Of an array, down to what is no array. */
export function shapeOf(type: CType): Shape {
  const known = canonical(type);
  if (known.kind !== "array") return { extents: [], element: known };
  const inner = shapeOf(known.of);
  if (typeof known.size !== "number") throw new NotInMlir("an array of variable length");
  return { extents: [`${known.size}`, ...inner.extents], element: inner.element };
}

/** Of what a pointer leads to: as many as there are, of that. */
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
  if (known.kind === ("bool" as never)) return true;
  const whole = known.kind === "enum" ? underlying(known) : known;
  return intKind(whole) === "bool" || !isSigned(whole);
}
