/** Limits of a process, and what is said of one that they, or others, ended. */
import { ACTION_UMASK } from "../model/variables.ts";
import type { Limits, ProcessEnd, Starvation } from "./executor.ts";

/** Under a memory limit the shell starts the program: it sets the limit for itself and its descendants. */
export function limited(argv: readonly string[], memoryLimitBytes: number | undefined): readonly string[] {
  if (memoryLimitBytes === undefined) return argv;
  const kilobytes = Math.max(1, Math.floor(memoryLimitBytes / 1024));
  return ["/bin/sh", "-c", `ulimit -v ${kilobytes} && exec "$@"`, "sh", ...argv];
}

/** Where the mask of permissions is another than that of actions, the shell that starts the program sets it. */
export function masked(argv: readonly string[], umask: number): readonly string[] {
  if (umask === ACTION_UMASK) return argv;
  return ["/bin/sh", "-c", `umask 0${ACTION_UMASK.toString(8)} && exec "$@"`, "sh", ...argv];
}

/** Why a process did not end by itself, as the rest of a sentence that begins with its name; undefined if it did. */
export function whyEnded(end: ProcessEnd, { timeoutSeconds }: Limits): string | undefined {
  if (end.aborted) return "was interrupted";
  if (end.outOfMemory !== undefined) return outOfMemory(end.outOfMemory);
  if (end.timedOut)
    return timeoutSeconds === undefined
      ? "was stopped by a time limit that arc did not set"
      : `was stopped after ${timeoutSeconds} s, its time limit`;
  return end.code === undefined ? `was ended by ${end.killedBy ?? "a signal"}` : undefined;
}

/** The message after the program's name. How much memory would suffice is unknown; twice as much is suggested. */
function outOfMemory({ had, used = had, remedy }: Starvation): string {
  const limit = had === undefined ? "" : `: it had ${memoryWords(had)}`;
  const usage =
    had === undefined || used === undefined || used === had ? "" : ` and used ${memoryWords(used)}`;
  const more = used === undefined ? "…" : memoryWords(2 * Math.max(used, had ?? 0));
  return `was killed for want of memory${limit}${usage}; ${remedy(more)}`;
}

function memoryWords(bytes: number): string {
  const mebibytes = Math.ceil(bytes / 2 ** 20);
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024} GiB` : `${mebibytes} MiB`;
}
