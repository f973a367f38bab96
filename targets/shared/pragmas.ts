/** Pragmas for the kernel's compiler on loops that arc writes. */
import type { Pragma, PragmaToken } from "../../core/lang/ast.ts";
import { NOWHERE } from "../../core/lang/index.ts";

/** `#pragma unroll N`; 0: `#pragma unroll`, all iterations at once. */
export function unrollPragma(copies: number): Pragma {
  const token = (kind: PragmaToken["kind"], text: string): PragmaToken => ({
    kind,
    text,
    loc: NOWHERE.start,
    spaced: true,
  });
  return {
    kind: "pragma",
    tokens: [token("ident", "unroll"), ...(copies > 0 ? [token("number", `${copies}`)] : [])],
    scope: { lookup: () => undefined, lookupTag: () => undefined },
    span: NOWHERE,
  };
}
