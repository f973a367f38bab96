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
   * Of every action that was looked at; a resumed build looks only at what a change can reach. Results of what is done
   * are read from the project's memory, so while the engine is open.
   */
  readonly outcomes: BuildOutcomes;
  /** With all that expansions added. */
  readonly graph: Graph;
}
