/** Columns that text takes on a terminal: most letters one, those of East Asia and emoji two, marks on letters none. */
import { eastAsianWidth } from "get-east-asian-width";

const PLAIN = /^[\x20-\x7e]*$/;
/** Marks, joiners, and what else is not seen by itself. */
const UNSEEN = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\p{Cs}]+$/u;
/** A flag is of two of these. The other makes an emoji of the sign before it. */
const EMOJI = /^\p{Regional_Indicator}{2}|\ufe0f/u;

export const isPlain = (text: string): boolean => PLAIN.test(text);

let segmenter: Intl.Segmenter | undefined;

/** What a reader takes for single letters: with their marks, and emoji that are several joined ones. */
function letters(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter("en");
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Marks that stand behind their letter. */
const BEHIND = /[\p{Mc}\uff9e\uff9f]/gu;

function widthOfLetter(letter: string): number {
  if (UNSEEN.test(letter)) return 0;
  if (EMOJI.test(letter)) return 2;
  const first = String.fromCodePoint(letter.codePointAt(0) ?? 0);
  return eastAsianWidth(first.codePointAt(0) ?? 0) + (letter.slice(first.length).match(BEHIND)?.length ?? 0);
}

/** Of text without colours. */
export const widthOf = (text: string): number =>
  isPlain(text) ? text.length : letters(text).reduce((sum, letter) => sum + widthOfLetter(letter), 0);

/** The text's beginning, of at most so many columns. */
export const cut = (text: string, columns: number): string =>
  isPlain(text) ? text.slice(0, Math.max(0, columns)) : joined(cellsOf(text), 0, columns);

/** Filled up with blanks on the right. */
export const padded = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - widthOf(text)));

/** A text column by column: a letter of two columns is followed by an empty one. */
export type Cells = string | readonly string[];

export function cellsOf(text: string): Cells {
  if (isPlain(text)) return text;
  const cells: string[] = [];
  // What is not seen belongs to the letter before it, or to the first one.
  let [last, unseen] = [-1, ""];
  for (const letter of letters(text)) {
    const width = widthOfLetter(letter);
    if (width > 0) {
      last = cells.length;
      cells.push(unseen + letter, ...Array.from({ length: width - 1 }, () => ""));
      unseen = "";
    } else if (last < 0) unseen += letter;
    else cells[last] += letter;
  }
  return cells;
}

/** A part as text; of a letter that is cut in two a blank is left. */
export function joined(cells: Cells, from: number, to: number): string {
  const part = cells.slice(Math.max(0, from), Math.max(0, to));
  if (typeof part === "string") return part;
  const isCut = typeof cells !== "string" && part.length > 0 && cells[from + part.length] === "";
  const whole = isCut ? [...part.slice(0, -1), " "] : part;
  return whole.map((cell, i) => (i === 0 && cell === "" ? " " : cell)).join("");
}
