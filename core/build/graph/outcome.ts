/** How an action of a build ended. */

import type { ActionResult } from "../key/result.ts";
import type { Address } from "../model/action.ts";
import type { Reason, Verdict } from "../model/event.ts";

export interface ActionOutcome {
  readonly address: Address;
  readonly status: "done" | "failed" | "skipped" | "planned";
  readonly how?: "ran" | "cached" | "remote" | "up-to-date";
  /** Known for all that is done, and in a dry run for what would not run. */
  readonly result?: ActionResult;
  readonly verdict?: Verdict;
  readonly reason?: Reason;
  /** Of a failure or a skip. */
  readonly message?: string;
  /** Of a failure: files that it found out it reads, or looked for in vain. */
  readonly read?: readonly string[];
}
