/**
 * Positions inside directives. Preprocessors print a `#pragma` on one line, without comments and with each white space
 * reduced to one blank; positions in that line are mapped back to the file.
 */
import type { Diagnostic, SourceLocation as Loc } from "../../schema/document/diagnostic.ts";

type Lines = (file: string, line: number) => string | undefined;

export function asWritten(diagnostic: Diagnostic, lines: Lines): Diagnostic {
  const { loc, end, notes = [] } = diagnostic;
  const moved = locationInFile(loc, lines);
  if (moved === loc && diagnostic.notes === undefined) return diagnostic;
  const placed = notes.map((note) => (note.loc ? { ...note, loc: locationInFile(note.loc, lines) } : note));
  const allNotes = isBehind(loc, lines) ? [...placed, ofTheProject] : placed;
  return {
    ...diagnostic,
    loc: moved,
    ...(end && { end: end.line === loc.line ? locationInFile(end, lines) : end }),
    ...((diagnostic.notes || allNotes.length > 0) && { notes: allNotes }),
  };
}

const ofTheProject = {
  message: "the words are not in this file: arc.yaml adds them to the directive by 'kernels: NAME: add'",
};

/** Maps an edit that appends to a directive to the position after its last token. */
export function editAsWritten<E extends { readonly loc: Loc; readonly end: Loc }>(edit: E, lines: Lines): E {
  const { loc, end } = edit;
  if (loc.line !== end.line || end.col < 2) return edit;
  const before = { ...end, col: end.col - 1 };
  const last = locationInFile(before, lines);
  const at = isBehind(before, lines) ? last : { ...last, col: last.col + 1 };
  return { ...edit, loc: loc.col === end.col ? at : locationInFile(loc, lines), end: at };
}

const DIRECTIVE = /^\s*(?:#|%:)\s*pragma\b/;
/** Strings and characters, comments, white space, anything else. */
const PIECE = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\*.*?(?:\*\/|$)|\/\/[^\n]*|\s+|./gs;

function locationInFile(loc: Loc, lines: Lines): Loc {
  const entry = entryAt(loc, lines);
  if (entry !== undefined) return { ...loc, col: Math.min(loc.col, byteLength(entry) + 1) };
  if (!DIRECTIVE.test(lines(loc.file, loc.line) ?? "")) return loc;
  const locations = printedFrom(wholeDirective(loc, lines));
  return { ...loc, ...(locations[loc.col - 1] ?? locations.at(-1)) };
}

/** Whether a position is in the clauses that were appended to a directive. */
function isBehind(loc: Loc, lines: Lines): boolean {
  const entry = entryAt(loc, lines);
  if (entry !== undefined) return loc.col > byteLength(entry) + 1;
  if (!DIRECTIVE.test(lines(loc.file, loc.line) ?? "")) return false;
  return loc.col > printedFrom(wholeDirective(loc, lines)).length;
}

/** The line of a directive file, in which columns are what they are in the file. */
const entryAt = ({ file, line }: Loc, lines: Lines): string | undefined =>
  file.endsWith(".directives") ? lines(file, line) : undefined;

const byteLength = (text: string): number => Buffer.byteLength(text);

/** A byte as a character, and its position. */
type Byte = readonly [text: string, place: Pick<Loc, "line" | "col">];

/** A directive with its continuation lines and the lines that a comment in it extends to. */
function wholeDirective({ file, line }: Loc, lines: Lines): readonly Byte[] {
  const bytes: Byte[] = [];
  for (let at = line; ; at++) {
    const text = lines(file, at)?.trimEnd();
    if (text === undefined) return bytes;
    const continued = text.endsWith("\\");
    const own = Buffer.from(continued ? text.slice(0, -1) : text).toString("latin1");
    bytes.push(...[...own].map((byte, i): Byte => [byte, { line: at, col: i + 1 }]));
    if (continued) continue;
    const [last = ""] = spelled(bytes).match(PIECE)?.slice(-1) ?? [];
    bytes.push(["\n", { line: at, col: own.length + 1 }]);
    if (!last.startsWith("/*") || last.endsWith("*/")) return bytes;
  }
}

const spelled = (bytes: readonly Byte[]): string => bytes.map(([text]) => text).join("");

/** For each byte of the preprocessed line its original position, and the position of the line's end. */
function printedFrom(bytes: readonly Byte[]): readonly Byte[1][] {
  const locations: Byte[1][] = [];
  let words = "";
  let isApart = false;
  for (const { 0: piece, index } of spelled(bytes).matchAll(PIECE)) {
    const own = bytes.slice(index, index + piece.length).map(([, location]) => location);
    if (/^\s|^\/[*/]/.test(piece)) {
      // Around the `#`, white space is not printed.
      isApart = /^(?:#|%:)\w/.test(words);
      continue;
    }
    if (isApart && own[0]) locations.push(own[0]);
    isApart = false;
    words += piece;
    // The digraph `%:` is printed as `#`.
    if (words !== "%:") locations.push(...own);
  }
  const last = locations.at(-1);
  return last ? [...locations, { ...last, col: last.col + 1 }] : locations;
}
