/**
 * Collects the proof obligations of a source's kernels for one variant: only for the schedules that they keep, and
 * without source positions.
 */
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../../core/build/model/action.ts";
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";
import type { Rescheduled } from "../../../targets/shared/kind/report.ts";
import { rescheduledFile } from "../../../targets/shared/kind/rescheduled.ts";
import { addressOf } from "../../inputs/addresses.ts";
import { codeDigest } from "../../inputs/code-digest.ts";
import { readIfThere } from "../../inputs/optional-input.ts";
import { optionsOf } from "../../inputs/options.ts";
import { inToolNames, type ToolNames } from "../../inputs/tool-names.ts";
import { type PlannedTranslation, translated } from "../translate.ts";

interface PromisesRequest {
  readonly variant: Address;
  /** Name as the user knows it. */
  readonly file: string;
  readonly translation: PlannedTranslation;
  readonly kernels: readonly PromisingKernel[];
}

export interface PromisingKernel {
  readonly region: string;
  readonly toolNames?: ToolNames;
  /** The action that decides which schedule it keeps; absent: there is only one. */
  readonly settled?: Address;
}

/** `Obligation[]` as JSON. */
export const promiseList = "promises.json";

export function promisesAction({ variant, file, translation, kernels }: PromisesRequest): Action {
  const settled = kernels.flatMap(({ region, settled }): ActionInput[] =>
    settled === undefined
      ? []
      : [{ name: outcomeOf(region), from: { action: settled, output: rescheduledFile } }],
  );
  return {
    address: addressOf(`${variant}/${file}`, "promises"),
    step: promisesStep.name,
    title: `what is to be proved of ${file} for ${variant}`,
    options: {
      ...translation.options,
      ...stepOptions.write({
        kernels: kernels.map(({ region, toolNames = {} }) => ({ region, toolNames })),
      }),
    },
    inputs: [...translation.inputs, ...settled],
    outputs: [{ name: promiseList, kind: "file" }],
  };
}

type Named = Required<Pick<PromisingKernel, "region" | "toolNames">>;

/** In addition to the options of the translation that it repeats. */
const stepOptions = optionsOf<{ readonly kernels: readonly Named[] }>();

const outcomeOf = (region: string): string => `${region}.${rescheduledFile}`;

export const promisesStep: Step = { name: "promises", digest: codeDigest("promises"), run };

async function run(context: StepContext): Promise<StepResult> {
  const { kernels } = stepOptions.read(context.action);
  const proved: TranslatedKernel[] = [];
  for (const [margin, named] of await schedules(context, kernels)) {
    const { translation } = await translated(context, {
      proves: true,
      ...(margin !== undefined && { margin }),
    });
    const known = new Map(translation.kernels.map((kernel) => [kernel.region, kernel]));
    for (const { region, toolNames } of named) {
      const kernel = known.get(region);
      // The region was translated before with the same delays, so it must exist.
      if (kernel === undefined) throw new Error(`there is no kernel ${region} any more`);
      proved.push(inToolNames(kernel, toolNames));
    }
  }
  await context.writeOutput(
    promiseList,
    JSON.stringify(proved.flatMap(({ obligations = [] }) => obligations)),
  );
  return { ok: true };
}

/** Regions by the delay margin of the schedule that they keep; undefined: their first one. */
async function schedules(
  context: StepContext,
  kernels: readonly Named[],
): Promise<ReadonlyMap<number | undefined, readonly Named[]>> {
  const found = new Map<number | undefined, Named[]>();
  for (const kernel of kernels) {
    const { region } = kernel;
    const outcome = context.action.inputs.some(({ name }) => name === outcomeOf(region))
      ? await readIfThere(context, outcomeOf(region))
      : undefined;
    const { margin } = JSON.parse(outcome?.toString("utf8") ?? "{}") as Partial<Rescheduled>;
    found.set(margin, [...(found.get(margin) ?? []), kernel]);
  }
  return found;
}
