/**
 * The stages from a kernel's text to the configuration of a device, each an action, by native tools or WebAssembly. Where
 * a design may be scheduled again, a trial goes before them, of the same stages as far as the one that tells its clock:
 * if that is reached they have the same inputs, and are made already.
 */
import { basename, extname, join } from "node:path";
import type {
  Action,
  ActionInput,
  Address,
  Json,
  Step,
  StepContext,
  StepResult,
} from "../../core/build/action.ts";
import type { WasmTool } from "../../targets/shared/kind.ts";
import type { ToolFailure } from "../../targets/shared/toollog/tool-log.ts";
import { codeDigest } from "../code-digest.ts";
import { readIfThere } from "../optional-input.ts";
import { runtimeFolder } from "../runtime-files.ts";
import { toolResult } from "../tool-result.ts";
import { endOf, phaseListener, runTool, type ToolEnd } from "../tool-run.ts";
import type { TranslatedKernel } from "../translate.ts";
import { loadAhead, runWasm } from "../wasm-run.ts";
import { packageFiles } from "../wasm-tools.ts";
import { hardwareAction, hardwareReport } from "./hardware.ts";
import type { PlannedFabric, PlannedStage } from "./images.ts";
import { type PlannedTranslation, settleAction } from "./settle.ts";

interface Options {
  readonly argv: readonly string[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The tool is a package: its function that is called. */
  readonly wasm?: WasmTool;
  /** The package that the next stage will call. */
  readonly ahead?: WasmTool;
  /** A design that the tool refuses is for the next stage to fail for. */
  readonly refuses?: true;
}

/** Why a stage refused the design. */
const refusalFile = "refused.json";

export interface FabricRequest {
  /** Of the kernel. */
  readonly address: Address;
  readonly kernel: TranslatedKernel;
  /** The name of its text. */
  readonly source: string;
  readonly fabric: PlannedFabric | undefined;
  /** What translated it, where it may be scheduled again. */
  readonly translation: PlannedTranslation | undefined;
}

interface FabricActions {
  readonly actions: readonly Action[];
  /** The action that says which schedule the kernel keeps; absent: there is only one. */
  readonly settled?: Address;
  /** The files that the user wants of them. */
  readonly products: readonly ActionInput[];
  /** A file that one of them makes. */
  made(name: string): ActionInput | undefined;
  /** A stage beside them, which may read what they make. */
  stage(planned: PlannedStage): Action;
}

/** The actions of one kernel. */
export function fabricActions(request: FabricRequest): FabricActions {
  const { address, kernel, source, fabric } = request;
  const trial = trialActions(request);
  const made = new Map<string, Address>();
  if (trial) made.set(source, trial.settle.address);
  const read: ActionInput[] = [];
  const products: ActionInput[] = [];
  const stages = fabric?.stages ?? [];
  const stage = (planned: PlannedStage, ahead?: WasmTool): Action =>
    stageAction({ address, kernel, source, made, planned, ...(ahead && { ahead }) });
  const own = stages.map((planned, k): Action => {
    const action = stage(planned, stages[k + 1]?.wasm);
    for (const name of outputsOf(planned)) made.set(name, action.address);
    const of = (name: string) => ({ action: action.address, output: name });
    for (const name of planned.reports) read.push({ name, from: of(name) });
    if (planned.product !== undefined)
      products.push({ name: `${kernel.region}${extname(planned.product)}`, from: of(planned.product) });
    return action;
  });
  const output = (name: string): ActionInput | undefined => {
    const from = made.get(name);
    return from === undefined ? undefined : { name, from: { action: from, output: name } };
  };
  const actions = [...(trial ? [...trial.stages, trial.settle] : []), ...own];
  const settled = trial && { settled: trial.settle.address };
  if (fabric === undefined) return { actions, products, made: output, stage };
  const { kind, available } = fabric;
  const report = hardwareAction({
    kernel: address,
    translated: kernel,
    kind,
    files: read,
    ...settled,
    ...(available === undefined ? {} : { available }),
  });
  const product = {
    name: `${kernel.region}.report.json`,
    from: { action: report.address, output: hardwareReport },
  };
  return { actions: [...actions, report], ...settled, products: [...products, product], made: output, stage };
}

/** The first stages with the first schedule, and what decides whether it stays. */
function trialActions({
  address,
  kernel,
  source,
  fabric,
  translation,
}: FabricRequest): { readonly stages: readonly Action[]; readonly settle: Action } | undefined {
  const { reschedule, stages: all = [] } = fabric ?? {};
  const last = all.findIndex(({ name }) => name === reschedule?.stage);
  if (reschedule === undefined || translation === undefined || last < 0) return undefined;
  const made = new Map<string, Address>();
  const stages = all.slice(0, last + 1).map((planned, k): Action => {
    const trial = { ...planned, name: trialStage(planned.name) };
    const ahead = all[k + 1]?.wasm;
    const action = stageAction({ address, kernel, source, made, planned: trial, ...(ahead && { ahead }) });
    for (const name of outputsOf(planned)) made.set(name, action.address);
    return action;
  });
  const reports = (all[last]?.reports ?? []).flatMap((name): ActionInput[] => {
    const action = made.get(name);
    return action === undefined ? [] : [{ name, from: { action, output: name } }];
  });
  const { clock } = reschedule;
  return { stages, settle: settleAction({ address, kernel, source, clock, reports, translation }) };
}

/** The stage as it is tried with a kernel's first schedule. */
export const trialStage = (name: string): string => `trial-${name}`;

const outputsOf = ({ outputs, refuses }: PlannedStage): readonly string[] =>
  refuses ? [...outputs, refusalFile] : outputs;

interface StageRequest {
  /** Of the kernel. */
  readonly address: Address;
  readonly kernel: TranslatedKernel;
  /** The name of its text. */
  readonly source: string;
  /** Who makes what stages before it leave. */
  readonly made: ReadonlyMap<string, Address>;
  readonly planned: PlannedStage;
  /** The package that the next stage calls. */
  readonly ahead?: WasmTool;
}

function stageAction({ address, kernel, source, made, planned: stage, ahead }: StageRequest): Action {
  const { refuses } = stage;
  const needs = stage.inputs.length > 0 ? stage.inputs : [source];
  // A refusal of the stage that makes what this one needs.
  const refusing = needs.some(
    (name) => made.get(name) !== undefined && made.get(name) === made.get(refusalFile),
  );
  const inputs = refusing ? [...needs, refusalFile] : needs;
  const texts = Object.entries(stage.texts ?? {});
  const files = (stage.runtime ?? []).map(
    (path): ActionInput => ({ name: basename(path), from: { file: join(runtimeFolder, path) } }),
  );
  const options: Options = {
    argv: stage.argv,
    inputs: [...inputs, ...texts.map(([name]) => name), ...files.map(({ name }) => name)],
    outputs: stage.outputs,
    ...(stage.wasm === undefined ? {} : { wasm: stage.wasm }),
    ...(ahead === undefined || ahead.package === stage.wasm?.package ? {} : { ahead }),
    ...(refuses && { refuses }),
  };
  return {
    address: `${address}#${stage.name}`,
    step: fabricStep.name,
    title: `${stage.does} ${kernel.region} (${kernel.site.file}:${kernel.site.line}) with ${stage.argv[0]}`,
    site: { file: kernel.site.file, line: kernel.site.line },
    options: options as unknown as { readonly [key: string]: Json },
    ...(stage.tool === undefined ? {} : { tools: [stage.tool] }),
    inputs: [
      ...inputs.map((name): ActionInput => {
        const from = made.get(name);
        return { name, from: from === undefined ? { text: kernel.text } : { action: from, output: name } };
      }),
      ...texts.map(([name, text]): ActionInput => ({ name, from: { text } })),
      ...files,
    ],
    outputs: outputsOf(stage).map((name) => ({ name, kind: "file", ...(refuses && { optional: true }) })),
    ...(stage.missing === undefined ? {} : { skip: stage.missing }),
  };
}

export const fabricStep: Step = { name: "fabric", digest: codeDigest("fabric"), run, typicalSeconds: 10 };

async function run(context: StepContext): Promise<StepResult> {
  const options = context.action.options as unknown as Options;
  if (options.inputs.includes(refusalFile)) {
    const refusal = await readIfThere(context, refusalFile);
    if (refusal !== undefined) return refused(context, JSON.parse(refusal.toString("utf8")) as ToolFailure);
  }
  const { code, messages, failure } = await call(context, options);
  if (failure !== undefined && options.refuses) {
    context.log(messages);
    await context.writeOutput(refusalFile, JSON.stringify(failure));
    return { ok: true };
  }
  const done = toolResult(context, {
    code: "fabric",
    name: options.argv[0] ?? "",
    exitCode: code,
    messages,
    fact: true,
  });
  return done.ok || failure === undefined ? done : refused(context, failure);
}

function refused({ action }: StepContext, failure: ToolFailure): StepResult {
  const diagnostic = { severity: "error", ...failure, loc: { ...action.site, col: 1 } };
  return { ok: false, fact: true, message: failure.message, diagnostics: [diagnostic] as unknown as Json };
}

/** By WebAssembly where the tool is a package. */
async function call(context: StepContext, { argv, inputs, outputs, wasm, ahead }: Options): Promise<ToolEnd> {
  const program = argv[0] ?? "";
  if (ahead !== undefined) loadAhead(ahead.package, ahead.run);
  if (wasm === undefined) return runTool(context, { argv });
  const read = inputs.filter((name) => name !== refusalFile);
  const files = await Promise.all(
    read.map(async (name) => [name, new Uint8Array(await context.readInput(name))] as const),
  );
  const { files: brought = {}, ...tool } = wasm;
  const end = await runWasm({
    ...tool,
    args: argv.slice(1),
    files: Object.fromEntries(files),
    listen: phaseListener(context, program),
    signal: context.signal,
  });
  const all = { ...end.files, ...(await packageFiles(wasm.package, brought)) };
  for (const name of outputs) {
    const file = all[name];
    if (file !== undefined) await context.writeOutput(name, file);
  }
  return endOf(program, end.code, end.log);
}
