/**
 * Boundary-check elimination (J. Lambert, 2.2.2.2): if a kernel has exactly as many work-items as its loop has
 * iterations, the check that a work-item has an iteration is removed. Vendors' compilers refuse to replicate data paths
 * behind conditions that depend on the work-item.
 *
 *     if (t < T) { body }   =>   { body }
 */

import { launchTrips } from "../../../targets/shared/loops/trips.ts";
import { chooseGeometry } from "../../../targets/shared/lower/geometry/choose.ts";
import { dataPaths } from "../../../targets/shared/lower/pipelines.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { regionReductions } from "../../ir/normalise/complete.ts";
import { elimAxis } from "./axes.ts";
import type { Pass, PassInput, PassResult } from "./rewrite/pass.ts";
import { isSingle, withSpmd } from "./rewrite/region.ts";

export const elim: Pass = {
  name: "elim",
  description: "no check for work-items that all have an iteration",
  axes: [elimAxis],
  run,
};

function run({ task, choice }: PassInput): PassResult {
  if (choice.elim !== true) return { task, remarks: [] };
  const remark = (applied: boolean, message: string) => [
    { pass: "elim", applied, message, loc: task.site.loc },
  ];
  if (isSingle(task)) return { task, remarks: remark(false, "a single work-item has no check to leave out") };
  const exact = withSpmd(task, (spmd) => ({ ...spmd, hints: { ...spmd.hints, exact: true } }));
  const spmd = spmdOf(exact);
  const { coverage, items } = chooseGeometry(
    spmd,
    dataPaths,
    launchTrips(spmd),
    regionReductions(spmd).length > 0,
  );
  const group = `${items[0] * items[1]} work-items`;
  if (coverage === "exact")
    return {
      task: exact,
      remarks: remark(true, `groups of ${group} cover the iterations exactly: no check is needed`),
    };
  const why =
    coverage === "rounds"
      ? spmd.numTeams
        ? `the gangs asked for, with groups of ${group}, do not make one work-item for each iteration`
        : "work-items take several iterations each"
      : `the number of iterations is not known to be a multiple of a group's ${group}`;
  return { task, remarks: remark(false, `the check stays: ${why}`) };
}
