/** Directives that a project adds and that are in no need of translation: the text gets them as they are. */
import { printPragma, rawExtents, statementsIn } from "../../lang/index.ts";
import type { Diagnostic, Pragma, TranslationUnit } from "../../lang/tree/ast.ts";
import type { Source } from "../model/source.ts";
import type { Edit } from "../text/edits.ts";
import { marginAt } from "../text/scan.ts";
import type { Site } from "./site.ts";

interface Written {
  readonly edits: readonly Edit[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `refused`: what was said of directives that have no site. */
export function additionsLeft(
  { text, parsed }: Source,
  sites: readonly Site[],
  refused: readonly Diagnostic[],
): Written {
  const translated = new Set(sites.map(({ directive }) => directive.pragma));
  const isRefused = ({ tokens }: Pragma): boolean => refused.some(({ loc }) => loc === tokens[1]?.loc);
  const edits: Edit[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const pragma of pragmasOf(parsed.unit)) {
    if (!pragma.added || translated.has(pragma) || isRefused(pragma)) continue;
    const textSpan = rawExtents(text, parsed, pragma).pragma;
    if (textSpan) edits.push(written(text, pragma, textSpan));
    else diagnostics.push(hidden(pragma));
  }
  return { edits, diagnostics };
}

function written(text: string, pragma: Pragma, place: Pick<Edit, "start" | "end">): Edit {
  if (pragma.added === "clauses") return { ...place, text: printPragma(pragma) };
  const margin = marginAt(text, place.start);
  const isFirst = place.start === 0 || /\n[ \t]*$/.test(text.slice(0, place.start));
  return { ...place, text: `${isFirst ? "" : `\n${margin}`}${printPragma(pragma)}\n${margin}` };
}

function hidden({ tokens, span }: Pragma): Diagnostic {
  const words = tokens.slice(0, 2).map((token) => token.text);
  return {
    severity: "error",
    code: "directive-in-header",
    loc: tokens[1]?.loc ?? span.start,
    message: `what '${words.join(" ")}' is for stands in a macro or in another file`,
    remedy: "write the directive where the code stands",
  };
}

function* pragmasOf({ externals }: TranslationUnit): Generator<Pragma, undefined> {
  for (const external of externals) {
    if (external.kind === "pragma") yield external;
    if (external.kind !== "function") continue;
    yield* external.pragmas ?? [];
    for (const stmt of statementsIn(external.body)) yield* stmt.pragmas ?? [];
  }
}
