/** From a preprocessed source to findings. */
import { type Parsed, parse } from "../lang/index.ts";
import type { Diagnostic, FunctionDef, Pragma, TranslationUnit } from "../lang/tree/ast.ts";
import type { Finding, Subject } from "./model/finding.ts";
import { rules } from "./rules/registry.ts";

interface Linted {
  /** In source order. */
  readonly findings: readonly Finding[];
  /** Why the file could not be parsed. */
  readonly errors: readonly Diagnostic[];
}

/** `text`: the output of `cc -E -dD`; `file`: its name in the line markers. */
export function lint(text: string, file: string): Linted {
  return lintParsed(parse(text, { file }), { advice: true, doubts: true });
}

/** What is wanted in addition to what is surely wrong. */
export interface Wanted {
  /** Also what is right, and slow or without effect. */
  readonly advice: boolean;
  /** Also what may be wrong. Some of it may be found without. */
  readonly doubts: boolean;
}

/** The same for a parsed source. */
export function lintParsed(parsed: Parsed, { advice, doubts }: Wanted): Linted {
  const errors = parsed.diagnostics.filter((d) => d.severity === "error");
  if (errors.length > 0) return { findings: [], errors };
  const subject = subjectOf(parsed.unit, doubts);
  const findings = rules.flatMap((rule) => (advice || !rule.advice ? rule.check(subject) : []));
  return { findings: inOrder(distinct(findings)), errors };
}

function subjectOf(unit: TranslationUnit, doubts: boolean): Subject {
  const functions = unit.externals.filter((e): e is FunctionDef => e.kind === "function");
  const pragmas = unit.externals.filter((e): e is Pragma => e.kind === "pragma");
  return { unit, functions, pragmas, doubts };
}

/**
 * Removes duplicates: a function is analysed at each call and by itself, which may give the same finding several times.
 */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const byPlace = new Map<string, Finding>();
  for (const finding of findings) {
    const { code, loc } = finding;
    const key = `${code} ${loc.file}:${loc.line}:${loc.col}`;
    const known = byPlace.get(key);
    if (!known || (known.certainty === "maybe" && finding.certainty === "proved")) byPlace.set(key, finding);
  }
  return [...byPlace.values()];
}

const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort(
    (a, b) => a.loc.file.localeCompare(b.loc.file) || a.loc.line - b.loc.line || a.loc.col - b.loc.col,
  );
