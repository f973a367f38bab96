/** What a project adds to the directives of a source, put into its preprocessed text. */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { StepContext, StepResult } from "../../core/build/model/action.ts";
import { type Added, withAdded } from "../../core/ir/added/added.ts";
import {
  type DirectiveFile,
  directiveFileOf,
  readDirectiveFile,
} from "../../core/ir/added/directive-file.ts";
import { type Addition, errorsOf } from "../../core/ir/added/model.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { findingsOf } from "../inputs/source-inputs.ts";

/** What becomes of the directive file beside a source: it is read, or an error, as nobody reads the source's directives. */
export type DirectiveFileUse = "read" | "refused";

interface Additions {
  /** By arc.yaml. */
  readonly added?: readonly Addition[];
  /** Undefined: the source has no directives, and a file beside it does not matter. */
  readonly directiveFile?: DirectiveFileUse;
}

/** First what a directive file adds, then what arc.yaml does, which counts the regions that are there then. */
export function withAdditions(
  context: StepContext,
  text: string,
  source: string,
  { added, directiveFile }: Additions,
): Added | StepResult {
  const file = directiveFileOf(source);
  const { additions, diagnostics } = directiveFile
    ? additionsBeside(context, source, directiveFile)
    : nothingAdded;
  if (diagnostics.length > 0) return findingsOf(file, diagnostics);
  const first = additions.length > 0 ? withAdded(text, source, additions) : { text, notes: [] };
  if ("refused" in first) return findingsOf(file, errorsOf(first.refused));
  const second = added ? withAdded(first.text, source, added) : first;
  if (!("refused" in second)) return { text: second.text, notes: first.notes };
  const message = second.refused
    .map(({ of, diagnostic }) => `${of.by}: ${diagnostic.message}: ${diagnostic.remedy}`)
    .join("\n");
  return { ok: false, fact: true, message };
}

const nothingAdded: DirectiveFile = { additions: [], diagnostics: [] };

/** The directive file is a discovered input, and so is its absence. */
function additionsBeside(context: StepContext, source: string, use: DirectiveFileUse): DirectiveFile {
  const file = directiveFileOf(source);
  const path = resolve(context.root, file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    context.discoverMissing(file);
    return nothingAdded;
  }
  context.discover(file);
  if (use === "refused") return { additions: [], diagnostics: [unread(source, file)] };
  return readDirectiveFile(readFileSync(path, "utf8"), file);
}

const unread = (source: string, file: string): Diagnostic => ({
  severity: "error",
  code: "directive-file",
  loc: { file, line: 1, col: 1 },
  message: `nothing can be added to directives of ${source}`,
  ...(/\.c$/.test(source)
    ? {
        why: "files under 'host' of arc.yaml are compiled as they are",
        remedy: `list ${source} under 'sources', or remove this file`,
      }
    : { why: "a directive file is for a source in C", remedy: "write the directives into the source" }),
});
