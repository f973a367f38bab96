/** The condition of `nowait` (OpenMP 6.0, section 16.6). */
import type { PragmaToken } from "../../lang/tree/ast.ts";

type Tokens = readonly PragmaToken[];

/**
 * A directive's words without the condition. Unless it is a constant that holds, the threads wait, as they may do for
 * whatever a construct has computed.
 *
 *     single nowait(1)      =>      single nowait
 *     single nowait(n > 3)  =>      single
 */
export function withoutCondition(tokens: Tokens): Tokens {
  const at = tokens.findIndex((t, i) => t.text === "nowait" && tokens[i + 1]?.text === "(");
  if (at < 0) return tokens;
  const close = closing(tokens, at + 1);
  const [condition] = tokens.slice(at + 2, close);
  const holds = close === at + 3 && condition?.kind === "number" && Number(condition.text) !== 0;
  return [...tokens.slice(0, holds ? at + 1 : at), ...tokens.slice(close + 1)];
}

/** Where the parenthesis that opens at this place closes. */
export function closing(tokens: Tokens, open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (tokens[i]?.text === "(") depth++;
    if (tokens[i]?.text === ")" && --depth === 0) return i;
  }
  return tokens.length;
}
