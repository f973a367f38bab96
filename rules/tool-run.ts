/** A tool of the system as a process of an action: it tells its phases while it runs. */
import type { Command, StepContext } from "../core/build/action.ts";
import { logOf } from "../targets/shared/toollog/tools.ts";

/** Passes on the phases that pieces of a tool's log tell of. */
export function phaseListener(
  context: Pick<StepContext, "progress">,
  program: string,
): (text: string) => void {
  const phaseOf = logOf(program).phases();
  let rest = "";
  return (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    // Of what came together only the last phase is still true.
    const phase = lines.map(phaseOf).findLast((p) => p !== undefined);
    if (phase !== undefined) context.progress(phase);
  };
}

/** What a user should see of a tool's log. */
export function worthOf(program: string, exitCode: number, log: string): string {
  if (exitCode !== 0) return log;
  const { matters } = logOf(program);
  return log
    .split(/(?<=\n)/)
    .filter((line) => matters(line.trimEnd()))
    .join("");
}

export interface ToolEnd {
  readonly code: number;
  /** What of both outputs a user should see. */
  readonly messages: string;
}

export async function runTool(context: StepContext, command: Command): Promise<ToolEnd> {
  const program = command.argv[0] ?? "";
  const { code, stdout, stderr } = await context.spawn(command, phaseListener(context, program));
  const log = `${stdout.toString("utf8")}${stderr.toString("utf8")}`;
  return { code, messages: worthOf(program, code, log) };
}
