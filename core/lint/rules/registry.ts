/** All rules, in the order of the manual. */
import type { Rule } from "../model/finding.ts";
import { dataRace } from "./data-race.ts";
import { loopCarriedDependence } from "./loop-carried-dependence.ts";
import { lostResult } from "./lost-result.ts";
import { missingMap } from "./missing-map.ts";
import { missingPrivate } from "./missing-private.ts";
import { missingReduction } from "./missing-reduction.ts";
import { neverOffloads } from "./never-offloads.ts";
import { neverPresent } from "./never-present.ts";
import { nonPortable } from "./non-portable.ts";
import { queueRace } from "./queue-race.ts";
import { readBeforeCopy } from "./read-before-copy.ts";
import { sectionTooShort } from "./section-too-short.ts";
import { serialOnDevice } from "./serial-on-device.ts";
import { simdDependence } from "./simd-dependence.ts";
import { staleDeviceRead } from "./stale-device-read.ts";
import { staleHostRead } from "./stale-host-read.ts";
import { taskRace } from "./task-race.ts";
import { uncoalescedAccess } from "./uncoalesced-access.ts";
import { unusedClause } from "./unused-clause.ts";
import { wrongNesting } from "./wrong-nesting.ts";

export const rules: readonly Rule[] = [
  missingReduction,
  missingPrivate,
  loopCarriedDependence,
  simdDependence,
  dataRace,
  taskRace,
  readBeforeCopy,
  lostResult,
  staleHostRead,
  staleDeviceRead,
  sectionTooShort,
  missingMap,
  neverPresent,
  queueRace,
  wrongNesting,
  neverOffloads,
  serialOnDevice,
  uncoalescedAccess,
  unusedClause,
  nonPortable,
];
