/** Context of a translation from OpenACC to OpenMP. */
import type { OpenMpVersion } from "../model/source.ts";
import type { Facts } from "../sites/facts.ts";
import type { Site } from "../sites/site.ts";
import type { Queues } from "./queues.ts";

export interface ToOpenMp {
  readonly facts: Facts;
  readonly sites: readonly Site[];
  readonly version: OpenMpVersion;
  readonly queues: Queues;
  /** Regions are for the host's threads. */
  readonly onHost: boolean;
}
