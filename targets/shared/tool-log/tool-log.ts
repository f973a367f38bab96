/** Interprets a tool's log: its current phase, and the lines that a user should see even on success. */

/** The phase that a line announces; undefined if it announces none. Lines come in order, without line breaks. */
export type PhaseReader = (line: string) => string | undefined;

/** A fact about the input that the tool found: calling it again would not help. */
export interface ToolFailure {
  /** Stable name: `does-not-fit`. */
  readonly code: string;
  readonly message: string;
  readonly why: string;
  readonly remedy: string;
}

export interface ToolLog {
  /** For one run of the tool. */
  phases(): PhaseReader;
  /** Worth showing after a success; after a failure the last lines are shown as well. */
  matters(line: string): boolean;
  /** Why the design is impossible, if the log says so; undefined: only its lines are known. */
  failure?(log: string): ToolFailure | undefined;
}
