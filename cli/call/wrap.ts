/** Breaks text between words, for terminals: these would break lines within words. */
import { widthOf } from "./width.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences
const COLOUR = /\u001b\[[0-9;]*m/g;

/** Columns that a text takes, without its colours. */
const seenWidth = (text: string): number => widthOf(text.replace(COLOUR, ""));

/** The words in lines of at most so many columns; a longer word has a line of its own. */
export function wrapWords(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const word of text.split(" ")) {
    const own = seenWidth(word);
    if (line !== "" && width + 1 + own > columns) {
      lines.push(line);
      [line, width] = [word, own];
    } else {
      width += own + (line === "" ? 0 : 1);
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** A line that does not fit is continued in others, indented by `indent`; a break before that column helps nobody. */
export function wrapLine(line: string, columns: number, indent: number): string {
  if (seenWidth(line) <= columns) return line;
  const margin = indent + 20 > columns ? 2 : indent;
  const [lead = ""] = /^ */.exec(line) ?? [];
  const words = wrapWords(line.slice(lead.length), columns - lead.length);
  const [first = ""] = words;
  if (words.length === 1) return line;
  const rest = wrapWords(line.slice(lead.length + first.length + 1).trimStart(), columns - margin);
  return [`${lead}${first}`, ...rest.map((one) => " ".repeat(margin) + one)].join("\n");
}

/** Each line that does not fit is continued in others, indented by `indent` more than it is. */
export function wrapLines(text: string, columns: number, indent = 2): string {
  if (!Number.isFinite(columns)) return text;
  return text
    .split("\n")
    .map((line) => wrapLine(line, columns, (/^ */.exec(line)?.[0].length ?? 0) + indent))
    .join("\n");
}

/**
 * arc's own messages and their remedies; what tools and programs print is left alone, as it may point at columns.
 */
export function wrapMessages(text: string, columns: number): string {
  if (!Number.isFinite(columns) || text.length <= columns) return text;
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const cut = text.indexOf("\n", at + PIECE) + 1 || text.length;
    pieces.push(wrapPiece(text.slice(at, cut), columns));
    at = cut;
  }
  return pieces.join("");
}

/** In characters: a string for each line of a whole log would take forty times its memory. */
const PIECE = 1 << 20;

function wrapPiece(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => {
      const plain = line.replace(COLOUR, "");
      const indent = findingHead.test(plain) ? 4 : ownMessage.exec(plain)?.[0].length;
      return indent === undefined ? line : wrapLine(line, columns, indent);
    })
    .join("\n");
}

const ownMessage = /^(?:arc: | {2}try: | {2}why: | {2}note: |next: |not built: |failed: |warning: )/;

/** With a code behind the severity; GCC's have none there. */
const findingHead = /^\S+:\d+:\d+: (?:error|warning|note)\[[\w-]+\]: /;
