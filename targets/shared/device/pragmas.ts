/** Pragmas on generated loops for the kernel's compiler. */
import type { Apart } from "../../../core/ir/model/ir.ts";
import { NOWHERE } from "../../../core/lang/index.ts";
import type { Pragma, PragmaToken, Scope } from "../../../core/lang/tree/ast.ts";

const noNames: Scope = { lookup: () => undefined, lookupTag: () => undefined };

/** `#pragma unroll N`; 0: `#pragma unroll`, which unrolls fully. */
export function unrollPragma(copies: number): Pragma {
  return pragma(["ident", "unroll"], ...(copies > 0 ? [["number", `${copies}`] as const] : []));
}

/** Copies of the body that an unroll pragma requests; 0: full unrolling; undefined: another pragma. */
export function unrollCopies({ tokens: [first, count] }: Pragma): number | undefined {
  if (first?.text !== "unroll") return undefined;
  return count ? Number(count.text.replace(/\D/g, "")) || 0 : 0;
}

/** `#pragma arc pipeline`: an iteration of the loop starts in every cycle. */
export const pipelinePragma = pragma(["ident", "arc"], ["ident", "pipeline"]);

/** `#pragma arc independent`: iterations do not communicate through memory. Not printed in kernel texts. */
export const independentPragma = pragma(["ident", "arc"], ["ident", "independent"]);

/** `#pragma arc apart`: proven facts about the loop's memory, for compilers that can use them. */
interface ApartPragma extends Pragma {
  readonly apart: readonly Apart[];
}

export function apartPragma(apart: readonly Apart[]): Pragma {
  const result: ApartPragma = { ...pragma(["ident", "arc"], ["ident", "apart"]), apart };
  return result;
}

/** In terms of the kernel's variables; empty for any other pragma. */
export function apartOf(p: Pragma): readonly Apart[] {
  return (p as Partial<ApartPragma>).apart ?? [];
}

function pragma(...words: readonly (readonly [PragmaToken["kind"], string])[]): Pragma {
  const token = (kind: PragmaToken["kind"], text: string): PragmaToken => ({
    kind,
    text,
    loc: NOWHERE.start,
    spaced: true,
  });
  return {
    kind: "pragma",
    tokens: words.map(([kind, text]) => token(kind, text)),
    scope: noNames,
    span: NOWHERE,
  };
}
