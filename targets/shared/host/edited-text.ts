import { itemAt } from "../../../core/checked/access.ts";

/** A C file with ranges of its text replaced; `#line` preserves the original line numbers. */

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Offsets into the original text, `end` one past the last character. */
export class EditedText {
  private readonly original: string;
  private readonly file: string;
  private readonly starts: readonly number[];
  private readonly edits: Edit[] = [];

  constructor(original: string, file: string) {
    this.original = original;
    this.file = file;
    this.starts = lineStarts(original);
  }

  /** How many edits there are. */
  get count(): number {
    return this.edits.length;
  }

  /** Whether any edit from the `since`th on ends there. */
  isEditedUpTo(end: number, since: number): boolean {
    return this.edits.slice(since).some((edit) => edit.end === end);
  }

  /** Whether the text at an offset is replaced. */
  isEdited(at: number): boolean {
    return this.edits.some(({ start, end }) => start <= at && at < end);
  }

  erase(start: number, end: number): void {
    this.edits.push({ start, end, text: "" });
  }

  insert(at: number, text: string): void {
    this.edits.push({ start: at, end: at, text });
  }

  /** Inserts whole lines, and restores the line numbering after them. */
  replace(start: number, end: number, lines: readonly string[]): void {
    const line = this.lineAt(end);
    const rest = this.original.slice(end, this.starts[line] ?? this.original.length);
    const blank = rest.trim() === "";
    const back = blank
      ? `\n#line ${line + 1} ${JSON.stringify(this.file)}`
      : `\n#line ${line} ${JSON.stringify(this.file)}\n`;
    this.edits.push({ start, end, text: lines.length ? `${lines.join("\n")}${back}` : "" });
  }

  /** Edits do not overlap; at equal offsets, inner constructs come first. */
  toString(): string {
    const order = this.edits
      .map((e, i) => ({ ...e, i }))
      .sort((a, b) => a.start - b.start || a.end - b.end || a.i - b.i);
    let out = "";
    let at = 0;
    for (const e of order) {
      // Two constructs of one pragma: the text of the outer one ends with a line that restores the numbering.
      const again = e.start < at && !out.endsWith("\n") ? "\n" : "";
      out += this.original.slice(at, e.start) + again + e.text;
      at = Math.max(at, e.end);
    }
    return out + this.original.slice(at);
  }

  /** Lines are counted from 1. */
  private lineAt(offset: number): number {
    let line = 1;
    while (line < this.starts.length && itemAt(this.starts, line) <= offset) line++;
    return line;
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
