/** What `arc report` knows of a project, as data: every rendering (terminal, CSV, Markdown, page) reads this and nothing else. */
import type { Address } from "../../../core/build/model/action.ts";
import type { Resources } from "../../../rules/steps/kernels/resource-words.ts";
import type { HardwareRow } from "../../hardware/rows.ts";
import type { EstimateRow } from "../../show/estimates.ts";

export type AxisValue = string | number | boolean;

export interface VariantReport {
  /** `target:variant`. */
  readonly address: Address;
  readonly target: string;
  readonly variant: string;
  /** How arc.yaml calls it besides. */
  readonly called?: readonly string[];
  readonly kind: string;
  /** What was chosen, by axis: `window`, and `rows.window` where a kernel has a value of its own. */
  readonly axes: Readonly<Record<string, AxisValue>>;
  readonly built: boolean;
  /** Bytes; undefined where there is none. */
  readonly program?: number;
  readonly images?: number;
  readonly comparisons: readonly RunReport[];
  readonly totals: Totals;
  /** Of kinds that are estimated. */
  readonly estimate?: EstimateRow;
  /** Kernels of FPGA targets. */
  readonly hardware?: readonly HardwareRow[];
  /** Another variant of the target that is the same design, by its name. */
  readonly sameDesign?: string;
}

export interface RunReport {
  readonly run: string;
  readonly result: "same" | "differs" | "not run";
  /** Wall time of the program, start to end. */
  readonly seconds?: number;
  /** The same of the serial program. */
  readonly serial?: number;
  /** Greatest relative difference from the serial program. */
  readonly worst?: number;
  /** Where that is: `out.bin[17]`, or `stdout, line 3`. */
  readonly worstAt?: string;
  /** How many numbers and words were compared. */
  readonly values?: number;
}

/** All kernels of a variant together. A figure that is not known of every kernel is not known of them all. */
export interface Totals {
  /** What one run takes. */
  readonly seconds?: number;
  /** `program`: wall time of a run; `cycles`: launches at the clock that was reached; `estimate`: from the device's table. */
  readonly from?: "program" | "cycles" | "estimate";
  /** How many times as fast as the serial program; of `program` only, as others leave the host's part out. */
  readonly speedup?: number;
  /** Of all launches of the run. */
  readonly cycles?: number;
  /** MHz of the slowest kernel. */
  readonly clock?: number;
  /** Sums. */
  readonly resources: Resources;
  /** Shares of the device in percent. */
  readonly percent: Resources;
  /** The greatest of those shares: what the design runs out of first. */
  readonly area?: number;
  /** Seconds that the tools took. */
  readonly tools?: number;
}
