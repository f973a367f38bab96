/** Runs one action: prepares its sandbox, runs its command or its step's function, and takes its outputs. */
import { closeSync, openSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { FileTable } from "../files/files.ts";
import { isReplaced, REPLACED } from "../files/self-update.ts";
import type { ResolvedInput } from "../graph/inputs.ts";
import { resultKey } from "../key/key.ts";
import type { ActionResult } from "../key/result.ts";
import type { Action, Address, Command, Digest, Step, StepContext, StepResult } from "../model/action.ts";
import { monotonicMs } from "../model/clock.ts";
import { describeError, EngineError, isBlobLost } from "../model/error.ts";
import type { Event } from "../model/event.ts";
import { fault } from "../model/fault.ts";
import type { Finding } from "../model/finding.ts";
import type { FileStamp } from "../model/stat-signature.ts";
import { onFile } from "../model/system-error.ts";
import type { Environment, Variables } from "../model/variables.ts";
import { confined } from "../native/confinement.ts";
import type { Errands } from "../native/process-io.ts";
import { type Awaited, failsByPassed, MustWait } from "../state/decide.ts";
import type { ContentStore } from "../store/store.ts";
import { Discoveries } from "./discoveries.ts";
import { environmentOf } from "./environment.ts";
import type { Executor, Limits, OutputFile, ProcessEnd } from "./executor.ts";
import { limited, whyEnded } from "./process-limits.ts";
import { printedTo, type Sandbox, type Sandboxes } from "./sandbox.ts";
import { foldersOf, InputMoved, Staging } from "./staging.ts";
import { tail } from "./tail.ts";
import { type Note, type Tracer, trace, undeclared, withoutLookedFor } from "./tracing.ts";
import { fullDisk, machineTrouble } from "./transient-failure.ts";

interface ExecutionSite {
  readonly files: FileTable;
  readonly store: ContentStore;
  readonly sandboxes: Sandboxes;
  readonly executor: Executor;
  /** The process waits in the executor for another one to end. */
  readonly ahead: boolean;
  /** Folder on the file system of the places; given when outputs may go to their places at once. */
  readonly placeScratch?: string;
  /** How long the action took before. */
  readonly expectedSeconds?: number;
  /** The environment that PATH, HOME and `passEnv` come from. */
  readonly environment: Environment;
  /** Variables that all processes of the project get, and whether some of them are in no key. */
  readonly given: Variables;
  readonly passes?: true;
  readonly signal: AbortSignal;
  readonly emit: (event: Event) => void;
  readonly awaited: Awaited;
  /** Notes which files processes name, if wanted. */
  readonly tracer?: Tracer;
  /** The program bubblewrap, if processes must be confined. */
  readonly bwrap?: string;
  /** The other action that wrote a path while this one ran. */
  readonly writtenMeanwhile: Awaited;
}

export type Execution =
  | { readonly kind: "done"; readonly result: ActionResult; readonly placed: Placed }
  /** The failure is not a fact about the inputs: nothing is cached. */
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly log: string;
      readonly diagnostics?: readonly Finding[];
      /** Files that the action read, or looked for and did not find. */
      readonly read?: readonly string[];
    }
  | { readonly kind: "interrupted" }
  /** An input changed during the run: decide again. */
  | { readonly kind: "moved"; readonly file: string }
  /** The machine that it ran on was lost. */
  | { readonly kind: "machine-lost"; readonly message: string }
  /** The store lost the bytes of an input. */
  | { readonly kind: "lost" }
  /** It read a file that another action has yet to write, or wrote during the run. */
  | { readonly kind: "must-wait"; readonly producer: Address };

/** Outputs that are in their places already, by name. */
export type Placed = ReadonlyMap<string, FileStamp>;

/** Never rejects because of what an action does. */
export async function execute(
  action: Action,
  step: Step,
  base: Digest,
  inputs: readonly ResolvedInput[],
  site: ExecutionSite,
): Promise<Execution> {
  let sandbox: Sandbox;
  try {
    sandbox = site.sandboxes.take(foldersOf(action));
  } catch (error) {
    return { kind: "failed", message: describe(error), log: "" };
  }
  const run = new Run(action, step, base, inputs, site, sandbox);
  try {
    return await run.execute();
  } catch (error) {
    if (site.signal.aborted) return { kind: "interrupted" };
    if (error instanceof MustWait) return { kind: "must-wait", producer: error.producer };
    if (error instanceof MachineLost) return { kind: "machine-lost", message: error.message };
    if (error instanceof InputMoved) return { kind: "moved", file: error.file };
    if (isBlobLost(error)) return { kind: "lost" };
    return { kind: "failed", message: describe(error), log: run.log().toString("utf8") };
  } finally {
    run.reportTraces();
    site.sandboxes.giveBack(sandbox);
  }
}

/** Caches that tools keep of their own, whose entries they check themselves. */
function toolCaches({ HOME, POCL_CACHE_DIR, XDG_CACHE_HOME }: ExecutionSite["environment"]): string[] {
  const home = XDG_CACHE_HOME ?? (HOME === undefined ? undefined : `${HOME}/.cache`);
  return [POCL_CACHE_DIR, home === undefined ? undefined : `${home}/pocl`].flatMap((folder) => folder ?? []);
}

function describe(error: unknown): string {
  return isReplaced(error) ? `${REPLACED.message}; ${REPLACED.remedy}` : describeError(error);
}

/** For outputs that the step declares itself, so that the user has done nothing wrong. */
function missingOutputRemedy({ name, missingOutputRemedy }: Step): string {
  return missingOutputRemedy ?? `step ${name} expects other files of its tool than it writes: report that`;
}

class MachineLost extends Error {}

class Run {
  readonly #action: Action;
  readonly #step: Step;
  readonly #base: Digest;
  readonly #site: ExecutionSite;
  readonly #sandbox: Sandbox;
  readonly #staging: Staging;
  /** Log output of the step's function. */
  readonly #messages: Buffer[] = [];
  readonly #discoveries: Discoveries;
  #readsProject = false;
  /** Whether its processes are traced; decided when the first one starts. */
  #isTraced: boolean | undefined;
  readonly #notes: Note[] = [];
  #tracerSeconds = 0;
  /** A process was started. */
  #hasRun = false;
  /** One of its processes ran under a memory limit. */
  #isShortOfMemory = false;
  /** Seconds before its process started. */
  #waitedSeconds = 0;

  constructor(
    action: Action,
    step: Step,
    base: Digest,
    inputs: readonly ResolvedInput[],
    site: ExecutionSite,
    sandbox: Sandbox,
  ) {
    this.#action = action;
    this.#step = step;
    this.#base = base;
    this.#site = site;
    this.#sandbox = sandbox;
    this.#discoveries = new Discoveries(site);
    this.#staging = new Staging(action, inputs, site.files, site.store, sandbox);
  }

  async execute(): Promise<Execution> {
    const start = monotonicMs();
    fault("action:before-run");
    const verdict = this.#doubted(await this.#runStep().finally(() => this.#staging.checkInputsUnwritten()));
    fault("action:after-run");
    const seconds = Math.max(0, (monotonicMs() - start) / 1000 - this.#waitedSeconds);
    this.#site.tracer?.budget?.spent(seconds, this.#tracerSeconds);
    if (this.#site.signal.aborted) return { kind: "interrupted" };
    if (this.#readsProject) this.#staging.checkSourcesUnmoved();
    if (!verdict.ok && !verdict.fact) {
      const read = this.#discoveries.names();
      this.#discoveries.checkWriters();
      return { kind: "failed", ...failureOf(verdict), log: this.log().toString("utf8"), read };
    }
    const discovered = this.#discoveries.take();
    const outputs = verdict.ok ? this.#staging.collect(missingOutputRemedy(this.#step)) : [];
    const log = this.log();
    const result: ActionResult = {
      base: this.#base,
      key: resultKey(this.#base, discovered),
      ...(discovered === undefined ? {} : { discovered }),
      outputs,
      ...(log.length === 0 ? {} : { log: this.#site.store.putBytes(log) }),
      seconds,
      ...(verdict.ok ? diagnosticsOf(verdict) : { failure: failureOf(verdict) }),
    };
    return { kind: "done", result, placed: this.#staging.placed() };
  }

  /** Called for failures, too: the missing declaration may be the reason. */
  reportTraces(): void {
    if (this.#notes.length === 0) return;
    const { environment, files, store, emit } = this.#site;
    const { work, temporary } = this.#sandbox;
    const places = {
      root: files.root,
      work,
      temporary,
      own: [store.directory, dirname(this.#site.tracer?.program ?? "/"), ...toolCaches(environment)],
    };
    const found = new Set(this.#discoveries.names());
    const all = undeclared(this.#notes, this.#action, places, found);
    const isAsked = this.#site.tracer?.budget === undefined;
    // Linkers look in their folder first; nobody can declare that for the steps of arc.
    const report = isAsked || this.#step.name === "command" ? all : withoutLookedFor(all);
    if (report !== undefined) emit({ type: "undeclared", files: report });
  }

  /** A failure that the machine may have caused is never a fact, whatever the step says; its message says so. */
  #doubted(verdict: StepResult): StepResult {
    if (verdict.ok) return this.#believed(verdict);
    // The limit, the confinement or a variable may be the reason for the failure.
    if (this.#isShortOfMemory || this.#site.bwrap !== undefined || failsByPassed(this.#action, this.#site))
      return { ...verdict, fact: false };
    const report = `${verdict.message}\n${JSON.stringify(verdict.diagnostics ?? null)}`;
    const trouble = machineTrouble(Buffer.concat([this.log(), Buffer.from(report)]), this.#sandbox.work);
    return trouble === undefined
      ? verdict
      : { ...verdict, fact: false, message: `${verdict.message} (${trouble})` };
  }

  /** A process that does not look whether its writes succeed ends well on a full disk, with a part of its output. */
  #believed(verdict: StepResult): StepResult {
    const trouble = this.#hasRun ? fullDisk(this.#sandbox.work) : undefined;
    if (trouble === undefined) return verdict;
    const [program] = this.#action.command?.argv ?? [this.#step.name];
    const message = `what ${program} wrote may be a part of what it should be: ${trouble}`;
    return { ok: false, fact: false, message };
  }

  log(): Buffer {
    return Buffer.concat([...this.#messages, this.#sandbox.readLog()]);
  }

  async #runStep(): Promise<StepResult> {
    const { command } = this.#action;
    if (command !== undefined) return this.#runCommand(command);
    if (this.#step.run !== undefined) return this.#step.run(this.#context());
    throw new EngineError(
      "unknown-step",
      `${this.#action.address}: step ${this.#step.name} needs a command`,
      "give the action a command, or the step a function",
      [this.#action.address],
    );
  }

  async #runCommand(command: Command): Promise<StepResult> {
    const { log } = this.#sandbox;
    const stdout =
      command.stdout === undefined ? log : openForOutput(this.#staging.outputPath(command.stdout));
    const stopTail = this.#tailLog();
    let end: ProcessEnd;
    try {
      end = await this.#startWhole(command, stdout, log);
    } finally {
      stopTail();
      if (stdout !== log) closeSync(stdout.descriptor);
    }
    const trouble = this.#troubleOf(end, command);
    if (trouble !== undefined) return { ok: false, fact: false, message: trouble };
    const code = end.code as number;
    if ((command.ok ?? [0]).includes(code)) return { ok: true };
    const message = `${command.argv[0]} exited with ${code}`;
    // The shell exits with 126 or 127 if it cannot run a program; above 128 something was killed.
    const fact = this.#action.deterministic !== false && code < 126;
    return { ok: false, fact, message };
  }

  /** Runs an action that is one command, so that its executor may do the errands, too. */
  async #startWhole(command: Command, stdout: OutputFile, stderr: OutputFile): Promise<ProcessEnd> {
    const { executor, placeScratch } = this.#site;
    const { outputs } = this.#action;
    const isSimple = this.#tracer === undefined && !command.inProject;
    if (executor.takesErrands && isSimple && outputs.every(({ kind }) => kind === "file")) {
      const errands = this.#staging.errands(command.ok ?? [0], placeScratch);
      const end = await this.#run(command, stdout, stderr, errands);
      if (this.#site.ahead) this.#waitedSeconds = end.waitedSeconds ?? 0;
      if (end.errands !== undefined) this.#staging.finish(errands, end.errands);
      if (!end.undone) return end;
    }
    return this.#start(command, stdout, stderr);
  }

  get #tracer(): Tracer | undefined {
    const { tracer } = this.#site;
    if (tracer === undefined) return undefined;
    this.#isTraced ??= tracer.budget?.allows() ?? true;
    return this.#isTraced ? tracer : undefined;
  }

  #start(command: Command, stdout: OutputFile, stderr: OutputFile): Promise<ProcessEnd> {
    if (command.inProject) this.#readsProject = true;
    else this.#staging.stageAll();
    return this.#run(command, stdout, stderr);
  }

  async #run(
    command: Command,
    stdout: OutputFile,
    stderr: OutputFile,
    errands?: Errands,
  ): Promise<ProcessEnd> {
    const { bwrap, executor, store } = this.#site;
    const tracer = this.#tracer;
    if (bwrap !== undefined)
      return this.#runAs(this.#confined(command, bwrap), command, stdout, stderr, errands);
    if (tracer === undefined) return this.#runAs(command.argv, command, stdout, stderr, errands);
    if (executor.name !== "local") {
      if (tracer.budget === undefined) this.#notes.push(["!", `it runs by ${executor.name}`]);
      return this.#runAs(command.argv, command, stdout, stderr, errands);
    }
    const { argv, end } = trace(tracer, store.newScratchFile(), command.argv, this.#step);
    try {
      return await this.#runAs(argv, command, stdout, stderr, errands);
    } finally {
      const { notes, tracerSeconds } = end();
      for (const note of notes) this.#notes.push(note);
      this.#tracerSeconds += tracerSeconds;
    }
  }

  /** Throws `unsatisfiable` if the process would run on another machine. */
  #confined(command: Command, bwrap: string): readonly string[] {
    const { executor, files } = this.#site;
    const { address } = this.#action;
    if (executor.name !== "local")
      throw new EngineError(
        "unsatisfiable",
        `${address} is to be confined, and runs by ${executor.name}, where that cannot be done`,
        "run it on this machine (--executor local), or leave --sandbox out",
        [address],
      );
    const { work, temporary } = this.#sandbox;
    const folder = command.inProject ? files.root : work;
    return confined(command.argv, command.env ?? {}, { bwrap, work, temporary, folder });
  }

  #runAs(
    argv: readonly string[],
    command: Command,
    stdout: OutputFile,
    stderr: OutputFile,
    errands?: Errands,
  ): Promise<ProcessEnd> {
    const { environment, executor, files, given, signal } = this.#site;
    const { timeoutSeconds, memoryLimitBytes } = this.#limitsOf(command);
    if (memoryLimitBytes !== undefined) this.#isShortOfMemory = true;
    this.#hasRun = true;
    return executor.run(
      {
        address: this.#action.address,
        argv: limited(argv, memoryLimitBytes),
        ...(command.inProject ? { cwd: files.root } : { cwd: this.#sandbox.work, sandbox: this.#sandbox }),
        env: environmentOf(command, environment, given, this.#sandbox.temporary),
        resources: this.#action.resources ?? {},
        ...(this.#site.expectedSeconds === undefined ? {} : { expectedSeconds: this.#site.expectedSeconds }),
        ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
        signal,
        onPhase: (phase) => this.#site.emit({ type: "progress", address: this.#action.address, phase }),
        ...(errands === undefined ? {} : { errands, ahead: this.#site.ahead }),
      },
      stdout,
      stderr,
    );
  }

  /** The command's own limits, else the executor's. */
  #limitsOf({ timeoutSeconds, memoryLimitBytes }: Command): Limits {
    return {
      ...this.#site.executor.limits,
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
      ...(memoryLimitBytes === undefined ? {} : { memoryLimitBytes }),
    };
  }

  /** Why a process did not end by itself, if so. Throws MachineLost. */
  #troubleOf(end: ProcessEnd, command: Command): string | undefined {
    const program = command.argv[0];
    if (end.lost) throw new MachineLost(`${program} was ended by ${end.killedBy}`);
    const why = whyEnded(end, this.#limitsOf(command));
    return why && `${program} ${why}`;
  }

  /** Reports the log as it grows. */
  #tailLog(): () => void {
    const { address } = this.#action;
    return tail(this.#sandbox.printed, (text) => this.#site.emit({ type: "log", address, text }));
  }

  #context(): StepContext {
    const { emit, files, signal } = this.#site;
    const { address } = this.#action;
    const run = this;
    return {
      action: this.#action,
      input: (name) => this.#staging.inputPath(name),
      readInput: async (name) => this.#staging.readInput(name),
      output: (name) => this.#writable(name),
      writeOutput: (name, bytes) => this.#write(name, bytes),
      // A step that reads the root discovers inputs, so its declared files are checked afterwards.
      get root(): string {
        run.#readsProject = true;
        return files.root;
      },
      discover: (file) => this.#discoveries.read(file),
      discoverMissing: (file) => this.#discoveries.missed(file),
      progress: (phase, fraction) =>
        emit({ type: "progress", address, phase, ...(fraction === undefined ? {} : { fraction }) }),
      log: (text) => {
        this.#messages.push(Buffer.from(text, "utf8"));
        emit({ type: "log", address, text });
      },
      spawn: (command, listen) => this.#spawn(command, listen),
      signal,
    };
  }

  async #spawn(
    command: Command,
    listen?: (text: string) => void,
  ): Promise<{ code: number; stdout: Buffer; stderr: Buffer }> {
    const out = this.#sandbox.openCapture();
    const err = this.#sandbox.openCapture();
    const tails = listen === undefined ? [] : [out, err].map((file) => tail(printedTo(file), listen));
    let end: ProcessEnd | undefined;
    let captured: { stdout: Buffer; stderr: Buffer };
    try {
      end = await this.#start(command, out, err);
    } finally {
      for (const stop of tails) stop();
      captured = { stdout: this.#sandbox.readCapture(out), stderr: this.#sandbox.readCapture(err) };
    }
    const trouble = this.#troubleOf(end, command);
    if (trouble !== undefined) throw new Error(trouble);
    return { code: end.code as number, ...captured };
  }

  #writable(name: string): string {
    if (!this.#action.outputs.some((output) => output.name === name)) {
      throw new Error(`${this.#action.address} has no output ${name}`);
    }
    return this.#staging.outputPath(name);
  }

  async #write(name: string, bytes: string | Uint8Array): Promise<void> {
    const path = this.#writable(name);
    onFile(path, () => writeFileSync(path, bytes));
  }
}

function failureOf(verdict: { message: string; diagnostics?: readonly Finding[] }): {
  message: string;
  diagnostics?: readonly Finding[];
} {
  return { message: verdict.message, ...diagnosticsOf(verdict) };
}

function diagnosticsOf({ diagnostics }: { diagnostics?: readonly Finding[] }): {
  diagnostics?: readonly Finding[];
} {
  return diagnostics === undefined ? {} : { diagnostics };
}

function openForOutput(path: string): OutputFile {
  return { path, descriptor: openSync(path, "w") };
}
