/**
 * System headers' texts that were read before. The files of a check include the same headers in the same order, whose
 * texts are most of what the preprocessor writes, and the same each time.
 */
import type { MacroTable } from "./macro.ts";
import type { Token } from "./token.ts";

/** What reading a text gave. It is the same wherever the text stands. */
export interface HeaderText {
  readonly tokens: readonly Token[];
  readonly macros: MacroTable;
  /** Indexes among `tokens`, and versions, counted from the text's beginning. */
  readonly macroChanges: readonly { readonly index: number; readonly version: number }[];
  readonly systemFiles: ReadonlySet<string>;
}

/** How many characters are remembered; their tokens take some twenty times as much memory. */
const MOST = 4_000_000;

/** Undefined: pragmas or errors in it belong to the unit. */
const known = new Map<string, HeaderText | undefined>();
let length = 0;

export function headerText(text: string, read: (text: string) => HeaderText | undefined) {
  if (known.has(text)) return known.get(text);
  const made = read(text);
  if (length + text.length > MOST) {
    known.clear();
    length = 0;
  }
  length += text.length;
  known.set(text, made);
  return made;
}

/**
 * Where the text of an included system header ends: at the marker that returns to the file that includes it. Undefined
 * for another marker.
 *
 *     # 1 "/usr/include/stdio.h" 1 3 4
 *     ...
 *     # 3 "a.c" 2
 */
export function endOfHeader(text: string, from: number, flags: string, includer: string): number | undefined {
  if (!/\b1\b/.test(flags) || !/\b3\b/.test(flags)) return undefined;
  const back = text.indexOf(`"${includer}" 2\n`, from);
  if (back < 0) return undefined;
  const line = text.lastIndexOf("\n", back) + 1;
  return text.startsWith("# ", line) ? line : undefined;
}
