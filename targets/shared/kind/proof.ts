/** Proofs about a kind's hardware, as data: who runs the prover need not know what is proved. */

/** What one run of Yosys shows, for all inputs and runs of any length, by induction. */
export interface Obligation {
  /** The module, or what of it. */
  readonly part: string;
  /** For people. */
  readonly sizes: string;
  readonly claims: readonly string[];
  /** What is assumed of those around it. */
  readonly provided?: string;
  /** `part.v`. */
  readonly text: string;
  readonly script: string;
}
