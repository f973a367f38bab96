/**
 * Comments that silence rules:
 *
 *     x = 1; // arc-check: ignore data-race, missing-private
 *     // arc-check: ignore          (all rules, on the next line)
 *     // arc-check: ignore-file data-race
 */
import type { Finding } from "./model/finding.ts";

const mark = /arc-check:\s*(ignore-file|ignore)\b([^*\n]*)/;

interface Silence {
  readonly wholeFile: boolean;
  /** Empty: all. */
  readonly rules: ReadonlySet<string>;
  /** Nothing else is on its line. */
  readonly alone: boolean;
}

/** Findings that no comment suppresses; `linesOf`: the original lines of a file. */
export function unsuppressed<F extends Pick<Finding, "code" | "loc">>(
  findings: readonly F[],
  linesOf: (file: string) => readonly string[],
): readonly F[] {
  const files = new Map<string, ReadonlyMap<number, Silence>>();
  return findings.filter(({ code, loc }) => {
    const marks = files.get(loc.file) ?? silencesOf(linesOf(loc.file));
    files.set(loc.file, marks);
    const covers = (s: Silence | undefined) => s !== undefined && (s.rules.size === 0 || s.rules.has(code));
    const before = marks.get(loc.line - 1);
    return !(
      covers(marks.get(loc.line)) ||
      (before?.alone === true && covers(before)) ||
      [...marks.values()].some((s) => s.wholeFile && covers(s))
    );
  });
}

function silencesOf(lines: readonly string[]): ReadonlyMap<number, Silence> {
  const found = new Map<number, Silence>();
  for (const [k, line] of lines.entries()) {
    const [, word, rest = ""] = mark.exec(line) ?? [];
    if (word === undefined) continue;
    const rules = new Set(rest.split(/[\s,]+/).filter((rule) => rule !== ""));
    found.set(k + 1, { wholeFile: word === "ignore-file", rules, alone: /^\s*(\/\/|\/\*)/.test(line) });
  }
  return found;
}
