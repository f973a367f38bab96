/**
 * Definition of a pass: a pure function from a compute region to a compute region. Passes communicate only through the
 * IR, and each says what it did or why it did nothing.
 */

import type { Assignment, Axis } from "../../../../schema/document/axis.ts";
import type { DeviceProfile } from "../../../ir/model/device-profile.ts";
import type { Task } from "../../../ir/model/ir.ts";
import type { Diagnostic, Loc } from "../../../lang/tree/ast.ts";

/** A message of `arc translate --explain`. */
export interface Remark {
  readonly pass: string;
  readonly applied: boolean;
  /** What was done, or why nothing was done; names the offending access if there is one. */
  readonly message: string;
  readonly loc: Loc;
}

export interface PassInput {
  readonly task: Task;
  /** The variant's values for the axes; a missing one means its default. */
  readonly choice: Assignment;
  readonly device: DeviceProfile;
  /** The kernel language has no work-items: every region runs in order, as one. */
  readonly inOrder?: boolean;
}

/** A pass that must refuse a request returns diagnostics instead of a task. */
export type PassResult =
  | { readonly task: Task; readonly remarks: readonly Remark[] }
  | { readonly diagnostics: readonly Diagnostic[] };

export interface Pass {
  /** Kebab-case, as in `--explain` and remarks. */
  readonly name: string;
  readonly description: string;
  readonly axes: readonly Axis[];
  run(input: PassInput): PassResult;
}

/** Ends a pass from within its traversals. */
export class Illegal extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Omit<Diagnostic, "severity">) {
    super(diagnostic.message);
    this.diagnostic = { severity: "error", ...diagnostic };
  }
}

/** Runs a pass body that may throw `Illegal`. */
export function passing(body: () => PassResult): PassResult {
  try {
    return body();
  } catch (problem) {
    if (!(problem instanceof Illegal)) throw problem;
    return { diagnostics: [problem.diagnostic] };
  }
}
