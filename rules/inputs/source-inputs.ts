/** Preprocessed sources as inputs of translation steps. */
import type { ActionInput, Source, StepContext, StepResult } from "../../core/build/model/action.ts";
import type { Others } from "../../core/compiler/driver/front-end.ts";
import type { Preprocessed } from "../../core/compiler/driver/read-source.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { optionsOf } from "./options.ts";

export interface SourceInput {
  /** As the user knows it. */
  readonly file: string;
  /** Its preprocessed text. */
  readonly from: Source;
}

/** The program's other sources, where routines may be defined: see `Others` of translate.ts. */
export type OtherSources =
  | { readonly kind: "whole"; readonly others: readonly SourceInput[] }
  | { readonly kind: "separate"; readonly others?: readonly SourceInput[] };

/** What steps that translate a source are told of it and the others, beside their texts. */
export interface SourceOptions {
  readonly file: string;
  readonly linkage: Others["kind"];
  /** The other sources' names, where their texts are inputs. */
  readonly others?: readonly string[];
}

export const sourceOptions = optionsOf<SourceOptions>();

/** What a translation step of a source is told of it and the others, as options and as inputs. */
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

/** Named by position: what the files are called is in the options. */
function sourceInputs(sources: readonly SourceInput[]): readonly ActionInput[] {
  return sources.map(({ from }, i) => ({ name: inputName(i), from }));
}

const inputName = (index: number): string => `source-${index}.i`;

/** The input that is translated; others are read for what it calls. */
export const translatedSource = inputName(0);

/** What `translationOf` told the step. */
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

/** The verdict on a translation of a file. */
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
