/**
 * How variants of a kind are judged: hardware by what tools make of it, kernels that run here by measuring. The search is
 * the same for all.
 */
import type { Address } from "../../../core/build/model/action.ts";
import type { VariantPlan } from "../../../rules/plan/variant.ts";
import type { VariantReport } from "../../report/model/report.ts";
import type { Goal } from "../goals.ts";
import type { Candidate, Outcome } from "../model.ts";
import type { Budget } from "./request.ts";
import type { Space } from "./space.ts";

export interface Judge {
  readonly goal: Goal;
  /** Participle of what is done to a design. */
  readonly done: "built" | "measured";
  /** Whether the first variant, with which the others are compared, is tried before any other. */
  readonly firstFirst: boolean;
  budget(designs: number): Budget;
  /** What tells a variant's design and its estimate before it is tried. */
  drafts(plan: VariantPlan): readonly Address[];
  candidates(plans: readonly VariantPlan[], reports: readonly VariantReport[]): readonly Candidate[];
  /** Throws UsageError where this machine cannot judge variants of the target at all. */
  check?(space: Space): void;
  /** Outcomes of earlier calls. */
  known(space: Space): Promise<readonly Outcome[]>;
  /** Undefined: nothing can be learned, of this variant or any other. `likely`: those that may be next. */
  outcome(
    chosen: Candidate,
    space: Space,
    soFar: readonly Outcome[],
    likely: (count: number) => readonly Candidate[],
  ): Promise<Outcome | undefined>;
  /** Values by which variants are compared where none has an outcome. */
  estimates(space: Space): readonly Valued[];
  /** Whether a variant that is to be named as best may be. */
  isRight(address: Address, space: Space): Promise<boolean>;
  summary(outcome: Outcome, space: Space): string;
  /** A heading, a row for each of these in their order, and then others. */
  table(valued: readonly Valued[], space: Space): readonly (readonly string[])[];
  /** Further fields of the answer in JSON. */
  fields(space: Space): Readonly<Record<string, unknown>>;
}

export type Valued = Extract<Outcome, { readonly values: readonly number[] }>;

export const isValued = (outcome: Outcome): outcome is Valued => "values" in outcome;
