/** The project of a call: finds it, loads it, and creates its engine. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { Engine } from "../../core/build/engine-interface.ts";
import { type Plan, planProject } from "../../rules/plan/plan.ts";
import { registry } from "../../rules/registry.ts";
import { findTools } from "../../rules/tools/tools.ts";
import { vocabulary } from "../../rules/vocabulary.ts";
import type { Project } from "../../schema/contract/project.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { type Loaded, loadProject, projectFile } from "../../schema/load.ts";
import type { Call } from "../call/call.ts";
import { findProjectFolder } from "../call/project-folder.ts";
import { UsageError } from "../call/usage-error.ts";
import { chooseVariants } from "./addresses.ts";
import { InvalidProject } from "./invalid-project.ts";
import { openEngine, type Settings } from "./settings.ts";
import { storeFolder } from "./store-folder.ts";

export interface Workspace {
  /** Without `actions`, which are in the plan. */
  readonly project: Omit<Project, "actions">;
  readonly warnings: readonly Diagnostic[];
  readonly engine: Engine;
  /** The settings that the engine was made from. */
  readonly settings: Settings;
  readonly plan: Plan;
  /** The same workspace with the variants for other addresses. */
  readonly withVariants: (patterns: readonly string[]) => Workspace;
}

/**
 * Opens the project with the variants that the addresses ask for, uses it, and closes it; `amend` changes the project
 * for this call. Throws InvalidProject, UsageError or EngineError.
 */
export async function withWorkspace<T>(
  call: Call,
  patterns: readonly string[],
  use: (workspace: Workspace) => Promise<T> | T,
  amend: (project: Project) => Project = (project) => project,
): Promise<T> {
  const workspace = await openWorkspace(call, patterns, amend);
  try {
    return await use(workspace);
  } finally {
    await workspace.engine.close();
  }
}

/** Keeps only what the workspace needs of arc.yaml: with thousands of actions the rest takes much memory. */
async function openWorkspace(
  call: Call,
  patterns: readonly string[],
  amend: (project: Project) => Project,
): Promise<Workspace> {
  const opened = withoutText(await openProject(call), amend);
  try {
    return planWorkspace(opened, call, patterns);
  } catch (error) {
    await opened.engine.close();
    throw error;
  }
}

function withoutText({ loaded, project, ...opened }: Opened, amend: (project: Project) => Project): Planned {
  return { ...opened, project: amend(project), loaded: { diagnostics: loaded.diagnostics } };
}

/** What is needed to make a plan. */
type Planned = Omit<Opened, "loaded"> & { readonly loaded: Pick<Loaded, "diagnostics"> };

/** A loaded project and its engine. */
export interface Opened {
  readonly loaded: Loaded;
  readonly project: Project;
  readonly settings: Settings;
  readonly engine: Engine;
}

/** Closes `before`, but keeps its engine if that still fits. Throws like `withWorkspace`. */
export async function openProject(call: Call, before?: Opened): Promise<Opened> {
  for (;;) {
    const folder = projectFolder(call);
    const loaded = loadProject(path.join(folder, projectFile), vocabulary);
    const { project, diagnostics } = loaded;
    if (project === undefined) throw new InvalidProject(diagnostics, loaded);
    const settings = settingsOf(project, folder, call);
    const engine = await engineFor(settings, call, before);
    const opened = { loaded, project, settings, engine };
    // What was read before the engine could observe it must be unchanged.
    if (isCurrent(opened)) return opened;
    before = opened;
  }
}

/** Whether arc.yaml, and the existence of the files it names, is unchanged. From now on the engine observes them. */
export function isCurrent({ loaded, engine }: Opened): boolean {
  for (const file of loaded.read) engine.depend(file);
  for (const file of loaded.named) engine.depend(file, "existence");
  try {
    return loaded.isCurrent();
  } catch {
    return false;
  }
}

async function engineFor(settings: Settings, call: Call, before: Opened | undefined): Promise<Engine> {
  if (before === undefined) return openEngine(settings, call, registry);
  if (JSON.stringify(before.settings) === JSON.stringify(settings)) return before.engine;
  // If a new engine cannot be made, the old one stays usable.
  const engine = await openEngine(settings, call, registry);
  const { signal } = call;
  const interrupted = new Promise<void>((done) =>
    signal.addEventListener("abort", () => done(), { once: true }),
  );
  await Promise.race([before.engine.idle(), interrupted]);
  await before.engine.close();
  return engine;
}

/** Plans the project with the tools that exist now. Throws UsageError or EngineError. */
export function planWorkspace(opened: Planned, call: Call, patterns: readonly string[]): Workspace {
  const { loaded, engine, settings } = opened;
  const { actions: _, ...project } = opened.project;
  const plan = planProject(opened.project, {
    tools: findTools(engine, call.env),
    axes: vocabulary.axes,
    skipMissing: call.options["skip-missing"] === true,
    choose: chooseVariants(patterns, call.options.all === true),
  });
  return {
    project,
    warnings: loaded.diagnostics,
    engine,
    settings,
    plan,
    withVariants: (others) => planWorkspace(opened, call, others),
  };
}

function settingsOf(project: Project, root: string, call: Call): Settings {
  const { local, slurm } = project.executors;
  const { memory, tokens, timeout, memoryLimit } = local;
  const { limit } = project.store;
  const jobs = jobsOf(call) ?? local.jobs;
  const limits = {
    ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
    ...(memoryLimit === undefined ? {} : { memoryLimitBytes: memoryLimit }),
  };
  const usesSlurm = slurm !== undefined || project.actions.some(({ executor }) => executor === "slurm");
  return {
    root,
    store: storeFolder(call, project),
    limits,
    ...(limit === undefined ? {} : { storeLimit: limit }),
    ...(jobs === undefined ? {} : { jobs }),
    ...(memory === undefined ? {} : { memory }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(usesSlurm ? { slurm: slurm ?? {} } : {}),
    ...(project.cache === undefined ? {} : { cache: project.cache }),
    ...(project.envFrom.length + project.passEnv.length === 0
      ? {}
      : { given: { keyed: project.envFrom, passed: project.passEnv } }),
  };
}

/** Throws UsageError where the folder's name cannot be written: one around it could be taken for the project. */
function projectFolder({ options, cwd }: Call): string {
  const requested = typeof options.directory === "string" ? options.directory : undefined;
  const isLost = cwd.includes("\ufffd") && !existsSync(cwd);
  if (isLost && !path.isAbsolute(requested ?? ""))
    throw new UsageError(`the name of this folder, ${cwd}, is no text in UTF-8`, "rename the folder");
  return findProjectFolder(cwd, requested);
}

/** The project's folder. Throws UsageError where there is no arc.yaml. */
export function requireProject(call: Call): string {
  const folder = projectFolder(call);
  if (existsSync(path.join(folder, projectFile))) return folder;
  throw new UsageError(
    `there is no arc.yaml in ${folder}`,
    "write one with `arc init`, or name the project's folder with -C DIR",
  );
}

/** The project, for commands that do not require one. Throws InvalidProject. */
export function loadIfThere(call: Call): Project | undefined {
  const file = path.join(projectFolder(call), projectFile);
  if (!existsSync(file)) return undefined;
  const { project, diagnostics } = loadProject(file, vocabulary);
  if (project === undefined) throw new InvalidProject(diagnostics);
  return project;
}

function jobsOf({ options }: Call): number | undefined {
  const { jobs } = options;
  if (jobs === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(String(jobs))) {
    throw new UsageError(
      `-j ${String(jobs)} is no number of jobs`,
      "write a whole number from 1, such as -j 4",
    );
  }
  return Number(jobs);
}
