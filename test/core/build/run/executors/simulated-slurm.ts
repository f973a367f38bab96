/**
 * A cluster in memory, on the clock of fake timers: what sbatch, squeue and scancel say of jobs that follow a plan. No
 * process runs; a job that ends by itself writes its exit code, as its script would.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Answer, SlurmCall } from "../../../../../core/build/run/executors/slurm-client.ts";

/** What becomes of a job; times in ms. */
export interface Plan {
  readonly reason: string;
  readonly pending: number;
  readonly running: number;
  readonly end: "exits" | "NODE_FAIL" | "PREEMPTED" | "TIMEOUT" | "OUT_OF_MEMORY" | "CANCELLED" | "BOOT_FAIL";
  readonly code: number;
  /** How long a network file system takes to show the exit code. */
  readonly codeAfter: number;
  /** How long it says COMPLETING before it says how it ended. */
  readonly completing: number;
  /** How long Slurm remembers it then. */
  readonly remembered: number;
}

/** A time in which squeue does not answer as it should. */
export interface Outage {
  readonly from: number;
  readonly lasts: number;
  readonly says: "no controller" | "nothing" | "no rows" | "a half row" | "unknown states";
}

export interface SimulatedJob {
  readonly id: string;
  readonly plan: Plan;
  readonly submitted: number;
  readonly exitFile: string;
  /** In which its script runs. */
  readonly cwd: string;
  cancelled: number | undefined;
}

const CANNOT_CONTACT = "slurm_load_jobs error: Unable to contact slurm controller (connect failure)";
const FORGOTTEN = "slurm_load_jobs error: Invalid job id specified";

const answer = (stdout: string): Answer => ({ failed: false, stdout, stderr: "" });
const refusal = (stderr: string): Answer => ({ failed: true, stdout: "", stderr });

export class SimulatedSlurm {
  readonly jobs: SimulatedJob[] = [];
  readonly #plans: readonly Plan[];
  readonly #outages: readonly Outage[];
  readonly #now: () => number;
  readonly #start: number;
  #arrays = 0;

  constructor(plans: readonly Plan[], outages: readonly Outage[], now: () => number) {
    this.#plans = plans;
    this.#outages = outages;
    this.#now = now;
    this.#start = now();
  }

  readonly call: SlurmCall = async (program, args) => {
    if (program === "sbatch") return this.#submit(args);
    if (program === "squeue") return this.#look(args);
    if (program === "scancel") return this.#cancel(args);
    return refusal(`no ${program} here`);
  };

  /** Whether a job may still run or start, and write. */
  isActive(job: SimulatedJob): boolean {
    return job.cancelled === undefined && this.#now() < job.submitted + job.plan.pending + job.plan.running;
  }

  #submit(args: readonly string[]): Answer {
    const script = args.at(-1) as string;
    const id = String(++this.#arrays * 10);
    const text = readFileSync(script, "utf8");
    const scripts = [...text.matchAll(/exec '(.*)' ;;/g)].map(([, one]) => one as string);
    if (scripts.length === 0) this.#begin(id, text);
    for (const [at, one] of scripts.entries()) this.#begin(`${id}_${at}`, readFileSync(one, "utf8"));
    return answer(`${id}\n`);
  }

  #begin(id: string, script: string): void {
    const [, exitFile = ""] = /mv '.*\.new' '(.*)'/.exec(script) ?? [];
    const [, cwd = ""] = /^cd '(.*)' \|\|/m.exec(script) ?? [];
    const plan = this.#plans[this.jobs.length % this.#plans.length] as Plan;
    const job: SimulatedJob = { id, plan, submitted: this.#now(), exitFile, cwd, cancelled: undefined };
    this.jobs.push(job);
    if (plan.end !== "exits") return;
    setTimeout(
      () => {
        // Where arc has removed its folder, nothing can be written any more.
        const isThere = existsSync(exitFile.replace(/[^/]*$/, ""));
        if (isThere && (job.cancelled === undefined || job.cancelled >= this.#endOf(job)))
          writeFileSync(exitFile, `${plan.code}\n`);
      },
      plan.pending + plan.running + plan.codeAfter,
    );
  }

  #endOf({ submitted, plan }: SimulatedJob): number {
    return submitted + plan.pending + plan.running;
  }

  #cancel(ids: readonly string[]): Answer {
    for (const job of this.jobs) if (ids.includes(job.id) && this.isActive(job)) job.cancelled = this.#now();
    return answer("");
  }

  #look(args: readonly string[]): Answer {
    const now = this.#now();
    const outage = this.#outages.find(
      ({ from, lasts }) => now - this.#start >= from && now - this.#start < from + lasts,
    );
    if (outage?.says === "no controller") return refusal(CANNOT_CONTACT);
    if (outage?.says === "nothing") return refusal("");
    if (outage?.says === "no rows") return answer("squeue: warning: slow\n");
    const asked = new Set((args[args.indexOf("-j") + 1] ?? "").split(","));
    const rows = this.jobs
      .filter(({ id }) => asked.has(id.replace(/_.*/, "")))
      .flatMap((job) => this.#row(job));
    if (rows.length === 0) return refusal(FORGOTTEN);
    if (outage?.says === "unknown states")
      return answer(rows.map((row) => row.replace(/\|[A-Z_]+/, "|SPECIAL_EXIT")).join(""));
    const out = rows.join("");
    return answer(outage?.says === "a half row" ? out.slice(0, Math.ceil(out.length / 2)) : out);
  }

  /** None where it is forgotten. */
  #row(job: SimulatedJob): string[] {
    const now = this.#now();
    const { id, plan, submitted, cancelled } = job;
    const end = Math.min(cancelled ?? Number.POSITIVE_INFINITY, this.#endOf(job));
    if (now > end + plan.completing + plan.remembered) return [];
    const state =
      now < Math.min(end, submitted + plan.pending)
        ? "PENDING"
        : now < end
          ? "RUNNING"
          : now < end + plan.completing
            ? "COMPLETING"
            : cancelled !== undefined
              ? "CANCELLED"
              : plan.end === "exits"
                ? plan.code === 0
                  ? "COMPLETED"
                  : "FAILED"
                : plan.end;
    return [`${id}|${state}|${state === "PENDING" ? plan.reason : "None"}|n1\n`];
  }
}
