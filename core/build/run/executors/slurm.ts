/**
 * Runs processes on a Slurm cluster: long ones as jobs, many at once as one array; short ones as steps of one
 * allocation, because a job costs seconds. The store must lie on a file system that all nodes share.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../../files/folders.ts";
import { uniqueName } from "../../files/unique.ts";
import { monotonicMs } from "../../model/clock.ts";
import type { Executor, Limits, OutputFile, ProcessEnd, ProcessRequest } from "../executor.ts";
import type { Capacity } from "../resource-pool.ts";
import { quoted, readCode, SETTLE_MS, scriptOf } from "./job-script.ts";
import { LocalExecutor } from "./local.ts";
import { SlurmAllocation } from "./slurm-allocation.ts";
import { isForgotten, type Look, type SlurmCall, SlurmClient } from "./slurm-client.ts";
import { starvationOf, starvationRemedy, verdictOf, waitWords } from "./slurm-states.ts";
import { SlurmSteps } from "./slurm-steps.ts";

export interface SlurmOptions {
  /** A folder on the shared file system, for scripts and exit codes. */
  readonly folder: string;
  /** Environment for Slurm's own programs: PATH, SLURM_CONF. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Processes submitted at the same time; Slurm queues them. Default 1000. */
  readonly jobs?: number;
  /** Slurm's names of tokens: `{ vivado: "license:vivado", fpga: "gres:fpga" }`. */
  readonly tokens?: Readonly<Record<string, string>>;
  readonly partition?: string;
  readonly account?: string;
  readonly qos?: string;
  /** For processes that set none. */
  readonly limits?: Limits;
  /** Further options of sbatch and salloc, one word each. */
  readonly extra?: readonly string[];
  /** A process that took fewer seconds before runs as a step of a shared allocation. Default 30. */
  readonly shortSeconds?: number;
  /** CPUs of that allocation; 0: everything is a job. Default 0. */
  readonly allocationCpus?: number;
  /** Shorter waits than this (ms) are not reported. Default 5000; logs skip what an action reports earlier. */
  readonly patienceMs?: number;
  /** Longest interval between polls, in ms. Default 5000. */
  readonly pollMs?: number;
  /** Calls Slurm's programs; default: those on PATH. */
  readonly call?: SlurmCall;
  /** Runs srun, which stays as long as its step; default: as a process of this machine. */
  readonly runners?: Pick<Executor, "run">;
}

/** Requests within this time (ms) are submitted together. */
const GATHER_MS = 25;
const FIRST_POLL_MS = 200;
/** A job is given up when nothing was heard of it for so many intervals of `pollMs`. */
const BLIND_INTERVALS = 60;
const LONGEST_POLL_MS = 5000;

/** Prefix of files for Slurm's messages about jobs. */
const MESSAGES = "said-";

interface Job {
  readonly request: ProcessRequest;
  readonly script: string;
  readonly exitFile: string;
  readonly settle: (end: ProcessEnd) => void;
  readonly fail: (error: unknown) => void;
  /** Slurm's job id, once submitted. */
  id?: string;
  /** When it was submitted, in ms of `monotonicMs`. */
  submitted?: number;
  /** The phase that was reported last. */
  reportedPhase?: string;
  /** When Slurm reported its end, in ms. */
  overSince?: number;
}

export class SlurmExecutor implements Executor {
  readonly name = "slurm";
  readonly capacity: Capacity;
  readonly limits: Limits;
  readonly #options: SlurmOptions;
  readonly #folder: string;
  readonly #slurm: SlurmClient;
  #gathered: Job[] = [];
  #gathering: NodeJS.Timeout | undefined;
  readonly #jobs = new Map<string, Job>();
  #poll: NodeJS.Timeout | undefined;
  #pollMs = FIRST_POLL_MS;
  /** When squeue answered last, in ms of `monotonicMs`. */
  #lastAnswer = 0;
  readonly #steps: SlurmSteps;

  constructor(options: SlurmOptions) {
    this.#options = options;
    this.limits = options.limits ?? {};
    // Slurm counts CPUs, memory and licences; here only the number of jobs is limited.
    const any = Number.POSITIVE_INFINITY;
    this.capacity = { cpu: any, memory: any, tokens: {}, otherTokens: any, jobs: options.jobs ?? 1000 };
    this.#slurm = new SlurmClient(options.environment, options.call);
    const cpus = `--cpus-per-task=${options.allocationCpus ?? 0}`;
    const shape = ["--job-name=arc steps", "--nodes=1", "--ntasks=1", cpus];
    this.#folder = join(options.folder, `slurm-${uniqueName()}`);
    makeFolders(this.#folder);
    const allocation = new SlurmAllocation(this.#slurm, [...shape, ...this.#commonOptions()]);
    const runners = options.runners ?? new LocalExecutor(this.capacity);
    this.#steps = new SlurmSteps({ folder: this.#folder, slurm: this.#slurm, allocation, runners });
  }

  async run(request: ProcessRequest, stdout: OutputFile, stderr: OutputFile): Promise<ProcessEnd> {
    if (request.signal.aborted) return { timedOut: false, aborted: true };
    return this.#isShort(request)
      ? this.#steps.run(request, stdout, stderr)
      : this.#runJob(request, stdout, stderr);
  }

  async close(): Promise<void> {
    clearTimeout(this.#gathering);
    clearTimeout(this.#poll);
    const left = [...this.#jobs.keys(), ...(await this.#steps.left())];
    if (left.length > 0) await this.#slurm.cancel(left);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  // --- Jobs -----------------------------------------------------------------------------------------

  #runJob(request: ProcessRequest, stdout: OutputFile, stderr: OutputFile): Promise<ProcessEnd> {
    const name = uniqueName();
    const script = join(this.#folder, `${name}.sh`);
    const exitFile = join(this.#folder, `${name}.exit`);
    writeFileSync(script, scriptOf(request, stdout, stderr, exitFile), { mode: 0o755 });
    return new Promise((resolve, reject) => {
      const job: Job = {
        request,
        script,
        exitFile,
        settle: (end) => {
          request.signal.removeEventListener("abort", onAbort);
          if (job.id !== undefined) this.#jobs.delete(job.id);
          rmSync(script, { force: true });
          rmSync(exitFile, { force: true });
          rmSync(this.#saidFile(job), { force: true });
          resolve(end);
        },
        fail: reject,
      };
      const onAbort = (): void => {
        if (job.id !== undefined) void this.#slurm.cancel([job.id]);
        job.settle({ timedOut: false, aborted: true });
      };
      request.signal.addEventListener("abort", onAbort, { once: true });
      this.#gathered.push(job);
      this.#gathering ??= setTimeout(() => this.#submitGathered(), GATHER_MS);
    });
  }

  /** Jobs with equal demands go into one array. */
  #submitGathered(): void {
    this.#gathering = undefined;
    const groups = new Map<string, Job[]>();
    for (const job of this.#gathered.splice(0)) {
      if (job.request.signal.aborted) continue;
      const key = JSON.stringify(this.#resourceOptions(job.request));
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [job]);
      else group.push(job);
    }
    for (const group of groups.values()) {
      this.#submit(group).catch((error) => {
        for (const job of group) job.fail(error);
      });
    }
  }

  async #submit(group: readonly Job[]): Promise<void> {
    const [first] = group;
    if (first === undefined) return;
    const resources = this.#resourceOptions(first.request);
    const label = `--job-name=arc ${first.request.address}`.slice(0, 100);
    const isArray = group.length > 1;
    const script = isArray ? join(this.#folder, `${uniqueName()}.array.sh`) : first.script;
    if (isArray) {
      const cases = group.map((job, at) => `${at}) exec ${quoted(job.script)} ;;`);
      writeFileSync(script, `#!/bin/sh\ncase $SLURM_ARRAY_TASK_ID in\n${cases.join("\n")}\nesac\n`, {
        mode: 0o755,
      });
    }
    const array = isArray ? [`--array=0-${group.length - 1}`] : [];
    const id = await this.#slurm.submit([
      // The script sets the environment that the action declares, and no other.
      "--export=NONE",
      "--output=/dev/null",
      `--error=${join(this.#folder, MESSAGES).replaceAll("%", "%%")}${isArray ? "%A_%a" : "%j"}`,
      "--no-requeue",
      label,
      ...array,
      ...resources,
      script,
    ]);
    for (const [at, job] of group.entries()) {
      job.id = isArray ? `${id}_${at}` : id;
      job.submitted = monotonicMs();
      if (job.request.signal.aborted) void this.#slurm.cancel([job.id]);
      else this.#jobs.set(job.id, job);
    }
    this.#pollMs = FIRST_POLL_MS;
    this.#pollSoon();
  }

  #pollSoon(): void {
    clearTimeout(this.#poll);
    this.#poll = undefined;
    if (this.#jobs.size === 0) return;
    this.#poll = setTimeout(() => void this.#look(), this.#pollMs);
    this.#pollMs = Math.min(this.#pollMs * 1.5, this.#options.pollMs ?? LONGEST_POLL_MS);
  }

  /** Asks Slurm about all jobs at once. */
  async #look(): Promise<void> {
    const ids = [...this.#jobs.keys()];
    let looks: ReadonlyMap<string, Look>;
    let isBlind = false;
    try {
      looks = await this.#slurm.look(ids);
      this.#lastAnswer = monotonicMs();
    } catch (error) {
      // squeue fails if Slurm has forgotten all jobs asked about, and also while its server restarts.
      looks = new Map();
      if (isForgotten(error)) this.#lastAnswer = monotonicMs();
      else isBlind = true;
    }
    for (const id of ids) {
      const job = this.#jobs.get(id);
      if (job === undefined || (isBlind && !this.#isUnheardOf(job))) continue;
      const look = looks.get(id);
      this.#report(job, look);
      this.#judge(job, look?.state);
    }
    this.#pollSoon();
  }

  #isUnheardOf({ submitted = 0 }: Job): boolean {
    const { pollMs = LONGEST_POLL_MS } = this.#options;
    return monotonicMs() - Math.max(submitted, this.#lastAnswer) > BLIND_INTERVALS * pollMs;
  }

  /** Reports why a job waits, after it has waited a while, and then where it runs. */
  #report(job: Job, look: Look | undefined): void {
    const { patienceMs = 5000 } = this.#options;
    const waited = monotonicMs() - (job.submitted ?? Number.POSITIVE_INFINITY);
    if (look?.state === "PENDING" && waited < patienceMs) {
      // Otherwise it would be reported up to one poll too late.
      this.#pollMs = Math.min(this.#pollMs, patienceMs - waited + 1);
      return;
    }
    const phase =
      look?.state === "PENDING"
        ? waitWords(look.reason)
        : look?.state === "RUNNING" && job.reportedPhase !== undefined
          ? `on ${look.nodes}`
          : undefined;
    if (phase === undefined || phase === job.reportedPhase) return;
    job.reportedPhase = phase;
    job.request.onPhase?.(phase);
  }

  #judge(job: Job, state: string | undefined): void {
    const verdict = verdictOf(state, () => this.#messages(job));
    if (verdict === "going-on") {
      // It seemed to be gone if squeue left it out before.
      delete job.overSince;
      return;
    }
    if (verdict === "starved") void this.#settleStarved(job);
    else if (verdict === "gone") this.#settleByCode(job);
    else job.settle(verdict);
  }

  /** Its exit code may take a while to appear. */
  #settleByCode(job: Job): void {
    const end = { timedOut: false, aborted: false };
    const code = readCode(job.exitFile);
    job.overSince ??= monotonicMs();
    if (code !== undefined) job.settle({ ...end, code });
    else if (monotonicMs() - job.overSince > SETTLE_MS) {
      // Slurm may have lost sight of it for a while: it must not write where the next try does.
      if (job.id !== undefined) void this.#slurm.cancel([job.id]);
      job.settle({ ...end, killedBy: "a lost node: the job left no exit code", lost: true });
    } else this.#pollMs = FIRST_POLL_MS;
  }

  /** Reports how much memory a job had that needed more. */
  async #settleStarved(job: Job): Promise<void> {
    const { id = "", request } = job;
    // Its verdict is final.
    this.#jobs.delete(id);
    const { used, limit } = starvationOf(this.#messages(job));
    const had = limit ?? request.resources.memory ?? (await this.#slurm.memoryOf(id));
    job.settle({
      timedOut: false,
      aborted: false,
      outOfMemory: {
        remedy: starvationRemedy,
        ...(had === undefined ? {} : { had }),
        ...(used === undefined ? {} : { used }),
      },
    });
  }

  /** The file where Slurm writes its own messages about a job. */
  #saidFile({ id = "" }: Job): string {
    return join(this.#folder, `${MESSAGES}${id}`);
  }

  #messages(job: Job): string {
    try {
      return readFileSync(this.#saidFile(job), "utf8");
    } catch {
      return "";
    }
  }

  #resourceOptions({ resources, timeoutSeconds }: ProcessRequest): string[] {
    const { tokens = {} } = this.#options;
    const licenses: string[] = [];
    const gres: string[] = [];
    for (const [token, count] of Object.entries(resources.tokens ?? {}).sort()) {
      const [kind, name = token] = (tokens[token] ?? `license:${token}`).split(":", 2) as [string, string?];
      (kind === "gres" ? gres : licenses).push(`${name}:${count}`);
    }
    return [
      `--cpus-per-task=${Math.max(1, Math.ceil(resources.cpu ?? 1))}`,
      ...(resources.memory === undefined
        ? []
        : [`--mem=${Math.max(1, Math.ceil(resources.memory / 2 ** 20))}M`]),
      ...(licenses.length === 0 ? [] : [`--licenses=${licenses.join(",")}`]),
      ...(gres.length === 0 ? [] : [`--gres=${gres.join(",")}`]),
      // Slurm's time limits are whole minutes.
      ...(timeoutSeconds === undefined ? [] : [`--time=${Math.max(1, Math.ceil(timeoutSeconds / 60))}`]),
      ...this.#commonOptions(),
    ];
  }

  #commonOptions(): string[] {
    const { partition, account, qos, extra = [] } = this.#options;
    return [
      ...(partition === undefined ? [] : [`--partition=${partition}`]),
      ...(account === undefined ? [] : [`--account=${account}`]),
      ...(qos === undefined ? [] : [`--qos=${qos}`]),
      ...extra,
    ];
  }

  #isShort({ resources, expectedSeconds }: ProcessRequest): boolean {
    const { allocationCpus = 0, shortSeconds = 30 } = this.#options;
    if ((resources.cpu ?? 1) > allocationCpus || Object.keys(resources.tokens ?? {}).length > 0) return false;
    return expectedSeconds !== undefined && expectedSeconds < shortSeconds;
  }
}
