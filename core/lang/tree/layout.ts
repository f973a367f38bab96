/** Sizes, alignments and member offsets on x86-64 LP64 (System V), as gcc lays records out. */
import type { Attribute, CType, Field, RecordDecl } from "./ast.ts";
import { INT_BITS } from "./integers.ts";
import { canonical, underlying } from "./types.ts";

const FLOAT_SIZES = {
  float16: 2,
  bfloat16: 2,
  float: 4,
  float32: 4,
  double: 8,
  float64: 8,
  float32x: 8,
  ldouble: 16,
  float128: 16,
  float64x: 16,
} as const;

/** Bytes, or undefined for incomplete types and variable-length arrays. Functions and void are 1 (GNU). */
export function sizeOf(type: CType): number | undefined {
  const seen = canonical(type);
  switch (seen.kind) {
    case "void":
    case "function":
      return 1;
    case "int":
      return seen.name === "bool" ? 1 : INT_BITS[seen.name] / 8;
    case "float":
      return FLOAT_SIZES[seen.name];
    case "complex":
      return 2 * FLOAT_SIZES[seen.name];
    case "vector":
      return seen.bytes;
    case "pointer":
      return 8;
    case "array": {
      if (typeof seen.size !== "number") return undefined;
      const of = sizeOf(seen.of);
      return of === undefined ? undefined : of * seen.size;
    }
    case "record":
      return layoutOf(seen.decl)?.size;
    case "enum":
      return sizeOf(underlying(seen));
    default:
      return undefined;
  }
}

/** Bytes; incomplete types count as 1. */
export function alignOf(type: CType): number {
  const aligned = typedefAlignment(type);
  if (aligned !== undefined) return aligned;
  const seen = canonical(type);
  if (seen.kind === "array") return alignOf(seen.of);
  if (seen.kind === "record") return layoutOf(seen.decl)?.align ?? 1;
  if (seen.kind === "complex") return FLOAT_SIZES[seen.name];
  return sizeOf(seen) ?? 1;
}

/** `typedef int T __attribute__((aligned(64)));` */
function typedefAlignment(type: CType): number | undefined {
  let seen = type;
  while (seen.kind === "typedef" || seen.kind === "typeof") {
    if (seen.kind === "typedef") {
      const aligned = attributeAlignment(seen.sym.attrs);
      if (aligned !== undefined) return aligned;
      seen = seen.sym.type;
    } else seen = seen.is;
  }
  return undefined;
}

const attributeName = (attr: Attribute): string => attr.name.replace(/^__(.*)__$/, "$1");

/** The alignment that attributes and `_Alignas` ask for. */
function attributeAlignment(attrs: readonly Attribute[] | undefined): number | undefined {
  let align: number | undefined;
  for (const attr of attrs ?? []) {
    const name = attributeName(attr);
    if (name !== "aligned" && name !== "_Alignas") continue;
    const requested = attr.args === undefined ? 16 : attr.value;
    if (requested !== undefined && requested > 0) align = Math.max(align ?? 0, requested);
  }
  return align;
}

const isPacked = (attrs: readonly Attribute[] | undefined): boolean =>
  (attrs ?? []).some((attr) => attributeName(attr) === "packed");

interface RecordLayout {
  readonly size: number;
  readonly align: number;
  /** Offset in bits of each field, by position in `fields`. */
  readonly offsets: readonly number[];
}

const LAYOUTS = new WeakMap<RecordDecl, RecordLayout>();

/** Undefined while the record is incomplete. */
export function layoutOf(decl: RecordDecl): RecordLayout | undefined {
  const known = LAYOUTS.get(decl);
  if (known) return known;
  if (!decl.fields) return undefined;
  const layout = computeLayout(decl, decl.fields);
  LAYOUTS.set(decl, layout);
  return layout;
}

function computeLayout(decl: RecordDecl, fields: readonly Field[]): RecordLayout {
  const packed = isPacked(decl.attrs);
  let align = attributeAlignment(decl.attrs) ?? 1;
  let end = 0;
  let size = 0;
  const offsets: number[] = [];
  for (const field of fields) {
    const bits = (sizeOf(field.type) ?? 0) * 8;
    const fieldAlign = alignmentOfField(field, packed, decl.pack);
    if (decl.union) end = 0;
    let start = end;
    if (field.bits) {
      const width = field.width ?? 0;
      const unit = fieldAlign * 8;
      const wholeUnits = packed || isPacked(field.attrs) || decl.pack !== undefined;
      if (width === 0) start = roundUp(start, alignOf(field.type) * 8);
      else if (attributeAlignment(field.attrs) !== undefined) start = roundUp(start, unit);
      // A bit-field never straddles a unit of its type.
      else if (!wholeUnits && Math.floor(start / bits) !== Math.floor((start + width - 1) / bits)) {
        start = roundUp(start, unit);
      }
      end = start + width;
      if (field.name !== undefined) align = Math.max(align, fieldAlign);
    } else {
      start = roundUp(start, fieldAlign * 8);
      end = start + bits;
      align = Math.max(align, fieldAlign);
    }
    offsets.push(start);
    size = Math.max(size, end);
  }
  return { size: roundUp(Math.ceil(size / 8), align), align, offsets };
}

function alignmentOfField(field: Field, packed: boolean, pack: number | undefined): number {
  const requested = attributeAlignment(field.attrs);
  if (packed || isPacked(field.attrs)) return requested ?? 1;
  const natural = Math.max(alignOf(field.type), requested ?? 1);
  return pack === undefined ? natural : Math.min(natural, pack);
}

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}

/** Offset in bits of a member, looking into anonymous structs and unions. */
export function fieldOffset(decl: RecordDecl, name: string): number | undefined {
  const layout = layoutOf(decl);
  if (!layout) return undefined;
  const fields = decl.fields ?? [];
  for (const [i, field] of fields.entries()) {
    const start = layout.offsets[i] ?? 0;
    if (field.name === name) return start;
    const inner = canonical(field.type);
    if (field.name === undefined && inner.kind === "record") {
      const offset = fieldOffset(inner.decl, name);
      if (offset !== undefined) return start + offset;
    }
  }
  return undefined;
}
