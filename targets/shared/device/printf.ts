/** printf of C in languages whose printf knows fewer lengths of integers. */

import { intType, UCHAR } from "../../../core/lang/index.ts";
import type { Expr } from "../../../core/lang/tree/ast.ts";
import { cast, stripImplicit } from "../../../core/lang/tree/build.ts";

type Length = "hh" | "ll" | "z" | "j" | "t";

const conversions = /%%|(%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d*))?)(hh?|ll?|[jztL])?([diouxXcsfFeEgGaApn])/g;

/** The letters that say what printf takes its values for, a width or precision that is one as `*`; undefined: no literal. */
export function printedAs(format: Expr | undefined): readonly string[] | undefined {
  const text = format && stripImplicit(format);
  if (text?.kind !== "string") return undefined;
  return whole(text.pieces).flatMap((piece) =>
    [...piece.matchAll(conversions)].flatMap(([, head, , letter]) =>
      head === undefined || letter === undefined ? [] : [...head.replace(/[^*]/g, ""), letter],
    ),
  );
}

/**
 * The arguments of a printf whose format says `l` for every one of `lengths` that is a type of 64 bits, and nothing
 * for `hh`: its argument is converted.
 */
export function printfArguments(args: readonly Expr[], lengths: readonly Length[]): Expr[] {
  const [format, ...values] = args;
  const text = format && stripImplicit(format);
  if (text?.kind !== "string") return [...args];
  let at = 0;
  const given = [...values];
  const pieces = whole(text.pieces).map((piece) =>
    piece.replace(conversions, (all, head?: string, length?: string, letter = "") => {
      if (head === undefined) return all;
      at += head.split("*").length - 1;
      const value = given[at++];
      if (!length || !lengths.includes(length as Length)) return all;
      if (length !== "hh") return `${head}l${letter}`;
      if (value) given[at - 1] = cast(/[di]/.test(letter) ? intType("schar") : UCHAR, value);
      return head + letter;
    }),
  );
  return [{ ...text, pieces }, ...given];
}

/** Pieces of a format with every conversion in one of them: `"%" PRIu8` is `"%" "hhu"`. */
function whole(pieces: readonly string[]): readonly string[] {
  const done: string[] = [];
  for (const piece of pieces) {
    const last = done.at(-1)?.replace(conversions, "") ?? "";
    const isOpen = /%[^a-zA-Z%]*(?:hh?|ll?|[jztL])?"$/.test(last);
    done.push(isOpen ? `${done.pop()?.slice(0, -1)}${piece.slice(1)}` : piece);
  }
  return done;
}
