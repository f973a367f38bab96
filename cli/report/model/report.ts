/**
 * What `arc report` knows about a project, as data: every output format (terminal, CSV, Markdown, page) is made from
 * it.
 */
import type { Address } from "../../../core/build/model/action.ts";
import type { Resources } from "../../../rules/steps/kernels/resource-words.ts";
import type { Differing } from "../../bench/compared-results.ts";
import type { HardwareRow } from "../../hardware/rows.ts";
import type { EstimateRow } from "../../show/estimates.ts";

export type AxisValue = string | number | boolean;

export interface VariantReport {
  /** `target:variant`. */
  readonly address: Address;
  readonly target: string;
  readonly variant: string;
  /** Its names in arc.yaml. */
  readonly called?: readonly string[];
  readonly kind: string;
  /** Chosen values by axis: `window`, and `rows.window` where a kernel has a value of its own. */
  readonly axes: Readonly<Record<string, AxisValue>>;
  readonly built: boolean;
  /** Size in bytes; undefined if it does not exist. */
  readonly program?: number;
  readonly images?: number;
  readonly comparisons: readonly RunReport[];
  /** Runs that were measured and left different results: times of the variant are not trusted. */
  readonly differing?: readonly DifferingRun[];
  readonly totals: Totals;
  /** For kinds that have estimates. */
  readonly estimate?: EstimateRow;
  /** For FPGA targets. */
  readonly hardware?: readonly HardwareRow[];
  /** Name of another variant of the target with the same design. */
  readonly sameDesign?: string;
}

export interface DifferingRun extends Differing {
  readonly run: string;
}

export interface RunReport {
  readonly run: string;
  readonly result: "same" | "differs" | "not run";
  /** Wall time of the program. */
  readonly seconds?: number;
  /** Wall time of the serial program. */
  readonly serial?: number;
  /** Greatest relative difference from the serial program. */
  readonly worst?: number;
  /** Position of that difference: `out.bin[17]`, or `stdout, line 3`. */
  readonly worstAt?: string;
  /** How many numbers and words were compared. */
  readonly values?: number;
}

/** All kernels of a variant together. A figure that is unknown for any kernel is unknown here. */
export interface Totals {
  /** Duration of one run. */
  readonly seconds?: number;
  /**
   * `program`: wall time of a compared run; `bench`: median wall time of `arc bench`; `cycles`: launches at the reached
   * clock; `estimate`: from the device's table.
   */
  readonly from?: "program" | "bench" | "cycles" | "estimate";
  /** Joules of the run that the time is of. */
  readonly energy?: number;
  /** The counter, or the model of the part. */
  readonly energyFrom?: "RAPL" | "NVML" | "model";
  /** Ratio to the serial program's time; only with `program`, as the others do not include the host's part. */
  readonly speedup?: number;
  /** Cycles of all launches in the run. */
  readonly cycles?: number;
  /** Clock of the slowest kernel, in MHz. */
  readonly clock?: number;
  /** Sums over all kernels. */
  readonly resources: Resources;
  /** Shares of the device in percent. */
  readonly percent: Resources;
  /** The greatest of those shares: the resource that runs out first. */
  readonly area?: number;
  /** Seconds that the tools took. */
  readonly tools?: number;
}
