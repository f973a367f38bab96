/** Results of the comparisons in the build just made. */
import type { BuildResult } from "../../../core/build/graph/build-result.ts";
import { runAddress, verifyAddress } from "../../../rules/inputs/addresses.ts";
import { explanation } from "../../project/results.ts";
import type { Workspace } from "../../project/workspace.ts";

export interface ComparedRun {
  /** `target:variant`. */
  readonly variant: string;
  readonly run: string;
  /** Wall time of the program. */
  readonly seconds: number;
  readonly end:
    | { readonly how: "same" }
    /** `details`: where they differ, and by how much. */
    | { readonly how: "differs"; readonly message: string; readonly details: string }
    /** Not compared, because something before it failed. */
    | { readonly how: "error"; readonly message: string }
    | { readonly how: "skipped"; readonly message: string };
}

export function comparedRuns(
  { engine, plan, project }: Workspace,
  { outcomes }: BuildResult,
): readonly ComparedRun[] {
  return plan.variants.flatMap(({ address: variant }) =>
    project.verify.runs.flatMap((run): readonly ComparedRun[] => {
      const address = verifyAddress(variant, run);
      const outcome = outcomes.get(address);
      // The call asked for other addresses.
      if (outcome === undefined) return [];
      const seconds = explanation(engine, runAddress(variant, run))?.result.seconds ?? 0;
      const message = outcome.message ?? "";
      switch (outcome.status) {
        case "done":
          return [{ variant, run, seconds, end: { how: "same" } }];
        case "failed":
          return [{ variant, run, seconds, end: { how: "differs", message, details: engine.log(address) } }];
        default: {
          // The engine's message for an action that waited for a failed one; otherwise a tool or a device is missing.
          const cause = /^(.*) failed$/.exec(message)?.[1];
          const isError = cause !== undefined && outcomes.get(cause)?.status === "failed";
          return [{ variant, run, seconds, end: { how: isError ? "error" : "skipped", message } }];
        }
      }
    }),
  );
}
