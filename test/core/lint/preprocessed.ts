/** Programs as the rules get them. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { lint } from "../../../core/lint/lint.ts";
import type { Finding } from "../../../core/lint/model/finding.ts";

const include = path.resolve(import.meta.dirname, "../../../targets/runtime/include");

/** What the C compiler makes of a file, or of a text, which is then called `-`. */
export function preprocessed(file: string, text?: string): string {
  const args = [
    "-E",
    "-dD",
    "-fopenmp",
    "-D_OPENACC=202211",
    "-I",
    include,
    "-x",
    "c",
    text === undefined ? file : "-",
  ];
  return execFileSync("gcc", args, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["pipe", "pipe", "ignore"],
    ...(text !== undefined && { input: text }),
  });
}

/** Of a program that includes nothing, which needs no preprocessor. */
export function lintText(text: string): readonly Finding[] {
  const { findings, errors } = lint(text, "program.c");
  if (errors.length > 0) throw new Error(errors.map((e) => e.message).join("\n"));
  return findings;
}
