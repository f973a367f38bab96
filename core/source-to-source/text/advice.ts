/**
 * OpenACC's advice in an OpenMP source: comments, which every compiler accepts in silence and which become directives
 * again. Unknown pragmas would make gcc and clang warn.
 */
import type { Edit } from "./edits.ts";

export const adviceIn = (directive: string): string =>
  `/* acc ${directive.replace(/(?:\\\r?\n|\s|\/\*[\s\S]*?\*\/)+/g, " ")} */`;

/** Of a `map(to:)`, before its list. */
export const readonlyAdvice = "/* readonly */ ";

const comments = /\/\*[ \t]*acc[ \t]+((?:loop|cache)\b(?:(?!\*\/)[^\r\n])*?)[ \t]*\*\//g;
const others = /\/\/[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"/g;

/** The comments as directives: a pragma where the line holds nothing else, an operator in macros and beside code. */
export function adviceBack(text: string): readonly Edit[] {
  const hidden = [...text.matchAll(others)].map(({ 0: all, index }) => [index, index + all.length] as const);
  return [...text.matchAll(comments)].flatMap(({ 0: all, 1: words = "", index: start }) => {
    if (hidden.some(([from, to]) => from <= start && start < to)) return [];
    const end = start + all.length;
    const put = isAlone(text, start, end) ? `#pragma acc ${words}` : `_Pragma("acc ${words}")`;
    return [{ start, end, text: put }];
  });
}

const isAlone = (text: string, start: number, end: number): boolean =>
  /(?:^|(?:^|[^\\\r])\r?\n)[ \t]*$/.test(text.slice(0, start)) &&
  /^[ \t]*(?:\/\/[^\n]*|\r?\n|$)/.test(text.slice(end));
