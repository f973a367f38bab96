/** Compares a run with the serial program's: exit status, standard output, and files written. */
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../core/build/model/action.ts";
import type { Run, RunOutput, Verify } from "../../schema/contract/project.ts";
import { codeDigest } from "../inputs/code-digest.ts";
import { readIfThere } from "../inputs/optional-input.ts";
import { optionsOf } from "../inputs/options.ts";
import { type Comparison, combine, compareArrays, compareText, type Tolerance } from "./compare.ts";
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

interface Options {
  readonly outputs: readonly RunOutput[];
  readonly status?: number;
  readonly tolerance: Tolerance;
  readonly ignore: readonly string[];
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
  const { outputs, status, tolerance, ignore } = stepOptions.read(context.action);
  const patterns = ignore.map((pattern) => new RegExp(pattern));
  const text = async (name: string): Promise<string> => (await context.readInput(name)).toString("utf8");
  const serialStatus = await text(`serial/${statusName}`);
  const targetStatus = await text(`target/${statusName}`);
  const expected = status === undefined ? serialStatus : String(status);
  if (targetStatus !== expected) {
    return fact(
      `the program exited with ${targetStatus}, ${status === undefined ? "the serial one with" : "not"} ${expected}`,
    );
  }
  const parts: Comparison[] = [
    compareText(
      "stdout",
      await text(`serial/${stdoutName}`),
      await text(`target/${stdoutName}`),
      tolerance,
      patterns,
    ),
  ];
  for (const output of outputs) {
    const problem = await compareOutput(context, output, tolerance, patterns, parts);
    if (problem !== undefined) return fact(problem);
  }
  const comparison = combine(parts);
  if (comparison.compared === 0 && status === undefined) {
    return fact("there is nothing to compare: print results, or list the files it writes in `outputs`");
  }
  await context.writeOutput(comparisonName, JSON.stringify(comparison));
  if (comparison.different === 0) return { ok: true };
  context.log(describeDifferences(comparison));
  return fact(`${comparison.different} of ${comparison.compared} values differ from the serial program`);
}

/** Adds a comparison to `parts`, or returns why there is none. */
async function compareOutput(
  context: StepContext,
  { file, type }: RunOutput,
  tolerance: Tolerance,
  ignore: readonly RegExp[],
  parts: Comparison[],
): Promise<string | undefined> {
  const serial = await readIfThere(context, `serial/${file}`);
  const target = await readIfThere(context, `target/${file}`);
  if (serial === undefined) return `the serial program did not write ${file}`;
  if (target === undefined) return `the program did not write ${file}`;
  parts.push(
    type === undefined
      ? compareText(file, serial.toString("utf8"), target.toString("utf8"), tolerance, ignore)
      : compareArrays(file, serial, target, type, tolerance),
  );
  return undefined;
}

const fact = (message: string): StepResult => ({ ok: false, fact: true, message });

function describeDifferences({ differences, different, worst }: Comparison): string {
  const rows = differences.map(
    ({ where, serial, target, row }) => `${where}: ${target}, serial ${serial}${rowWords(row)}\n`,
  );
  const more = different > differences.length ? `and ${different - differences.length} more\n` : "";
  return `${rows.join("")}${more}greatest difference between numbers: ${worst.abs} absolute, ${worst.rel} relative\n${ignoreWords(differences)}`;
}

const MOST_OF_ROW = 60;

function rowWords(row: string | undefined): string {
  if (row === undefined) return "";
  return `, in \`${row.length > MOST_OF_ROW ? `${row.slice(0, MOST_OF_ROW)}…` : row}\``;
}

/** Words of lines that differ from run to run. */
const MEASURED = /\b(?:time|elapsed|took|seconds?|[km]?s|[gm]b\/s|[gm]?flops?(?:\/s)?)\b/i;

/** What to do about a line of a time, which never agrees. */
function ignoreWords(differences: Comparison["differences"]): string {
  const [word] = differences.flatMap(({ row }) =>
    row !== undefined && MEASURED.test(row) ? (/^\s*[a-z]\w*/i.exec(row)?.[0] ?? []) : [],
  );
  if (word === undefined) return "";
  return `a line that differs from run to run, such as a time, is left out by \`verify: { ignore: ["^${word}"] }\` in arc.yaml\n`;
}
