/** Diagnostics for people: files as seen from where the user stands, with their lines. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../schema/diagnostic.ts";
import { formatDiagnostic } from "./diagnostic.ts";
import { asWritten } from "./directive-columns.ts";

export interface FindingsContext {
  readonly cwd: string;
  /** What relative file names in diagnostics are relative to. */
  readonly root: string;
  readonly color: boolean;
  readonly columns: number;
}

export function formatFindings(diagnostics: readonly Diagnostic[], context: FindingsContext): string {
  const files = new Map<string, readonly string[]>();
  const linesOf = (file: string): readonly string[] => {
    const known = files.get(file);
    if (known !== undefined) return known;
    const lines = readLines(path.resolve(context.root, file));
    files.set(file, lines);
    return lines;
  };
  const printing = {
    color: context.color,
    columns: context.columns,
    line: (file: string, line: number) => linesOf(file)[line - 1],
    show: (file: string) => showPath(path.resolve(context.root, file), context.cwd),
  };
  const placed = diagnostics.map((diagnostic) => asWritten(diagnostic, printing.line));
  return placed.map((diagnostic) => formatDiagnostic(diagnostic, printing)).join("");
}

/** Relative where that is shorter to read. */
function showPath(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  return relative === "" || relative.startsWith("../../..") ? file : relative;
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
