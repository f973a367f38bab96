/** `arc verify`: runs the programs and compares their output with the serial program's. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Address } from "../../core/build/model/action.ts";
import { verifyAddress } from "../../rules/inputs/addresses.ts";
import type { VariantPlan } from "../../rules/plan/variant.ts";
import { type Proof, proofName } from "../../rules/steps/kernels/prove.ts";
import { buildWorkspace } from "../build/build.ts";
import { buildStatus } from "../build/outcome.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { resultOf } from "../project/results.ts";
import { refuseUnknownTargets } from "../project/unknown-target.ts";
import { type Workspace, withWorkspace } from "../project/workspace.ts";
import { runReport } from "../report/model/collect.ts";
import { comparedRuns } from "../report/model/compared-runs.ts";
import { junitXml } from "../report/text/junit.ts";
import { type VerifiedRun, verifiedTable } from "../report/text/verified.ts";
import { proofTable } from "../show/proofs.ts";

export function run(call: Call): Promise<Status> {
  return withWorkspace(call, call.positionals, (workspace) => verify(call, workspace));
}

async function verify(call: Call, workspace: Workspace): Promise<Status> {
  const { plan, project } = workspace;
  refuseUnknownTargets(call.positionals, project, plan.variants);
  const proofs = call.options.prove === true ? proofsOf(plan.variants) : [];
  if (plan.comparisons.length === 0 && proofs.length === 0) {
    const remedy = "add `runs: { small: { args: [...] } }` to arc.yaml, with sizes that run in a moment";
    throw new UsageError("there is nothing to compare: arc.yaml has no runs", remedy);
  }
  const result = await buildWorkspace(workspace, call, {
    patterns: call.positionals,
    goals: [...plan.comparisons, ...proofs],
  });
  show(call, workspace, proofs);
  if (call.options.json !== true && !result.interrupted)
    call.err(verifiedTable(verifiedRuns(workspace, result), call.errColumns()));
  if (call.options.junit !== undefined) {
    const file = path.resolve(call.cwd, String(call.options.junit));
    writeFileSync(file, junitXml(project.name, comparedRuns(workspace, result)));
  }
  const verified = buildStatus(result);
  if (verified !== status.done) return verified;
  const strict = call.options.strict === true || project.verify.strict;
  return strict && result.counts.skipped > 0 ? status.failed : status.done;
}

/** The requested runs. */
function verifiedRuns(
  { engine, plan, project }: Workspace,
  { outcomes }: BuildResult,
): readonly VerifiedRun[] {
  return plan.variants.flatMap(({ address, kind, target }) =>
    project.verify.runs
      .filter((run) => outcomes.has(verifyAddress(address, run)))
      .map((run) => ({
        ...runReport(engine, address, run),
        variant: address,
        simulated: kind.device(target.options).counts !== undefined,
      })),
  );
}

function proofsOf(variants: readonly VariantPlan[]): readonly Address[] {
  const proofs = variants.flatMap(({ proof }) => proof ?? []);
  if (proofs.length > 0) return proofs;
  throw new UsageError(
    "there is nothing to prove: no target has hardware of arc's own",
    "add a target of kind rtl, or leave --prove out",
  );
}

/** Shows the proofs of all variants that are up to date. */
function show(call: Call, { engine }: Workspace, addresses: readonly Address[]): void {
  const proofs = addresses.flatMap((address) =>
    (resultOf<readonly Proof[]>(engine, address, proofName) ?? []).map((proof) => ({ address, ...proof })),
  );
  if (proofs.length === 0) return;
  call.out(
    call.options.json === true ? `${JSON.stringify({ type: "proofs", proofs })}\n` : proofTable(proofs),
  );
}
