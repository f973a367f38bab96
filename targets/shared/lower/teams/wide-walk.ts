/** A lane's way through a row of which lanes access several neighbouring elements, 16 bytes, at a time: `width` of them. */
import { LONG, ULONG } from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  addressOf,
  binary,
  cast,
  compound,
  ident,
  ifStmt,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { counted } from "../../device/counted-loop.ts";
import { isAligned } from "./neighbours.ts";

/** The iteration, how many there are, the lane's number, and how many lanes. */
export type Walk = Record<"t" | "count" | "member" | "lanes", Symbol>;

export const times = (e: Expr, n: number): Expr => binary("*", e, intLit(n, LONG));

/** The iterations in front of which all belong to a whole 16 bytes. */
export const inFours = ({ count }: Walk, width: number): Expr =>
  times(binary("/", ident(count), intLit(width, LONG)), width);

/** Each lane's share of the iterations behind those, which `rest` counts. */
export const behindFours = (rest: Symbol, walk: Walk, width: number, body: Stmt): Stmt =>
  counted(
    rest,
    binary("+", inFours(walk, width), ident(walk.member)),
    ident(walk.count),
    ident(walk.lanes),
    body,
  );

/** `wide` if the row's first elements lie at multiples of 16 bytes, and it has some for every lane; else `plain`. */
export function whereWide(
  first: readonly Expr[],
  { count, lanes }: Walk,
  width: number,
  wide: readonly Stmt[],
  plain: Stmt,
): Stmt {
  const together = first
    .map((element): Expr => cast(ULONG, addressOf(element)))
    .reduce((a, b) => binary("|", a, b));
  const isLong = binary(">=", ident(count), times(ident(lanes), width));
  return ifStmt(binary("&&", isLong, isAligned(together)), compound(wide), compound([plain]));
}
