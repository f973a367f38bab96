/**
 * Host directives in the form that its C compiler knows: what a metadirective selects, and newer spellings replaced by
 * equivalent older ones (OpenMP 5.2, appendix B).
 *
 *     ordered doacross(sink: i - 1)      =>      ordered depend(sink: i - 1)
 *     simd linear(x: val, step(2))       =>      simd linear(x: 2)
 *     task depend(inoutset: x)           =>      task depend(inout: x)
 *     task depend(depobj: d[0])          =>      task depend(depobj: *&d[0])
 *     single nowait(1)                   =>      single nowait
 *     reduction(original(shared), +: s)  =>      reduction(+: s)
 */
import { spellTokens } from "../../../lang/index.ts";
import type { Pragma, PragmaToken } from "../../../lang/tree/ast.ts";
import { closing, withoutCondition } from "../../directives/nowait.ts";
import { onHost } from "./context.ts";
import { isMetadirective, meant } from "./metadirective.ts";

/** The text of the pragma to read instead, which may be empty; undefined: the pragma is unchanged. */
export function hostDirective(written: Pragma): string | undefined {
  if (written.tokens[0]?.text !== "omp") return undefined;
  const pragma = isMetadirective(written) ? meant(written, onHost).pragma : written;
  if (!pragma) return "";
  const tokens = olderReduction(withoutCondition(olderDepend(olderLinear(olderDoacross(pragma.tokens)))));
  return tokens === written.tokens ? undefined : `#pragma ${spellTokens(tokens)}`;
}

type Tokens = readonly PragmaToken[];

const has = (tokens: Tokens, at: number, ...texts: readonly string[]): boolean =>
  texts.every((text, i) => tokens[at + i]?.text === text);

function olderDoacross(tokens: Tokens): Tokens {
  const at = tokens.findIndex((t, i) => t.text === "doacross" && tokens[i + 1]?.text === "(");
  const word = tokens[at];
  if (!word || tokens[1]?.text !== "ordered") return tokens;
  const older: PragmaToken = { ...word, text: "depend" };
  const isSource = has(tokens, at + 2, "source");
  const behind = isSource ? tokens.findIndex((t, i) => i > at && t.text === ")") : at + 2;
  const retained = isSource ? tokens.slice(at + 1, at + 3) : tokens.slice(at + 1, at + 2);
  return olderDoacross([...tokens.slice(0, at), older, ...retained, ...tokens.slice(behind)]);
}

/**
 * A set of tasks in any order may as well run in the order of the program. Older compilers take an element for a section,
 * which no object of dependences may be.
 */
export function olderDepend(tokens: Tokens): Tokens {
  const inSet = (t: PragmaToken, i: number): boolean => t.text === "inoutset" && tokens[i + 1]?.text === ":";
  const plain = tokens.some(inSet)
    ? tokens.map((t, i) => (inSet(t, i) ? { ...t, text: "inout" } : t))
    : tokens;
  const isObject = (i: number): boolean => has(plain, i - 2, "depobj", ":") && plain[i - 3]?.text === "(";
  if (!plain.some((_, i) => isObject(i) && isElement(plain, i))) return plain;
  return plain.flatMap((t, i) =>
    isObject(i) && isElement(plain, i)
      ? [{ ...t, kind: "punct", text: "*" }, { ...t, kind: "punct", text: "&" }, t]
      : [t],
  );
}

/** Older compilers take the variable for shared. */
function olderReduction(tokens: Tokens): Tokens {
  const at = tokens.findIndex((_, i) => has(tokens, i, "original", "(", "shared", ")", ","));
  return at < 0 ? tokens : olderReduction([...tokens.slice(0, at), ...tokens.slice(at + 5)]);
}

/** Whether the list item at this place has subscripts. */
function isElement(tokens: Tokens, at: number): boolean {
  for (let i = at; i < tokens.length; i++) {
    const text = tokens[i]?.text;
    if (text === "[") return true;
    if (text === ")" || text === ",") return false;
  }
  return false;
}

/** `: val, step(e)` and `: step(e)` become `: e`; `: val` alone is the default. */
function olderLinear(tokens: Tokens): Tokens {
  const at = tokens.findIndex(
    (t, i) =>
      t.text === ":" &&
      (has(tokens, i + 1, "step", "(") ||
        has(tokens, i + 1, "val", ",", "step", "(") ||
        has(tokens, i + 1, "val", ")")),
  );
  if (at < 0 || !tokens.some((t) => t.text === "linear")) return tokens;
  if (has(tokens, at + 1, "val", ")")) return olderLinear([...tokens.slice(0, at), ...tokens.slice(at + 2)]);
  const open = has(tokens, at + 1, "val") ? at + 4 : at + 2;
  const close = closing(tokens, open);
  return olderLinear([
    ...tokens.slice(0, at + 1),
    ...tokens.slice(open + 1, close),
    ...tokens.slice(close + 1),
  ]);
}
