/**
 * Kernel vectorization and compute-unit replication (J. Lambert, 2.2.4.1 and 2.2.4.2), from the variant or from
 * `#pragma openarc opencl num_simd_work_items(n)` and `num_compute_units(n)`. The vendor's compiler copies the data
 * path; this pass checks that it can.
 */

import { launchTrips } from "../../../targets/shared/loops/trips.ts";
import { chooseGeometry } from "../../../targets/shared/lower/geometry/choose.ts";
import { dataPaths } from "../../../targets/shared/lower/pipelines.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { regionReductions } from "../../ir/normalise/complete.ts";
import { simdAxis, unitsAxis } from "./axes.ts";
import { Illegal, type Pass, type PassInput, type PassResult, passing, type Remark } from "./rewrite/pass.ts";
import { isSingle, withSpmd } from "./rewrite/region.ts";

export const replicate: Pass = {
  name: "replicate",
  description: "several data paths for the work-items of a kernel",
  axes: [simdAxis, unitsAxis],
  run: (input) => passing(() => run(input)),
};

function run({ task, choice }: PassInput): PassResult {
  const spmd = spmdOf(task);
  const simd = Number(choice.simd ?? spmd.hints?.simd ?? 1);
  const computeUnits = Number(choice["compute-units"] ?? spmd.hints?.computeUnits ?? 1);
  const replicated = withSpmd(task, (s) => ({ ...s, hints: { ...s.hints, simd, computeUnits } }));
  if (simd === 1 && computeUnits === 1) return { task: spmd.hints ? replicated : task, remarks: [] };
  const { loc } = task.site;
  const what = simd > 1 ? `${simd} work-items in lock-step` : `${computeUnits} compute units`;
  if (isSingle(task))
    throw new Illegal({
      code: "replication-of-single-work-item",
      loc,
      message: `${what} need an NDRange kernel, and this is a single work-item`,
      why: "only work-items can be spread over copies of a data path",
      remedy: "choose model: nd, or unroll the loop instead",
    });
  const { items, coverage } = chooseGeometry(
    spmd,
    dataPaths,
    launchTrips(spmd),
    regionReductions(spmd).length > 0,
  );
  const group = items[0] * items[1];
  if (items[0] % simd !== 0 || (simd & (simd - 1)) !== 0)
    throw new Illegal({
      code: "simd-group-size",
      loc,
      message: `${simd} work-items in lock-step do not divide a group of ${group}`,
      why: "a work-group is cut into whole steps of a power of two",
      remedy: `make vector_length a multiple of ${simd}, or choose a simd that divides ${items[0]}`,
    });
  const remarks: Remark[] = [];
  if (simd > 1)
    remarks.push({
      pass: "replicate",
      applied: true,
      message: `${simd} work-items of a group of ${group} in lock-step`,
      loc,
    });
  if (computeUnits > 1)
    remarks.push({ pass: "replicate", applied: true, message: `${computeUnits} compute units`, loc });
  if (simd > 1 && coverage !== "exact")
    remarks.push({
      pass: "replicate",
      applied: false,
      message:
        "a check that depends on the work-item stays: the vendor's compiler may refuse lock-step (elim: true removes it where it can)",
      loc,
    });
  return { task: replicated, remarks };
}
