/** List items of clauses as expressions, and replacing the variables in them. */
import { firstOf } from "../../../checked/access.ts";
import { canonical, evaluateInteger, printExpr, substituteExpr } from "../../../lang/index.ts";
import type { CType, Expr, Symbol } from "../../../lang/tree/ast.ts";
import { binary, index, intLit, stripImplicit } from "../../../lang/tree/build.ts";
import { rootOf } from "../../analysis/access.ts";
import type { VarRef } from "../../directives/directive.ts";
import type { SectionDim } from "../../model/ir.ts";

export type Replacements = ReadonlyMap<Symbol, Expr>;

/** The item with some of its variables replaced by expressions. */
export function withReplaced(item: VarRef, by: Replacements): VarRef {
  const put = (e: Expr): Expr => substituteExpr(e, by);
  return resolved({
    ...item,
    object: put(item.object),
    ...(item.each && {
      each: item.each.map((one) => ({
        ...one,
        first: put(one.first),
        end: put(one.end),
        ...(one.step && { step: put(one.step) }),
      })),
    }),
    section: item.section.map((dim) => ({
      ...dim,
      ...(dim.start && { start: put(dim.start) }),
      ...(dim.length && { length: put(dim.length) }),
      ...(dim.stride && { stride: put(dim.stride) }),
    })),
  });
}

/** The item rebased on the variable that its object now begins with; single elements at its end become its section. */
function resolved(item: VarRef): VarRef {
  let object = stripImplicit(item.object);
  const section = [...item.section];
  const isArray = (e: Expr) => canonical(e.type).kind === "array";
  while (object.kind === "index" && (section.length === 0 || isArray(object))) {
    section.unshift({ start: object.index, length: intLit(1) });
    object = stripImplicit(object.base);
  }
  const sym = rootOf(object)?.sym ?? item.sym;
  return { ...item, sym, object, section, written: writtenOf(object, section) };
}

function writtenOf(object: Expr, section: readonly SectionDim[]): string {
  const dims = section.map(({ start, length, stride }) => {
    const from = start ? printExpr(start) : "0";
    if (length && evaluateInteger(length) === 1n) return `[${from}]`;
    return `[${from}:${length ? printExpr(length) : ""}${stride ? `:${printExpr(stride)}` : ""}]`;
  });
  return `${printExpr(object)}${dims.join("")}`;
}

const inner = (type: CType): CType | undefined => {
  const seen = canonical(type);
  return seen.kind === "array" ? seen.of : seen.kind === "pointer" ? seen.to : undefined;
};

/** The element type of an item, also of an array named without a section. */
export function elementType({ object, section }: VarRef): CType | undefined {
  let type: CType | undefined = object.type;
  for (const _ of section) type = type && inner(type);
  while (type && canonical(type).kind === "array") type = inner(type);
  return type;
}

/** The elements of an item one by one; undefined if their number is not a compile-time constant. */
export function elementsOf(item: VarRef, most: number): readonly Expr[] | undefined {
  let found: Expr[] = [item.object];
  const dims: (SectionDim | undefined)[] = [...item.section];
  for (let depth = 0; ; depth++) {
    const type = canonical(firstOf(found).type);
    const dim = dims[depth];
    if (!dim && type.kind !== "array") return found;
    const extent = type.kind === "array" && typeof type.size === "number" ? BigInt(type.size) : undefined;
    const start = dim?.start ? evaluateInteger(dim.start) : 0n;
    const rest = extent === undefined || start === undefined ? undefined : extent - start;
    const count = dim?.length ? evaluateInteger(dim.length) : rest;
    const stride = dim?.stride ? evaluateInteger(dim.stride) : 1n;
    const from = dim?.start;
    if (count === undefined || stride === undefined || Number(count) * found.length > most) return undefined;
    if (count < 1n) return [];
    const places = Array.from({ length: Number(count) }, (_, i) => {
      const offset = BigInt(i) * stride;
      if (start !== undefined) return intLit(start + offset);
      return offset === 0n ? (from as Expr) : binary("+", from as Expr, intLit(offset));
    });
    found = found.flatMap((e) => places.map((at) => index(e, at)));
  }
}
