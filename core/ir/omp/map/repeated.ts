/**
 * List items whose number is known only when the program runs: a section where iterators are its subscripts, else one
 * item for each of their values (OpenMP 5.2, section 3.2.6).
 *
 *     map(iterator(k = 0:n), to: rows[k][0:m])    =>    map(to: rows[0:n][0:m])
 *     v[0:n] with map(s.data[0:s.len])            =>    v[k].data[0:v[k].len] for each k
 */
import { canonical, evaluateInteger, LONG } from "../../../lang/index.ts";
import type { Expr, Symbol } from "../../../lang/tree/ast.ts";
import { binary, freshSymbol, ident, index, intLit, stripImplicit } from "../../../lang/tree/build.ts";
import { mentions } from "../../analysis/access.ts";
import type { ListIterator, VarRef } from "../../directives/directive.ts";
import type { SectionDim } from "../../model/ir.ts";

/** The item for all values of the iterators. */
export function repeated(v: VarRef, iterators: readonly ListIterator[]): VarRef {
  const section = iterators.reduce<readonly SectionDim[] | undefined>(asDimension, v.section);
  const isSection = section && iterators.every(({ sym }) => !mentions(v.object, sym));
  return isSection ? { ...v, section } : throughRows({ ...v, each: [...(v.each ?? []), ...iterators] });
}

/** The section with the iterator's values in place of its one use as a subscript. */
function asDimension(
  section: readonly SectionDim[] | undefined,
  { sym, first, end, step }: ListIterator,
): readonly SectionDim[] | undefined {
  const uses = section?.filter((dim) => mentionedIn(dim, sym)) ?? [];
  const [use] = uses;
  const subscript = use?.start && stripImplicit(use.start);
  const isPlain = subscript?.kind === "ident" && subscript.sym === sym && !use?.stride;
  if (!section || uses.length !== 1 || !isPlain || !isOne(use)) return undefined;
  const by = step === undefined ? 1n : evaluateInteger(step);
  // Tables of pointers have no strides.
  if (by === undefined || by < 1n || (by > 1n && section.length > 1)) return undefined;
  const count = evaluateInteger(first) === 0n ? end : binary("-", end, first);
  const length = by === 1n ? count : binary("/", binary("+", count, intLit(by - 1n)), intLit(by));
  const dim: SectionDim = { start: first, length, ...(by > 1n && { stride: intLit(by) }) };
  return section.map((one) => (one === use ? dim : one));
}

/** Rows are reached one by one: `rows[k][0:m]` is what `rows[k]` leads to. */
function throughRows(v: VarRef): VarRef {
  const [dim, ...rest] = v.section;
  const row = dim?.start && rest.length > 0 && isOne(dim) ? index(v.object, dim.start) : undefined;
  return row && canonical(row.type).kind === "pointer"
    ? throughRows({ ...v, object: row, section: rest })
    : v;
}

/** An element of the item for each of its subscripts; undefined if their number cannot be told. */
export function anyElement(
  v: VarRef,
): { readonly element: Expr; readonly each: readonly ListIterator[] } | undefined {
  const each: ListIterator[] = [...(v.each ?? [])];
  let element = v.object;
  for (let depth = 0; ; depth++) {
    const type = canonical(element.type);
    const dim = v.section[depth];
    if (!dim && type.kind !== "array") return { element, each };
    const extent = type.kind === "array" && typeof type.size === "number" ? intLit(type.size) : undefined;
    const rest = extent && dim?.start ? binary("-", extent, dim.start) : extent;
    const end = dim?.length ?? rest;
    if (!end) return undefined;
    const sym = freshSymbol(`arc_k${each.length}`, LONG);
    each.push({ sym, first: intLit(0), end, loc: v.loc });
    const offset = dim?.stride ? binary("*", ident(sym), dim.stride) : ident(sym);
    element = index(element, dim?.start ? binary("+", dim.start, offset) : offset);
  }
}

const isOne = (dim: SectionDim | undefined): boolean =>
  dim?.length !== undefined && evaluateInteger(dim.length) === 1n;

const mentionedIn = ({ start, length, stride }: SectionDim, sym: Symbol): boolean =>
  [start, length, stride].some((e) => e && mentions(e, sym));
