/** The stages from a kernel's text to the configuration of a device, each an action, by native tools or WebAssembly. */
import type {
  Action,
  ActionInput,
  Address,
  Json,
  Step,
  StepContext,
  StepResult,
} from "../../core/build/action.ts";
import { findKind } from "../../targets/registry.ts";
import type { Report } from "../../targets/shared/report.ts";
import { codeDigest } from "../code-digest.ts";
import { toolResult } from "../tool-result.ts";
import { phaseListener, runTool, type ToolEnd, worthOf } from "../tool-run.ts";
import type { TranslatedKernel } from "../translate.ts";
import { loadAhead, runWasm } from "../wasm-run.ts";
import type { PlannedFabric, PlannedStage } from "./images.ts";

interface Options {
  readonly kind: string;
  readonly argv: readonly string[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly report?: string;
  /** The tool is a package: its function that is called. */
  readonly wasm?: PlannedStage["wasm"];
  /** The package that the next stage will call. */
  readonly ahead?: PlannedStage["wasm"];
}

/** What the stage with a report leaves, as JSON. */
export type FabricReport = Report;
export const fabricReport = "report.json";
const schedule = "schedule.json";

export const fabricAddress = (kernel: Address): Address => `${kernel}#layout`;

/** The actions of one kernel, and the files that the user wants of them. */
export function fabricActions(
  address: Address,
  kernel: TranslatedKernel,
  source: string,
  fabric: PlannedFabric | undefined,
): { readonly actions: readonly Action[]; readonly products: readonly ActionInput[] } {
  const made = new Map<string, Address>();
  const products: ActionInput[] = [];
  const actions = (fabric?.stages ?? []).map((stage, k, stages): Action => {
    const ahead = stages[k + 1]?.wasm;
    const inputs = stage.inputs.length > 0 ? stage.inputs : [source];
    const outputs = [...stage.outputs, ...(stage.report === undefined ? [] : [fabricReport])];
    const options: Options = {
      kind: fabric?.kind ?? "",
      argv: stage.argv,
      inputs,
      outputs: stage.outputs,
      ...(stage.report === undefined ? {} : { report: stage.report }),
      ...(stage.wasm === undefined ? {} : { wasm: stage.wasm }),
      ...(ahead === undefined || ahead.package === stage.wasm?.package ? {} : { ahead }),
    };
    const action: Action = {
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
        ...(stage.report === undefined
          ? []
          : [{ name: schedule, from: { text: JSON.stringify(kernel.loops ?? []) } }]),
      ],
      outputs: outputs.map((name) => ({ name, kind: "file" })),
      ...(stage.missing === undefined ? {} : { skip: stage.missing }),
    };
    for (const name of outputs) made.set(name, action.address);
    const product = (name: string, suffix: string) =>
      products.push({ name: `${kernel.region}${suffix}`, from: { action: action.address, output: name } });
    if (stage.product !== undefined) product(stage.product, ".bin");
    if (stage.report !== undefined) product(fabricReport, ".report.json");
    return action;
  });
  return { actions, products };
}

export const fabricStep: Step = { name: "fabric", digest: codeDigest("fabric"), run, typicalSeconds: 10 };

async function run(context: StepContext): Promise<StepResult> {
  const options = context.action.options as unknown as Options;
  const { kind, argv, report } = options;
  const { code, messages } = await call(context, options);
  const done = toolResult(context, {
    code: "fabric",
    name: argv[0] ?? "",
    exitCode: code,
    messages,
    fact: true,
  });
  if (!done.ok || report === undefined) return done;
  const { readFile } = await import("node:fs/promises");
  const files = new Map([
    [report, await readFile(context.output(report), "utf8")],
    [schedule, (await context.readInput(schedule)).toString("utf8")],
  ]);
  const read = await findKind(kind)?.readReport?.(files);
  await context.writeOutput(fabricReport, JSON.stringify(read));
  return done;
}

/** By WebAssembly where the tool is a package. */
async function call(context: StepContext, { argv, inputs, outputs, wasm, ahead }: Options): Promise<ToolEnd> {
  const program = argv[0] ?? "";
  if (ahead !== undefined) loadAhead(ahead.package, ahead.run);
  if (wasm === undefined) return runTool(context, { argv });
  const files = await Promise.all(
    inputs.map(async (name) => [name, new Uint8Array(await context.readInput(name))] as const),
  );
  const end = await runWasm({
    ...wasm,
    args: argv.slice(1),
    files: Object.fromEntries(files),
    listen: phaseListener(context, program),
    signal: context.signal,
  });
  for (const name of outputs) {
    const file = end.files[name];
    if (file !== undefined) await context.writeOutput(name, file);
  }
  return { code: end.code, messages: worthOf(program, end.code, end.log) };
}
