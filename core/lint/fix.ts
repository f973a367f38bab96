/** Applies edits to a file's text. */
import type { Edit } from "./model/finding.ts";

/** The text after those edits that fit it, and the list of these edits. */
export function edited(
  text: string,
  edits: readonly Edit[],
): { readonly text: string; readonly made: ReadonlySet<Edit> } {
  const lines = text.split("\n").map((line) => Buffer.from(line, "utf8"));
  const made = new Set<Edit>();
  // From the end, so that earlier positions stay valid; at one position, in the order of their findings.
  const late = edits.toReversed().sort((a, b) => b.loc.line - a.loc.line || b.loc.col - a.loc.col);
  const rests = new Map(late.map((edit) => [edit, lines[edit.end.line - 1]?.subarray(edit.end.col - 1)]));
  for (const edit of late) {
    const { loc, end, text: put, replaces } = edit;
    const line = lines[loc.line - 1];
    const rest = rests.get(edit);
    if (!line || !rest || end.line !== loc.line) continue;
    const there = line.subarray(loc.col - 1, end.col - 1).toString("utf8");
    if (replaces === undefined ? !fits(rest.toString("utf8")) : there !== replaces) continue;
    const [from, to] = [line.subarray(0, loc.col - 1), line.subarray(end.col - 1)];
    lines[loc.line - 1] = Buffer.concat([from, Buffer.from(put), to]);
    made.add(edit);
  }
  return { text: lines.map((line) => line.toString("utf8")).join("\n"), made };
}

/**
 * What may follow a directive on its line. Otherwise the directive came from a macro, and the position is not in this
 * text.
 */
const fits = (rest: string): boolean => /^\s*(\\?\s*|\/\/.*|\/\*.*)$/.test(rest);
