/** What compilers write to standard error, as diagnostics. */
import type { Diagnostic } from "../schema/diagnostic.ts";

const row =
  /^(?<file>[^\s:][^:]*):(?<line>\d+)(?::(?<col>\d+))?: (?<severity>fatal error|error|warning|note): (?<message>.*)$/;

/** nvcc's own front end. */
const nvccRow =
  /^(?<file>[^\s(][^(]*)\((?<line>\d+)\): (?<severity>error|warning)(?: #\d+-D)?: (?<message>.*)$/;

/** Notes belong to the message before them. Text without places is empty here. */
export function parseMessages(text: string, code: string): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const line of text.split("\n")) {
    const { groups } = row.exec(line) ?? nvccRow.exec(line) ?? {};
    if (groups === undefined) continue;
    const { file = "", message = "", severity } = groups;
    const loc = { file, line: Number(groups.line), col: Number(groups.col ?? 1) };
    const last = found.at(-1);
    if (severity !== "note") {
      found.push({ severity: severity === "warning" ? "warning" : "error", code, message, loc });
    } else if (last !== undefined) {
      found[found.length - 1] = { ...last, notes: [...(last.notes ?? []), { message, loc }] };
    }
  }
  return found;
}
