/**
 * The OpenACC directive that an OpenMP one was made of, kept in a comment behind it where OpenMP's words say less:
 * `target map(to: a)` keeps `acc: kernels copyin(a)`. Compilers take it in silence, and on the way back it
 * becomes the directive again. What has no counterpart there is marked, too, so that it goes.
 */
import { applyEdits, type Edit } from "./edits.ts";

/** A directive without `#pragma acc`. */
export const keptAs = (directive: string): string =>
  `/* acc: ${directive.replace(/(?:\\\r?\n|\s|\/\*[\s\S]*?\*\/)+/g, " ").trim()} */`;

/** Behind what was inserted. */
export const nothingKept = "/* acc: nothing */";

/** A kept directive, or a mark, in an OpenMP source. */
export interface Kept {
  /** All that is replaced: a directive with its comment, or a line. */
  readonly edit: Edit;
  /** The directive that the comment stands behind, with the comment; white space is one blank. */
  readonly text: string;
  readonly line: number;
  /** The comment with the blanks before it. */
  readonly comment: Pick<Edit, "start" | "end">;
}

const literals = String.raw`\/\/[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"`;
const comment = String.raw`[ \t]*\/\* acc: ([^\n]*?) \*\/`;
const pragma = String.raw`^[ \t]*#[ \t]*pragma[ \t]+omp\b(?:\\\r?\n|\/\*(?! acc:)[\s\S]*?\*\/|[^\n\\/]|\/(?!\*))*?${comment}`;
const operator = String.raw`_Pragma[ \t]*\([ \t]*"omp (?:\\.|[^"\\\n])*"[ \t]*\)${comment}`;
const others = String.raw`\/\*(?! acc:)[\s\S]*?\*\/`;
const pattern = new RegExp(`${pragma}|${operator}|${literals}|${others}|${comment}`, "gm");

export function keptIn(text: string): readonly Kept[] {
  return [...text.matchAll(pattern)].flatMap((found): readonly Kept[] => {
    const [all, ofPragma, ofOperator, alone] = found;
    const words = ofPragma ?? ofOperator ?? alone;
    if (words === undefined) return [];
    const lead = /^\s*/.exec(all)?.[0].length ?? 0;
    const start = found.index + (ofPragma === undefined && ofOperator === undefined ? 0 : lead);
    const end = found.index + all.length;
    const line = text.slice(0, start).split("\n").length;
    const own = /[ \t]*\/\* acc: (?:(?!\*\/).)*\*\/$/.exec(all)?.[0].length ?? 0;
    const squeezed = all.replace(/(?:\\\r?\n|\s)+/g, " ").trim();
    return [
      {
        edit: editOf(text, { start, end, words, isOperator: ofOperator !== undefined }),
        text: squeezed,
        line,
        comment: { start: end - own, end },
      },
    ];
  });
}

/** Without the comments. */
export function withoutKeptComments(text: string): string {
  const edits = keptIn(text).map(({ comment }): Edit => {
    const { start, end } = comment;
    const isLine = text.slice(text.lastIndexOf("\n", start) + 1, start).trim() === "";
    return isLine ? wholeLine(text, start, end) : { start, end, text: "" };
  });
  return applyEdits(text, edits);
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly words: string;
  readonly isOperator: boolean;
}

function editOf(text: string, { start, end, words, isOperator }: Found): Edit {
  if (words === "nothing") return isOperator ? { start, end, text: "" } : wholeLine(text, start, end);
  if (isOperator) return { start, end, text: `_Pragma("acc ${words.replace(/[\\"]/g, "\\$&")}")` };
  const gap = /^[ \t]*(?=\/)/.exec(text.slice(start, end))?.[0] ?? "";
  return { start: start + gap.length, end, text: `#pragma acc ${words}` };
}

/** With its line break. */
function wholeLine(text: string, start: number, end: number): Edit {
  const begin = text.lastIndexOf("\n", start - 1) + 1;
  const stop = /^[ \t]*\r?(?:\n|$)/.exec(text.slice(end))?.[0];
  return stop === undefined ? { start, end, text: "" } : { start: begin, end: end + stop.length, text: "" };
}
