/**
 * Whether the comments of an OpenMP source that keep OpenACC's directives still say what the directives beside them do:
 * after an edit of either they may not, and then the directives count.
 */
import type { Diagnostic } from "../lang/tree/ast.ts";
import type { Source } from "./model/source.ts";
import { keptIn } from "./text/kept.ts";
import { translateSource } from "./translate.ts";

export const keepsDirectives = (text: string): boolean => keptIn(text).length > 0;

/**
 * `back`: the source in OpenACC, as its comments say. In OpenMP it must have the directives of before; the first that
 * it has not.
 */
export function outdated({ file, text }: Source, back: Source): Diagnostic | undefined {
  const openmp = /\bpresent\s*[,:]/.test(text) ? "5.1" : "5.0";
  const again = translateSource(back, { to: "openmp", openmp, map: "default" });
  const now = keptIn(again.text);
  const [first] = keptIn(text).filter((one, i) => one.text !== now[i]?.text);
  if (!first) return undefined;
  return {
    severity: "warning",
    code: "outdated-comment",
    loc: { file, line: first.line, col: 1 },
    message:
      "the comment and the directives of its construct no longer say the same: such comments of the file are left out",
    remedy: "write the directive anew in one of the two languages",
  };
}
