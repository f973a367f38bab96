/** Compiles kernel text to what a device loads, with the tool of the target's toolchain. */
import { join } from "node:path";
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../../core/build/model/action.ts";
import { describeError } from "../../../core/build/model/error.ts";
import { addressOf } from "../../inputs/addresses.ts";
import { codeDigest } from "../../inputs/code-digest.ts";
import {
  headersOf,
  type KernelSource,
  readsSources,
  siteOf,
  textOf,
  withSources,
} from "../../inputs/kernel-sources.ts";
import { optionsOf } from "../../inputs/options.ts";
import type { PlannedCall } from "../../inputs/planned.ts";
import { objectsWord } from "../../inputs/stage-words.ts";
import { runtimeFiles, runtimeFolder } from "../../tools/runtime-files.ts";
import { toolResult } from "../../tools/tool-result.ts";
import { runTool } from "../../tools/tool-run.ts";
import { missingDevice } from "../device.ts";
import { driverEnvironment } from "../run.ts";
import type { ReportStage } from "./report.ts";

interface KernelRequest {
  readonly address: Address;
  readonly variant: Address;
  readonly sources: readonly KernelSource[];
  readonly call: PlannedCall;
  /** The report stage, which stops bad designs early and may provide objects. */
  readonly reports?: readonly ReportStage[];
  /** Outputs of earlier stages that it reads. */
  readonly stages?: readonly ActionInput[];
}

export function kernelAction(request: KernelRequest): Action {
  const { address, variant, sources, call, reports = [], stages = [] } = request;
  const { own, output, tool, missing } = call;
  const headers = call.headers
    .flatMap((folder) => runtimeFiles(folder, ".h"))
    .concat(sourcesIn(call.sources))
    .map((name): ActionInput => ({ name, from: { file: join(runtimeFolder, name) } }))
    .concat(sources.flatMap(headersOf));
  const objects = reports.flatMap((report) => report.object ?? []);
  const links = sources.flatMap(({ kernel }) => kernel.links ?? []);
  const argv = withSources(call.argv, sources).flatMap((word) =>
    word === objectsWord ? [...objects.map((o) => o.name), ...links] : [word],
  );
  const compiler = own === undefined ? argv[0] : "the driver";
  const { site, what } = siteOf(variant, sources);
  return {
    address,
    step: kernelStep.name,
    title: `compile ${what} with ${compiler}`,
    ...(site && { site }),
    options: stepOptions.write({
      argv,
      ...(own && { env: own.env, tag: own.tag, ...(own.required && { required: true }) }),
    }),
    ...(tool === undefined ? {} : { tools: [tool] }),
    inputs: [
      ...(readsSources(call.argv) ? sources.map(textOf) : []),
      ...headers,
      ...(own === undefined ? [] : [own.program]),
      ...objects,
      ...stages,
      ...libraryObjects(call),
      ...reports.map((report) => report.verdict),
    ],
    outputs: [output, ...(own === undefined ? [] : [own.tag])].map((name) => ({
      name,
      kind: "file",
      ...(own === undefined ? {} : { optional: true }),
    })),
    ...(call.synthesises === true ? { finish: true } : {}),
    ...(missing === undefined ? {} : { skip: missing }),
  };
}

const sourcesIn = (folder: PlannedCall["sources"]): readonly string[] =>
  folder === undefined
    ? []
    : ([".cpp", ".h", ".v"] as const).flatMap((extension) => runtimeFiles(folder, extension));

export const libraryAddress = (folder: string) => addressOf(`runtime/${folder}`, "library");

/** The library objects that a call links. */
function libraryObjects({ library }: PlannedCall): readonly ActionInput[] {
  if (library === undefined) return [];
  const action = libraryAddress(library.folder);
  return library.outputs.map((output) => ({ name: output, from: { action, output } }));
}

export const kernelStep: Step = {
  name: "kernel",
  digest: codeDigest("kernel"),
  run,
  typicalSeconds: 1,
  opensWhatItResolves: true,
};

interface Options {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The output that receives what the tool prints. */
  readonly tag?: string;
  /** The device was requested by name. */
  readonly required?: true;
}

const stepOptions = optionsOf<Options>();

/** Exit status of libarcrt's tools if a payload cannot be made on this machine. */
const notHere = 2;

async function run(context: StepContext): Promise<StepResult> {
  const { argv, env = {}, tag, required } = stepOptions.read(context.action);
  const command = { argv, env, passEnv: ["CUDA_HOME", ...driverEnvironment] };
  const verdict = (exitCode: number, messages: string): StepResult =>
    toolResult(context, { code: "kernel-compiler", name: argv[0] ?? "", exitCode, messages, fact: true });
  if (tag === undefined) {
    const { code, messages } = await runTool(context, command);
    return verdict(code, messages);
  }
  const { code, stdout, stderr } = await context.spawn(command);
  const words = stderr.toString("utf8");
  // Not a fact about the kernel: the device may be added later.
  if (code === notHere && required)
    return { ok: false, fact: false, message: describeError(missingDevice(words.trim())) };
  if (code === notHere) {
    context.log(words);
    return { ok: true };
  }
  if (code === 0) await context.writeOutput(tag, stdout);
  return verdict(code, words);
}
