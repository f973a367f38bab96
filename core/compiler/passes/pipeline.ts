/** All passes in their order (spec 1.13), and how they run on a region. */

import type { Assignment } from "../../../schema/document/axis.ts";
import { firstOf } from "../../checked/access.ts";
import type { DeviceProfile } from "../../ir/model/device-profile.ts";
import type { Task } from "../../ir/model/ir.ts";
import { verifyRegion } from "../../ir/verify/region.ts";
import type { Diagnostic, Loc } from "../../lang/tree/ast.ts";
import { collapse } from "./collapse.ts";
import { elim } from "./elim.ts";
import { exactSums } from "./exact-sums.ts";
import { flatten } from "./flatten.ts";
import { fuse } from "./fuse.ts";
import { hoist } from "./hoist.ts";
import { independence } from "./independence.ts";
import { model } from "./model.ts";
import { numbers } from "./numbers.ts";
import { reduction } from "./reduction.ts";
import { replicate } from "./replicate.ts";
import type { Pass, PassInput, PassResult, Remark } from "./rewrite/pass.ts";
import { share } from "./share.ts";
import { stencil } from "./stencil.ts";
import { timeSteps } from "./time-steps.ts";
import { unroll } from "./unroll.ts";
import { window } from "./window.ts";

export const passes: readonly Pass[] = [
  model,
  fuse,
  hoist,
  flatten,
  independence,
  stencil,
  timeSteps,
  collapse,
  exactSums,
  reduction,
  window,
  unroll,
  elim,
  numbers,
  replicate,
  share,
];

export interface PassesRun {
  /** The region before all passes. */
  readonly before: Task;
  /** The region after all passes, or unchanged if a pass refused. */
  readonly task: Task;
  readonly remarks: readonly Remark[];
  readonly diagnostics: readonly Diagnostic[];
  /** The region after each pass, for `--explain`. */
  readonly steps: readonly { readonly pass: string; readonly task: Task }[];
}

/** A pass produced an invalid region: a bug in arc. */
export class BrokenRegion extends Error {
  constructor(pass: string, { region, site }: Task, broken: readonly Diagnostic[]) {
    const first = firstOf(broken);
    const locationText = ({ file, line, col }: Loc) => `${file}:${line}:${col}`;
    const others = broken.length > 1 ? ` (and ${broken.length - 1} more)` : "";
    super(
      `pass '${pass}' broke region '${region}' (${locationText(site.loc)}): ` +
        `${locationText(first.loc)}: ${first.message} [${first.code}]${others}`,
    );
    this.name = "BrokenRegion";
  }
}

/** Runs one pass and verifies the region if it changed; throws `BrokenRegion`. */
export function runPass(pass: Pass, input: PassInput): PassResult {
  const result = pass.run(input);
  if ("diagnostics" in result || result.task === input.task) return result;
  const broken = verifyRegion(result.task, input.task);
  if (broken.length > 0) throw new BrokenRegion(pass.name, input.task, broken);
  return result;
}

export function runPasses(task: Task, choice: Assignment, device: DeviceProfile, inOrder = false): PassesRun {
  const remarks: Remark[] = [];
  const steps: { pass: string; task: Task }[] = [];
  let current = task;
  for (const pass of passes) {
    const result = runPass(pass, { task: current, choice, device, inOrder });
    if ("diagnostics" in result)
      return { before: task, task: current, remarks, diagnostics: result.diagnostics, steps };
    current = result.task;
    remarks.push(...result.remarks);
    steps.push({ pass: pass.name, task: current });
  }
  return { before: task, task: current, remarks, diagnostics: [], steps };
}
