/** How a build, and each action in it, ended. */
import type { Address } from "./action.ts";
import type { Counts, Reason, Verdict } from "./event.ts";
import type { Graph } from "./graph.ts";
import type { ActionResult } from "./result.ts";

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
}

export interface BuildResult {
  readonly ok: boolean;
  readonly interrupted: boolean;
  readonly seconds: number;
  readonly counts: Counts;
  /** Of every action that was looked at; a resumed build looks only at what a change can reach. */
  readonly outcomes: ReadonlyMap<Address, ActionOutcome>;
  /** With all that expansions added. */
  readonly graph: Graph;
}

export function countOutcomes(outcomes: Iterable<ActionOutcome>): Counts {
  const counts = { ran: 0, cached: 0, remote: 0, upToDate: 0, failed: 0, skipped: 0 };
  for (const { status, how } of outcomes) {
    if (status === "failed") counts.failed += 1;
    else if (status === "skipped") counts.skipped += 1;
    else if (how === "ran") counts.ran += 1;
    else if (how === "cached") counts.cached += 1;
    else if (how === "remote") counts.remote += 1;
    else if (how === "up-to-date") counts.upToDate += 1;
  }
  return counts;
}
