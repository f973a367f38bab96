/** C's printf in languages whose printf supports fewer integer lengths. */

import { intType, UCHAR } from "../../../core/lang/index.ts";
import type { Expr } from "../../../core/lang/tree/ast.ts";
import { cast, stripImplicit } from "../../../core/lang/tree/build.ts";

type Length = "hh" | "ll" | "z" | "j" | "t";

const conversions = /%%|(%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d*))?)(hh?|ll?|[jztL])?([diouxXcsfFeEgGaApn])/g;

/**
 * The conversion letters of a format, `*` for a width or precision taken from an argument; undefined if it is not a
 * literal.
 */
export function printedAs(format: Expr | undefined): readonly string[] | undefined {
  const text = format && stripImplicit(format);
  if (text?.kind !== "string") return undefined;
  return joinedConversions(text.pieces).flatMap((piece) =>
    [...piece.matchAll(conversions)].flatMap(([, head, , letter]) =>
      head === undefined || letter === undefined ? [] : [...head.replace(/[^*]/g, ""), letter],
    ),
  );
}

/**
 * The arguments of a printf whose format uses `l` for each of `lengths` that is a 64-bit type, and nothing for `hh`,
 * whose argument is converted.
 */
export function printfArguments(args: readonly Expr[], lengths: readonly Length[]): Expr[] {
  const [format, ...values] = args;
  const text = format && stripImplicit(format);
  if (text?.kind !== "string") return [...args];
  let at = 0;
  const converted = [...values];
  const pieces = joinedConversions(text.pieces).map((piece) =>
    piece.replace(conversions, (all, head?: string, length?: string, letter = "") => {
      if (head === undefined) return all;
      at += head.split("*").length - 1;
      const value = converted[at++];
      if (!length || !lengths.includes(length as Length)) return all;
      if (length !== "hh") return `${head}l${letter}`;
      if (value) converted[at - 1] = cast(/[di]/.test(letter) ? intType("schar") : UCHAR, value);
      return head + letter;
    }),
  );
  return [{ ...text, pieces }, ...converted];
}

/** Joins pieces of a format so that no conversion is split: `"%" PRIu8` is `"%" "hhu"`. */
function joinedConversions(pieces: readonly string[]): readonly string[] {
  const done: string[] = [];
  for (const piece of pieces) {
    const last = done.at(-1)?.replace(conversions, "") ?? "";
    const isOpen = /%[^a-zA-Z%]*(?:hh?|ll?|[jztL])?"$/.test(last);
    done.push(isOpen ? `${done.pop()?.slice(0, -1)}${piece.slice(1)}` : piece);
  }
  return done;
}
