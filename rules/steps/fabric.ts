/** The stages from a kernel's text to the configuration of a device, each an action, by native tools or WebAssembly. */
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
import { codeDigest } from "../code-digest.ts";
import { runtimeFolder } from "../runtime-files.ts";
import { toolResult } from "../tool-result.ts";
import { endOf, phaseListener, runTool, type ToolEnd } from "../tool-run.ts";
import type { TranslatedKernel } from "../translate.ts";
import { loadAhead, runWasm } from "../wasm-run.ts";
import { packageFiles } from "../wasm-tools.ts";
import { hardwareAction, hardwareReport } from "./hardware.ts";
import type { PlannedFabric, PlannedStage } from "./images.ts";

interface Options {
  readonly argv: readonly string[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The tool is a package: its function that is called. */
  readonly wasm?: WasmTool;
  /** The package that the next stage will call. */
  readonly ahead?: WasmTool;
}

interface FabricActions {
  readonly actions: readonly Action[];
  /** The files that the user wants of them. */
  readonly products: readonly ActionInput[];
  /** A file that one of them makes. */
  made(name: string): ActionInput | undefined;
  /** A stage beside them, which may read what they make. */
  stage(planned: PlannedStage): Action;
}

/** The actions of one kernel. */
export function fabricActions(
  address: Address,
  kernel: TranslatedKernel,
  source: string,
  fabric: PlannedFabric | undefined,
): FabricActions {
  const made = new Map<string, Address>();
  const read: ActionInput[] = [];
  const products: ActionInput[] = [];
  const stage = (planned: PlannedStage, ahead?: WasmTool): Action =>
    stageAction({ address, kernel, source, made, planned, ...(ahead && { ahead }) });
  const actions = (fabric?.stages ?? []).map((planned, k, stages): Action => {
    const action = stage(planned, stages[k + 1]?.wasm);
    for (const name of planned.outputs) made.set(name, action.address);
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
  if (fabric === undefined) return { actions, products, made: output, stage };
  const { kind, available } = fabric;
  const report = hardwareAction({
    kernel: address,
    translated: kernel,
    kind,
    files: read,
    ...(available === undefined ? {} : { available }),
  });
  const product = {
    name: `${kernel.region}.report.json`,
    from: { action: report.address, output: hardwareReport },
  };
  return { actions: [...actions, report], products: [...products, product], made: output, stage };
}

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
  const inputs = stage.inputs.length > 0 ? stage.inputs : [source];
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
    outputs: stage.outputs.map((name) => ({ name, kind: "file" })),
    ...(stage.missing === undefined ? {} : { skip: stage.missing }),
  };
}

export const fabricStep: Step = { name: "fabric", digest: codeDigest("fabric"), run, typicalSeconds: 10 };

async function run(context: StepContext): Promise<StepResult> {
  const options = context.action.options as unknown as Options;
  const { code, messages, failure } = await call(context, options);
  const done = toolResult(context, {
    code: "fabric",
    name: options.argv[0] ?? "",
    exitCode: code,
    messages,
    fact: true,
  });
  if (done.ok || failure === undefined) return done;
  const diagnostic = { severity: "error", ...failure, loc: { ...context.action.site, col: 1 } };
  return { ok: false, fact: true, message: failure.message, diagnostics: [diagnostic] as unknown as Json };
}

/** By WebAssembly where the tool is a package. */
async function call(context: StepContext, { argv, inputs, outputs, wasm, ahead }: Options): Promise<ToolEnd> {
  const program = argv[0] ?? "";
  if (ahead !== undefined) loadAhead(ahead.package, ahead.run);
  if (wasm === undefined) return runTool(context, { argv });
  const files = await Promise.all(
    inputs.map(async (name) => [name, new Uint8Array(await context.readInput(name))] as const),
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
