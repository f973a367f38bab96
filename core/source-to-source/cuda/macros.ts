/** Macros without parameters: kernels are read as they are written, and these hide what a condition depends on. */
import { itemAt } from "../../checked/access.ts";
import type { Token } from "./tokens.ts";

/** What each of them stands for. */
export type Macros = ReadonlyMap<string, readonly Token[]>;

/** `inMacros`: the tokens of all definitions, one after the other. */
export function macrosIn(inMacros: readonly Token[]): Macros {
  const found = new Map<string, readonly Token[]>();
  const starts = [...inMacros.keys()].filter(
    (k) => itemAt(inMacros, k).text === "#" && inMacros[k + 1]?.text === "define",
  );
  for (const [n, start] of starts.entries()) {
    const [name, ...body] = inMacros.slice(start + 2, starts[n + 1]);
    const hasParameters = body[0]?.text === "(" && body[0].start === name?.end;
    if (name && !hasParameters) found.set(name.text, body);
  }
  return found;
}
