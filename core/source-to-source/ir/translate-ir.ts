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
import type { Source, TranslatedSource } from "../model/source.ts";
import { CannotSay } from "../sites/rewrite.ts";
import { translateSource, type Wishes } from "../translate.ts";
import { type Manner, manners, openAccText } from "./openacc-text.ts";

export function translateIr(program: Program, request: Wishes): TranslatedSource {
  const failed = (diagnostics: readonly Diagnostic[]): TranslatedSource => ({
    text: "",
    decisions: [],
    diagnostics,
  });
  const errors = program.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return failed(errors);
  try {
    // The shortest text that the rules of OpenACC make the same regions of.
    let first: Diagnostic | undefined;
    for (const manner of manners) {
      const translated = inOpenAcc(program, manner);
      if ("severity" in translated) {
        first ??= translated;
        continue;
      }
      if (request.to === "openacc") return { text: translated.text, decisions: [], diagnostics: [] };
      return translateSource(translated, request);
    }
    return failed(first ? [first] : []);
  } catch (problem) {
    if (!(problem instanceof CannotSay)) throw problem;
    return failed([problem.diagnostic]);
  }
}

/** The program as OpenACC, or why OpenACC's rules make another of the text. */
function inOpenAcc(program: Program, manner: Manner): Source | Diagnostic {
  const text = openAccText(program, manner);
  const { file } = program.unit;
  const parsed = parse(text, { file });
  const read = normalise(readDirectives(parsed.unit));
  const wrong = [...parsed.diagnostics, ...read.diagnostics].find(({ severity }) => severity === "error");
  if (wrong) return { ...wrong, message: `OpenACC refuses what the IR says: ${wrong.message}` };
  return difference(program, read) ?? { file, text, parsed, program: read };
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

/**
 * Passes prove again what iterations do not share; a serial region has one team of one; normalisation has decided which
 * loops share the dimensions of gangs; the order of variables changes nothing.
 */
const bare = (text: string): string =>
  text
    .replace(/ apart\((?:[^()]|\([^()]*\))*\)/g, "")
    .replace(/^( *#pragma upir spmd serial.*)$/gm, (line) => line.replace(/ (teams|units|lanes)\(1\)/g, ""))
    .replace(/^( *#pragma upir loop .*) dimension\b/gm, "$1")
    .split("\n")
    .map((line) => line.trim())
    .map((line) => (line.startsWith("#pragma upir task") ? sorted(line.split(/(?= data\()/)).join("") : line))
    .join("\n")
    .replace(/^[^#]+(?=#pragma)/, (variables) => sorted(variables.split("\n")).join("\n"));

const sorted = (list: readonly string[]): readonly string[] => [...list].sort();
