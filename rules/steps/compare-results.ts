/** Compares what two runs left: standard output, and the files that the run declares as outputs. */
import type { RunOutput } from "../../schema/contract/project.ts";
import { type Comparison, combine, compareArrays, compareText, type Tolerance } from "./compare.ts";

export interface Results {
  /** Who left them, for messages: `the serial program`. */
  readonly by: string;
  readonly stdout: string;
  /** Undefined if it was not written. */
  file(name: string): Promise<Uint8Array | undefined>;
}

/** What is compared, and how. */
export interface Compared {
  readonly outputs: readonly RunOutput[];
  readonly tolerance: Tolerance;
  /** Lines of text that match one of these are left out. */
  readonly ignore: readonly string[];
}

/** Text instead where a file is missing, of which no value can be compared. */
export async function compareResults(
  expected: Results,
  found: Results,
  { outputs, tolerance, ignore }: Compared,
): Promise<Comparison | string> {
  const patterns = ignore.map((pattern) => new RegExp(pattern));
  const parts = [compareText("stdout", expected.stdout, found.stdout, tolerance, patterns)];
  for (const { file, type } of outputs) {
    const [left, right] = [await expected.file(file), await found.file(file)];
    if (left === undefined) return `${expected.by} did not write ${file}`;
    if (right === undefined) return `${found.by} did not write ${file}`;
    parts.push(
      type === undefined
        ? compareText(file, textOf(left), textOf(right), tolerance, patterns)
        : compareArrays(file, left, right, type, tolerance),
    );
  }
  return combine(parts);
}

const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

const MOST_OF_ROW = 60;

/** The line in which a value differs, shortened. */
export function rowWords(row: string | undefined): string {
  if (row === undefined) return "";
  return `, in \`${row.length > MOST_OF_ROW ? `${row.slice(0, MOST_OF_ROW)}…` : row}\``;
}

/** Words of lines that differ from run to run. */
const MEASURED = /\b(?:time|elapsed|took|seconds?|[km]?s|[gm]b\/s|[gm]?flops?(?:\/s)?)\b/i;

/** What to do about a line of a time, which never agrees; empty where none is seen. */
export function ignoreWords(differences: Comparison["differences"]): string {
  const [word] = differences.flatMap(({ row }) =>
    row !== undefined && MEASURED.test(row) ? (/^\s*[a-z]\w*/i.exec(row)?.[0] ?? []) : [],
  );
  if (word === undefined) return "";
  return `a line that differs from run to run, such as a time, is left out by \`verify: { ignore: ["^${word}"] }\` in arc.yaml\n`;
}
