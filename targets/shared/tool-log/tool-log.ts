/** What a tool's log means: what it is at, and which of its lines a user should see though all went well. */

/** The phase that a line tells of; undefined: it tells of none. Lines come in order, without their ends. */
export type PhaseReader = (line: string) => string | undefined;

/** What a tool found out about its input: calling it again would not help. */
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
  /** Worth the user's eye after a success; of a failure the last lines are too. */
  matters(line: string): boolean;
  /** Why the design cannot be made, where the log says so; undefined: only its lines tell. */
  failure?(log: string): ToolFailure | undefined;
}
