/**
 * Files that a source asks for without including them: by `__has_include`, `__has_embed` and `#embed`. No compiler
 * reports the ones that it did not find, so all names that may be meant are taken.
 */

interface ProbedFile {
  readonly name: string;
  /** Searched first next to the file that asks. */
  readonly quoted: boolean;
}

const probes = /__has_(?:include|include_next|embed)\b|#\s*embed\b/;
/** Includes what follows: the name, or whatever stands for it. */
const question =
  /(?:__has_(?:include|include_next|embed)\s*\(|#[ \t]*embed\b)[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|(\w))?/g;
const directive = /^[ \t]*#[ \t]*(?:if|elif|define|embed)\b.*$/gm;
const name = /"([^"\n]+)"|<([^<>\n]+)>/g;

/** Takes all texts of a unit at once, as a macro in one may stand for a name in another, or for the question. */
export function probedFiles(texts: readonly string[], options: readonly string[]): readonly ProbedFile[][] {
  const joined = texts.map((text) => (probes.test(text) ? text.replaceAll("\\\n", " ") : ""));
  let byMacro = false;
  const literal = joined.map((text) =>
    [...text.matchAll(question)].flatMap(([, quoted, angled, macro]) => {
      byMacro ||= macro !== undefined;
      return probed(quoted, angled);
    }),
  );
  if (!byMacro) return literal;
  const more = [...texts.map((text) => text.replaceAll("\\\n", " ").match(directive) ?? []), options].flatMap(
    (lines) =>
      lines.flatMap((line) =>
        [...line.matchAll(name)].flatMap(([, quoted, angled]) => probed(quoted, angled)),
      ),
  );
  return literal.map((own, k) => (joined[k] === "" ? own : [...own, ...more]));
}

function probed(quoted: string | undefined, angled?: string): ProbedFile[] {
  const found = quoted ?? angled;
  return found === undefined ? [] : [{ name: found.trim(), quoted: quoted !== undefined }];
}
