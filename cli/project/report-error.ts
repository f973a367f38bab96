/** Reports the error that ended a command and returns the exit status for it. */
import { type Call, type Status, status } from "../call/call.ts";
import { formatFindings } from "../show/findings.ts";
import { InvalidProject } from "./invalid-project.ts";
import { describeProblem } from "./problem.ts";

type Output = Pick<Call, "out" | "err" | "cwd" | "color" | "columns">;

export function reportError(
  error: unknown,
  json: boolean,
  { out, err, cwd, color, columns }: Output,
): Status {
  if (error instanceof InvalidProject) {
    const { diagnostics } = error;
    if (json)
      for (const diagnostic of diagnostics) out(`${JSON.stringify({ type: "diagnostic", ...diagnostic })}\n`);
    else err(formatFindings(diagnostics, { cwd, root: cwd, color, columns }));
    return status.wrongCall;
  }
  const problem = describeProblem(error);
  if (json) out(`${JSON.stringify({ type: "error", ...problem })}\n`);
  else err(`arc: ${problem.message}${problem.remedy === undefined ? "" : `\n  try: ${problem.remedy}`}\n`);
  return problem.status;
}
