/** Which preprocessor directives in a part of a file affect the rest of it. */

const CONDITIONAL = /^[ \t]*(?:#|%:)[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b/;
const MACRO = /^[ \t]*(?:#|%:)[ \t]*(?:define|undef)\b/;
const INCLUDE = /^[ \t]*(?:#|%:)[ \t]*(?:include|include_next|import|embed)\b/m;

/** Whether a line is a conditional directive (`#if`, `#else`, `#endif`, ...). */
export function isConditional(line: string): boolean {
  return CONDITIONAL.test(line);
}

/** Whether a line of the text includes a file. */
export function hasInclude(text: string): boolean {
  return INCLUDE.test(withoutComments(text));
}

/**
 * The conditional lines of `text` whose group begins or ends outside of it, in order, with continuations. They must
 * stay when this text is removed from a file, or conditionals in the rest would be unbalanced.
 */
export function unbalancedConditionals(text: string): readonly string[] {
  return keptDirectives(text, { macros: false });
}

/**
 * The directives that must stay when this text is removed from a file: `unbalancedConditionals`, and macro definitions
 * with the conditions around them.
 */
export function lastingDirectives(text: string): readonly string[] {
  return keptDirectives(text, { macros: true });
}

function keptDirectives(text: string, { macros }: { readonly macros: boolean }): readonly string[] {
  const retained: string[] = [];
  /** For each open group, the number of lines kept before it. */
  const groups: number[] = [];
  for (const line of withoutComments(text).match(/^(?:.*\\\r?\n)*.*$/gm) ?? []) {
    if (macros && MACRO.test(line)) retained.push(line);
    const name = CONDITIONAL.exec(line)?.[1];
    if (!name) continue;
    if (name.startsWith("if")) groups.push(retained.length);
    retained.push(line);
    if (name !== "endif") continue;
    const begin = groups.pop();
    if (begin !== undefined && !retained.slice(begin).some((each) => MACRO.test(each)))
      retained.length = begin;
  }
  return retained;
}

/** A comment counts as one space, even across lines. */
function withoutComments(text: string): string {
  return text.replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/.*|\/\*[\s\S]*?\*\//g, (part) =>
    part.startsWith("/*") ? " " : part,
  );
}
