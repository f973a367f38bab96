/** The variants that a search considers: translated, estimated, and merged where they are the same design. */
import type { VariantPlan } from "../../../rules/plan/variant.ts";
import type { Call } from "../../call/call.ts";
import type { Workspace } from "../../project/workspace.ts";
import type { VariantReport } from "../../report/model/report.ts";
import type { Candidate } from "../model.ts";

export interface Space {
  readonly workspace: Workspace;
  readonly names: ReadonlySet<string>;
  readonly plans: readonly VariantPlan[];
  readonly candidates: readonly Candidate[];
  readonly reports: Map<string, VariantReport>;
  readonly interrupted: boolean;
}

export const planOf = ({ plans }: Space, { id }: { readonly id: string }): VariantPlan =>
  plans.find(({ address }) => address === id) as VariantPlan;

/** Sets `--keep-going`: a variant that fails must not end the search. */
export const going = (call: Call): Call => ({ ...call, options: { ...call.options, "keep-going": true } });
