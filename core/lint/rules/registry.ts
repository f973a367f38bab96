/** All rules, in the order of the manual. */
import type { Rule } from "../model/finding.ts";
import { missingPrivate } from "./missing-private.ts";
import { missingReduction } from "./missing-reduction.ts";
import { neverOffloads } from "./never-offloads.ts";
import { nonPortable } from "./non-portable.ts";
import { dataRace } from "./races/data-race.ts";
import { loopCarriedDependence } from "./races/loop-carried-dependence.ts";
import { simdDependence } from "./races/simd-dependence.ts";
import { taskRace } from "./races/task-race.ts";
import { serialOnDevice } from "./serial-on-device.ts";
import { devicePointerOnHost } from "./transfers/device-pointer-on-host.ts";
import { freedWhileMapped } from "./transfers/freed-while-mapped.ts";
import { lostResult } from "./transfers/lost-result.ts";
import { missingMap } from "./transfers/missing-map.ts";
import { neverPresent } from "./transfers/never-present.ts";
import { queueRace } from "./transfers/queue-race.ts";
import { readBeforeCopy } from "./transfers/read-before-copy.ts";
import { sectionTooLong } from "./transfers/section-too-long.ts";
import { sectionTooShort } from "./transfers/section-too-short.ts";
import { staleDeviceRead } from "./transfers/stale-device-read.ts";
import { staleHostRead } from "./transfers/stale-host-read.ts";
import { uncoalescedAccess } from "./uncoalesced-access.ts";
import { unknownWord } from "./unknown-word.ts";
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
  sectionTooLong,
  missingMap,
  neverPresent,
  freedWhileMapped,
  devicePointerOnHost,
  queueRace,
  unknownWord,
  wrongNesting,
  neverOffloads,
  serialOnDevice,
  uncoalescedAccess,
  unusedClause,
  nonPortable,
];
