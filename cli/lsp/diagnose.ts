/**
 * Finds errors in a text shown by an editor, saved or not. C is checked and translated as by `arc check` and a build,
 * in actions whose results only the store keeps; arc.yaml is read as in every command.
 */
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Engine } from "../../core/build/engine-interface.ts";
import type { Action } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import type { Finding as BuildFinding } from "../../core/build/model/finding.ts";
import { eachOnce } from "../../core/compiler/driver/each-once.ts";
import { unsuppressed } from "../../core/lint/suppress.ts";
import type { Finding } from "../../rules/plan/check.ts";
import { directiveFileOf, planDiagnosis } from "../../rules/plan/diagnosis.ts";
import type { Compiler } from "../../rules/tools/compiler.ts";
import { vocabulary } from "../../rules/vocabulary.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { parseProject, projectFile } from "../../schema/load.ts";
import { readAsFarAsKnown } from "../project/sources/project-of.ts";
import { asWritten, editAsWritten } from "../show/directive-columns.ts";
import { Lines } from "./positions.ts";

/** The lint rules run after this pause in typing, since nothing else is answered while they run. */
const PROOF_PAUSE_MS = 200;

type Failed = Extract<Event, { type: "failed" }>;

interface Shown {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
}

export interface Found extends Diagnostic {
  /** Edits that fix it, as positions in the text. */
  readonly fix?: Finding["fix"];
  /** Found by a rule of `arc check`. */
  readonly rule?: true;
}

export const isProjectFile = (file: string): boolean => path.basename(file) === projectFile;

export const diagnoseProject = ({ file, text }: Shown): readonly Found[] =>
  parseProject(text, file, vocabulary).diagnostics;

/**
 * Passes the translation's findings to `early` first, then returns all, including those of the rules. Throws an
 * `AbortError` if the text has changed meanwhile.
 */
export async function diagnoseSource(
  shown: Shown,
  engine: Engine,
  compiler: Compiler,
  signal: AbortSignal,
  early: (found: readonly Found[]) => void = () => {},
): Promise<readonly Found[]> {
  const { file, text } = shown;
  const { flags, added } = readAsFarAsKnown(file);
  const plan = planDiagnosis({ file, text, added }, compiler, flags);
  const { reported } = await run(plan.translation, engine, file, signal);
  early(foundIn(shown, reported, []));
  await setTimeout(PROOF_PAUSE_MS, undefined, { signal });
  const second = await run(plan.check, engine, file, signal);
  const { action, output } = plan.findings;
  const checked: readonly Finding[] =
    second.result.outcomes.get(action)?.status === "done"
      ? JSON.parse(engine.read(action, output).toString("utf8"))
      : [];
  return foundIn({ file, text }, [...reported, ...second.reported], checked);
}

async function run(actions: readonly Action[], engine: Engine, file: string, signal: AbortSignal) {
  const reported: BuildFinding[] = [];
  const result = await engine.build(actions, {
    keepGoing: true,
    signal,
    onEvent(event) {
      if (event.type === "done" || event.type === "failed") reported.push(...(event.diagnostics ?? []));
      // An error without a position in a file, such as an option that the compiler does not know.
      if (event.type === "failed" && !event.diagnostics?.length) reported.push(placeless(file, event));
    },
  });
  signal.throwIfAborted();
  return { reported, result };
}

function foundIn(
  { file, text }: Shown,
  reported: readonly BuildFinding[],
  checked: readonly Finding[],
): readonly Found[] {
  const lines = new Lines(text);
  const proved = checked.filter(isProved).map((finding) => ({ ...finding, rule: true as const }));
  const own = [...reported.filter(({ severity }) => severity !== "note"), ...proved]
    .filter(({ loc }) => path.resolve(loc.file) === file)
    .map((finding): Found => asWritten(finding, (_, line) => lines.line(line)))
    .map((finding) => withOwnEdits(finding, file, lines));
  const beside = reported
    .filter(({ severity, loc }) => severity !== "note" && path.resolve(loc.file) === directiveFileOf(file))
    .map((finding) => atTheTop(finding, file));
  return eachOnce(unsuppressed([...own, ...beside], () => text.split("\n")));
}

/** An editor is offered edits of the text that it shows. */
function withOwnEdits({ fix, ...finding }: Found, file: string, lines: Lines): Found {
  const isOwn = fix?.every(({ loc }) => path.resolve(loc.file) === file);
  const placed = fix?.map((edit) => editAsWritten(edit, (_, line) => lines.line(line)));
  return { ...finding, ...(placed && isOwn && { fix: placed }) };
}

/** What is wrong in a source's directive file, which the editor does not show. */
function atTheTop({ end: _, loc, message, ...finding }: BuildFinding, file: string): Found {
  const location = `${path.basename(loc.file)}:${loc.line}:${loc.col}`;
  return { ...finding, message: `${location}: ${message}`, loc: { file, line: 1, col: 1 } };
}

function placeless(
  file: string,
  { title, message, log }: Pick<Failed, "title" | "message" | "log">,
): BuildFinding {
  return {
    severity: "error",
    code: "not-checked",
    message: [`${title}: ${message}`, log.trim()].filter(Boolean).join("\n"),
    loc: { file, line: 1, col: 1 },
  };
}

const isProved = ({ certainty }: Finding): boolean => certainty === "proved";

/** What the file's project says of it; errors in arc.yaml are reported in that file. */
