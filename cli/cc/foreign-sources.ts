/** Sources in languages that arc does not read. The C compiler compiles them if no directive is lost. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { withoutDirectiveOptions } from "../../rules/plan/unit.ts";
import { UsageError } from "../call/usage-error.ts";
import type { CompilerCall } from "./arguments.ts";

/** A line that offloads: `#pragma acc`, `_Pragma("omp target")`, `!$acc`, `c$omp declare target`. */
const offloads =
  /^[ \t]*(?:#[ \t]*pragma[ \t]+|[!cC*]\$)(?:acc\b|omp[ \t]+(?:target|(?:begin[ \t]+)?declare[ \t]+target)\b).*|_Pragma[ \t]*\([ \t]*"(?:acc|omp target)\b.*/im;

export const hasOffloading = (text: string): boolean => offloads.test(text);

/** Throws UsageError at the first directive that would be ignored. */
export function refuseForeignDirectives(
  { words, directives }: CompilerCall,
  compiler: readonly string[],
  cwd: string,
): void {
  if (!directives) return;
  for (const { kind, text } of words) {
    const [file = ""] = text;
    if (kind !== "foreign" || file === "-") continue;
    const found = inText(file, cwd) ?? inHeaders(file, words, compiler, cwd);
    if (found === undefined) continue;
    throw new UsageError(
      `${found.location}: \`${found.line}\` would be dropped: arc reads directives of C source files, and ${file} is none`,
      `move the construct into a function of a .c file and call that (from C++ by extern "C", from Fortran by bind(C)), or compile ${file} without -acc and -omp`,
    );
  }
}

interface Found {
  /** file:line */
  readonly location: string;
  readonly line: string;
}

function inText(file: string, cwd: string): Found | undefined {
  let text: string;
  try {
    text = readFileSync(path.resolve(cwd, file), "utf8");
  } catch {
    // The compiler reports the error itself.
    return undefined;
  }
  return firstIn(text, (line) => `${file}:${line}`);
}

/** Finds directives in included files or made by macros, if the compiler can preprocess the file. */
function inHeaders(
  file: string,
  words: CompilerCall["words"],
  [program = "cc", ...always]: readonly string[],
  cwd: string,
): Found | undefined {
  const options = words.filter(({ kind }) => kind === "option").flatMap(({ text }) => text);
  const { status, stdout } = spawnSync(
    program,
    [...always, ...withoutDirectiveOptions(options), "-E", file],
    { cwd, encoding: "utf8", maxBuffer: 1 << 30 },
  );
  return status === 0 ? firstIn(stdout, () => file) : undefined;
}

function firstIn(text: string, location: (line: number) => string): Found | undefined {
  const found = offloads.exec(text);
  if (found === null) return undefined;
  return { location: location(text.slice(0, found.index).split("\n").length), line: found[0].trim() };
}
