/** Short processes as steps of one allocation, each by an srun that stays as long as its step. */
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { uniqueName } from "../../files/unique.ts";
import type { Executor, OutputFile, ProcessEnd, ProcessRequest } from "../executor.ts";
import { codeSoon, readCode, scriptOf } from "./job-script.ts";
import type { SlurmAllocation } from "./slurm-allocation.ts";
import type { SlurmClient } from "./slurm-client.ts";
import { isStarved, starvationRemedy } from "./slurm-states.ts";

const CODE_POLL_MS = 200;

/** What srun says of a step whose script has ended, and not well. */
const EXITED = /: Exited with exit code \d/;

export class SlurmSteps {
  readonly #folder: string;
  readonly #slurm: SlurmClient;
  readonly #allocation: SlurmAllocation;
  readonly #runners: Pick<Executor, "run">;
  readonly #running = new Set<Promise<unknown>>();

  /** `folder` is shared by all nodes; `runners` run srun. */
  constructor(options: {
    readonly folder: string;
    readonly slurm: SlurmClient;
    readonly allocation: SlurmAllocation;
    readonly runners: Pick<Executor, "run">;
  }) {
    this.#folder = options.folder;
    this.#slurm = options.slurm;
    this.#allocation = options.allocation;
    this.#runners = options.runners;
  }

  async run(request: ProcessRequest, stdout: OutputFile, stderr: OutputFile): Promise<ProcessEnd> {
    const allocation = await this.#allocation.id(request.signal);
    if (allocation === undefined) return { timedOut: false, aborted: true };
    const name = uniqueName();
    const file = (kind: string): string => join(this.#folder, `${name}.${kind}`);
    const [script, exitFile, messagesFile] = [file("sh"), file("exit"), file("srun")];
    writeFileSync(script, scriptOf(request, stdout, stderr, exitFile), { mode: 0o755 });
    // Messages of srun itself do not belong to the action's log.
    const own: OutputFile = { path: messagesFile, descriptor: openSync(messagesFile, "a") };
    const cpus = Math.max(1, Math.ceil(request.resources.cpu ?? 1));
    const place = [`--jobid=${allocation}`, `--job-name=${name}`, `--chdir=${this.#folder}`];
    const shape = ["--exact", "--ntasks=1", `--cpus-per-task=${cpus}`, "--input=none", "--export=NONE"];
    const argv = ["srun", ...place, ...shape, script];
    const step = this.#runners.run(
      { ...request, argv, cwd: this.#folder, env: this.#slurm.environment },
      own,
      own,
    );
    this.#running.add(step);
    try {
      return await this.#ended(await step, { allocation, name, exitFile, messagesFile });
    } finally {
      this.#running.delete(step);
      closeSync(own.descriptor);
      for (const left of [script, exitFile, messagesFile]) rmSync(left, { force: true });
    }
  }

  /** The allocation that is to be given back, when no step runs in it any more. */
  async left(): Promise<readonly string[]> {
    await Promise.allSettled(this.#running);
    return this.#allocation.left();
  }

  /** What became of a step whose srun ended so. */
  async #ended(
    { timedOut, aborted, code: said, killedBy }: ProcessEnd,
    step: { allocation: string; name: string; exitFile: string; messagesFile: string },
  ): Promise<ProcessEnd> {
    // srun passes SIGTERM on, which a script need not heed, and one that had to be killed has told nobody.
    const isStopped = (timedOut || aborted) && readCode(step.exitFile) === undefined;
    if (killedBy !== undefined || isStopped) await this.#slurm.cancelStep(step.allocation, step.name);
    if (timedOut || aborted) return { timedOut, aborted };
    const messages = readFileSync(step.messagesFile, "utf8");
    if (isStarved(messages)) return { timedOut, aborted, outOfMemory: { remedy: starvationRemedy } };
    const isOver = said === 0 || EXITED.test(messages);
    const code = isOver ? await codeSoon(step.exitFile, CODE_POLL_MS) : readCode(step.exitFile);
    if (code !== undefined) return { code, timedOut, aborted };
    // It may run on where srun lost sight of it: it must not write where the next try does.
    await this.#slurm.cancelStep(step.allocation, step.name);
    await this.#allocation.lookAfter(step.allocation);
    const why = messages.trim().split("\n").at(-1);
    return { timedOut, aborted, lost: true, killedBy: `a lost step: ${why}` };
  }
}
