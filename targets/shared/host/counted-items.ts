/**
 * Data items whose number is known only when the program runs: one for each value of some variables.
 *
 *     for (long k = 0; k < n; k += 1) arc_list_add(&items, (arc_item){"v[k].data[0 : v[k].len]", ...});
 */
import type { DataItem, Iteration } from "../../../core/ir/model/ir.ts";
import { printDecl, printExpr } from "../../../core/lang/index.ts";
import type { Diagnostic } from "../../../core/lang/tree/ast.ts";
import { intLit } from "../../../core/lang/tree/build.ts";

/** Whether the program counts the items when it runs. */
export const isCounted = (items: readonly DataItem[]): boolean => items.some((i) => i.each);

export const severalPieces = ({ written, loc }: DataItem): Diagnostic => ({
  severity: "error",
  code: "non-contiguous-section",
  loc,
  message: `'${written}' stands for items whose number is known only when the program runs, and each is several pieces of memory`,
  remedy: "put a loop around a directive for one of them",
});

/** A statement for each value of the variables, the last one fastest. */
export const forEach = (each: readonly Iteration[], statement: string): string =>
  [
    ...each.map(({ sym, first, end, step }) => {
      const [from, to, by] = [first, end, step ?? intLit(1)].map((e) => printExpr(e));
      const goesOn = `(${by}) < 0 ? ${sym.name} > (${to}) : ${sym.name} < (${to})`;
      return `for (${printDecl(sym.type, sym.name)} = ${from}; ${step ? goesOn : `${sym.name} < (${to})`}; ${sym.name} += ${by})`;
    }),
    statement,
  ].join(" ");
