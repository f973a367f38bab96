/**
 * Estimates what a variant's kernels would take on the device, in seconds instead of the minutes or hours of vendors'
 * tools.
 */
import type { Action, Address, Step, StepContext, StepResult } from "../../core/build/model/action.ts";
import type { SizedRun } from "../../core/compiler/estimate/estimate.ts";
import { findKind } from "../../targets/registry.ts";
import { addressOf } from "../inputs/addresses.ts";
import { codeDigest } from "../inputs/code-digest.ts";
import { optionsOf } from "../inputs/options.ts";
import type { SourceInput } from "../inputs/source-inputs.ts";
import type { PlannedShaping } from "./translate.ts";

interface EstimateRequest {
  /** `target:variant`. */
  readonly variant: Address;
  readonly kind: string;
  /** Every source of the program, with the variant's choices for its regions. */
  readonly sources: readonly { readonly source: SourceInput; readonly shaping: PlannedShaping }[];
  readonly runs: readonly SizedRun[];
}

/** An `Estimate` as JSON. */
export const estimateName = "estimate.json";

export const estimateAddress = (variant: Address): Address => addressOf(variant, "estimate");

interface Options {
  readonly kind: string;
  readonly sources: readonly { readonly file: string; readonly shaping: PlannedShaping }[];
  readonly runs: readonly SizedRun[];
}

const stepOptions = optionsOf<Options>();

const inputName = (index: number): string => `source-${index}.i`;

export function estimateAction({ variant, kind, sources, runs }: EstimateRequest): Action {
  const options: Options = {
    kind,
    sources: sources.map(({ source, shaping }) => ({ file: source.file, shaping })),
    runs,
  };
  return {
    address: estimateAddress(variant),
    step: estimateStep.name,
    title: `estimate ${variant}`,
    options: stepOptions.write(options),
    inputs: sources.map(({ source }, i) => ({ name: inputName(i), from: source.from })),
    outputs: [{ name: estimateName, kind: "file" }],
  };
}

export const estimateStep: Step = { name: "estimate", digest: codeDigest("estimate"), run };

async function run(context: StepContext): Promise<StepResult> {
  const { estimateProgram } = await import("../../core/compiler/estimate/program.ts");
  const { kind, sources, runs } = stepOptions.read(context.action);
  const device = await findKind(kind)?.profile?.(sources[0]?.shaping.target ?? {});
  if (device === undefined) throw new Error(`target kind ${kind} has no table of its device`);
  const read = sources.map(async ({ file, shaping }, i) => ({
    source: { file, text: (await context.readInput(inputName(i))).toString("utf8") },
    shaping,
  }));
  const emitter = await findKind(kind)?.emitter(sources[0]?.shaping.target ?? {});
  const estimate = estimateProgram(await Promise.all(read), runs, device, emitter?.model.inOrder);
  await context.writeOutput(estimateName, JSON.stringify(estimate));
  return { ok: true };
}
