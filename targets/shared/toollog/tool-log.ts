/** What a tool's log means: what it is at, and which of its lines a user should see though all went well. */

/** The phase that a line tells of; undefined: it tells of none. Lines come in order, without their ends. */
export type PhaseReader = (line: string) => string | undefined;

export interface ToolLog {
  /** For one run of the tool. */
  phases(): PhaseReader;
  /** Worth the user's eye after a success; of a failure the last lines are too. */
  matters(line: string): boolean;
  /** Why it failed, in words, where the log has it; undefined: only its lines tell. */
  failure?(log: string): string | undefined;
}
