/** How an action of a build ended. */

import type { ActionResult } from "../key/result.ts";
import type { Address } from "../model/action.ts";
import type { Reason, Verdict } from "../model/event.ts";

export interface ActionOutcome {
  readonly address: Address;
  readonly status: "done" | "failed" | "skipped" | "planned";
  readonly how?: "ran" | "cached" | "remote" | "up-to-date";
  /** Known for all finished actions, and in a dry run for those that would not run. */
  readonly result?: ActionResult;
  readonly verdict?: Verdict;
  readonly reason?: Reason;
  /** Set for a failure or a skip. */
  readonly message?: string;
  /** For a failure: files that the action read, or looked for and did not find. */
  readonly read?: readonly string[];
}
