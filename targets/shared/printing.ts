/** printf of C in languages whose printf knows fewer lengths of integers. */

import { bare } from "../../core/ir/counted.ts";
import type { Expr } from "../../core/lang/ast.ts";
import { cast } from "../../core/lang/build.ts";
import { intType, UCHAR } from "../../core/lang/index.ts";

type Length = "hh" | "ll" | "z" | "j" | "t";

const conversions = /%%|(%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d*))?)(hh?|ll?|[jztL])?([a-zA-Z])/g;

/**
 * The arguments of a printf whose format says `l` for every one of `lengths` that is a type of 64 bits, and nothing
 * for `hh`: its argument is converted.
 */
export function printfArguments(args: readonly Expr[], lengths: readonly Length[]): Expr[] {
  const [format, ...values] = args;
  const text = format && bare(format);
  if (text?.kind !== "string") return [...args];
  let at = 0;
  const given = [...values];
  const pieces = text.pieces.map((piece) =>
    piece.replace(conversions, (whole, head?: string, length?: string, letter = "") => {
      if (head === undefined) return whole;
      at += head.split("*").length - 1;
      const value = given[at++];
      if (!length || !lengths.includes(length as Length)) return whole;
      if (length !== "hh") return `${head}l${letter}`;
      if (value) given[at - 1] = cast(/[di]/.test(letter) ? intType("schar") : UCHAR, value);
      return head + letter;
    }),
  );
  return [{ ...text, pieces }, ...given];
}
