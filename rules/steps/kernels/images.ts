/** Collects files of several actions in one folder. */
import { join } from "node:path";
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../../core/build/model/action.ts";
import { codeDigest } from "../../inputs/code-digest.ts";
import { optionsOf } from "../../inputs/options.ts";

interface CollectRequest {
  readonly address: Address;
  readonly inputs: readonly ActionInput[];
  readonly folder: string;
  /** Where it is placed for the user. */
  readonly place?: string;
}

export function collectAction({ address, inputs, folder, place }: CollectRequest): Action {
  return {
    address,
    step: imagesStep.name,
    options: stepOptions.write({ folder }),
    inputs,
    outputs: [{ name: folder, kind: "folder", ...(place === undefined ? {} : { place }) }],
  };
}

const stepOptions = optionsOf<{ readonly folder: string }>();

export const imagesStep: Step = { name: "images", digest: codeDigest("images"), run };

async function run(context: StepContext): Promise<StepResult> {
  const { writeFile } = await import("node:fs/promises");
  const { folder } = stepOptions.read(context.action);
  for (const { name } of context.action.inputs) {
    await writeFile(join(context.output(folder), name), await context.readInput(name));
  }
  return { ok: true };
}
