/**
 * Maps lines of emitted text to the user's files. While printing, a statement's first line begins with a mark. The
 * marks are removed from the complete text, so the text itself contains no positions.
 */
import type { Loc, Stmt } from "../../../core/lang/tree/ast.ts";

/** A line of the text, from 1, and the file, line and column of its origin. Sorted by line. */
export type LineMapping = readonly [textLine: number, file: string, line: number, col: number];

export interface MappedText {
  readonly text: string;
  readonly mappings: readonly LineMapping[];
}

const mark = /\uE000(\d+)\uE000/;
const marks = new RegExp(mark, "g");

export class Marks {
  readonly #locations: Loc[] = [];

  /** The lines of a statement, the first of them marked. Braces keep to themselves: printers look at them. */
  on(stmt: Stmt, lines: string[]): string[] {
    const { start } = stmt.span;
    if (stmt.kind === "compound" || start.line === 0 || lines[0] === undefined) return lines;
    this.#locations.push(start);
    return [`\uE000${this.#locations.length - 1}\uE000${lines[0]}`, ...lines.slice(1)];
  }

  /** The text without marks. If a line has several, the first one, of the outermost statement, gives its origin. */
  take(marked: string): MappedText {
    const mappings: LineMapping[] = [];
    const text = marked.split("\n").map((line, k) => {
      const [, index] = mark.exec(line) ?? [];
      const at = index === undefined ? undefined : this.#locations[Number(index)];
      if (at === undefined) return line;
      mappings.push([k + 1, at.file, at.line, at.col]);
      return line.replaceAll(marks, "");
    });
    return { text: text.join("\n"), mappings };
  }
}

/** The mappings moved down by a number of lines. */
export const moved = (mappings: readonly LineMapping[], lines: number): readonly LineMapping[] =>
  mappings.map(([k, ...at]) => [k + lines, ...at]);
