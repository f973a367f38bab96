/** Words in a directive file: entries end in the words of a directive, which are those of C files. */
import { type Candidate, candidatesAt, type Meaning, meaningAt } from "./words.ts";

/** Where a line's entry has words of directives, as lines of C: once for each directive that they may belong to. */
interface AsPragma {
  readonly line: string;
  readonly column: number;
}

/** `F region 2: clauses`, `F loop: clauses`, `F: #pragma ...`. */
const entry = /^\s*[A-Za-z_]\w*(?:\s+(region|loop)(?:\s+\d+)?)?\s*:\s*/;

/** The directives to which an entry without `#pragma` adds clauses. */
const receivers: Readonly<Record<string, readonly string[]>> = {
  region: ["acc parallel loop", "acc kernels loop", "omp target teams distribute parallel for"],
  loop: ["acc loop", "omp distribute parallel for"],
};

/** `source`: the text of the file to which the words are added, whose language decides. */
function pragmasOf(line: string, column: number, source: string): readonly AsPragma[] {
  const found = entry.exec(line);
  if (!found || column < found[0].length) return [];
  const words = line.slice(found[0].length);
  const at = column - found[0].length;
  if (words.startsWith("#")) return [{ line: words, column: at }];
  const used = ["acc", "omp"].filter((space) => new RegExp(String.raw`\bpragma\s+${space}\b`).test(source));
  return (receivers[found[1] ?? ""] ?? [])
    .filter((name) => used.length === 0 || used.includes(name.slice(0, 3)))
    .map((name) => ({ line: `#pragma ${name} ${words}`, column: `#pragma ${name} `.length + at }));
}

export function candidatesInEntry(line: string, column: number, source: string): readonly Candidate[] {
  const isPragma = /:\s*#/.test(line);
  const all = pragmasOf(line, column, source).flatMap((one) => candidatesAt(one.line, one.column));
  const fitting = all.filter(({ kind }) => isPragma || kind === "clause");
  return fitting.filter((one, i) => fitting.findIndex(({ word }) => word === one.word) === i);
}

export function meaningInEntry(line: string, column: number, source: string): Meaning | undefined {
  for (const one of pragmasOf(line, column, source)) {
    const meaning = meaningAt(one.line, one.column);
    if (meaning) return meaning;
  }
  return undefined;
}
