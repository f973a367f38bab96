/**
 * Translates the IR to a source with directives: prints it as OpenACC, parses that and compares, then translates it
 * like any source.
 */

import type { Program } from "../../ir/model/program.ts";
import { normalise, tasksOf } from "../../ir/normalise/normalise.ts";
import { readDirectives } from "../../ir/read/read.ts";
import { regionText } from "../../ir/text/print.ts";
import { parse } from "../../lang/index.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";
import type { TranslatedSource } from "../model/source.ts";
import { CannotSay } from "../sites/rewrite.ts";
import { translateSource, type Wishes } from "../translate.ts";
import { openAccText } from "./openacc-text.ts";

export function translateIr(program: Program, wishes: Wishes): TranslatedSource {
  const failed = (diagnostics: readonly Diagnostic[]): TranslatedSource => ({
    text: "",
    decisions: [],
    diagnostics,
  });
  const errors = program.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return failed(errors);
  try {
    const text = openAccText(program);
    const { file } = program.unit;
    const parsed = parse(text, { file });
    const read = normalise(readDirectives(parsed.unit));
    const wrong = [...parsed.diagnostics, ...read.diagnostics].filter(({ severity }) => severity === "error");
    const [first] = wrong;
    if (first) return failed([{ ...first, message: `OpenACC refuses what the IR says: ${first.message}` }]);
    const other = difference(program, read);
    if (other) return failed([other]);
    if (wishes.to === "openacc") return { text, decisions: [], diagnostics: [] };
    return translateSource({ file, text, parsed, program: read }, wishes);
  } catch (problem) {
    if (!(problem instanceof CannotSay)) throw problem;
    return failed([problem.diagnostic]);
  }
}

/** OpenACC's rules must recreate each region unchanged; anything they cannot express is refused. */
function difference(program: Program, again: Program): Diagnostic | undefined {
  const [regions, others] = [tasksOf(program), tasksOf(again)];
  for (const [k, { task }] of regions.entries()) {
    const other = others[k]?.task;
    if (other && bare(regionText(task)) === bare(regionText(other))) continue;
    return {
      severity: "error",
      code: "not-translatable",
      loc: task.site.loc,
      message: `OpenACC's rules make another region of what the IR says${task.region === undefined ? "" : ` of ${task.region}`}`,
      remedy: "translate it to a kind of device, or the file that it was made of",
    };
  }
  return undefined;
}

/** Sequential loops need no directive, and passes prove again what iterations do not share. */
const bare = (text: string): string =>
  text
    .replace(/ apart\((?:[^()]|\([^()]*\))*\)/g, "")
    .split("\n")
    .map((line) => line.trim())
    .join("\n");
