/** Translates a source to the kernels of its regions, for one variant of a target. */
import type {
  Action,
  ActionInput,
  Address,
  JsonObject,
  Step,
  StepContext,
  StepResult,
} from "../../core/build/model/action.ts";
import type { NamedChoice, NamedImage } from "../../core/compiler/driver/region-choices.ts";
import type { Translation } from "../../core/compiler/driver/translate.ts";
import type { Assignment } from "../../schema/document/axis.ts";
import { findKind } from "../../targets/registry.ts";
import type { TargetOptions } from "../../targets/shared/kind/kind.ts";
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

interface TranslateRequest {
  readonly address: Address;
  /** Target and variant, for display. */
  readonly name: string;
  readonly source: SourceInput;
  readonly others: OtherSources;
  readonly kind: string;
  /** Only for kinds with passes. */
  readonly shaping?: PlannedShaping;
  /** The log describes what each pass did; with `code`, also the regions after it. */
  readonly story?: Story;
}

export interface Story {
  readonly code: boolean;
}

/** The variant's and the target's choices for the source's regions. */
export interface PlannedShaping {
  /** The target's options, which name the device. */
  readonly target: TargetOptions;
  readonly all: Assignment;
  readonly named: readonly NamedChoice[];
  readonly images?: readonly NamedImage[];
}

interface TranslationOptions extends SourceOptions {
  readonly kind: string;
  readonly shaping?: PlannedShaping;
  readonly story?: Story;
}

export const translationOptions = optionsOf<TranslationOptions>();

/** `TranslatedKernel[]` as JSON. */
export const kernelList = "kernels.json";

/** `AuthoredKernels[]` as JSON. */
export const authoredList = "authored.json";

export function translateAction(request: TranslateRequest): Action {
  const { address, name, source, others, kind, shaping, story } = request;
  const { options, inputs } = translationOf(source, others);
  return {
    address,
    step: translateStep.name,
    title: `translate ${source.file} for ${name}`,
    options: translationOptions.write({
      kind,
      ...options,
      ...(shaping && { shaping }),
      ...(story && { story }),
    }),
    inputs,
    outputs: [
      { name: kernelList, kind: "file" },
      { name: authoredList, kind: "file" },
    ],
  };
}

export const translateStep: Step = { name: "translate", digest: codeDigest("translate"), run };

/** Options and inputs of a translation that decide its result, so that other actions can repeat it. */
export interface PlannedTranslation {
  readonly options: JsonObject;
  readonly inputs: readonly ActionInput[];
}

export const plannedTranslation = (action: Action): PlannedTranslation => ({
  options: translationOptions.write(translationOptions.read(action)),
  inputs: action.inputs,
});

interface TranslatedFor {
  /** Factor by which the device's delays are scaled. */
  readonly margin?: number;
  /** The result includes proof obligations. */
  readonly proves?: boolean;
  /** The translation may be repeated, so intermediate results are kept. */
  readonly again?: boolean;
}

/** Translates what an action with a translation's options and inputs describes. */
export async function translated(
  context: StepContext,
  { margin, proves = false, again = false }: TranslatedFor = {},
): Promise<{ readonly file: string; readonly translation: Translation }> {
  const { translateKernels } = await import("../../core/compiler/driver/translate.ts");
  const { kind: name, shaping } = translationOptions.read(context.action);
  const kind = findKind(name);
  const emitter = await (proves ? kind?.proofs : kind)?.emitter(shaping?.target ?? {}, margin);
  const device = shaping && (await kind?.profile?.(shaping.target, margin));
  if (emitter === undefined) throw new Error(`kind ${name} ${proves ? "promises nothing" : "is not known"}`);
  const { source, others } = await readTranslation(context);
  const shaped = shaping && { ...shaping, ...(device && { device }) };
  const { keeping } = await import("../../core/compiler/driver/kept-emissions.ts");
  const options = [name, shaping?.target, margin, proves];
  const used = again ? keeping(emitter, context.action.address, options) : emitter;
  return { file: source.file, translation: translateKernels(source, used, others, shaped) };
}

async function run(context: StepContext): Promise<StepResult> {
  const { story } = translationOptions.read(context.action);
  const { file, translation } = await translated(context, { again: true });
  const { kernels, diagnostics, stories, groups, authored } = translation;
  if (story) {
    const { explain } = await import("../../core/compiler/driver/explain.ts");
    const { explainGroups } = await import("../../core/compiler/driver/group-story.ts");
    context.log([...explain(stories, story), ...explainGroups(groups)].map((line) => `${line}\n`).join(""));
  }
  await context.writeOutput(kernelList, JSON.stringify(kernels));
  await context.writeOutput(authoredList, JSON.stringify(authored));
  return findingsOf(file, diagnostics);
}
