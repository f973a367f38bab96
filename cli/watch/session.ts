/** The project of a watch, kept open between builds: it is read again only when arc.yaml, or what it names, changed. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Engine, EngineBuildOptions } from "../../core/build/engine-interface.ts";
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

interface WatchBuild extends Required<Pick<EngineBuildOptions, "onEvent">> {
  /** Actions to run although nothing changed. */
  readonly force?: readonly Address[];
  readonly giveWay?: AbortSignal;
  readonly afterEdit: boolean;
  /** What has changed since the last successful build, if there was one. */
  readonly check?: Check;
  /** Called with the graph before it is built. */
  readonly onPlan: (actions: Iterable<Action>) => void;
}

export interface Built {
  readonly result: BuildResult;
  /** Only what the changes could reach was built. */
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
 * Collects the young generation, which takes longer the more of it is in use, such as the trees of a source during
 * translation. With the size that `arc` sets for a watch, few saves see another collection.
 */
function collect(): void {
  globalThis.gc?.({ type: "minor", execution: "sync" });
}

export class Session {
  readonly #call: Call;
  readonly #root: string;
  readonly #context: string;
  #opened: Opened | undefined;
  /** Targets of the last complete build. */
  #targets: EngineBuildOptions["targets"];
  #planned = false;
  /** The files that the project was loaded from; undefined: not known, as something else went wrong. */
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

  /** Brings everything up to date. Throws InvalidProject, UsageError or EngineError. */
  async build(call: Call, request: WatchBuild): Promise<Built> {
    try {
      const built = await this.#build(call, request);
      this.#looked = this.#opened?.loaded;
      return built;
    } catch (error) {
      this.#looked = error instanceof InvalidProject ? error.consulted : undefined;
      throw error;
    }
  }

  async #build(call: Call, request: WatchBuild): Promise<Built> {
    const { onPlan, check, afterEdit, ...rest } = request;
    const part = await this.#resume(call, rest, check);
    if (part !== undefined) return { result: part, part: true };
    const workspace = await this.#workspace();
    const { engine, plan } = workspace;
    onPlan(plan.actions);
    this.#warming ??= warmUp(plan.actions, (action, name) => readInput(engine, action, name));
    const { positionals } = this.#call;
    this.#targets = selectTargets(positionals, plan.programs, knownOf(workspace));
    this.#planned = true;
    const buildRequest = {
      ...rest,
      afterEdit,
      patterns: positionals,
      goals: plan.programs,
      context: this.#context,
    };
    return { result: await buildWorkspace(workspace, call, buildRequest), part: false };
  }

  /** What has changed since the last successful build; undefined: there was none. */
  check(): Check | undefined {
    return this.#opened?.engine.check(this.#context);
  }

  /**
   * Whether the last successful build looked at any of these files or a folder around one; undefined: there was none.
   * If a check is given, only files that changed after it count.
   */
  lookedAt(files: readonly string[], since?: Check): boolean | undefined {
    return this.#opened?.engine.lookedAt(this.#context, files, since);
  }

  /** Whether one of these is arc.yaml, is named by it, or lies in a folder that it lists; undefined: not known. */
  areOfProject(files: readonly string[]): boolean | undefined {
    if (this.#looked === undefined) return undefined;
    const { read, named } = this.#looked;
    return files.some((file) => {
      const saved = path.resolve(this.#root, file);
      // A file also appears or disappears with a folder around it.
      const isSaved = (name: string): boolean => name === saved || name.startsWith(`${saved}/`);
      return read.includes(path.dirname(saved)) || read.some(isSaved) || named.some(isSaved);
    });
  }

  /** Prepares for the next save, in steps, while there is nothing else to do. */
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
      // If preparing fails, it is done when needed.
    } finally {
      this.#isIdle = undefined;
    }
  }

  /** Builds only what the changes since the last success can reach, if the graph is unchanged. */
  async #resume(
    call: Call,
    request: Omit<WatchBuild, "onPlan" | "check" | "afterEdit">,
    check: Check | undefined,
  ): Promise<BuildResult | undefined> {
    const engine = this.#opened?.engine;
    // The first build reports on the whole project, whatever an earlier watch left.
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
