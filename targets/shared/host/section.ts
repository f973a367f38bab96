/** The start and size of a data item's memory, as C text for the host. */

import { itemAt, lastOf } from "../../../core/checked/access.ts";
import type { DataItem, Mapping, SectionDim } from "../../../core/ir/model/ir.ts";
import { canonical, evaluateInteger, isDataPointer, printExpr } from "../../../core/lang/index.ts";
import type { CType, Diagnostic, Expr } from "../../../core/lang/tree/ast.ts";

export interface HostSection {
  /** Address of the first byte. */
  readonly start: string;
  readonly size: string;
  /** Only the memory around `start` is meant; its size is unknown, and `size` is 0. */
  readonly place?: true;
  /** If it is not contiguous: an arc_pieces of arcrt.h, as an expression. */
  readonly pieces?: string;
}

/** An object with the subscripts of its section. */
type Sectioned = Pick<DataItem, "object" | "section" | "written" | "loc">;

const zero = (e: Expr | undefined) => e === undefined || evaluateInteger(e) === 0n;
const one = (e: Expr | undefined) => e !== undefined && evaluateInteger(e) === 1n;

export function elementOf(type: CType): CType | undefined {
  const c = canonical(type);
  return c.kind === "array" ? c.of : c.kind === "pointer" && isDataPointer(c) ? c.to : undefined;
}

/** The extent of an array type as text, if it has one. */
export function extentOf(type: CType): string | undefined {
  const c = canonical(type);
  if (c.kind !== "array" || c.size === undefined || c.size === "*") return undefined;
  return typeof c.size === "number" ? `${c.size}` : printExpr(c.size);
}

function covers(dim: SectionDim, type: CType): boolean {
  if (!zero(dim.start)) return false;
  if (dim.length === undefined) return true;
  const c = canonical(type);
  if (c.kind === "array" && typeof c.size === "number") return evaluateInteger(dim.length) === BigInt(c.size);
  return extentOf(type) === printExpr(dim.length);
}

/** The object's types after 0, 1, 2, ... of its section's subscripts, or why it does not have as many dimensions. */
export function typesAlong({ object, section, written, loc }: Sectioned): readonly CType[] | Diagnostic {
  const types: CType[] = [object.type];
  for (const _ of section) {
    const next = elementOf(lastOf(types));
    if (!next)
      return {
        severity: "error",
        code: "not-an-array",
        loc,
        message: `'${written}' has more subscripts than dimensions`,
        remedy: "remove the extra ones",
      };
    types.push(next);
  }
  return types;
}

/** The contiguous memory of a section, or why it is not contiguous. */
export function hostSection(item: DataItem): HostSection | Diagnostic {
  const { section } = item;
  if (section.length === 0) return wholeObject(item);
  const types = typesAlong(item);
  if ("severity" in types) return types;
  // After the first dimension with several elements, every dimension must be complete.
  const partial = section.findIndex((dim) => !one(dim.length));
  const last = partial < 0 ? section.length - 1 : partial;
  if (!isContiguous(section, types, last))
    return (
      piecesOf(item, types) ??
      refusal(
        item,
        "non-contiguous-section",
        `'${item.written}' is not one piece of memory, and its pieces cannot be told`,
        "say how long each dimension is: [start:length]",
      )
    );
  const object = printExpr(item.object);
  const starts = section.slice(0, last + 1).map((dim) => (dim.start ? printExpr(dim.start) : "0"));
  const length = lengthOf(itemAt(section, last), itemAt(types, last));
  if (length === undefined)
    return refusal(
      item,
      "section-length",
      `'${item.written}' does not say how long the section is`,
      `write ${object}[${starts[last]}:n]`,
    );
  const element = `${parens(object)}${starts.map((s) => `[${s}]`).join("")}`;
  return { start: `(void *)&${element}`, size: `(__SIZE_TYPE__)(${length}) * sizeof ${element}` };
}

/** The memory of an object without a section. */
function wholeObject(item: DataItem): HostSection | Diagnostic {
  const { mapping, written, unsized } = item;
  const object = printExpr(item.object);
  const type = canonical(item.object.type);
  if (type.kind === "array" && extentOf(type) !== undefined)
    return { start: `(void *)${object}`, size: `sizeof ${parens(object)}` };
  if (!isDataPointer(type) && type.kind !== "array")
    return { start: `(void *)&${parens(object)}`, size: `sizeof ${parens(object)}` };
  if (!sized.includes(mapping.is) || mapping.vis !== "explicit")
    return { start: `(void *)${parens(object)}`, size: "0", place: true };
  const what =
    type.kind === "array"
      ? `'${written}' is declared without its size`
      : `'${written}' is a pointer: how much it points to is not known`;
  const refused = refusal(item, "section-needed", what, `write ${written}[0:n]`);
  return { ...refused, ...(unsized !== undefined && { why: unsized }) };
}

/** Mappings that need the size of what they move. */
const sized: readonly Mapping[] = ["to", "from", "tofrom", "allocate", "update-self", "update-device"];

/**
 * Whether a section is one piece of memory if all dimensions before `last` have one element. A row behind a pointer is
 * not: kernels reach it through its table, so the table has to be on the device as well, even with a single row.
 */
function isContiguous(section: readonly SectionDim[], types: readonly CType[], last: number): boolean {
  const throughPointer = (i: number) => canonical(itemAt(types, i)).kind === "pointer";
  return section.every((dim, i) => {
    if (dim.stride && !one(dim.stride)) return false;
    if (i > last) return !throughPointer(i) && covers(dim, itemAt(types, i));
    return i === 0 || !throughPointer(i);
  });
}

/** The number of elements of one dimension, as text: to its end if the section does not say. */
function lengthOf({ start, length }: SectionDim, type: CType): string | undefined {
  if (length) return printExpr(length);
  const extent = extentOf(type);
  if (extent === undefined || zero(start)) return extent;
  return `${parens(extent)} - ${parens(printExpr(start as Expr))}`;
}

function refusal({ loc }: Sectioned, code: string, message: string, remedy: string): Diagnostic {
  return { severity: "error", code, loc, message, remedy };
}

/**
 * A section that is not contiguous: first pointer tables, each of one dimension, then rows of pieces. `types`: the
 * object's types after 0, 1, 2, ... subscripts.
 */
function piecesOf(item: DataItem, types: readonly CType[]): HostSection | undefined {
  const { section } = item;
  const leads = section.map((_, i) => i > 0 && canonical(itemAt(types, i)).kind === "pointer");
  const rows = leads.lastIndexOf(true) < 0 ? 0 : leads.lastIndexOf(true);
  if (leads.slice(1, rows + 1).includes(false)) return undefined;
  const object = parens(printExpr(item.object));
  const element = (depth: number) => `${object}${"[0]".repeat(depth)}`;
  const dims = section.map((dim, i) => {
    const start = dim.start ? printExpr(dim.start) : "0";
    const count = lengthOf(dim, itemAt(types, i));
    const stride = dim.stride && !one(dim.stride) ? `${parens(printExpr(dim.stride))} * ` : "";
    return { start, count, bytes: `sizeof ${element(i + 1)}`, stride, whole: covers(dim, itemAt(types, i)) };
  });
  if (dims.some((d) => d.count === undefined)) return undefined;
  if (dims.slice(0, rows).some((d) => d.stride !== "")) return undefined;
  // The innermost dimension without a stride is a piece; if it is complete, the enclosing one is.
  let inner = dims.length;
  for (let i = dims.length - 1; i >= rows && dims[i]?.stride === ""; i--) {
    inner = i;
    if (!dims[i]?.whole) break;
  }
  const size = (text: string) => `(__SIZE_TYPE__)(${text})`;
  const pieces = dims.slice(inner).map((d) => size(d.count as string));
  const bytes = [...pieces, `sizeof ${element(dims.length)}`].join(" * ");
  const offset = dims
    .slice(rows)
    .filter((d) => d.start !== "0")
    .map((d) => `${size(d.start)} * ${d.bytes}`)
    .join(" + ");
  const outer = dims.slice(0, Math.max(inner, rows)).map((d, i) => {
    const table = i < rows && d.start !== "0" ? `${size(d.start)} * ${d.bytes}` : "0";
    const start = i === 0 ? "0" : i === rows ? offset || "0" : table;
    return `{${start}, ${size(d.count as string)}, ${d.stride}${d.bytes}}`;
  });
  // Rows that are pieces have a start address.
  const list = rows > 0 && inner === rows ? [...outer, `{${offset || "0"}, 1, 0}`] : outer;
  const first = dims.slice(0, rows > 0 ? 1 : dims.length).map((d) => `[${d.start}]`);
  return {
    start: `(void *)&${object}${first.join("")}`,
    size: "0",
    pieces: `&(const arc_pieces){${rows}, ${list.length}, (const arc_dim[]){${list.join(", ")}}, ${bytes}}`,
  };
}

export const parens = (text: string) => (/^[A-Za-z_][\w.]*$/.test(text) ? text : `(${text})`);
