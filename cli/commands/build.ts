/** `arc build`: brings programs up to date. */
import { buildWorkspace } from "../build/build.ts";
import { buildStatus } from "../build/outcome.ts";
import type { Call, Status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { withWorkspace } from "../project/workspace.ts";
import { giveRoomToRun, keepHeapSmall } from "../start/heap.ts";
import { optimiseLittle } from "../start/optimising.ts";

export function run(call: Call): Promise<Status> {
  keepHeapSmall();
  return withWorkspace(call, call.positionals, async (workspace) => {
    const { targets } = workspace.project;
    // A build need not be about a target: addresses can also name the serial program.
    if (targets.length === 0 && workspace.plan.programs.length === 0)
      throw new UsageError(
        "there is nothing to build: arc.yaml has no targets and no actions",
        "add `targets: { cpu: { kind: host } }`, or `actions`",
      );
    if (targets.length === 0) optimiseLittle();
    giveRoomToRun();
    const result = await buildWorkspace(workspace, call, {
      patterns: call.positionals,
      goals: workspace.plan.programs,
      dryRun: call.options["dry-run"] === true,
      force: call.options.force === true,
    });
    return buildStatus(result);
  });
}
