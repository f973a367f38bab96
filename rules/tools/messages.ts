/** Parses compilers' messages on standard error into diagnostics. */
import type { Diagnostic } from "../../schema/document/diagnostic.ts";

const row =
  /^(?<file>[^\s:][^:]*):(?<line>\d+)(?::(?<col>\d+))?: (?<severity>fatal error|error|warning|note): (?<message>.*)$/;

/** Format of nvcc's own front end. */
const nvccRow =
  /^(?<file>[^\s(][^(]*)\((?<line>\d+)\): (?<severity>error|warning)(?: #\d+-D)?: (?<message>.*)$/;

/** Limit of equal messages: for a file that is not C, a compiler may complain about every byte. */
const MOST_SIMILAR = 5;

/** Notes are attached to the message before them. Text without positions is ignored. */
export function parseMessages(text: string, code: string): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const alike = new Map<string, number>();
  let skipped = false;
  for (const line of text.split("\n")) {
    const { groups } = row.exec(line) ?? nvccRow.exec(line) ?? {};
    if (groups === undefined) continue;
    const { file = "", message = "", severity } = groups;
    const loc = { file, line: Number(groups.line), col: Number(groups.col ?? 1) };
    const last = found.at(-1);
    if (severity !== "note") {
      const count = (alike.get(message) ?? 0) + 1;
      alike.set(message, count);
      skipped = severity === "warning" && count > MOST_SIMILAR;
      if (skipped) continue;
      found.push({
        severity: severity === "warning" ? "warning" : "error",
        code,
        message,
        loc,
        ...remedyFor(message),
      });
    } else if (last !== undefined && !skipped) {
      found[found.length - 1] = { ...last, notes: [...(last.notes ?? []), { message, loc }] };
    }
  }
  return found;
}

/** A remedy where compilers only say what is missing. */
function remedyFor(message: string): { readonly remedy?: string } {
  if (/: No such file or directory$|^'.*' file not found$/.test(message))
    return {
      remedy:
        "correct the name, install what brings the header, or name its folder (`include` in arc.yaml, `-I`)",
    };
  if (/^#include nested (?:depth|too deeply)/.test(message))
    return { remedy: "the file includes itself: begin it with `#pragma once`" };
  if (/^null character\(s\) ignored/.test(message)) return { remedy: "save the file as UTF-8 text" };
  return {};
}
