/** Converts arc's positions (lines from 1, columns in bytes from 1) to the protocol's (from 0, in UTF-16 units). */
import type { Position, Range } from "vscode-languageserver";
import type { SourceLocation } from "../../schema/document/diagnostic.ts";

/** Lines of a text that an editor shows. */
export class Lines {
  readonly #lines: readonly string[];

  constructor(text: string) {
    this.#lines = text.split(/\r\n|\r|\n/);
  }

  /** Lines are counted from 1; undefined beyond the end. */
  line(number: number): string | undefined {
    return this.#lines[number - 1];
  }

  position({ line, col }: SourceLocation): Position {
    const text = this.line(line) ?? "";
    const before = Buffer.from(text)
      .subarray(0, Math.max(0, col - 1))
      .toString("utf8");
    return { line: Math.max(0, line - 1), character: before.length };
  }

  /** From one position to another, or to the end of the word at the first. */
  range(start: SourceLocation, end?: SourceLocation): Range {
    const from = this.position(start);
    if (end !== undefined && (end.line > start.line || end.col > start.col))
      return { start: from, end: this.position(end) };
    const word = /^(?:\w+|\s*\S)?/.exec((this.line(start.line) ?? "").slice(from.character))?.[0] ?? "";
    return { start: from, end: { line: from.line, character: from.character + word.length } };
  }
}
