/** The step result of a compiler's run: messages as findings with positions, or unchanged if they have none. */
import type { StepContext, StepResult } from "../../core/build/model/action.ts";
import { parseMessages } from "./messages.ts";

interface ToolRun {
  /** Stable identifier of the messages' source: `c-compiler`. */
  readonly code: string;
  /** Name for messages: `the C compiler`. */
  readonly name: string;
  readonly exitCode: number;
  readonly messages: string;
  /** Whether a failure is a fact about the inputs; for preprocessing and linking it may depend on the system. */
  readonly fact: boolean;
}

export function toolResult(
  context: StepContext,
  { code, name, exitCode, messages, fact }: ToolRun,
): StepResult {
  const findings = parseMessages(messages, code);
  const errors = findings.some((finding) => finding.severity === "error");
  if (exitCode === 0 ? findings.length === 0 : !errors) context.log(messages);
  const diagnostics = findings.length === 0 ? {} : { diagnostics: findings };
  if (exitCode === 0) return { ok: true, ...diagnostics };
  // The shell and the kernel use 126 and above: not found, not executable, killed.
  return {
    ok: false,
    fact: fact && exitCode < 126,
    message: `${name} exited with ${exitCode}`,
    ...diagnostics,
  };
}
