/** Runs compilers and the programs they made, a few at a time. */
import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import pLimit from "p-limit";

export interface Outcome {
  /** Exit code; 128 + signal number is not distinguished from a signal: both are failures. */
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

const slots = pLimit(availableParallelism());

/** Runs a program; 124 is the status of one that took longer than `seconds`. */
export function start(
  program: string,
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly seconds?: number } = {},
): Promise<Outcome> {
  const { env = {}, seconds = 60 } = options;
  return slots(
    () =>
      new Promise((resolve) => {
        const settings = { env: { ...process.env, ...env }, timeout: 1000 * seconds, maxBuffer: 1 << 24 };
        execFile(program, args, settings, (error, out, err) => {
          const status =
            error === null ? 0 : error.killed ? 124 : typeof error.code === "number" ? error.code : 128;
          resolve({ status, out, err: err || (error && status === 128 ? String(error) : "") });
        });
      }),
  );
}
