/** Directives that preprocessing removed: in a skipped branch of `#if`, or in the text of an unused macro. */
import type { Diagnostic } from "../../lang/tree/ast.ts";
import type { Language, Source } from "../model/source.ts";
import type { Site } from "./site.ts";

const spaces: Readonly<Record<Language, string>> = { openacc: "acc", openmp: "omp" };

const declarations =
  /pragma\s+omp\s+((begin|end)\s+)?(declare\s+(mapper|reduction|simd|variant)|metadirective|interop)\b/;

export function unseenDirectives(
  { text, file }: Source,
  from: Language,
  sites: readonly Site[],
): readonly Diagnostic[] {
  const starts = new Set(sites.map(({ textSpan }) => textSpan.start));
  const space = spaces[from];
  const pattern = new RegExp(
    String.raw`/\*[\s\S]*?\*/|//[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"|(?:#|%:)[ \t]*pragma[ \t]+${space}\b[^\n]*`,
    "g",
  );
  const found: Diagnostic[] = [];
  for (const { 0: words, index } of text.matchAll(pattern)) {
    if (!/^(#|%:)/.test(words) || starts.has(index)) continue;
    // OpenMP directives for the host's threads are ignored here, and declarations that are no sites.
    if (from === "openmp" && (!/\b(target|declare)\b/.test(words) || declarations.test(words))) continue;
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
