/** Conditional directives of the preprocessor in a stretch of a file. */

const DIRECTIVE = /^[ \t]*(?:#|%:)[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b/;

/** Whether a line begins with `#if`, `#else`, `#endif` or one of their kin. */
export function isConditional(line: string): boolean {
  return DIRECTIVE.test(line);
}

/**
 * The conditional lines of `text` whose group begins or ends outside of it, in order, continuations included:
 * what must stay of a stretch that is taken out of a file for the rest of the file to be balanced.
 */
export function unbalancedConditionals(text: string): readonly string[] {
  const kept: string[] = [];
  /** For each group that begins in the text the number of lines kept when it began. */
  const groups: number[] = [];
  for (const line of text.match(/^(?:.*\\\r?\n)*.*$/gm) ?? []) {
    const name = DIRECTIVE.exec(line)?.[1];
    if (!name) continue;
    if (name.startsWith("if")) groups.push(kept.length);
    kept.push(line);
    if (name !== "endif") continue;
    const begin = groups.pop();
    if (begin !== undefined) kept.length = begin;
  }
  return kept;
}
