/** Resolves the program's runs, and which of them `verify` compares. */
import path from "node:path";
import type { ArcFile, RunEntry } from "../contract/arc-schema.ts";
import type { Run, RunOutput, Verify } from "../contract/project.ts";
import type { ArcDocument, Path } from "../document/document.ts";
import type { Findings } from "../document/findings.ts";
import { seconds } from "./executors.ts";
import type { Reachable } from "./reachable.ts";

export function resolveRuns(file: ArcFile, document: ArcDocument, reachable: Reachable): readonly Run[] {
  return Object.entries(file.runs ?? {}).map(([name, entry]) => runOf(name, entry, document, reachable));
}

function runOf(name: string, entry: RunEntry, document: ArcDocument, reachable: Reachable): Run {
  const at = ["runs", name];
  const { stdin, status, timeout } = entry;
  const inputs = reachable.inputs(entry.inputs ?? [], [...at, "inputs"]);
  if (stdin !== undefined) reachable.check(stdin, [...at, "stdin"]);
  const outputs = (entry.outputs ?? []).map((output, i) =>
    outputOf(output, [...at, "outputs", i], reachable),
  );
  const written = new Set(outputs.map((output) => output.file));
  const args = (entry.args ?? []).map((_, i) => document.sourceOf([...at, "args", i]) ?? "");
  const named = args.filter((arg) => isPlainPath(arg) && !written.has(arg) && reachable.exists(arg));
  return {
    name,
    args,
    env: Object.fromEntries(Object.entries(entry.env ?? {}).map(([key, value]) => [key, String(value)])),
    inputs: [...new Set([...inputs, ...(stdin === undefined ? [] : [stdin]), ...named])],
    outputs,
    ...(stdin === undefined ? {} : { stdin }),
    ...(status === undefined ? {} : { status }),
    ...(timeout === undefined ? {} : { timeout: seconds(timeout) }),
  };
}

function outputOf(
  output: NonNullable<RunEntry["outputs"]>[number],
  at: Path,
  reachable: Reachable,
): RunOutput {
  const file = typeof output === "string" ? output : output.file;
  reachable.inside(file, at);
  return typeof output === "string" ? { file } : output;
}

/** Whether an argument may name a file of the project; `.` and options do not. */
const isPlainPath = (arg: string): boolean =>
  arg !== "" && !arg.startsWith("-") && !path.isAbsolute(arg) && !path.normalize(arg).startsWith(".");

export function resolveVerify(file: ArcFile, runs: readonly Run[], found: Findings): Verify {
  const { run, tolerance, ignore = [], strict = false } = file.verify ?? {};
  const names = runs.map((r) => r.name);
  const requested = run === undefined ? names : typeof run === "string" ? [run] : run;
  for (const [i, name] of requested.entries()) {
    if (names.includes(name)) continue;
    const at = typeof run === "string" ? ["verify", "run"] : ["verify", "run", i];
    found.unknown(at, "unknown-run", `\`runs\` has no \`${name}\``, name, names);
  }
  for (const [i, pattern] of ignore.entries()) {
    const problem = patternProblem(pattern);
    if (problem === undefined) continue;
    const remedy = "escape `( ) [ ] { } . * + ? |` with `\\`";
    found.error(["verify", "ignore", i], "bad-value", `not a regular expression: ${problem}`, remedy);
  }
  return {
    runs: requested,
    tolerance: { rel: tolerance?.rel ?? 0, abs: tolerance?.abs ?? 0 },
    ignore,
    strict,
  };
}

function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^Invalid regular expression: /, "");
  }
}
