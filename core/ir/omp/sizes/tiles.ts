/**
 * Loops around a `tile` that is not applied. Iterations run in the order of the loops as written. A `collapse` over the
 * tile loops, or over those and the loops inside them, joins the original loops instead.
 *
 *     collapse(4)                                collapse(2)
 *     tile sizes(8, 8)                    =>     for (i ...)
 *     for (i ...) for (j ...) BODY                 for (j ...) BODY
 */
import { evaluateInteger } from "../../../lang/index.ts";
import type { Expr } from "../../../lang/tree/ast.ts";
import { intLit } from "../../../lang/tree/build.ts";
import type { Directive } from "../../directives/directive.ts";

/** The sizes that a `tile` lists, if they are numbers. */
export function sizesOf({ pragma: { tokens } }: Directive): readonly number[] | undefined {
  const open = tokens.findIndex((t, i) => t.text === "(" && tokens[i - 1]?.text === "sizes");
  const close = tokens.findIndex((t, i) => i > open && t.text === ")");
  const list = tokens.slice(open + 1, close).filter((t, i) => i % 2 === 0 || t.text !== ",");
  return list.every(({ text }) => /^[1-9]\d*$/.test(text)) ? list.map(({ text }) => Number(text)) : undefined;
}

/** How many loops a `tile` applies to: one per listed size. */
export function dimensions({ pragma: { tokens } }: Directive): number {
  const open = tokens.findIndex((t, i) => t.text === "(" && tokens[i - 1]?.text === "sizes");
  let depth = 0;
  let count = 1;
  for (const { text } of tokens.slice(open)) {
    if (text === "(") depth++;
    if (text === ")" && --depth === 0) break;
    if (text === "," && depth === 1) count++;
  }
  return count;
}

/** The directive around `tiled` tiled loops. */
export function overTiles(d: Directive, tiled: number | undefined): Directive {
  if (tiled === undefined) return d;
  const clauses = d.clauses.map((c) => {
    const requested = c.name === "collapse" ? Number(evaluateInteger(c.exprs[0] as Expr) ?? 0n) : 0;
    if (requested <= tiled) return c;
    return { ...c, exprs: [intLit(Math.max(tiled, requested - tiled))] };
  });
  return { ...d, clauses };
}
