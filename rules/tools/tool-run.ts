/** A tool of the system as a process of an action: it tells its phases while it runs. */
import type { Command, StepContext } from "../../core/build/model/action.ts";
import type { ToolFailure } from "../../targets/shared/tool-log/tool-log.ts";
import { logOf } from "../../targets/shared/tool-log/tools.ts";

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

/** Of a failure, so many lines at the end of a log are told, whatever they say. */
const end = 12;

/** What a user should see of a tool's log. */
export function worthOf(program: string, exitCode: number, log: string): string {
  const { matters } = logOf(program);
  const lines = log.split(/(?<=\n)/);
  const last = exitCode === 0 ? lines.length : lines.length - end;
  return lines.filter((line, k) => k >= last || matters(line.trimEnd())).join("");
}

export interface ToolEnd {
  readonly code: number;
  /** What of both outputs a user should see. */
  readonly messages: string;
  /** Why it failed, where its log has words for it. */
  readonly failure?: ToolFailure;
}

/** For tools that make commands of the path of a temporary file, as Yosys does: the store's may have spaces in it. */
export const temporaryHere = { env: { TMPDIR: "." } } as const;

export async function runTool(context: StepContext, command: Command): Promise<ToolEnd> {
  const program = command.argv[0] ?? "";
  const { code, stdout, stderr } = await context.spawn(command, phaseListener(context, program));
  const log = `${stdout.toString("utf8")}${stderr.toString("utf8")}`;
  return endOf(program, code, log);
}

export function endOf(program: string, code: number, log: string): ToolEnd {
  const failure = code === 0 ? undefined : logOf(program).failure?.(log);
  return { code, messages: worthOf(program, code, log), ...(failure && { failure }) };
}
