/** All passes in the order in which they run (spec 1.13), and their run over one region. */
import type { DeviceProfile } from "../../core/ir/device-profile.ts";
import type { Task } from "../../core/ir/ir.ts";
import type { Diagnostic } from "../../core/lang/ast.ts";
import type { Assignment } from "../../schema/axis.ts";
import { collapse } from "./collapse.ts";
import { elim } from "./elim.ts";
import { flatten } from "./flatten.ts";
import { hoist } from "./hoist.ts";
import { model } from "./model.ts";
import type { Pass, Remark } from "./pass.ts";
import { reduction } from "./reduction.ts";
import { replicate } from "./replicate.ts";
import { unroll } from "./unroll.ts";
import { window } from "./window.ts";

export const passes: readonly Pass[] = [
  model,
  hoist,
  flatten,
  collapse,
  reduction,
  window,
  unroll,
  elim,
  replicate,
];

export interface PassesRun {
  /** The region after all passes, or as it was when a pass refused. */
  readonly task: Task;
  readonly remarks: readonly Remark[];
  readonly diagnostics: readonly Diagnostic[];
  /** The region after each pass: the story that `--explain` tells. */
  readonly steps: readonly { readonly pass: string; readonly task: Task }[];
}

export function runPasses(task: Task, choice: Assignment, device: DeviceProfile, inOrder = false): PassesRun {
  const remarks: Remark[] = [];
  const steps: { pass: string; task: Task }[] = [];
  let current = task;
  for (const pass of passes) {
    const result = pass.run({ task: current, choice, device, inOrder });
    if ("diagnostics" in result) return { task: current, remarks, diagnostics: result.diagnostics, steps };
    current = result.task;
    remarks.push(...result.remarks);
    steps.push({ pass: pass.name, task: current });
  }
  return { task: current, remarks, diagnostics: [], steps };
}
