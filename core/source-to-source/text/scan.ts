/** C text without comments and literals: positions of names, whichever branch of `#if` they are in. */

interface Name {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const tokens =
  /\/\*[\s\S]*?\*\/|\/\/(?:\\\r?\n|[^\n])*|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*/g;

export function namesIn(text: string): readonly Name[] {
  return [...text.matchAll(tokens)].flatMap(({ 0: found, index }) =>
    /^[A-Za-z_]/.test(found) ? [{ text: found, start: index, end: index + found.length }] : [],
  );
}

interface Arguments {
  /** As written, without surrounding white space. */
  readonly list: readonly string[];
  /** After the closing parenthesis. */
  readonly end: number;
}

/** The arguments of a call whose name ends at `from`; undefined if it is not called. */
export function argumentsAt(text: string, from: number): Arguments | undefined {
  let at = from + gapAt(text, from).length;
  if (text[at] !== "(") return undefined;
  const list: string[] = [];
  let begin = ++at;
  for (let depth = 0; at < text.length; ) {
    const skipped = skip(text, at);
    if (skipped > at) {
      at = skipped;
      continue;
    }
    const c = text[at];
    if (c === "(" || c === "[" || c === "{") depth++;
    else if (depth > 0 && (c === ")" || c === "]" || c === "}")) depth--;
    else if (depth === 0 && (c === "," || c === ")")) {
      list.push(text.slice(begin, at).trim());
      begin = at + 1;
      if (c === ")") return { list: list.length === 1 && list[0] === "" ? [] : list, end: at + 1 };
    }
    at++;
  }
  return undefined;
}

/** White space at the beginning of an offset's line. */
export const marginAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))?.[0] ?? "";

/** White space, comments and continued lines from `at` on. */
export function gapAt(text: string, at: number): string {
  return /^(?:\s|\\\r?\n|\/\*[\s\S]*?\*\/)*/.exec(text.slice(at))?.[0] ?? "";
}

/** Position after a comment or literal that begins at `at`; `at` if none does. */
function skip(text: string, at: number): number {
  if (!/["'/]/.test(text[at] ?? "")) return at;
  const rest = text.slice(at);
  const found = /^(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*')/.exec(
    rest,
  );
  return at + (found?.[0].length ?? 0);
}
