/** A stage from a kernel's text to a device configuration, by a native tool or WebAssembly. */
import { basename, join } from "node:path";
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../../core/build/model/action.ts";
import type { Finding } from "../../../core/build/model/finding.ts";
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";
import type { WasmTool } from "../../../targets/shared/kind/kind.ts";
import type { ToolFailure } from "../../../targets/shared/tool-log/tool-log.ts";
import { addressOf } from "../../inputs/addresses.ts";
import { codeDigest } from "../../inputs/code-digest.ts";
import { kernelTitle } from "../../inputs/kernel-title.ts";
import { readIfThere } from "../../inputs/optional-input.ts";
import { optionsOf } from "../../inputs/options.ts";
import type { PlannedStage } from "../../inputs/planned.ts";
import { siteLocation } from "../../inputs/site-location.ts";
import { runtimeFolder } from "../../tools/runtime-files.ts";
import { toolResult } from "../../tools/tool-result.ts";
import { endOf, phaseListener, runTool, type ToolEnd, temporaryHere } from "../../tools/tool-run.ts";
import { loadAhead, runWasm } from "../../tools/wasm-run.ts";

interface Options {
  readonly argv: readonly string[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Set if the tool is a package: the function to call. */
  readonly wasm?: WasmTool;
  /** The package that the next stage will call, loaded in advance. */
  readonly ahead?: WasmTool;
  /** If the tool refuses the design, the stage succeeds and the next one fails. */
  readonly refuses?: true;
}

const stepOptions = optionsOf<Options>();

/** Why a stage refused the design. */
const refusalFile = "refused.json";

/** The files that a stage leaves. */
export const filesOf = ({ outputs, refuses }: PlannedStage): readonly string[] =>
  refuses ? [...outputs, refusalFile] : outputs;

interface StageRequest {
  readonly variant: Address;
  /** The kernel's address. */
  readonly address: Address;
  readonly kernel: TranslatedKernel;
  /** Name of its text. */
  readonly source: string;
  /** The producers of files of earlier stages. */
  readonly producers: ReadonlyMap<string, Address>;
  readonly planned: PlannedStage;
  /** The package that the next stage calls. */
  readonly ahead?: WasmTool;
}

export function stageAction(request: StageRequest): Action {
  const { variant, address, kernel, source, producers: made, planned: stage, ahead } = request;
  const { refuses } = stage;
  const needs = stage.inputs.length > 0 ? stage.inputs : [source];
  // The refusal of the stage whose output this one needs.
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
    address: addressOf(address, stage.name),
    step: fabricStep.name,
    title: `${stage.does} ${kernelTitle(variant, [kernel])} with ${stage.argv[0]}`,
    site: { file: kernel.site.file, line: kernel.site.line },
    options: stepOptions.write(options),
    ...(stage.tool === undefined ? {} : { tools: [stage.tool] }),
    inputs: [
      ...inputs.map((name): ActionInput => {
        const from = made.get(name);
        return { name, from: from === undefined ? { text: kernel.text } : { action: from, output: name } };
      }),
      ...texts.map(([name, text]): ActionInput => ({ name, from: { text } })),
      ...files,
    ],
    outputs: filesOf(stage).map((name) => ({ name, kind: "file", ...(refuses && { optional: true }) })),
    ...(stage.missing === undefined ? {} : { skip: stage.missing }),
  };
}

export const fabricStep: Step = { name: "fabric", digest: codeDigest("fabric"), run, typicalSeconds: 10 };

async function run(context: StepContext): Promise<StepResult> {
  const options = stepOptions.read(context.action);
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
  const diagnostic: Finding = { severity: "error", ...failure, loc: siteLocation(action) };
  return { ok: false, fact: true, message: failure.message, diagnostics: [diagnostic] };
}

/** Calls WebAssembly if the tool is a package. */
async function call(context: StepContext, { argv, inputs, outputs, wasm, ahead }: Options): Promise<ToolEnd> {
  const program = argv[0] ?? "";
  if (ahead !== undefined) loadAhead(ahead.package, ahead.run);
  if (wasm === undefined) return runTool(context, { argv, ...temporaryHere });
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
  const { packageFiles } = await import("../../tools/wasm-files.ts");
  const all = { ...end.files, ...(await packageFiles(wasm.package, brought)) };
  for (const name of outputs) {
    const file = all[name];
    if (file !== undefined) await context.writeOutput(name, file);
  }
  return endOf(program, end.code, end.log);
}
