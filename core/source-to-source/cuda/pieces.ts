/** Text composed of stretches of the source and new text, with the source line of each of its lines. */
import type { Token } from "./tokens.ts";

export interface Piece {
  readonly text: string;
  /** The source offset that it corresponds to. */
  readonly from: number;
  /** Copied from the source, so its lines are the source's. */
  readonly own: boolean;
}

/** A stretch of the source and the pieces that replace it. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
}

export const generated = (text: string, from: number): Piece => ({ text, from, own: false });

export const replace = (start: number, end: number, text: string): Replacement => ({
  start,
  end,
  pieces: [generated(text, start)],
});

export const rename = (token: Token, text: string): Replacement => replace(token.start, token.end, text);

/** An insertion precedes a replacement at the same position; of two replacements the longer one wins. */
const order = ({ start, end }: Replacement): number => (start === end ? 0 : 1);

/** The stretch from `start` to `end` with the replacements inside it applied. */
export function cut(
  source: string,
  start: number,
  end: number,
  replacements: readonly Replacement[],
): readonly Piece[] {
  const inside = replacements
    .filter((r) => r.start >= start && r.end <= end)
    .sort((a, b) => a.start - b.start || order(a) - order(b) || b.end - a.end);
  const found: Piece[] = [];
  let at = start;
  for (const { start: from, end: to, pieces } of inside) {
    if (from < at) continue;
    if (from > at) found.push({ text: source.slice(at, from), from: at, own: true });
    found.push(...pieces);
    at = to;
  }
  if (end > at) found.push({ text: source.slice(at, end), from: at, own: true });
  return found;
}

export const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join("");

/** Changes the indentation of copied lines by `by` spaces; preprocessor directives stay. */
export const shifted = (pieces: readonly Piece[], by: number): readonly Piece[] =>
  pieces.map((piece) => {
    if (!piece.own || by === 0) return piece;
    const text = piece.text.replace(/\n([ \t]*)(?![\s#])/g, (_, gap: string) =>
      by > 0 ? `\n${" ".repeat(by)}${gap}` : `\n${gap.slice(Math.min(gap.length, -by))}`,
    );
    return { ...piece, text };
  });

/** For each line of the text, the corresponding line of the source. */
export function linesOf(pieces: readonly Piece[], lineAt: (offset: number) => number): readonly number[] {
  const lines: number[] = [];
  let fresh = true;
  for (const { text, from, own } of pieces) {
    let line = lineAt(from);
    for (const character of text) {
      if (fresh && (character === "\n" || !/\s/.test(character))) {
        lines.push(line);
        fresh = false;
      }
      if (character !== "\n") continue;
      fresh = true;
      if (own) line++;
    }
  }
  return lines;
}
