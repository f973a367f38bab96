/**
 * List items that are lvalue expressions or array sections, as a variable with its section (OpenMP 5.2, sections 3.2.4,
 * 3.2.5 and 5.8.3).
 *
 *     map(*p)                            =>  p[0:1]
 *     map(*(p + k))                      =>  p[k:1]
 *     to(([n][m]p)[0:n][2:4])            =>  ((T (*)[m])p)[0:n][2:4]
 */
import { canonical } from "../../../lang/index.ts";
import type { CType, Expr } from "../../../lang/tree/ast.ts";
import { cast, intLit, stripImplicit } from "../../../lang/tree/build.ts";
import { pointerTo } from "../../../lang/tree/types.ts";
import { isArray } from "../../analysis/access.ts";
import type { VarRef } from "../../directives/directive.ts";

/** An item that ends in a dereference as an element of what is dereferenced; others as they are. */
export function asElement(v: VarRef): VarRef {
  if (v.section.length > 0 || v.object.kind !== "unary" || v.object.op !== "*") return v;
  const pointer = stripImplicit(v.object.arg);
  const offset = pointer.kind === "binary" && pointer.op === "+" ? pointer : undefined;
  const [base, start] = offset
    ? hasElements(offset.left)
      ? [offset.left, offset.right]
      : [offset.right, offset.left]
    : [pointer, undefined];
  const object = stripImplicit(base);
  if (!["ident", "member", "index"].includes(object.kind)) return v;
  return { ...v, object, section: [{ ...(start && { start }), length: intLit(1) }] };
}

function hasElements(e: Expr): boolean {
  const object = stripImplicit(e);
  return canonical(object.type).kind === "pointer" || isArray(object);
}

/** A pointer as one to the rows of an array of this shape; undefined if it is no pointer. */
export function asRows(pointer: Expr, shape: readonly Expr[]): Expr | undefined {
  const type = canonical(pointer.type);
  if (type.kind !== "pointer") return undefined;
  const row = shape.slice(1).reduceRight<CType>((of, size) => ({ kind: "array", of, size }), type.to);
  return shape.length > 1 ? cast(pointerTo(row), pointer) : pointer;
}
