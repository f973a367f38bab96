/**
 * Marks in directives: comments that give the location of the words after them, if it is not in the current file. arc
 * writes them where a project adds to a directive, so that messages point to the text to edit. A mark
 * before all words means that the source does not contain the directive at all.
 *
 *     #pragma acc parallel loop /*@ 3:17 "a.c.directives" *\/ vector_length(64)
 */
import type { Added, Loc } from "../tree/ast.ts";
import { decodeString } from "./literals.ts";

export const MARK = "/*@ ";

export interface Mark {
  readonly of: Added;
  /** Location of the character after the mark. */
  readonly at: Loc;
}

const PATTERN = /\/\*@ (\d+):(\d+) ("(?:[^"\\]|\\.)*") \*\//;

/** The first mark in the text after `pragma`. */
export function markOf(body: string): Mark | undefined {
  if (!body.includes(MARK)) return undefined;
  const found = PATTERN.exec(body);
  if (!found) return undefined;
  const [, line, col, name] = found;
  const at = { file: decodeString(name ?? ""), line: Number(line), col: Number(col) };
  return { of: body.slice(0, found.index).trim() === "" ? "directive" : "clauses", at };
}

/** A mark for words whose location is `at`. */
export function markText({ file, line, col }: Loc): string {
  // The file name must not end the comment.
  return `${MARK}${line}:${col} ${JSON.stringify(file).replaceAll("*/", "\\52/")} */`;
}
