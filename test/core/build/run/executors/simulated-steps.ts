/**
 * The allocation of a cluster in memory and the steps in it, on the clock of fake timers: what salloc, squeue and scancel
 * say of them, and how srun ends. No process runs; a script that ends writes its exit code.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import type { OutputFile, ProcessEnd, ProcessRequest } from "../../../../../core/build/run/executor.ts";
import type { Answer, SlurmCall } from "../../../../../core/build/run/executors/slurm-client.ts";

/** How often salloc and srun look whether they are to end, in ms. */
const STEP_MS = 1000;

/** What becomes of an allocation; times in ms. */
export interface AllocationPlan {
  /** How long salloc waits for it. */
  readonly pending: number;
  readonly isRefused: boolean;
  /** What a partition's limit leaves it. */
  readonly lives: number;
}

/** What becomes of a step. */
export interface StepPlan {
  /** How long srun waits for processors. */
  readonly pending: number;
  readonly running: number;
  readonly code: number;
  /** How long a network file system takes to show the exit code. */
  readonly codeAfter: number;
  /** When srun loses the node, and ends, though the step runs on; undefined: it does not. */
  readonly lostAfter: number | undefined;
  readonly isStarved: boolean;
  /** Whether srun must be killed when it is asked to end, and the step runs on. */
  readonly isDeaf: boolean;
}

export interface SimulatedStep {
  readonly id: string;
  readonly name: string;
  readonly plan: StepPlan;
  readonly cwd: string;
  readonly begun: number;
  readonly allocation: Allocation;
  ended: number | undefined;
}

interface Allocation {
  readonly id: string;
  readonly plan: AllocationPlan;
  over: number | undefined;
}

const answer = (stdout: string, stderr = ""): Answer => ({ failed: false, stdout, stderr });
const refusal = (stderr: string): Answer => ({ failed: true, stdout: "", stderr });
const option = (argv: readonly string[], name: string): string =>
  argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3) ?? "";

export class SimulatedSteps {
  readonly steps: SimulatedStep[] = [];
  readonly #allocations: Allocation[] = [];
  readonly #plans: { readonly allocations: readonly AllocationPlan[]; readonly steps: readonly StepPlan[] };
  readonly #isAway: () => boolean;

  /** `isAway`: whether squeue cannot be asked at the moment. */
  constructor(
    plans: { readonly allocations: readonly AllocationPlan[]; readonly steps: readonly StepPlan[] },
    isAway: () => boolean,
  ) {
    this.#plans = plans;
    this.#isAway = isAway;
  }

  readonly call: SlurmCall = async (program, args, _, stop) => {
    if (program === "salloc") return this.#allocate(stop);
    if (program === "scancel") for (const id of args) this.#cancel(id);
    if (program === "scancel") return answer("");
    if (program !== "squeue") return refusal(`no ${program} here`);
    if (this.#isAway()) return refusal("slurm_load_jobs error: Unable to contact slurm controller");
    return this.#look(args);
  };

  /** srun: ends with its step, or before it where it loses it. */
  run = async (request: ProcessRequest, messages: OutputFile): Promise<ProcessEnd> => {
    const { argv, signal } = request;
    if (signal.aborted) return { timedOut: false, aborted: true };
    const allocation = this.#allocations.find(({ id }) => id === option(argv, "jobid"));
    const say = (text: string): void => appendFileSync(messages.path, `${text}\n`);
    if (allocation === undefined || allocation.over !== undefined) {
      say("srun: error: Unable to confirm allocation for job");
      return { timedOut: false, aborted: false, code: 1 };
    }
    const plan = this.#plans.steps[this.steps.length % this.#plans.steps.length] as StepPlan;
    const script = readFileSync(argv.at(-1) as string, "utf8");
    const [, exitFile = ""] = /mv '.*\.new' '(.*)'/.exec(script) ?? [];
    const [, cwd = ""] = /^cd '(.*)' \|\|/m.exec(script) ?? [];
    const step: SimulatedStep = {
      ...{ id: `${allocation.id}.${this.steps.length}`, name: option(argv, "job-name") },
      ...{ plan, cwd, begun: Date.now(), allocation, ended: undefined },
    };
    this.steps.push(step);
    const length = plan.pending + plan.running;
    for (;;) {
      const passed = Date.now() - step.begun;
      if (signal.aborted && plan.isDeaf) return { timedOut: false, aborted: true, killedBy: "SIGKILL" };
      if (signal.aborted) this.#end(step);
      if (signal.aborted) return { timedOut: false, aborted: true, code: 143 };
      if (step.ended !== undefined) {
        say("slurmstepd: error: *** STEP CANCELLED DUE TO TIME LIMIT ***");
        return { timedOut: false, aborted: false, code: 143 };
      }
      if (plan.lostAfter !== undefined && passed >= plan.lostAfter) {
        say("srun: error: Node failure on n1");
        setTimeout(() => this.#finish(step, exitFile), Math.max(0, length - passed));
        return { timedOut: false, aborted: false, code: 1 };
      }
      if (passed >= length) break;
      await new Promise((done) => setTimeout(done, STEP_MS));
    }
    if (plan.isStarved) {
      this.#end(step);
      say("slurmstepd: error: Detected 1 oom_kill event in the step");
      return { timedOut: false, aborted: false, code: 1 };
    }
    this.#finish(step, exitFile);
    if (plan.code !== 0) say(`srun: error: n1: task 0: Exited with exit code ${plan.code}`);
    return { timedOut: false, aborted: false, code: plan.code };
  };

  /** Whether a step may still write. */
  isActive(step: SimulatedStep): boolean {
    return step.ended === undefined && Date.now() < step.begun + step.plan.pending + step.plan.running;
  }

  /** Allocations that nobody has given back. */
  get held(): readonly string[] {
    return this.#allocations.filter(({ over }) => over === undefined).map(({ id }) => id);
  }

  #end(step: SimulatedStep): void {
    step.ended ??= Date.now();
  }

  /** It writes its exit code, which others see later. */
  #finish(step: SimulatedStep, exitFile: string): void {
    if (step.ended !== undefined) return;
    this.#end(step);
    setTimeout(() => {
      // Where arc has removed its folder, nothing can be written any more.
      if (existsSync(exitFile.replace(/[^/]*$/, ""))) writeFileSync(exitFile, `${step.plan.code}\n`);
    }, step.plan.codeAfter);
  }

  async #allocate(stop: AbortSignal | undefined): Promise<Answer> {
    const { allocations } = this.#plans;
    const plan = allocations[this.#allocations.length % allocations.length] as AllocationPlan;
    const allocation: Allocation = { id: String(this.#allocations.length + 1), plan, over: undefined };
    this.#allocations.push(allocation);
    const pending = `salloc: Pending job allocation ${allocation.id}\n`;
    for (const until = Date.now() + plan.pending; Date.now() < until; )
      if (stop?.aborted) return refusal(pending);
      else await new Promise((done) => setTimeout(done, STEP_MS));
    if (plan.isRefused) allocation.over = Date.now();
    if (plan.isRefused) return refusal(`${pending}salloc: Job allocation ${allocation.id} has been revoked`);
    setTimeout(() => this.#cancel(allocation.id), plan.lives);
    return answer("", `${pending}salloc: Granted job allocation ${allocation.id}\n`);
  }

  #cancel(id: string): void {
    for (const step of this.steps) if (step.id === id || step.allocation.id === id) this.#end(step);
    for (const allocation of this.#allocations) if (allocation.id === id) allocation.over ??= Date.now();
  }

  #look(args: readonly string[]): Answer {
    const id = args[args.indexOf("-j") + 1];
    const allocation = this.#allocations.find((one) => one.id === id);
    if (allocation === undefined) return refusal("slurm_load_jobs error: Invalid job id specified");
    const isStep = (step: SimulatedStep): boolean => step.allocation === allocation && this.isActive(step);
    if (args.includes("-s"))
      return answer(
        this.steps
          .filter(isStep)
          .map((step) => `${step.id}|${step.name}\n`)
          .join(""),
      );
    return answer(`${id}|${allocation.over === undefined ? "RUNNING" : "TIMEOUT"}|None|n1\n`);
  }
}
