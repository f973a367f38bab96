/** Counts the floating-point operations of a program's regions in the sources that a build read. Runs nothing. */
import type { Action, ActionInput } from "../../core/build/model/action.ts";
import type { CountedOperations } from "../../core/compiler/estimate/float-operations.ts";
import { sourceOptions, translatedSource } from "../inputs/source-inputs.ts";
import { translateStep } from "./translate.ts";

/** `actions`: those of one variant; `runs`: with their command-line arguments. */
export async function countOperations(
  actions: readonly Action[],
  runs: readonly { readonly name: string; readonly args: readonly string[] }[],
  read: (input: ActionInput) => Buffer | undefined,
): Promise<readonly CountedOperations[]> {
  const sources = actions
    .filter(({ step }) => step === translateStep.name)
    .map((action) => {
      const input = action.inputs.find(({ name }) => name === translatedSource);
      const text = input && read(input)?.toString("utf8");
      return text === undefined ? undefined : { file: sourceOptions.read(action).file, text };
    })
    .filter((source) => source !== undefined);
  if (sources.length === 0) return [];
  const { floatOperations } = await import("../../core/compiler/estimate/float-operations.ts");
  return floatOperations(sources, runs);
}
