/** The verdict on a compiler's run: its messages as findings with places, or as they are where they have none. */
import type { StepContext, StepResult } from "../../core/build/model/action.ts";
import { parseMessages } from "./messages.ts";

export interface ToolRun {
  /** Stable name of whose messages they are: `c-compiler`. */
  readonly code: string;
  /** `the C compiler`. */
  readonly name: string;
  readonly exitCode: number;
  readonly messages: string;
  /** Whether a failure is a fact about the inputs; those of preprocessing and linking depend on the system too. */
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
  // 126 and above are the shell's and the kernel's words: not there, not executable, killed.
  return {
    ok: false,
    fact: fact && exitCode < 126,
    message: `${name} exited with ${exitCode}`,
    ...diagnostics,
  };
}
