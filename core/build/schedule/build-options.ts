/** What a build is asked for, and what it works with. */

import type { Targets } from "../graph/wanted.ts";
import type { Action, Address, Registry, Step } from "../model/action.ts";
import type { Event } from "../model/event.ts";
import type { Environment, Variables } from "../model/variables.ts";
import type { RemoteCache } from "../remote/remote.ts";
import type { Sandboxes } from "../run/sandbox.ts";
import type { Tracer } from "../run/tracing.ts";
import type { Knowledge } from "../state/decide.ts";
import type { Materializer } from "../store/output-tree.ts";
import type { RunsUnderWay } from "../store/runs-under-way.ts";
import type { DetachedRuns } from "./detached-runs.ts";
import type { DispatchSite } from "./dispatch.ts";
import type { BuildRequests } from "./requests.ts";

export interface BuildOptions {
  /** What to bring up to date; everything when absent. */
  readonly targets?: Targets;
  /** Decides and reports (`planned` events), but runs nothing. */
  readonly dryRun?: boolean;
  /** After a failure, continues with everything that does not depend on it. */
  readonly keepGoing?: boolean;
  /** Set to report what actions read, look for and write beside what they declare. */
  readonly tracer?: Tracer;
  /** The fraction of cache hits, 0 to 1, that are run again and compared; default none. */
  readonly checkHits?: number;
  /** Whether an action that cannot run here counts as failed; default: it is skipped. */
  readonly mustHave?: (address: Address) => boolean;
  /** Runs actions although nothing changed: all wanted ones, or these. */
  readonly force?: boolean | readonly Address[];
  readonly signal?: AbortSignal;
  /**
   * Aborted when a newer build is wanted: everything stops as by `signal`, except actions marked `finish`, which go on
   * beside the newer build.
   */
  readonly giveWay?: AbortSignal;
  readonly onEvent?: (event: Event) => void;
  /** Requests to cancel or retry single actions; if given, the build also reports the work that is left. */
  readonly requests?: BuildRequests;
}

export interface BuildSite extends Knowledge, DispatchSite {
  readonly registry: Registry;
  readonly sandboxes: Sandboxes;
  readonly materializer: Materializer;
  readonly remote?: RemoteCache;
  readonly background: DetachedRuns;
  readonly underWay: RunsUnderWay;
  /** The program that confines processes. */
  readonly bwrap?: string;
  readonly environment: Environment;
  /** Variables that all processes of the project get. */
  readonly given: Variables;
}

/** An action's step, which the build has checked to be registered. */
export function stepOf(registry: Registry, { step }: Action): Step {
  const found = registry.steps.get(step);
  if (found === undefined) throw new TypeError(`no step ${step}`);
  return found;
}
