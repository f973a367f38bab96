/** What the preprocessor's directives in a stretch of a file mean to the rest of it. */

const CONDITIONAL = /^[ \t]*(?:#|%:)[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b/;
const MACRO = /^[ \t]*(?:#|%:)[ \t]*(?:define|undef)\b/;
const INCLUDE = /^[ \t]*(?:#|%:)[ \t]*(?:include|include_next|import|embed)\b/m;

/** Whether a line begins with `#if`, `#else`, `#endif` or one of their kin. */
export function isConditional(line: string): boolean {
  return CONDITIONAL.test(line);
}

/** Whether a line of the text includes a file. */
export function hasInclude(text: string): boolean {
  return INCLUDE.test(withoutComments(text));
}

/**
 * The conditional lines of `text` whose group begins or ends outside of it, in order, continuations included:
 * what must stay of a stretch that is taken out of a file for the rest of the file to be balanced.
 */
export function unbalancedConditionals(text: string): readonly string[] {
  return keptDirectives(text, false);
}

/**
 * What must stay of a stretch that is taken out of a file for the rest of the file to mean the same: besides
 * `unbalancedConditionals` what defines macros, with the conditions on it.
 */
export function lastingDirectives(text: string): readonly string[] {
  return keptDirectives(text, true);
}

function keptDirectives(text: string, macros: boolean): readonly string[] {
  const kept: string[] = [];
  /** For each group that begins in the text the number of lines kept when it began. */
  const groups: number[] = [];
  for (const line of withoutComments(text).match(/^(?:.*\\\r?\n)*.*$/gm) ?? []) {
    if (macros && MACRO.test(line)) kept.push(line);
    const name = CONDITIONAL.exec(line)?.[1];
    if (!name) continue;
    if (name.startsWith("if")) groups.push(kept.length);
    kept.push(line);
    if (name !== "endif") continue;
    const begin = groups.pop();
    if (begin !== undefined && !kept.slice(begin).some((each) => MACRO.test(each))) kept.length = begin;
  }
  return kept;
}

/** A comment is a space, also where it goes on for lines. */
function withoutComments(text: string): string {
  return text.replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/.*|\/\*[\s\S]*?\*\//g, (part) =>
    part.startsWith("/*") ? " " : part,
  );
}
