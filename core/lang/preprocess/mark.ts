/**
 * Marks in directives: comments that say where the words behind them stand, if not in the file that the line is of. arc
 * writes them where a project adds to a directive, so that messages name the place where the words can be changed. A mark
 * in front of all words says that the directive as a whole is not in the source.
 *
 *     #pragma acc parallel loop /*@ 3:17 "a.c.directives" *\/ vector_length(64)
 */
import type { Added, Loc } from "../tree/ast.ts";
import { decodeString } from "./literals.ts";

export const MARK = "/*@ ";

export interface Mark {
  readonly of: Added;
  /** Where the character behind the mark stands. */
  readonly at: Loc;
}

const PATTERN = /\/\*@ (\d+):(\d+) ("(?:[^"\\]|\\.)*") \*\//;

/** The first mark in what stands behind `pragma`. */
export function markOf(body: string): Mark | undefined {
  if (!body.includes(MARK)) return undefined;
  const found = PATTERN.exec(body);
  if (!found) return undefined;
  const [, line, col, name] = found;
  const at = { file: decodeString(name ?? ""), line: Number(line), col: Number(col) };
  return { of: body.slice(0, found.index).trim() === "" ? "directive" : "clauses", at };
}

/** A mark in front of words that stand at `at`. */
export function markText({ file, line, col }: Loc): string {
  // A name must not end the comment.
  return `${MARK}${line}:${col} ${JSON.stringify(file).replaceAll("*/", "\\52/")} */`;
}
