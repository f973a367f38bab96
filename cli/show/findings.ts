/** Prints diagnostics, with source lines and with file names relative to the user's folder. */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { formatDiagnostic } from "./diagnostic.ts";
import { asWritten } from "./directive-columns.ts";

interface FindingsContext {
  readonly cwd: string;
  /** Relative file names in diagnostics are relative to this folder. */
  readonly root: string;
  readonly color: boolean;
  readonly columns: number;
}

export function formatFindings(
  diagnostics: readonly Diagnostic[],
  { cwd, root, color, columns }: FindingsContext,
): string {
  const line = linesIn(root);
  const show = (file: string) => showPath(path.resolve(root, file), cwd);
  return diagnostics
    .map((diagnostic) => formatDiagnostic(asWritten(diagnostic, line), { color, columns, line, show }))
    .join("");
}

/** For programs: maps positions to the files, as for people. */
export function placedFindings(diagnostics: readonly Diagnostic[], root: string): readonly Diagnostic[] {
  const line = linesIn(root);
  return diagnostics.map((diagnostic) => asWritten(diagnostic, line));
}

/** Returns lines of files by number from 1; each file is read once. */
export function linesIn(root: string): (file: string, line: number) => string | undefined {
  const files = new Map<string, readonly string[]>();
  return (file, line) => {
    const lines = files.get(file) ?? readLines(path.resolve(root, file));
    files.set(file, lines);
    return lines[line - 1];
  };
}

const LARGEST_SOURCE = 2 ** 28;

/** The relative path if it is not much longer. */
export function showPath(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  return relative === "" || relative.startsWith("../../..") ? file : relative;
}

export function readLines(file: string): readonly string[] {
  try {
    // A finding may come from a shared cache and name a device that never ends.
    const stat = statSync(file);
    if (!stat.isFile() || stat.size === 0 || stat.size > LARGEST_SOURCE) return [];
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
