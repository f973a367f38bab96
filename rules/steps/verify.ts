/** Compares a run with the serial program's: exit status, standard output, and files written. */
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../core/build/model/action.ts";
import type { Run, Verify } from "../../schema/contract/project.ts";
import { codeDigest } from "../inputs/code-digest.ts";
import { readIfThere } from "../inputs/optional-input.ts";
import { optionsOf } from "../inputs/options.ts";
import type { Comparison } from "./compare.ts";
import { type Compared, compareResults, ignoreWords, type Results, rowWords } from "./compare-results.ts";
import { statusName, stdoutName } from "./run.ts";

interface VerifyRequest {
  readonly address: Address;
  readonly title: string;
  readonly run: Run;
  readonly verify: Verify;
  /** Actions that ran the program. */
  readonly serial: Address;
  readonly target: Address;
}

/** A `Comparison` as JSON. */
export const comparisonName = "comparison.json";

interface Options extends Compared {
  readonly status?: number;
}

const stepOptions = optionsOf<Options>();

export function verifyAction({ address, title, run, verify, serial, target }: VerifyRequest): Action {
  const own: Options = {
    outputs: run.outputs,
    ...(run.status === undefined ? {} : { status: run.status }),
    tolerance: verify.tolerance,
    ignore: verify.ignore,
  };
  const names = [stdoutName, statusName, ...run.outputs.map((output) => output.file)];
  const from = (folder: string, action: Address): readonly ActionInput[] =>
    names.map((name) => ({ name: `${folder}/${name}`, from: { action, output: name } }));
  return {
    address,
    step: verifyStep.name,
    title,
    options: stepOptions.write(own),
    inputs: [...from("serial", serial), ...from("target", target)],
    outputs: [{ name: comparisonName, kind: "file" }],
  };
}

export const verifyStep: Step = { name: "verify", digest: codeDigest("verify"), run };

async function run(context: StepContext): Promise<StepResult> {
  const { status, ...compared } = stepOptions.read(context.action);
  const text = async (name: string): Promise<string> => (await context.readInput(name)).toString("utf8");
  const serialStatus = await text(`serial/${statusName}`);
  const targetStatus = await text(`target/${statusName}`);
  const expected = status === undefined ? serialStatus : String(status);
  if (targetStatus !== expected) {
    return fact(
      `the program exited with ${targetStatus}, ${status === undefined ? "the serial one with" : "not"} ${expected}`,
    );
  }
  const resultsIn = async (folder: string, by: string): Promise<Results> => ({
    by,
    stdout: await text(`${folder}/${stdoutName}`),
    file: (name) => readIfThere(context, `${folder}/${name}`),
  });
  const comparison = await compareResults(
    await resultsIn("serial", "the serial program"),
    await resultsIn("target", "the program"),
    compared,
  );
  if (typeof comparison === "string") return fact(comparison);
  if (comparison.compared === 0 && status === undefined) {
    return fact("there is nothing to compare: print results, or list the files it writes in `outputs`");
  }
  await context.writeOutput(comparisonName, JSON.stringify(comparison));
  if (comparison.different === 0) return { ok: true };
  context.log(describeDifferences(comparison));
  return fact(`${comparison.different} of ${comparison.compared} values differ from the serial program`);
}

const fact = (message: string): StepResult => ({ ok: false, fact: true, message });

function describeDifferences({ differences, different, worst }: Comparison): string {
  const rows = differences.map(
    ({ where, serial, target, row }) => `${where}: ${target}, serial ${serial}${rowWords(row)}\n`,
  );
  const more = different > differences.length ? `and ${different - differences.length} more\n` : "";
  return `${rows.join("")}${more}greatest difference between numbers: ${worst.abs} absolute, ${worst.rel} relative\n${ignoreWords(differences)}`;
}
