/** What Slurm's states, reasons and messages say of a job. */
import type { ProcessEnd } from "../executor.ts";

/** States in which a job will never run again; COMPLETING is not one. */
const OVER = new Set([
  "BOOT_FAIL",
  "CANCELLED",
  "COMPLETED",
  "DEADLINE",
  "FAILED",
  "NODE_FAIL",
  "OUT_OF_MEMORY",
  "PREEMPTED",
  "TIMEOUT",
]);

/** `gone`: over, or forgotten by Slurm; how it ended says its exit code. */
export type Verdict = "going-on" | "starved" | "gone" | ProcessEnd;

/** `state` is undefined when Slurm no longer knows the job. */
export function verdictOf(state: string | undefined, messages: () => string): Verdict {
  if (state !== undefined && !OVER.has(state)) return "going-on";
  const end = { timedOut: false, aborted: false };
  switch (state) {
    case "TIMEOUT":
    case "DEADLINE":
      return { ...end, timedOut: true, killedBy: "its time limit" };
    case "OUT_OF_MEMORY":
      return "starved";
    case "FAILED":
      return isStarved(messages()) ? "starved" : "gone";
    case "CANCELLED":
      return { ...end, killedBy: "scancel" };
    case "NODE_FAIL":
    case "BOOT_FAIL":
    case "PREEMPTED":
      return { ...end, killedBy: state.toLowerCase().replace("_", " "), lost: true };
    default:
      return "gone";
  }
}

/** Reasons that squeue gives for most waiting jobs; it has some hundred. */
const WAITS: readonly (readonly [reason: RegExp, words: string])[] = [
  [/^Resources$/, "for free nodes"],
  [/^Priority$/, "behind jobs of higher priority"],
  [/^Licenses$/, "for a licence"],
  [/^(JobArrayTaskLimit|JobHeldUser|JobHeldAdmin)$/, "as it is held"],
  [/^(QOS|Assoc|MaxJobs)/, "for a limit of its account"],
  [/^(ReqNodeNotAvail|NodeDown|PartitionDown|PartitionInactive)/, "for nodes that are down or reserved"],
  [/^(Reservation|BeginTime)$/, "for a later time"],
  [/^Partition(Node|Time)Limit$/, "for ever: it asks for more than its partition gives"],
];

/** Why a job waits, with Slurm's own word, by which its documentation can be searched. */
export function waitWords(reason: string): string {
  const [, words] = WAITS.find(([pattern]) => pattern.test(reason)) ?? [];
  if (words === undefined)
    return reason === "" || reason === "None"
      ? "waits in Slurm's queue"
      : `waits in Slurm's queue: ${reason}`;
  return `waits ${words} (${reason})`;
}

/** Whether Slurm's messages mention that a job or step exceeded its memory. */
export const isStarved = (messages: string): boolean =>
  /oom[-_ ]kill|out of memory|exceeded (?:\w+ )?memory limit/i.test(messages);

/** Memory in bytes, where Slurm reported it. */
export function starvationOf(messages: string): { readonly used?: number; readonly limit?: number } {
  const [, used, limit] = /exceeded memory limit \((\d+) > (\d+)\)/.exec(messages) ?? [];
  return used === undefined ? {} : { used: Number(used), limit: Number(limit) };
}

export const starvationRemedy = (memory: string): string =>
  `give an action of the project \`memory: ${memory}\`, or all jobs \`options: [--mem=…]\` in \`executors: slurm\``;
