/** Compiles and links with directives, for one call of `arc cc`. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import type { Action, ActionInput } from "../../core/build/model/action.ts";
import { openacc, openmp, withoutDirectiveOptions } from "../../rules/plan/unit.ts";
import {
  type ProgramTarget,
  planImages,
  planObject,
  planRuntime,
  type RuntimePlan,
} from "../../rules/plan/whole-program.ts";
import { runtimeLibraries } from "../../rules/steps/runtime.ts";
import { type Compiler, type CompilerOptions, splitOptions } from "../../rules/tools/compiler.ts";
import { variableOptions } from "../../rules/tools/compiler-variables.ts";
import { withHostOpenMp } from "../../rules/tools/host-openmp.ts";
import type { KeptUnit } from "../../rules/tools/kept-units.ts";
import { runtimeHeaderOptions } from "../../rules/tools/runtime-files.ts";
import { findTools, type Tools } from "../../rules/tools/tools.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { openScratch, type Scratch } from "../project/scratch.ts";
import { withClauses } from "../project/sources/named-sources.ts";
import { formatFindings } from "../show/findings.ts";
import type { CompilerCall, Word } from "./arguments.ts";
import { compilerUi, once } from "./compiler-ui.ts";
import { refuseStaticLink } from "./foreign-options.ts";
import { hasOffloading } from "./foreign-sources.ts";
import { linkedUnits } from "./linked-units.ts";

export class Driver {
  readonly #call: Call;
  readonly #parsed: CompilerCall;
  readonly #targets: readonly ProgramTarget[];
  readonly #report: (text: string) => void;
  readonly #scratch: Scratch;
  readonly #tools: Tools;
  readonly #compiler: Compiler;
  /** Options of the call, without inputs and without those that enable directives. */
  readonly #options: readonly string[];
  /** The C compiler handles the host's own OpenMP directives. */
  readonly #hostOpenMp: boolean;

  /** Without `targets` the host is the target. */
  constructor(call: Call, parsed: CompilerCall, targets: readonly ProgramTarget[]) {
    this.#call = call;
    this.#parsed = parsed;
    this.#targets = targets.length === 0 ? [{ kind: "host", options: {} }] : targets;
    this.#report = once(call.err);
    this.#scratch = openScratch(call);
    this.#tools = findTools(this.#scratch.engine, call.env);
    this.#compiler = this.#tools.compiler();
    const options = parsed.words.filter((word) => word.kind === "option").flatMap((word) => word.text);
    const own = withoutDirectiveOptions(options).filter((option) => option !== "-fsyntax-only");
    this.#options = [...own, ...variableOptions(call.env)];
    this.#hostOpenMp = parsed.hostOpenMp && this.#compiler.openmp !== undefined;
  }

  close(): Promise<void> {
    return this.#scratch.close();
  }

  /** `-E`, `-M`: only the C compiler runs, with arc's headers. */
  preprocess(): Status {
    const { words, output } = this.#parsed;
    return this.#run([
      ...this.#preprocessing,
      ...this.#phases([]).preprocess,
      ...withoutDirectiveOptions(words.flatMap((word) => word.text)),
      ...(output === undefined ? [] : ["-o", output]),
    ]).status;
  }

  /** `-c` and `-S`: one object or assembly file per source. */
  async compile(): Promise<Status> {
    const { stage, output, words } = this.#parsed;
    const sources = this.#sources;
    const objects = await this.#objects(stage === "assembly" ? ["-S"] : []);
    if (objects === undefined) return this.#failure;
    const onlyCheck = words.some((word) => word.text[0] === "-fsyntax-only");
    for (const [i, object] of objects.entries()) {
      const source = sources[i] ?? "";
      const file =
        output ?? `${path.basename(source).replace(/\.c$/, "")}${stage === "assembly" ? ".s" : ".o"}`;
      const dependencies = this.#writeDependencies(source, file);
      if (dependencies !== status.done) return dependencies;
      if (!onlyCheck && stage === "assembly" && output === "-")
        this.#call.out(readFileSync(this.#path(object), "utf8"));
      else if (!onlyCheck) this.#deliver(this.#path(object), file, 0o666);
    }
    return status.done;
  }

  /** Links a program or a library: objects, then the images of all units that went into the link. */
  async link(): Promise<Status> {
    const { words, output: named, directives } = this.#parsed;
    const output = named ?? "a.out";
    const files = directives ? await this.#ownObjects() : this.#plainObjects();
    if (files === undefined) return this.#failure;
    for (const source of this.#sources) {
      const object = path.basename(source).replace(/\.c$/, ".o");
      // gcc names them by the program's name, where one is given; of several sources it keeps only the last one's.
      const dependencies =
        named === undefined
          ? this.#writeDependencies(source, object, `a-${object}`)
          : this.#sources.length === 1
            ? this.#writeDependencies(source, named)
            : this.#writeDependencies(source, `${path.basename(named)}-${object}`);
      if (dependencies !== status.done) return dependencies;
    }
    const inputs = linkInputs(words, files);
    const linked = path.join(this.#scratch.folder, "linked");
    if (words.some((word) => word.text[0] === "-r"))
      return this.#finish(this.#run([...inputs, "-o", linked]).status, linked, output);
    const runtime = planRuntime(this.#compiler, this.#hostOpenMp);
    const units = await this.#unitsOf(inputs, runtime, linked);
    if (typeof units === "number") return units;
    if (units.some(({ text }) => hasOffloading(text))) refuseStaticLink(this.#options);
    const options = splitOptions(this.#options).compile;
    const images = units.length > 0 && planImages(units, this.#targets, this.#compiler, options, this.#tools);
    const actions = [...runtime.actions, ...(images ? images.actions : [])];
    if (!(await this.#build(actions, [...runtime.archives, ...(images ? [images.object] : [])])))
      return this.#failure;
    const embedded = images ? [this.#take(images.object, "images.o")] : [];
    const link = this.#run([...inputs, ...embedded, ...this.#libraries(runtime), "-o", linked]);
    return this.#finish(link.status, linked, output);
  }

  /** The objects of all sources as files; undefined when one failed. */
  async #ownObjects(): Promise<readonly string[] | undefined> {
    const objects = await this.#objects([]);
    return objects?.map((object, i) => this.#take(object, `${i}-${path.basename(object.name)}`));
  }

  /** The same by the C compiler alone, for a call without directives that links objects with regions. */
  #plainObjects(): readonly string[] | undefined {
    const { compile, preprocess } = splitOptions(this.#options);
    const files: string[] = [];
    for (const [i, source] of this.#sources.entries()) {
      const file = path.join(this.#scratch.folder, `${i}-plain.o`);
      if (this.#run([...preprocess, ...compile, "-c", source, "-o", file]).status !== status.done)
        return undefined;
      files.push(file);
    }
    return files;
  }

  /** What follows a program's own objects once the runtime is built. */
  #libraries({ archives }: RuntimePlan): readonly string[] {
    return [
      ...archives.map((archive) => this.#take(archive, archive.name)),
      ...runtimeLibraries,
      ...this.#phases([]).link,
    ];
  }

  /**
   * The units that a link of these inputs takes, or the status of a failed link. Only the linker knows which archive
   * members it takes, so it is asked if there are archives.
   */
  async #unitsOf(
    inputs: readonly string[],
    runtime: RuntimePlan,
    linked: string,
  ): Promise<readonly KeptUnit[] | Status> {
    const files = inputs.filter((word) => !word.startsWith("-"));
    if (inputs.every((word) => !mayBeArchive.test(word)))
      return linkedUnits(files.join("\n"), this.#call.cwd);
    if (!(await this.#build(runtime.actions, runtime.archives))) return this.#failure;
    const words = [...inputs, ...this.#libraries(runtime), "-o", linked, "-Wl,--trace,--trace"];
    const trial = this.#run(words, { capture: true });
    return trial.status === status.done ? linkedUnits(trial.out, this.#call.cwd) : trial.status;
  }

  get #sources(): readonly string[] {
    return this.#parsed.words.filter((word) => word.kind === "source").map((word) => word.text[0] ?? "");
  }

  get #preprocessing(): readonly string[] {
    return [openacc, ...runtimeHeaderOptions];
  }

  /** Options for the compiler's phases, including those that the host's own directives need. */
  #phases(options: readonly string[]): CompilerOptions {
    if (this.#hostOpenMp) return withHostOpenMp(this.#compiler, splitOptions(options));
    const { openmp: requested, hostOpenMp } = this.#parsed;
    return splitOptions([...(requested || hostOpenMp ? [openmp] : []), ...options]);
  }

  get #failure(): Status {
    return this.#call.signal.aborted ? status.interrupted : status.failed;
  }

  /** The objects of all sources, in order; undefined when one failed. */
  async #objects(extra: readonly string[]): Promise<readonly ActionInput[] | undefined> {
    const options = this.#phases(this.#options);
    const compile = [...options.compile, ...extra];
    const here = { ...options, preprocess: ["-iquote", this.#call.cwd, ...options.preprocess], compile };
    const watched = this.#parsed.check ? {} : undefined;
    const plans = this.#sources.map((file) => {
      const inside = path.relative(this.#call.cwd, path.resolve(this.#call.cwd, file));
      const name = inside.startsWith("..") ? path.resolve(this.#call.cwd, file) : inside;
      if (file === "-")
        return planObject({ file, path: this.#standardInput() }, this.#compiler, here, watched);
      const source = withClauses({ file, path: name }, this.#call.cwd);
      return planObject(source, this.#compiler, { ...options, compile }, watched);
    });
    const objects = plans.map((plan) => plan.object);
    return (await this.#build(
      plans.flatMap((plan) => plan.actions),
      objects,
      this.#parsed.stage !== "link",
    ))
      ? objects
      : undefined;
  }

  /** Stores standard input, compiled as `-`, in a file. */
  #standardInput(): string {
    const file = path.join(this.#scratch.folder, "stdin.c");
    writeFileSync(file, readFileSync(0));
    return file;
  }

  /** `isLast`: this call builds nothing after it. */
  async #build(
    actions: readonly Action[],
    requested: readonly ActionInput[],
    isLast = false,
  ): Promise<boolean> {
    const { cwd, color, columns, signal } = this.#call;
    const ui = compilerUi(actions, this.#report, (diagnostics) =>
      formatFindings(diagnostics, { cwd, root: cwd, color, columns }),
    );
    const result = await this.#scratch.engine.build(actions, {
      targets: requested.flatMap(({ from }) => ("action" in from ? [from.action] : [])),
      keepGoing: true,
      signal,
      onEvent: ui.onEvent,
      ...(isLast && { last: true as const }),
    });
    return result.ok && result.counts.skipped === 0;
  }

  #path({ from }: ActionInput): string {
    if (!("action" in from)) throw new Error("not an output of an action");
    return this.#scratch.engine.path(from.action, from.output).path;
  }

  /** Copies an output to a name with the extension that linkers expect. */
  #take(output: ActionInput, name: string): string {
    const file = path.join(this.#scratch.folder, name);
    copyFileSync(this.#path(output), file);
    chmodSync(file, 0o600);
    return file;
  }

  #finish(result: Status, linked: string, output: string): Status {
    if (result === status.done) this.#deliver(linked, output, 0o777);
    return result;
  }

  /** Writes a new file, as a compiler does, so that a running program keeps the old one. */
  #deliver(from: string, output: string, mode: number): void {
    const file = path.resolve(this.#call.cwd, output);
    // Configure scripts use `-o /dev/null`.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) return;
    rmSync(file, { force: true });
    copyFileSync(from, file);
    chmodSync(file, mode & ~process.umask());
  }

  /** Writes what `-MD` and similar options ask for, to a file named after `like`; the compiler that arc runs sees other files. */
  #writeDependencies(source: string, object: string, like = object): Status {
    const requested = this.#parsed.words
      .filter((word) => word.kind === "dependencies")
      .flatMap((word) => word.text);
    if (requested.length === 0) return status.done;
    const file = requested.some((option) => option.startsWith("-MF"))
      ? []
      : ["-MF", `${like.replace(/\.[^./]*$/, "")}.d`];
    const target = requested.some((option) => /^-M[TQ]/.test(option)) ? [] : ["-MT", object];
    const options = this.#phases(this.#options).preprocess;
    return this.#run([
      ...(this.#parsed.directives ? this.#preprocessing : []),
      ...options,
      "-E",
      ...requested,
      ...file,
      ...target,
      "-o",
      "/dev/null",
      source,
    ]).status;
  }

  #run(args: readonly string[], { capture = false } = {}): { readonly status: Status; readonly out: string } {
    const [program = "cc", ...always] = this.#compiler.argv;
    const { cwd, env, out, err } = this.#call;
    const ran = spawnSync(program, [...always, ...args], {
      cwd,
      env: { ...env },
      encoding: "utf8",
      stdio: ["inherit", "pipe", "pipe"],
      maxBuffer: 1 << 30,
    });
    err(ran.stderr.replaceAll(`${this.#scratch.folder}/`, ""));
    if (!capture) out(ran.stdout);
    return { status: ran.status ?? 128 + constants.signals[ran.signal ?? "SIGTERM"], out: ran.stdout };
  }
}

/** Whether an input, option or library may bring in archives other than the system's own. */
const mayBeArchive = /\.a$|\.lds?$|^-l(?!(m|c|dl|rt|pthread)$)|^-T|^-Wl,|^-Xlinker/;

/** The call's words for linking, with each source replaced by its object. */
function linkInputs(words: readonly Word[], objects: readonly string[]): readonly string[] {
  let next = 0;
  return words.flatMap((word) => {
    if (word.kind === "source") return [objects[next++] ?? ""];
    if (word.kind === "dependencies" || word.text[0] === "-x") return [];
    return withoutDirectiveOptions(word.text);
  });
}
