/** Proof obligations for a kind's hardware, as data: running the prover needs no knowledge of what is proved. */

/** A property that one run of Yosys proves by induction, for all inputs and runs of any length. */
export interface Obligation {
  /** The module, or the part of it. */
  readonly part: string;
  /** For display. */
  readonly sizes: string;
  readonly claims: readonly string[];
  /** Assumptions about the modules around it. */
  readonly provided?: string;
  /** `part.v`. */
  readonly text: string;
  readonly script: string;
}
