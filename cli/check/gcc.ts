/** Findings in the format of gcc's warnings, which editors and scripts can parse. */
import type { Finding } from "../../rules/plan/check.ts";
import { wrapLine } from "../call/wrap.ts";
import { excerpt, type Printing } from "../show/diagnostic.ts";
import { paint } from "../show/paint.ts";

/** `width`: in columns; infinite for files and pipes, where a message is one line. */
export function gccFormat(findings: readonly Finding[], printing: Printing, width: number): string {
  const fitted = (line: string): string => wrapLine(line, width, 4);
  const color = paint(printing.color);
  return findings
    .map((finding) => {
      const { loc, severity, code, message, why, remedy, notes, certainty } = finding;
      const location = (at: Finding["loc"]) => color.bold(`${printing.show(at.file)}:${at.line}:${at.col}:`);
      const mark = severity === "error" ? color.red : color.yellow;
      const doubt = certainty === "maybe" ? "may be wrong: " : "";
      const lines = [
        fitted(`${location(loc)} ${mark(`${severity}:`)} ${doubt}${message} [${code}]`),
        ...excerpt(finding, printing, mark),
      ];
      for (const note of notes ?? []) {
        const at = note.loc ?? loc;
        lines.push(fitted(`${location(at)} ${color.cyan("note:")} ${note.message}`));
      }
      if (why !== undefined) lines.push(fitted(`${location(loc)} ${color.cyan("note:")} ${why}`));
      if (remedy !== undefined)
        lines.push(fitted(`${location(loc)} ${color.cyan("note:")} to mend it: ${remedy}`));
      return `${lines.join("\n")}\n`;
    })
    .join("");
}
