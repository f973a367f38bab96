/** Preprocessed sources as inputs of translation steps. */
import type { ActionInput, Source, StepContext, StepResult } from "../../core/build/model/action.ts";
import type { Others } from "../../core/compiler/driver/front-end.ts";
import type { Preprocessed } from "../../core/compiler/driver/read-source.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { optionsOf } from "./options.ts";

export interface SourceInput {
  /** Name as the user knows it. */
  readonly file: string;
  /** Its preprocessed text. */
  readonly from: Source;
}

/** The program's other sources, which may define routines: see `Others` in translate.ts. */
export type OtherSources =
  | { readonly kind: "whole"; readonly others: readonly SourceInput[] }
  | { readonly kind: "separate"; readonly others?: readonly SourceInput[] };

/** Options of steps that translate a source, beside the texts. */
export interface SourceOptions {
  readonly file: string;
  readonly linkage: Others["kind"];
  /** Names of the other sources, if their texts are inputs. */
  readonly others?: readonly string[];
}

export const sourceOptions = optionsOf<SourceOptions>();

/** Options and inputs of a translation step. */
export function translationOf(
  source: SourceInput,
  { kind, others }: OtherSources,
): { readonly options: SourceOptions; readonly inputs: readonly ActionInput[] } {
  return {
    options: {
      file: source.file,
      linkage: kind,
      ...(others === undefined ? {} : { others: others.map((other) => other.file) }),
    },
    inputs: sourceInputs([source, ...(others ?? [])]),
  };
}

/** Inputs are named by position; the files' names are in the options. */
function sourceInputs(sources: readonly SourceInput[]): readonly ActionInput[] {
  return sources.map(({ from }, i) => ({ name: inputName(i), from }));
}

const inputName = (index: number): string => `source-${index}.i`;

/** The input that is translated; the others are read only for what it calls. */
export const translatedSource = inputName(0);

/** Reads what `translationOf` passed to the step. */
export async function readTranslation(
  context: Pick<StepContext, "action" | "readInput">,
): Promise<{ readonly source: Preprocessed; readonly others: Others }> {
  const { file, linkage, others } = sourceOptions.read(context.action);
  const read = async (name: string, i: number): Promise<Preprocessed> => ({
    file: name,
    text: (await context.readInput(inputName(i))).toString("utf8"),
  });
  const source = await read(file, 0);
  const { standsAlone } = await import("../../core/compiler/driver/front-end.ts");
  if (others && standsAlone(source, linkage)) return { source, others: { kind: linkage, others: [] } };
  const rest = await Promise.all((others ?? []).map((other, i) => read(other, i + 1)));
  if (linkage === "whole") return { source, others: { kind: linkage, others: rest } };
  return { source, others: others === undefined ? { kind: linkage } : { kind: linkage, others: rest } };
}

/** The step result for the diagnostics of a file. */
export function findingsOf(file: string, diagnostics: readonly Diagnostic[]): StepResult {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
  const findings = diagnostics.length === 0 ? {} : { diagnostics };
  if (errors === 0) return { ok: true, ...findings };
  return {
    ok: false,
    fact: true,
    message: `${errors === 1 ? "an error" : `${errors} errors`} in ${file}`,
    ...findings,
  };
}
