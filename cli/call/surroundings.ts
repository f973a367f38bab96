/** What a call sees of where it was made: its folder, its variables, and what its two outputs lead to. */
import type { Call } from "./call.ts";
import { wrapMessages } from "./wrap.ts";

export type Surroundings = Omit<Call, "args" | "command" | "options" | "positionals" | "rest">;

/** Its size may change while arc runs; a pseudo-terminal may have none. */
interface Terminal {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

interface Caller {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly write: (output: 1 | 2, text: string) => void;
  /** Undefined if standard error is no terminal. */
  readonly stderr: Terminal | undefined;
  readonly outColumns: () => number | undefined;
}

export function surroundingsOf({
  cwd,
  env,
  write,
  stderr,
  outColumns,
}: Caller): Omit<Surroundings, "signal"> {
  const terminal = stderr !== undefined && env.TERM !== "dumb";
  // Some pseudo-terminals have no size: nothing can be redrawn in place there.
  const isLargeEnough = (stderr?.columns ?? 0) >= 30 && (stderr?.rows ?? 0) >= 8;
  // Lines that no terminal shows are not wrapped.
  const errColumns = () => stderr?.columns || Number.POSITIVE_INFINITY;
  return {
    cwd,
    env,
    out: (text) => write(1, text),
    err: (text) => write(2, wrapMessages(text, errColumns())),
    interactive: terminal && isLargeEnough && !isSet(env.CI) && !isSet(env.CONTINUOUS_INTEGRATION),
    color: env.FORCE_COLOR !== undefined ? env.FORCE_COLOR !== "0" : terminal && env.NO_COLOR === undefined,
    columns: stderr?.columns || 100,
    errColumns,
    outColumns: () => outColumns() || Number.POSITIVE_INFINITY,
  };
}

/** Reads variables of CI systems like Ink, which does not redraw in CI. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "0" && value !== "false";
}
