/** Directives that preprocessing removed: in a skipped branch of `#if`, or in the text of an unused macro. */
import { pragmasIn, rawExtents } from "../../lang/index.ts";
import type { Diagnostic, Pragma } from "../../lang/tree/ast.ts";
import type { Language, Source } from "../model/source.ts";
import type { Site } from "./site.ts";

const spaces: Readonly<Record<Language, string>> = { openacc: "acc", openmp: "omp" };

/** Directives of OpenMP that are read and never sites. */
const isNoSite = ({ tokens }: Pragma): boolean => {
  const words = tokens.slice(0, 4).map((token) => token.text);
  return /^omp ((begin|end) )?(declare (mapper|reduction|simd|variant)|metadirective|interop)\b/.test(
    words.join(" "),
  );
};

export function unseenDirectives(
  { text, file, parsed }: Source,
  from: Language,
  sites: readonly Site[],
): readonly Diagnostic[] {
  const starts = new Set(sites.map(({ textSpan }) => textSpan.start));
  for (const pragma of pragmasIn(parsed.unit.externals).filter(isNoSite)) {
    const start = rawExtents(text, parsed, pragma).pragma?.start;
    if (start !== undefined) starts.add(start);
  }
  const space = spaces[from];
  const pattern = new RegExp(
    String.raw`/\*[\s\S]*?\*/|//[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"|(?:#|%:)[ \t]*pragma[ \t]+${space}\b[^\n]*`,
    "g",
  );
  const found: Diagnostic[] = [];
  for (const { 0: words, index } of text.matchAll(pattern)) {
    if (!/^(#|%:)/.test(words) || starts.has(index)) continue;
    // OpenMP directives for the host's threads are ignored here.
    if (from === "openmp" && !/\b(target|declare)\b/.test(words)) continue;
    const before = text.slice(0, index).split("\n");
    found.push({
      severity: "error",
      code: "directive-not-read",
      loc: { file, line: before.length, col: (before.at(-1)?.length ?? 0) + 1 },
      message:
        "this directive is not in the code that was read: it stands in a branch of #if that is not taken",
      remedy: "translate with the -D or -U that takes the branch, or remove the branch",
    });
  }
  return found;
}
