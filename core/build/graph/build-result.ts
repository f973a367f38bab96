/** How a build ended. */
import type { Counts } from "../model/event.ts";
import type { Graph } from "./graph.ts";
import type { BuildOutcomes } from "./outcome-table.ts";

export interface BuildResult {
  readonly ok: boolean;
  readonly interrupted: boolean;
  readonly seconds: number;
  readonly counts: Counts;
  /**
   * Outcomes of all actions that were looked at; a resumed build looks only at what a change can reach. Results of
   * finished actions are read from the build database, so only while the engine is open.
   */
  readonly outcomes: BuildOutcomes;
  /** Includes everything that expansions added. */
  readonly graph: Graph;
}
