/** One call of a command: what it was asked, and where it may write. */
import type { Arguments } from "./arguments.ts";

export interface Call extends Arguments {
  /** The command line as it was given. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Results. */
  readonly out: (text: string) => void;
  /** Progress and diagnostics. */
  readonly err: (text: string) => void;
  /** A terminal that can redraw is on the other end of `err`. */
  readonly interactive: boolean;
  /** Colours are wanted on `err`. */
  readonly color: boolean;
  /** Columns of `err`. */
  readonly columns: number;
  /** Columns of `out`; infinite where it is no terminal, whose lines nobody breaks. */
  readonly outColumns: () => number;
  /** Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Exit status of the process. */
export type Status = number;

export const status = { done: 0, failed: 1, wrongCall: 2, interrupted: 130 } as const;

export interface CommandModule {
  run(call: Call): Promise<Status>;
}
