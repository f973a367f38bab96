/** What a tool's log means: what it is at, and which of its lines a user should see though all went well. */

/** The phase that a line tells of; undefined: it tells of none. Lines come in order, without their ends. */
export type PhaseReader = (line: string) => string | undefined;

export interface ToolLog {
  /** For one run of the tool. */
  phases(): PhaseReader;
  /** Worth the user's eye after a success; of a failure everything is. */
  matters(line: string): boolean;
}
