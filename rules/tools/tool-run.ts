/** Runs a system tool as a process of an action and reports its phases meanwhile. */
import type { Command, StepContext } from "../../core/build/model/action.ts";
import type { ToolFailure } from "../../targets/shared/tool-log/tool-log.ts";
import { logOf } from "../../targets/shared/tool-log/tools.ts";

/** Reports the phases found in pieces of a tool's log. */
export function phaseListener(
  context: Pick<StepContext, "progress">,
  program: string,
): (text: string) => void {
  const phaseOf = logOf(program).phases();
  let rest = "";
  return (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    // Of several phases in one piece only the last is current.
    const phase = lines.map(phaseOf).findLast((p) => p !== undefined);
    if (phase !== undefined) context.progress(phase);
  };
}

/** Number of lines at the end of a failed tool's log that are always shown. */
const end = 12;

/** The part of a tool's log that a user should see. */
export function usefulOutput(program: string, exitCode: number, log: string): string {
  const { matters } = logOf(program);
  const lines = log.split(/(?<=\n)/);
  const last = exitCode === 0 ? lines.length : lines.length - end;
  return lines.filter((line, k) => k >= last || matters(line.trimEnd())).join("");
}

export interface ToolEnd {
  readonly code: number;
  /** The part of stdout and stderr that a user should see. */
  readonly messages: string;
  /** Why it failed, if its log says so. */
  readonly failure?: ToolFailure;
}

/** For tools such as Yosys that build commands from a temporary file's path: the store's path may contain spaces. */
export const temporaryHere = { env: { TMPDIR: "." } } as const;

export async function runTool(context: StepContext, command: Command): Promise<ToolEnd> {
  const program = command.argv[0] ?? "";
  const { code, stdout, stderr } = await context.spawn(command, phaseListener(context, program));
  const log = `${stdout.toString("utf8")}${stderr.toString("utf8")}`;
  return endOf(program, code, log);
}

export function endOf(program: string, code: number, log: string): ToolEnd {
  const failure = code === 0 ? undefined : logOf(program).failure?.(log);
  return { code, messages: usefulOutput(program, code, log), ...(failure && { failure }) };
}
