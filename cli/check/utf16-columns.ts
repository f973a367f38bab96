/** Columns for formats that count UTF-16 units: arc counts bytes, which differ behind letters beyond ASCII. */
import type { Finding } from "../../rules/plan/check.ts";
import type { Diagnostic, SourceLocation } from "../../schema/document/diagnostic.ts";

/** A line of a file, from 1; undefined where it cannot be read. */
export type LineOf = (file: string, line: number) => string | undefined;

/** Unchanged where the line is not known. */
export function inUtf16<F extends Diagnostic | Finding>(finding: F, line: LineOf): F {
  const at = <L extends SourceLocation>(loc: L): L => ({
    ...loc,
    col: columnIn(line(loc.file, loc.line), loc.col),
  });
  const { loc, end, notes } = finding;
  const fix = "fix" in finding ? finding.fix : undefined;
  return {
    ...finding,
    loc: at(loc),
    ...(end && { end: at({ ...end, file: loc.file }) }),
    ...(notes && { notes: notes.map((note) => (note.loc ? { ...note, loc: at(note.loc) } : note)) }),
    ...(fix && { fix: fix.map((edit) => ({ ...edit, loc: at(edit.loc), end: at(edit.end) })) }),
  };
}

function columnIn(text: string | undefined, col: number): number {
  if (text === undefined) return col;
  const bytes = Buffer.from(text);
  // Behind the line's end there is only its end.
  if (col - 1 > bytes.length) return text.length + (col - bytes.length);
  return bytes.subarray(0, Math.max(0, col - 1)).toString("utf8").length + 1;
}
