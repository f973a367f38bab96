/** Elements of arrays that lie side by side for neighbouring iterations, so that a lane can access 16 bytes of them at once. */
import { canonical, sizeOf, ULONG } from "../../../../core/lang/index.ts";
import type { Expr, Symbol } from "../../../../core/lang/tree/ast.ts";
import { binary, intLit, stripImplicit } from "../../../../core/lang/tree/build.ts";
import { mentions } from "../../mapping/slopes.ts";

/** Bytes that a lane loads or stores at once. */
export const BYTES = 16;

/** Whether addresses, as one number of all their bits, are multiples of so many bytes. */
export const isAligned = (addresses: Expr): Expr =>
  binary("==", binary("%", addresses, intLit(BYTES, ULONG)), intLit(0, ULONG));

export function isWord({ type }: Expr): boolean {
  const c = canonical(type);
  const size = sizeOf(type);
  return (
    (c.kind === "float" && ((size === 4 && c.name === "float") || (size === 8 && c.name === "double"))) ||
    (c.kind === "int" && (c.name === "int" || c.name === "uint"))
  );
}

/** Whether a subscript grows by one from iteration to iteration. */
export function isNext(value: Expr, along: Symbol, depending: ReadonlySet<Symbol>): boolean {
  const e = stripImplicit(value);
  if (e.kind === "ident") return e.sym === along;
  if (e.kind !== "binary" || (e.op !== "+" && e.op !== "-")) return false;
  const isFree = (side: Expr) => !mentions(side, depending);
  if (isFree(e.right)) return isNext(e.left, along, depending);
  return e.op === "+" && isFree(e.left) && isNext(e.right, along, depending);
}
