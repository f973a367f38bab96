/** What there is to prove of the kernels of a source, for one variant of a target: no more than that, and no places. */
import type { Action, Address, Json, Step, StepContext, StepResult } from "../../core/build/action.ts";
import { findKind } from "../../targets/registry.ts";
import { codeDigest } from "../code-digest.ts";
import {
  findingsOf,
  type OtherSources,
  readTranslation,
  type SourceInput,
  translationOf,
} from "../source-inputs.ts";
import type { PlannedShaping } from "./translate.ts";

export interface PromisesRequest {
  readonly variant: Address;
  readonly source: SourceInput;
  readonly others: OtherSources;
  readonly kind: string;
  readonly shaping: PlannedShaping;
}

/** `Obligation[]` as JSON. */
export const promiseList = "promises.json";

export function promisesAction({ variant, source, others, kind, shaping }: PromisesRequest): Action {
  const { options, inputs } = translationOf(source, others);
  return {
    address: `${variant}/${source.file}#promises`,
    step: promisesStep.name,
    title: `what is to be proved of ${source.file} for ${variant}`,
    options: { kind, ...options, shaping: shaping as unknown as Json },
    inputs,
    outputs: [{ name: promiseList, kind: "file" }],
  };
}

export const promisesStep: Step = { name: "promises", digest: codeDigest("promises"), run };

async function run(context: StepContext): Promise<StepResult> {
  const { translateKernels } = await import("../translate.ts");
  const { kind: name, shaping } = context.action.options as unknown as {
    readonly kind: string;
    readonly shaping: PlannedShaping;
  };
  const kind = findKind(name);
  const emitter = await kind?.proofs?.emitter(shaping.target);
  const device = await kind?.profile?.(shaping.target);
  if (!emitter || !device) throw new Error(`kind ${name} promises nothing`);
  const { source, others } = await readTranslation(context);
  const { kernels, diagnostics } = translateKernels(source, emitter, others, { ...shaping, device });
  await context.writeOutput(
    promiseList,
    JSON.stringify(kernels.flatMap(({ obligations = [] }) => obligations)),
  );
  return findingsOf(source.file, diagnostics);
}
