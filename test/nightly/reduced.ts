/**
 * A smaller program for which something still holds: lines and blocks are left out, blocks are taken apart. What keeps a program
 * free of races and its memories equal stays: what waits, what updates, and an atomic directive with its statement.
 */
const STAYS = /^\s*#pragma (acc|omp)\b.*\b(wait|taskwait|barrier|update|critical|declare)\b/;
const WITH_THE_NEXT = /^\s*#pragma (acc|omp) atomic\b/;

/** A line, or the lines from one that opens a block to the one that closes it. */
interface Piece {
  readonly head: string;
  readonly body?: readonly Piece[];
  readonly foot?: string;
}

/** `holds` is called until `until`, in milliseconds of `Date.now`. */
export function reduced(text: string, holds: (text: string) => boolean, until: number): string {
  let pieces = piecesOf(text.split("\n"));
  const tries = (next: readonly Piece[]): boolean => {
    if (Date.now() > until || !holds(textOf(next))) return false;
    pieces = next;
    return true;
  };
  for (let before = ""; before !== textOf(pieces) && Date.now() < until; ) {
    before = textOf(pieces);
    // What `main` no longer calls goes at once.
    insideOf(
      pieces.findLastIndex((piece) => piece.body),
      () => pieces,
      tries,
    );
    smaller(() => pieces, tries);
  }
  return textOf(pieces);
}

/** One round over all levels: runs of pieces first, then the contents of those that stay. */
function smaller(at: () => readonly Piece[], tries: (next: readonly Piece[]) => boolean): void {
  for (let size = at().length; size >= 1; size = Math.floor(size / 2))
    for (let k = at().length - size; k >= 0; k -= size) {
      // Fewer pieces may be left by now.
      const now = at();
      const out = now.slice(k, k + size);
      if (out.length === size && !out.some(({ head }) => STAYS.test(head)))
        tries([...now.slice(0, k), ...now.slice(k + size)]);
    }
  for (let k = at().length - 1; k >= 0; k--) {
    const now = at();
    const piece = now[k];
    if (!piece?.body) continue;
    const { body } = piece;
    if (!tries([...now.slice(0, k), ...body, ...now.slice(k + 1)])) insideOf(k, at, tries);
  }
}

function insideOf(k: number, at: () => readonly Piece[], tries: (next: readonly Piece[]) => boolean): void {
  const inside = (next: readonly Piece[]) => {
    const around = at();
    return tries([...around.slice(0, k), { ...(around[k] as Piece), body: next }, ...around.slice(k + 1)]);
  };
  smaller(() => at()[k]?.body ?? [], inside);
}

function piecesOf(lines: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let k = 0; k < lines.length; k++) {
    const head = lines[k] as string;
    const end = depthBehind(head) > 0 ? closing(lines, k) : undefined;
    if (WITH_THE_NEXT.test(head)) pieces.push({ head: `${head}\n${lines[++k] ?? ""}` });
    else if (end === undefined) pieces.push({ head });
    else {
      pieces.push({ head, body: piecesOf(lines.slice(k + 1, end)), foot: lines[end] as string });
      k = end;
    }
  }
  return pieces;
}

const depthBehind = (line: string): number =>
  [...line].reduce((n, c) => (c === "{" ? n + 1 : c === "}" ? n - 1 : n), 0);

/** The line that closes what a line opens. */
function closing(lines: readonly string[], from: number): number | undefined {
  let depth = 0;
  for (let k = from; k < lines.length; k++) {
    depth += depthBehind(lines[k] as string);
    if (depth <= 0) return k;
  }
  return undefined;
}

const textOf = (pieces: readonly Piece[]): string => pieces.flatMap(linesOf).join("\n");

const linesOf = ({ head, body, foot }: Piece): readonly string[] =>
  body ? [head, ...body.flatMap(linesOf), foot ?? ""] : [head];
