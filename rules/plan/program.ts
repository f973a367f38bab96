/** What all targets of a project share: preprocessed sources, host objects and libarcrt. */
import type { Action, ActionInput } from "../../core/build/model/action.ts";
import type { Project } from "../../schema/contract/project.ts";
import type { Toolchain } from "../../targets/shared/kind/kind.ts";
import type { Origins } from "../inputs/origins.ts";
import type { PlannedFabric, PlannedPayload, PlannedReport } from "../inputs/planned.ts";
import type { OtherSources, SourceInput } from "../inputs/source-inputs.ts";
import type { AuthoredTools } from "../steps/kernels/authored-images.ts";
import { runtimeActions, runtimeToolActions } from "../steps/runtime.ts";
import { type Compiler, type CompilerOptions, splitOptions } from "../tools/compiler.ts";
import { requestsHostOpenMp, withHostOpenMp } from "../tools/host-openmp.ts";
import type { Tools } from "../tools/tools.ts";
import { addedTo } from "./added-clauses.ts";
import {
  libraryActionsOf,
  planAuthored,
  planFabric,
  planPayloads,
  planReport,
  runtimeToolsOf,
} from "./payloads.ts";
import {
  plainUnit,
  serialUnit,
  sourceOf,
  translatedUnit,
  type UnitRequest,
  withoutDirectiveOptions,
} from "./unit.ts";

export class ProgramPlan {
  readonly project: Project;
  readonly compiler: Compiler;
  readonly tools: Tools;
  readonly origins: Origins;
  /** `cflags`, `include` and `defines` by compiler phase, without options for directives. */
  readonly options: CompilerOptions;
  /** Options for the host program. */
  readonly hostOptions: CompilerOptions;
  /** The C compiler handles OpenMP directives for the host program's threads. */
  readonly hostOpenMp: boolean;
  readonly actions: readonly Action[];
  /** Each source, together with the other sources. */
  readonly sources: readonly (readonly [SourceInput, OtherSources])[];
  readonly authoredTools: AuthoredTools;
  /** Objects of the translated program, without libarcrt. */
  readonly objects: readonly ActionInput[];
  readonly #runtimeTools = new Set<string>();
  readonly #libraries = new Map<string, Action>();
  readonly #hostObjects: readonly ActionInput[];

  /** A missing device that arc.yaml names is a failure. */
  readonly needsDevices: boolean;

  constructor(project: Project, tools: Tools, origins: Origins, needsDevices: boolean) {
    this.needsDevices = needsDevices;
    this.project = project;
    this.tools = tools;
    this.origins = origins;
    this.compiler = tools.compiler();
    this.authoredTools = planAuthored(tools);
    this.options = splitOptions([
      ...withoutDirectiveOptions(project.cflags),
      ...project.include.map((folder) => `-I${folder}`),
      ...project.defines,
    ]);
    this.hostOpenMp = requestsHostOpenMp(this.compiler, project.cflags);
    this.hostOptions = this.hostOpenMp ? withHostOpenMp(this.compiler, this.options) : this.options;
    const sources = project.sources.map((file) => sourceOf("", file));
    this.sources = sources.map((source) => [
      source,
      { kind: "whole", others: sources.filter((other) => other !== source) },
    ]);
    const units = this.sources.map(([{ file }, others]) => translatedUnit(this.#hostUnit(file), others));
    const hosts = project.host.map((file) => plainUnit(this.#hostUnit(file)));
    this.#hostObjects = hosts.map((unit) => unit.object);
    this.objects = [...units.map((unit) => unit.object), ...this.#hostObjects];
    this.actions = [
      ...runtimeActions(this.compiler),
      ...[...units, ...hosts].flatMap((unit) => unit.actions),
    ];
  }

  /** Plans the payloads and adds the actions for the libarcrt tools that they need. */
  payloads(toolchain: Toolchain): readonly PlannedPayload[] {
    const { compiler, options, tools, needsDevices } = this;
    const payloads = planPayloads(toolchain, compiler, options.compile, tools, needsDevices);
    for (const name of runtimeToolsOf(payloads)) this.#runtimeTools.add(name);
    for (const action of libraryActionsOf(payloads)) this.#libraries.set(action.address, action);
    return payloads;
  }

  report(toolchain: Toolchain, kind: string): PlannedReport | undefined {
    return planReport(toolchain, kind, this.tools);
  }

  fabric(toolchain: Toolchain, kind: string): PlannedFabric | undefined {
    return planFabric(toolchain, kind, this.tools);
  }

  /** Actions for libarcrt's programs and the libraries that planned actions need. */
  toolActions(): readonly Action[] {
    const tools = [...this.#runtimeTools].flatMap((name) => runtimeToolActions(this.compiler, name));
    return [...tools, ...this.#libraries.values()];
  }

  needTool(name: string): void {
    this.#runtimeTools.add(name);
  }

  /** The program without its directives: the reference for comparisons. `prefix` is the prefix of its addresses. */
  serial(prefix: string): { readonly actions: readonly Action[]; readonly objects: readonly ActionInput[] } {
    const units = this.project.sources.map((file) => serialUnit(this.#unit(prefix, file)));
    return {
      actions: units.flatMap((unit) => unit.actions),
      objects: [...units.map((unit) => unit.object), ...this.#hostObjects],
    };
  }

  #hostUnit(file: string): UnitRequest {
    const { watched, kernels } = this.project;
    const added = addedTo(file, kernels);
    return { ...this.#unit("", file), options: this.hostOptions, ...(watched && { watched }), added };
  }

  #unit(prefix: string, file: string): UnitRequest {
    const { compiler, options, origins } = this;
    return { prefix, file, input: origins.input(file), compiler, options };
  }
}
