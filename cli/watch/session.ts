/** The project of a watch, kept open between builds: read again only when arc.yaml, or what it names, changed. */
import type { Action } from "../../core/build/action.ts";
import type { EngineBuildOptions } from "../../core/build/engine.ts";
import type { BuildResult } from "../../core/build/outcome.ts";
import { selectTargets } from "../addresses.ts";
import { buildWorkspace, knownOf } from "../build.ts";
import type { Call } from "../call.ts";
import { contextOf } from "../no-op.ts";
import { resumeIn } from "../resume.ts";
import { isCurrent, type Opened, openProject, planWorkspace } from "../workspace.ts";

export interface WatchBuild extends Required<Pick<EngineBuildOptions, "onEvent">> {
  readonly giveWay?: AbortSignal;
  /** Told of the graph before it is built. */
  readonly onPlan: (actions: readonly Action[]) => void;
}

export interface Built {
  readonly result: BuildResult;
  /** Only of what the changes could reach. */
  readonly part: boolean;
}

export class Session {
  readonly #call: Call;
  readonly #context: string;
  #opened: Opened | undefined;
  /** Of the last whole build. */
  #targets: EngineBuildOptions["targets"];
  #planned = false;

  constructor(call: Call) {
    this.#call = call;
    this.#context = contextOf(call.args, call.cwd, call.env);
  }

  /** Brings everything up to date as things are now. Throws InvalidProject, UsageError or EngineError. */
  async build(call: Call, request: WatchBuild): Promise<Built> {
    const { onPlan, ...rest } = request;
    const part = await this.#resume(call, rest);
    if (part !== undefined) return { result: part, part: true };
    const workspace = await this.#workspace();
    const { plan } = workspace;
    onPlan(plan.actions);
    const { positionals } = this.#call;
    this.#targets = selectTargets(positionals, plan.programs, knownOf(workspace));
    this.#planned = true;
    const whole = { ...rest, patterns: positionals, goals: plan.programs, context: this.#context };
    return { result: await buildWorkspace(workspace, call, whole), part: false };
  }

  /** What the changes since the last success can reach, where the graph stayed. */
  async #resume(call: Call, request: Omit<WatchBuild, "onPlan">): Promise<BuildResult | undefined> {
    const engine = this.#opened?.engine;
    // The first build tells of the whole project, whatever an earlier watch left.
    if (engine === undefined || !this.#planned) return undefined;
    return resumeIn(engine, engine.check(this.#context), call, { ...request, targets: this.#targets });
  }

  async #workspace(): Promise<ReturnType<typeof planWorkspace>> {
    if (this.#opened === undefined || !isCurrent(this.#opened)) {
      this.#opened = await openProject(this.#call, this.#opened);
    }
    return planWorkspace(this.#opened, this.#call, this.#call.positionals);
  }

  async close(): Promise<void> {
    await this.#opened?.engine.close();
  }
}
