/** One call of a command: its arguments and where it may write. */
import type { Arguments } from "./arguments.ts";

export interface Call extends Arguments {
  /** The command line as it was given. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes results. */
  readonly out: (text: string) => void;
  /** Writes progress and diagnostics. */
  readonly err: (text: string) => void;
  /** `err` is a terminal that can redraw. */
  readonly interactive: boolean;
  /** Colours are wanted on `err`. */
  readonly color: boolean;
  /** Width of `err` in columns. */
  readonly columns: number;
  /** Width of `err` where it is a terminal, else infinite. */
  readonly errColumns: () => number;
  /** Width of `out` in columns; infinite where it is not a terminal, so that lines are not wrapped. */
  readonly outColumns: () => number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Exit status of the process. */
export type Status = number;

export const status = { done: 0, failed: 1, wrongCall: 2, interrupted: 130 } as const;

export interface CommandModule {
  run(call: Call): Promise<Status>;
}
