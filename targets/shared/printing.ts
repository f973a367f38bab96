/** printf of C in languages whose printf knows fewer lengths of integers. */

import { bare } from "../../core/ir/counted.ts";
import type { Expr } from "../../core/lang/ast.ts";

/** The arguments of a printf whose format says `l` for every one of `lengths`: types of 64 bits that are not `long`. */
export function printfArguments(args: readonly Expr[], lengths: readonly ("ll" | "z" | "j" | "t")[]): Expr[] {
  const [format, ...values] = args;
  const text = format && bare(format);
  if (text?.kind !== "string") return [...args];
  const conversion = new RegExp(`%%|(%[-+ #0-9.*]*)(?:${lengths.join("|")})`, "g");
  const pieces = text.pieces.map((piece) =>
    piece.replace(conversion, (whole, head?: string) => (head === undefined ? whole : `${head}l`)),
  );
  return [{ ...text, pieces }, ...values];
}
