/** Structs and unions in forms that every kernel compiler lays out like the host's. */

import { alignOf, layoutOf, type RecordBody } from "../../../core/lang/index.ts";
import type { Attribute, Field, RecordDecl } from "../../../core/lang/tree/ast.ts";

const sources = new WeakMap<Field, Field>();

/** The source's member for a member of a body with additional attributes. */
export const sourceField = (field: Field): Field => sources.get(field) ?? field;

function saying(field: Field, attrs: readonly Attribute[]): Field {
  const result = { ...field, attrs };
  sources.set(result, sourceField(field));
  return result;
}

/** The body if it needs more than the source: `#pragma pack` and `_Alignas` as attributes. */
export function portableRecord(decl: RecordDecl): RecordBody | undefined {
  const packed = decl.pack !== undefined && isPacked(decl);
  const fields = decl.fields?.map((field) => {
    const attrs = gnuAlignment(field.attrs ?? []);
    if (!packed || field.bits)
      return field.attrs === attrs || attrs.length === 0 ? field : saying(field, attrs);
    const alignments = attrs.flatMap((a) => (a.name === "aligned" ? [a.value ?? 1] : []));
    const natural = Math.max(alignOf(field.type), ...alignments);
    const others = attrs.filter((a) => a.name !== "aligned");
    return saying(field, [...others, aligned(Math.min(natural, decl.pack ?? natural))]);
  });
  if (!fields) return undefined;
  if (!packed) return { fields, ...(decl.attrs && { attrs: gnuAlignment(decl.attrs) }) };
  const align = layoutOf(decl)?.align ?? 1;
  return {
    fields,
    attrs: [...(decl.attrs ?? []), { name: "packed" }, ...(align > 1 ? [aligned(align)] : [])],
  };
}

/** Whether the limit in force moves any member. */
function isPacked(decl: RecordDecl): boolean {
  const { pack: _, ...free } = decl;
  return JSON.stringify(layoutOf(decl)) !== JSON.stringify(layoutOf(free));
}

export const aligned = (bytes: number): Attribute => ({ name: "aligned", args: String(bytes), value: bytes });

/** `_Alignas` as the attribute that both C and C++ compilers support. */
export function gnuAlignment(attrs: readonly Attribute[]): readonly Attribute[] {
  if (!attrs.some((a) => a.name === "_Alignas")) return attrs;
  return attrs.map((a) => (a.name === "_Alignas" && a.value !== undefined ? aligned(a.value) : a));
}
