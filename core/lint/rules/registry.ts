/** The rules there are, in the order of the manual. */
import type { Rule } from "../model/finding.ts";
import { dataRace } from "./data-race.ts";
import { loopCarriedDependence } from "./loop-carried-dependence.ts";
import { missingPrivate } from "./missing-private.ts";
import { missingReduction } from "./missing-reduction.ts";
import { simdDependence } from "./simd-dependence.ts";
import { taskRace } from "./task-race.ts";

export const rules: readonly Rule[] = [
  missingReduction,
  missingPrivate,
  loopCarriedDependence,
  simdDependence,
  dataRace,
  taskRace,
];
