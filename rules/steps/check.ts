/** Checks one source: runs the lint rules on its preprocessed text. */
import type { Action, Address, Step, StepContext, StepResult } from "../../core/build/model/action.ts";
import type { Wanted } from "../../core/lint/lint.ts";
import { codeDigest } from "../inputs/code-digest.ts";
import { optionsOf } from "../inputs/options.ts";
import { findingsOf, type SourceInput } from "../inputs/source-inputs.ts";

/** `Finding[]` as JSON. */
export const findingList = "findings.json";

const text = "source.i";

export function checkAction(address: Address, source: SourceInput, wanted: Wanted): Action {
  return {
    address,
    step: checkStep.name,
    title: `check ${source.file}`,
    options: stepOptions.write({ file: source.file, ...wanted }),
    inputs: [{ name: text, from: source.from }],
    outputs: [{ name: findingList, kind: "file" }],
  };
}

const stepOptions = optionsOf<{ readonly file: string } & Wanted>();

export const checkStep: Step = { name: "check", digest: codeDigest("check"), run };

async function run(context: StepContext): Promise<StepResult> {
  const { lintParsed } = await import("../../core/lint/lint.ts");
  const { parseToRead } = await import("../../core/compiler/driver/head-starts.ts");
  const { file, ...wanted } = stepOptions.read(context.action);
  const { findings, errors } = lintParsed(
    parseToRead((await context.readInput(text)).toString("utf8"), file),
    wanted,
  );
  await context.writeOutput(findingList, JSON.stringify(findings));
  return findingsOf(file, errors);
}
