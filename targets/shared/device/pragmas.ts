/** Pragmas for the kernel's compiler on loops that arc writes. */
import type { Apart } from "../../../core/ir/model/ir.ts";
import { NOWHERE } from "../../../core/lang/index.ts";
import type { Pragma, PragmaToken, Scope } from "../../../core/lang/tree/ast.ts";

const noNames: Scope = { lookup: () => undefined, lookupTag: () => undefined };

/** `#pragma unroll N`; 0: `#pragma unroll`, all iterations at once. */
export function unrollPragma(copies: number): Pragma {
  return pragma(["ident", "unroll"], ...(copies > 0 ? [["number", `${copies}`] as const] : []));
}

/** Copies of the body that a pragma asks for; 0: as many as there are iterations; undefined: it is about something else. */
export function unrollCopies({ tokens: [first, count] }: Pragma): number | undefined {
  if (first?.text !== "unroll") return undefined;
  return count ? Number(count.text.replace(/\D/g, "")) || 0 : 0;
}

/** `#pragma arc pipeline`: an iteration of the loop starts in every cycle. */
export const pipelinePragma = pragma(["ident", "arc"], ["ident", "pipeline"]);

/** `#pragma arc independent`: iterations exchange nothing through memory. Kernel texts leave it out. */
export const independentPragma = pragma(["ident", "arc"], ["ident", "independent"]);

/** `#pragma arc apart`: what is proved of the loop's memory, for a compiler that has words for it. */
interface ApartPragma extends Pragma {
  readonly apart: readonly Apart[];
}

export function apartPragma(apart: readonly Apart[]): Pragma {
  const made: ApartPragma = { ...pragma(["ident", "arc"], ["ident", "apart"]), apart };
  return made;
}

/** By the kernel's own variables; nothing of any other pragma. */
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
