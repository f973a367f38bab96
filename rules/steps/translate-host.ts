/** Translates a source to the host program that launches its regions: one text for all targets. */
import type {
  Action,
  Address,
  Source,
  Step,
  StepContext,
  StepResult,
} from "../../core/build/model/action.ts";
import type { KernelPlace } from "../../core/compiler/driver/translate.ts";
import type { Watched } from "../../targets/shared/host/host-unit.ts";
import { codeDigest } from "../inputs/code-digest.ts";
import { optionsOf } from "../inputs/options.ts";
import {
  findingsOf,
  type OtherSources,
  readTranslation,
  type SourceInput,
  type SourceOptions,
  translationOf,
} from "../inputs/source-inputs.ts";

interface TranslateHostRequest {
  readonly address: Address;
  readonly source: SourceInput;
  /** The file as the user wrote it. */
  readonly original: Source;
  readonly others: OtherSources;
  /** Set if the program is built for `ARC_CHECK`. */
  readonly watched?: Watched;
  readonly authored?: KernelPlace;
}

interface HostOptions extends SourceOptions {
  readonly watched?: Watched;
  readonly authored?: KernelPlace;
}

const hostOptions = optionsOf<HostOptions>();

export const hostCode = "host.c";
const originalName = "original.c";

export function translateHostAction(request: TranslateHostRequest): Action {
  const { address, source, original, others, watched, authored } = request;
  const { options, inputs } = translationOf(source, others);
  return {
    address,
    step: translateHostStep.name,
    title: `translate ${source.file}`,
    options: hostOptions.write({ ...options, ...(watched && { watched }), ...(authored && { authored }) }),
    inputs: [...inputs, { name: originalName, from: original }],
    outputs: [{ name: hostCode, kind: "file" }],
  };
}

export const translateHostStep: Step = { name: "translate-host", digest: codeDigest("translate-host"), run };

async function run(context: StepContext): Promise<StepResult> {
  const { translateHost } = await import("../../core/compiler/driver/translate.ts");
  const { source, others } = await readTranslation(context);
  const { watched, authored } = hostOptions.read(context.action);
  const original = (await context.readInput(originalName)).toString("utf8");
  const { text, diagnostics } = translateHost(source, original, others, watched, authored);
  await context.writeOutput(hostCode, text);
  return findingsOf(source.file, diagnostics);
}
