/** The project of a watch, kept open between builds: read again only when arc.yaml, or what it names, changed. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Engine, EngineBuildOptions } from "../../core/build/engine.ts";
import type { Check } from "../../core/build/files/up-to-date.ts";
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Action, Address } from "../../core/build/model/action.ts";
import { noteTexts, prepareHeadStarts } from "../../core/compiler/driver/head-starts.ts";
import { keepEmissions } from "../../core/compiler/driver/kept-emissions.ts";
import { warmUp } from "../../rules/warm-up.ts";
import { buildWorkspace, knownOf } from "../build/build.ts";
import { resumeIn } from "../build/resume.ts";
import type { Call } from "../call/call.ts";
import { selectTargets } from "../project/addresses.ts";
import { InvalidProject, type Looked } from "../project/invalid-project.ts";
import { isCurrent, type Opened, openProject, planWorkspace } from "../project/workspace.ts";
import { contextOf } from "../start/no-op.ts";

export interface WatchBuild extends Required<Pick<EngineBuildOptions, "onEvent">> {
  /** Run though nothing changed. */
  readonly force?: readonly Address[];
  readonly giveWay?: AbortSignal;
  /** What has changed since the last build that succeeded, if there was one. */
  readonly check?: Check;
  /** Told of the graph before it is built. */
  readonly onPlan: (actions: Iterable<Action>) => void;
}

export interface Built {
  readonly result: BuildResult;
  /** Only of what the changes could reach. */
  readonly part: boolean;
}

function readInput(engine: Engine, action: Action, name: string): Buffer {
  const from = action.inputs.find((input) => input.name === name)?.from;
  if (from === undefined) throw new Error(`${action.address} has no input ${name}`);
  if ("text" in from) return Buffer.from(from.text, "utf8");
  if ("file" in from) return readFileSync(path.resolve(engine.root, from.file));
  return engine.read(from.action, from.output);
}

/**
 * Collects young objects, which takes the longer the more of them are still in use: trees of a source, while it is
 * translated. Where the young generation is as large as `arc` makes it for a watch, few saves see another collection.
 */
function collect(): void {
  globalThis.gc?.({ type: "minor", execution: "sync" });
}

export class Session {
  readonly #call: Call;
  readonly #root: string;
  readonly #context: string;
  #opened: Opened | undefined;
  /** Of the last whole build. */
  #targets: EngineBuildOptions["targets"];
  #planned = false;
  /** What arc.yaml was made a project of; undefined: not known, as something else went wrong. */
  #looked: Looked | undefined;
  #warming: AsyncGenerator<void> | undefined;
  /** Whether there is nothing else to do; undefined: nothing is being prepared. */
  #isIdle: (() => boolean) | undefined;

  constructor(call: Call, root: string) {
    this.#call = call;
    this.#root = root;
    this.#context = contextOf(call.args, call.cwd, call.env);
    noteTexts();
    keepEmissions();
  }

  /** Brings everything up to date as things are now. Throws InvalidProject, UsageError or EngineError. */
  async build(call: Call, request: WatchBuild): Promise<Built> {
    try {
      const built = await this.#build(call, request);
      this.#looked = this.#opened?.loaded;
      return built;
    } catch (error) {
      this.#looked = error instanceof InvalidProject ? error.looked : undefined;
      throw error;
    }
  }

  async #build(call: Call, request: WatchBuild): Promise<Built> {
    const { onPlan, check, ...rest } = request;
    const part = await this.#resume(call, rest, check);
    if (part !== undefined) return { result: part, part: true };
    const workspace = await this.#workspace();
    const { engine, plan } = workspace;
    onPlan(plan.actions);
    this.#warming ??= warmUp(plan.actions, (action, name) => readInput(engine, action, name));
    const { positionals } = this.#call;
    this.#targets = selectTargets(positionals, plan.programs, knownOf(workspace));
    this.#planned = true;
    const whole = { ...rest, patterns: positionals, goals: plan.programs, context: this.#context };
    return { result: await buildWorkspace(workspace, call, whole), part: false };
  }

  /** What has changed since the last build that succeeded; undefined: nothing was built yet. */
  check(): Check | undefined {
    return this.#opened?.engine.check(this.#context);
  }

  /**
   * Whether the last build that succeeded looked at one of these, or at a folder around one; undefined: there was none.
   * With a check, only those count that changed after it.
   */
  lookedAt(files: readonly string[], since?: Check): boolean | undefined {
    return this.#opened?.engine.lookedAt(this.#context, files, since);
  }

  /** Whether arc.yaml is one of these or names one, or lists their folder; undefined: that is not known. */
  areOfProject(files: readonly string[]): boolean | undefined {
    if (this.#looked === undefined) return undefined;
    const { read, named } = this.#looked;
    return files.some((file) => {
      const saved = path.resolve(this.#root, file);
      // What goes or comes with a folder around it, too.
      const isGiven = (name: string): boolean => name === saved || name.startsWith(`${saved}/`);
      return read.includes(path.dirname(saved)) || read.some(isGiven) || named.some(isGiven);
    });
  }

  /** Prepares for the next save, in steps, as long as there is nothing else to do. */
  async prepare(isIdle: () => boolean): Promise<void> {
    const goesOn = this.#isIdle !== undefined;
    this.#isIdle = isIdle;
    if (goesOn) return;
    try {
      await setImmediate();
      while (this.#isIdle()) {
        for (const _ of prepareHeadStarts()) {
          await setImmediate();
          if (!this.#isIdle()) return;
        }
        collect();
        if ((await this.#warming?.next())?.done !== false) return;
      }
    } catch {
      // A start that cannot be had ahead is made when it is needed.
    } finally {
      this.#isIdle = undefined;
    }
  }

  /** What the changes since the last success can reach, where the graph stayed. */
  async #resume(
    call: Call,
    request: Omit<WatchBuild, "onPlan" | "check">,
    check: Check | undefined,
  ): Promise<BuildResult | undefined> {
    const engine = this.#opened?.engine;
    // The first build tells of the whole project, whatever an earlier watch left.
    if (engine === undefined || check === undefined || !this.#planned) return undefined;
    return resumeIn(engine, check, call, { ...request, targets: this.#targets });
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
