/** What arc says about a build that ended, and what the next call says if it finds nothing to do. */
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import { type Status, status } from "../call/call.ts";
import { counts as countsInWords } from "../show/words.ts";
import { type Skip, skippedLines } from "../ui/lines.ts";

export function buildStatus(result: BuildResult): Status {
  if (result.interrupted) return status.interrupted;
  return result.ok ? status.done : status.failed;
}

/** The text of the next call of this kind if it finds nothing to do. */
export function noOpSummary({ counts }: BuildResult, skips: readonly Skip[]): string {
  const upToDate = counts.ran + counts.cached + counts.remote + counts.upToDate;
  const done = countsInWords({ ran: 0, cached: 0, remote: 0, upToDate, failed: 0, skipped: counts.skipped });
  return [...skippedLines(skips, false), `arc: done: ${done}`].map((line) => `${line}\n`).join("");
}
