/** Runs one action: prepares its sandbox, runs its command or its step's function, and takes its outputs. */
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { FileTable } from "../files/files.ts";
import { isReplaced, REPLACED } from "../files/self-update.ts";
import type { ResolvedInput } from "../graph/inputs.ts";
import { resultKey } from "../key/key.ts";
import type { ActionResult, Discovered } from "../key/result.ts";
import type { Action, Address, Command, Digest, Step, StepContext, StepResult } from "../model/action.ts";
import { monotonicMs } from "../model/clock.ts";
import { describeError, EngineError, isBlobLost } from "../model/error.ts";
import type { Event } from "../model/event.ts";
import { fault } from "../model/fault.ts";
import type { Finding } from "../model/finding.ts";
import type { FileStamp } from "../model/stat-signature.ts";
import { onFile } from "../model/system-error.ts";
import { confined } from "../native/confinement.ts";
import type { Errands } from "../native/process-io.ts";
import { type Awaited, MustWait } from "../state/decide.ts";
import type { ContentStore } from "../store/store.ts";
import { environmentOf } from "./environment.ts";
import type { Executor, Limits, OutputFile, ProcessEnd, Starvation } from "./executor.ts";
import { printedTo, type Sandbox, type Sandboxes } from "./sandbox.ts";
import { foldersOf, InputMoved, Staging } from "./staging.ts";
import { tail } from "./tail.ts";
import { trace, undeclared } from "./tracing.ts";
import { machineTrouble } from "./transient-failure.ts";

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
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly emit: (event: Event) => void;
  readonly awaited: Awaited;
  /** The tracer (native/tracer.c), which notes which files processes name, if wanted. */
  readonly tracer?: string;
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
  readonly #discovered = new Set<string>();
  readonly #missing = new Set<string>();
  #readsProject = false;
  /** Notes of the tracer. */
  readonly #notes: (readonly ["r" | "w" | "s" | "x" | "!", string])[] = [];
  /** One of its processes ran under a memory limit. */
  #isShortOfMemory = false;
  readonly #startedAt = Date.now();
  readonly #started = monotonicMs();
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
    this.#staging = new Staging(action, inputs, site.files, site.store, sandbox);
  }

  async execute(): Promise<Execution> {
    const start = monotonicMs();
    fault("action:before-run");
    const verdict = this.#doubted(await this.#runStep().finally(() => this.#staging.checkInputsUnwritten()));
    fault("action:after-run");
    const seconds = Math.max(0, (monotonicMs() - start) / 1000 - this.#waitedSeconds);
    if (this.#site.signal.aborted) return { kind: "interrupted" };
    if (this.#readsProject) this.#staging.checkSourcesUnmoved();
    if (!verdict.ok && !verdict.fact) {
      // It may have failed because another action has yet to write a file, or wrote it during the run.
      const read = [...this.#missing, ...this.#discovered];
      for (const file of read) {
        this.#checkWritten(file);
        this.#checkNotWritten(file);
      }
      return { kind: "failed", ...failureOf(verdict), log: this.log().toString("utf8"), read };
    }
    const discovered = this.#discoveries();
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
    const { files, store, emit } = this.#site;
    const { work, temporary } = this.#sandbox;
    const places = {
      root: files.root,
      work,
      temporary,
      own: [store.directory, dirname(this.#site.tracer ?? "/")],
    };
    const found = new Set([...this.#discovered, ...this.#missing]);
    const report = undeclared(this.#notes, this.#action, places, found);
    if (report !== undefined) emit({ type: "undeclared", files: report });
  }

  /** A failure that the machine may have caused is never a fact, whatever the step says; its message says so. */
  #doubted(verdict: StepResult): StepResult {
    if (verdict.ok) return verdict;
    // The limit or the confinement may be the reason for the failure.
    if (this.#isShortOfMemory || this.#site.bwrap !== undefined) return { ...verdict, fact: false };
    const report = `${verdict.message}\n${JSON.stringify(verdict.diagnostics ?? null)}`;
    const trouble = machineTrouble(Buffer.concat([this.log(), Buffer.from(report)]), this.#sandbox.work);
    return trouble === undefined
      ? verdict
      : { ...verdict, fact: false, message: `${verdict.message} (${trouble})` };
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
    const isSimple = this.#site.tracer === undefined && !command.inProject;
    if (executor.takesErrands && isSimple && outputs.every(({ kind }) => kind === "file")) {
      const errands = this.#staging.errands(command.ok ?? [0], placeScratch);
      const end = await this.#run(command, stdout, stderr, errands);
      if (this.#site.ahead) this.#waitedSeconds = end.waitedSeconds ?? 0;
      if (end.errands !== undefined) this.#staging.finish(errands, end.errands);
      if (!end.undone) return end;
    }
    return this.#start(command, stdout, stderr);
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
    const { tracer, executor, store } = this.#site;
    const { bwrap } = this.#site;
    if (bwrap !== undefined)
      return this.#runAs(this.#confined(command, bwrap), command, stdout, stderr, errands);
    if (tracer === undefined) return this.#runAs(command.argv, command, stdout, stderr, errands);
    if (executor.name !== "local") {
      this.#notes.push(["!", `it runs by ${executor.name}`]);
      return this.#runAs(command.argv, command, stdout, stderr, errands);
    }
    const { argv, end } = trace(tracer, store.newScratchFile(), command.argv);
    try {
      return await this.#runAs(argv, command, stdout, stderr, errands);
    } finally {
      this.#notes.push(...end());
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
    const { environment, executor, files, signal } = this.#site;
    const { timeoutSeconds, memoryLimitBytes } = this.#limitsOf(command);
    if (memoryLimitBytes !== undefined) this.#isShortOfMemory = true;
    return executor.run(
      {
        address: this.#action.address,
        argv: limited(argv, memoryLimitBytes),
        ...(command.inProject ? { cwd: files.root } : { cwd: this.#sandbox.work, sandbox: this.#sandbox }),
        env: environmentOf(command, environment, this.#sandbox.temporary),
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
    if (end.aborted) return `${program} was interrupted`;
    if (end.outOfMemory !== undefined) return `${program} ${outOfMemory(end.outOfMemory)}`;
    if (end.timedOut) {
      return `${program} was stopped after ${this.#limitsOf(command).timeoutSeconds} s, its time limit`;
    }
    if (end.code === undefined) return `${program} was ended by ${end.killedBy ?? "a signal"}`;
    return undefined;
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
      discover: (file) => void this.#discovered.add(this.#projectPath(file)),
      discoverMissing: (file) => void this.#missing.add(this.#projectPath(file)),
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

  #projectPath(file: string): string {
    const absolute = resolve(this.#site.files.root, file);
    const inside = relative(this.#site.files.root, absolute);
    return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? absolute : inside;
  }

  /** Digests of the discovered inputs. A file that changed since the start may not be what was read. */
  #discoveries(): Discovered | undefined {
    if (this.#discovered.size === 0 && this.#missing.size === 0) return undefined;
    const { files } = this.#site;
    const found: [string, Digest][] = [];
    for (const file of [...this.#discovered].sort()) {
      this.#checkWritten(file);
      files.forget(file);
      const state = files.look(file);
      if (state.kind === "absent" || files.mayHaveChangedSince(file, this.#startedAt, this.#started)) {
        this.#checkNotWritten(file);
        throw new InputMoved(file);
      }
      found.push([file, state.digest]);
    }
    const missing = [...this.#missing].filter((file) => !this.#discovered.has(file)).sort();
    return { files: found, missing: missing.filter((file) => this.#isMissing(file)) };
  }

  /**
   * Whether a name was looked for and did not exist. If it exists and existed before, it was skipped and does not
   * matter.
   */
  #isMissing(file: string): boolean {
    const { files } = this.#site;
    this.#checkWritten(file);
    if (existsSync(files.absolute(file))) this.#checkNotWritten(file);
    return files.recordMissing(file, this.#startedAt);
  }

  #checkWritten(file: string): void {
    const producer = this.#site.awaited(file);
    if (producer !== undefined) throw new MustWait(producer);
  }

  /**
   * The action may have missed a file written during the run. Waiting for its producer is not a failed try, as each
   * producer finishes only once.
   */
  #checkNotWritten(file: string): void {
    const producer = this.#site.writtenMeanwhile(file);
    if (producer !== undefined) throw new MustWait(producer);
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

/** Under a memory limit the shell starts the program: it sets the limit for itself and its descendants. */
function limited(argv: readonly string[], memoryLimitBytes: number | undefined): readonly string[] {
  if (memoryLimitBytes === undefined) return argv;
  const kilobytes = Math.max(1, Math.floor(memoryLimitBytes / 1024));
  return ["/bin/sh", "-c", `ulimit -v ${kilobytes} && exec "$@"`, "sh", ...argv];
}

/** The message after the program's name. How much memory would suffice is unknown; twice as much is suggested. */
function outOfMemory({ had, used = had, remedy }: Starvation): string {
  const limit = had === undefined ? "" : `: it had ${memoryWords(had)}`;
  const usage =
    had === undefined || used === undefined || used === had ? "" : ` and used ${memoryWords(used)}`;
  const more = used === undefined ? "…" : memoryWords(2 * Math.max(used, had ?? 0));
  return `was killed for want of memory${limit}${usage}; ${remedy(more)}`;
}

function memoryWords(bytes: number): string {
  const mebibytes = Math.ceil(bytes / 2 ** 20);
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024} GiB` : `${mebibytes} MiB`;
}

function openForOutput(path: string): OutputFile {
  return { path, descriptor: openSync(path, "w") };
}
