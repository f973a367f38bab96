/** Slurm's programs: how they are called and what they print. */
import { setTimeout as pause } from "node:timers/promises";
import { execa } from "execa";
import { EngineError } from "../../model/error.ts";

/** A job's row in squeue. */
export interface Look {
  readonly state: string;
  /** Why it waits. */
  readonly reason: string;
  readonly nodes: string;
}

/** squeue of one line per job, whatever its state. */
const ALL_STATES = ["-h", "-r", "-t", "all"];

/** How often, and after how many milliseconds, Slurm is asked whether a step that was cancelled is gone. */
const LOOKS = 50;
const LOOK_MS = 100;

/** What a program of Slurm said. */
export interface Answer {
  readonly failed: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it could not be started. */
  readonly code?: string | undefined;
  readonly shortMessage?: string | undefined;
}

export type SlurmCall = (
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  /** Ends the program early. */
  stop?: AbortSignal,
) => Promise<Answer>;

const callProgram: SlurmCall = (program, args, env, stop) =>
  execa(program, args, {
    ...{ env, extendEnv: false, stripFinalNewline: false, reject: false },
    ...(stop === undefined ? {} : { cancelSignal: stop }),
  });

export class SlurmClient {
  readonly #call: SlurmCall;
  /** What Slurm's programs see: PATH, SLURM_CONF. */
  readonly environment: Readonly<Record<string, string>>;

  constructor(environment: Readonly<Record<string, string | undefined>>, call: SlurmCall = callProgram) {
    this.#call = call;
    const entries = Object.entries(environment);
    const set = entries.filter((entry): entry is [string, string] => entry[1] !== undefined);
    this.environment = Object.fromEntries(set);
  }

  /** Submits a job or an array of jobs; its id. A site's own sbatch may greet before it says that. */
  async submit(options: readonly string[]): Promise<string> {
    const out = await this.#run("sbatch", ["--parsable", ...options]);
    return idIn(out, /^(\d+)(?:;.*)?$/m, "sbatch");
  }

  /** Makes an allocation without a shell: it lives until it is cancelled. `stop`: it is not wanted any more. */
  async allocate(options: readonly string[], stop: AbortSignal): Promise<string> {
    const run = await this.#call("salloc", ["--no-shell", ...options], this.environment, stop);
    const [, waiting] = /job allocation (\d+)/.exec(run.stderr) ?? [];
    // It may have been granted, or go on waiting, although salloc was ended.
    if (stop.aborted && waiting !== undefined) await this.cancel([waiting]);
    return idIn(outOf("salloc", run, "stderr"), /Granted job allocation (\d+)/, "salloc");
  }

  /** Ends the step of this name, if Slurm says that it is still there, and waits until Slurm says that it is not. */
  async cancelStep(allocation: string, name: string): Promise<void> {
    const id = await this.#stepOf(allocation, name);
    if (id === undefined) return;
    await this.cancel([id]);
    // scancel only asks for the end: until a step's node has been told, it writes.
    for (let look = 0; look < LOOKS && (await this.#stepOf(allocation, name)) !== undefined; look++)
      await pause(LOOK_MS);
  }

  async #stepOf(allocation: string, name: string): Promise<string | undefined> {
    const asked = ["-h", "-s", "-o", "%i|%j", "-j", allocation];
    const out = await this.#run("squeue", asked).catch(() => "");
    const rows = out.split("\n").map((row) => row.split("|"));
    const [id] = rows.find(([, called]) => called === name) ?? [];
    return id;
  }

  /** All jobs at once, by id. */
  async look(ids: readonly string[]): Promise<ReadonlyMap<string, Look>> {
    const parents = new Set(ids.map((id) => id.replace(/_.*/, "")));
    const asked = ["-o", "%i|%T|%r|%N", "-j", [...parents].join(",")];
    const out = await this.#run("squeue", [...ALL_STATES, ...asked]);
    const rows = out.trim().split("\n");
    return new Map(
      rows.map((row) => {
        const [id = "", state = "", reason = "", nodes = ""] = row.split("|");
        return [id, { state, reason, nodes }] as const;
      }),
    );
  }

  /** Bytes of memory that a job was given, where Slurm still knows. */
  async memoryOf(id: string): Promise<number | undefined> {
    const allocated = this.#run("squeue", [...ALL_STATES, "-j", id, "-O", "tres-alloc:1000"]);
    return allocated.then(memoryIn, () => undefined);
  }

  async cancel(ids: readonly string[]): Promise<void> {
    await this.#run("scancel", ids).catch(() => {
      // It was over already, or Slurm is unreachable: then its jobs end by their time limits.
    });
  }

  async #run(program: string, args: readonly string[]): Promise<string> {
    return outOf(program, await this.#call(program, args, this.environment), "stdout");
  }
}

/** What a program printed that did not fail. */
function outOf(program: string, run: Answer, stream: "stdout" | "stderr"): string {
  if (!run.failed) return run[stream];
  if (run.code === "ENOENT") {
    const remedy = "install Slurm's client programs (Debian: slurm-client), or build with --executor local";
    throw new EngineError("slurm-failed", `Slurm's ${program} is not on PATH`, remedy);
  }
  const remedy = "look at sinfo and squeue, or build with --executor local";
  throw new EngineError("slurm-failed", `${program}: ${run.stderr.trim() || run.shortMessage}`, remedy);
}

/** Whether squeue failed because Slurm knows none of the jobs asked about any more. */
export const isForgotten = (error: unknown): boolean => /Invalid job id/i.test(String(error));

/** The number of the job that a program made. */
function idIn(out: string, pattern: RegExp, program: string): string {
  const id = pattern.exec(out)?.[1];
  if (id !== undefined) return id;
  const said = out.trim() === "" ? "said nothing" : `said: ${out.trim()}`;
  throw new EngineError("slurm-failed", `${program} ${said}`, "look at sinfo and squeue");
}

/** Bytes of memory in a list such as `cpu=2,mem=1500M,node=1`. */
function memoryIn(allocated: string): number | undefined {
  const [, number, unit = "M"] = /\bmem=([\d.]+)([KMGTP]?)/.exec(allocated) ?? [];
  return number === undefined ? undefined : Number(number) * 1024 ** ("KMGTP".indexOf(unit || "M") + 1);
}
