/** Runs all optimisations of a region's graphs before scheduling, and computes the ranges of their values. */

import type { Units } from "../binding/sharing.ts";
import { countedRanges } from "../dfg/counting.ts";
import { Ranges } from "../dfg/ranges.ts";
import type { HardwareRegion } from "../dfg/region.ts";
import { simplifyComparisons } from "./comparisons.ts";
import { forwardWrites } from "./forwarding.ts";
import { moveInvariants } from "./invariants.ts";
import { factorStencils } from "./stencils.ts";
import { findStreams } from "./streams.ts";
import { shortenRecurrences } from "./tree-height-reduction.ts";

/** Changes the graphs in place. `units`: the number of circuits on which operations take turns. */
export function refined(region: HardwareRegion, units: Units = {}): Ranges {
  moveInvariants(region, units);
  forwardWrites(region);
  factorStencils(region);
  const first = new Ranges(region);
  findStreams(region, first);
  const countedRangesOf = countedRanges(region, first);
  const second = new Ranges(region, (variable) => countedRangesOf.get(variable));
  simplifyComparisons(region, second);
  shortenRecurrences(region, second);
  return new Ranges(region, (variable) => second.ofVariable(variable));
}
