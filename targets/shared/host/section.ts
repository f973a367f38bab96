/** Where the memory that a data item names begins and how long it is, as C text for the host. */

import type { DataItem, SectionDim } from "../../../core/ir/model/ir.ts";
import { canonical, evaluateInteger, printExpr } from "../../../core/lang/index.ts";
import type { CType, Diagnostic, Expr } from "../../../core/lang/tree/ast.ts";

export interface HostSection {
  /** Address of the first byte. */
  readonly start: string;
  readonly size: string;
  /** The memory is that around `start`; `size`, which is not known, is 0. */
  readonly place?: true;
}

const zero = (e: Expr | undefined) => e === undefined || evaluateInteger(e) === 0n;
const one = (e: Expr | undefined) => e !== undefined && evaluateInteger(e) === 1n;

export function elementOf(type: CType): CType | undefined {
  const c = canonical(type);
  return c.kind === "array" ? c.of : c.kind === "pointer" ? c.to : undefined;
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

/** The contiguous memory of a section, or why it is not contiguous. */
export function hostSection(item: DataItem): HostSection | Diagnostic {
  const object = printExpr(item.object);
  const type = canonical(item.object.type);
  const refuse = (code: string, message: string, remedy: string): Diagnostic => ({
    severity: "error",
    code,
    loc: item.loc,
    message,
    remedy,
  });
  if (item.section.length === 0) {
    if (type.kind === "array") return { start: `(void *)${object}`, size: `sizeof ${parens(object)}` };
    if (type.kind !== "pointer")
      return { start: `(void *)&${parens(object)}`, size: `sizeof ${parens(object)}` };
    if (
      ["to", "from", "tofrom", "allocate", "update-self", "update-device"].includes(item.mapping.is) &&
      item.mapping.vis === "explicit"
    )
      return {
        ...refuse(
          "section-needed",
          `'${item.written}' is a pointer: how much it points to is not known`,
          `write ${item.written}[0:n]`,
        ),
        ...(item.unsized !== undefined && { why: item.unsized }),
      };
    return { start: `(void *)${parens(object)}`, size: "0", place: true };
  }
  // Types of the object seen through 0, 1, 2, ... subscripts.
  const types: CType[] = [item.object.type];
  for (const _ of item.section) {
    const next = elementOf(types.at(-1) as CType);
    if (!next)
      return refuse(
        "not-an-array",
        `'${item.written}' has more subscripts than dimensions`,
        "remove the extra ones",
      );
    types.push(next);
  }
  // Behind the first dimension that holds several elements every dimension must be whole.
  const partial = item.section.findIndex((dim) => !one(dim.length));
  const k = partial < 0 ? item.section.length - 1 : partial;
  for (let i = k + 1; i < item.section.length; i++) {
    const dimType = types[i] as CType;
    if (canonical(dimType).kind === "pointer" || !covers(item.section[i] as SectionDim, dimType))
      return refuse(
        "non-contiguous-section",
        `'${item.written}' is not one piece of memory: dimension ${i + 1} is not whole`,
        canonical(dimType).kind === "pointer"
          ? "move each row by itself, and attach the rows"
          : "take whole rows, or move each row by itself",
      );
  }
  for (let i = 1; i <= k; i++)
    if (canonical(types[i] as CType).kind === "pointer" && !one((item.section[i - 1] as SectionDim).length))
      return refuse(
        "non-contiguous-section",
        `'${item.written}' goes through several pointers`,
        "move each row by itself, and attach the rows",
      );
  const starts = item.section.slice(0, k + 1).map((dim) => (dim.start ? printExpr(dim.start) : "0"));
  const dim = item.section[k] as SectionDim;
  const extent = extentOf(types[k] as CType);
  const length = dim.length
    ? printExpr(dim.length)
    : extent
      ? zero(dim.start)
        ? extent
        : `${parens(extent)} - ${parens(starts[k] as string)}`
      : undefined;
  if (length === undefined)
    return refuse(
      "section-length",
      `'${item.written}' does not say how long the section is`,
      `write ${object}[${starts[k]}:n]`,
    );
  const element = `${parens(object)}${starts.map((s) => `[${s}]`).join("")}`;
  return { start: `(void *)&${element}`, size: `(__SIZE_TYPE__)(${length}) * sizeof ${element}` };
}

export const parens = (text: string) => (/^[A-Za-z_][\w.]*$/.test(text) ? text : `(${text})`);
