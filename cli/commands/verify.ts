/** `arc verify`: runs the programs, and compares what they write with the serial program's. */
import { buildWorkspace } from "../build.ts";
import { type Call, type Status, status } from "../call.ts";
import { buildStatus } from "../outcome.ts";
import { UsageError } from "../usage-error.ts";
import { type Workspace, withWorkspace } from "../workspace.ts";

export function run(call: Call): Promise<Status> {
  return withWorkspace(call, call.positionals, (workspace) => verify(call, workspace));
}

async function verify(call: Call, workspace: Workspace): Promise<Status> {
  const { plan, project } = workspace;
  if (plan.comparisons.length === 0) {
    const remedy = "add `runs: { small: { args: [...] } }` to arc.yaml, with sizes that run in a moment";
    throw new UsageError("there is nothing to compare: arc.yaml has no runs", remedy);
  }
  const result = await buildWorkspace(workspace, call, {
    patterns: call.positionals,
    goals: plan.comparisons,
  });
  const verified = buildStatus(result);
  if (verified !== status.done) return verified;
  const strict = call.options.strict === true || project.verify.strict;
  return strict && result.counts.skipped > 0 ? status.failed : status.done;
}
