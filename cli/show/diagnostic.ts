/** Prints findings as good compilers do: position, code, the line with a caret, the reason, the remedy. */
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { type Paint, paint } from "./paint.ts";

export interface Printing {
  readonly color: boolean;
  /** Width of the terminal: of longer lines the part around the caret is shown. */
  readonly columns: number;
  /** A line of a file, counted from 1; undefined if there is none. */
  readonly line: (file: string, line: number) => string | undefined;
  /** A file's name as shown to this user. */
  readonly show: (file: string) => string;
}

export function formatDiagnostic(diagnostic: Diagnostic, printing: Printing): string {
  const { loc, severity, code, message } = diagnostic;
  const color = paint(printing.color);
  const mark = severity === "error" ? color.red : severity === "warning" ? color.yellow : color.cyan;
  const location = `${printing.show(loc.file)}:${loc.line}:${loc.col}`;
  const lines = [`${color.bold(location)}: ${mark(`${severity}[${code}]`)}: ${message}`];
  lines.push(...excerpt(diagnostic, printing, mark));
  if (diagnostic.why !== undefined) lines.push(`  ${color.dim("why:")} ${diagnostic.why}`);
  if (diagnostic.remedy !== undefined) lines.push(`  ${color.dim("try:")} ${diagnostic.remedy}`);
  for (const note of diagnostic.notes ?? []) {
    const at =
      note.loc === undefined ? "" : `${printing.show(note.loc.file)}:${note.loc.line}:${note.loc.col}: `;
    lines.push(`  ${color.dim("note:")} ${at}${note.message}`);
  }
  return `${lines.join("\n")}\n`;
}

/** The source line and the caret beneath it. */
export function excerpt(
  { loc, end }: Pick<Diagnostic, "loc" | "end">,
  printing: Printing,
  mark: Paint,
): readonly string[] {
  const text = printing.line(loc.file, loc.line);
  if (text === undefined) return [];
  const number = String(loc.line);
  const bytes = Buffer.from(text, "utf8");
  const before = columnsOf(bytes.subarray(0, loc.col - 1).toString("utf8"));
  const endCol = end !== undefined && end.line === loc.line ? end.col : loc.col + 1;
  const marked = columnsOf(bytes.subarray(loc.col - 1, Math.max(endCol - 1, loc.col)).toString("utf8"));
  const { shown, shift } = window(columnsOf(text), before.length, printing.columns - number.length - 6);
  const caret = `${" ".repeat(before.length - shift)}${mark(`^${"~".repeat(Math.max(0, Math.min(marked.length, shown.length - before.length + shift) - 1))}`)}`;
  const gutter = " ".repeat(number.length);
  return [`  ${number} | ${shown}`, `  ${gutter} | ${caret}`];
}

/** Replaces tabs by spaces, so that the caret is aligned. */
const columnsOf = (text: string): string => text.replaceAll("\t", "    ");

/** The part of a long line around the caret. */
function window(text: string, caret: number, width: number): { shown: string; shift: number } {
  const available = Math.max(width, 20);
  if (text.length <= available) return { shown: text, shift: 0 };
  const shift = Math.max(0, Math.min(caret - Math.floor(available / 2), text.length - available));
  return { shown: text.slice(shift, shift + available), shift };
}
