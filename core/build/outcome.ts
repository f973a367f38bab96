/** How a build, and each action in it, ended. */
import type { Address } from "./action.ts";
import type { Counts, Reason, Verdict } from "./event.ts";
import type { Graph } from "./graph.ts";
import type { BuildOutcomes } from "./outcomes.ts";
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
  /** Of a failure: files that it found out it reads, or looked for in vain. */
  readonly read?: readonly string[];
}

export interface BuildResult {
  readonly ok: boolean;
  readonly interrupted: boolean;
  readonly seconds: number;
  readonly counts: Counts;
  /**
   * Of every action that was looked at; a resumed build looks only at what a change can reach. Results of what is done
   * are read from the project's memory, so while the engine is open.
   */
  readonly outcomes: BuildOutcomes;
  /** With all that expansions added. */
  readonly graph: Graph;
}
