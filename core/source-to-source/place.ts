/** Rewrites of directives as edits of the user's text. */

import { rawSpan } from "../lang/index.ts";
import type { Language, Source } from "./model/source.ts";
import type { Inserted, NewDirective, Rewrite } from "./sites/rewrite.ts";
import type { Site } from "./sites/site.ts";
import { adviceIn } from "./text/advice.ts";
import type { Edit } from "./text/edits.ts";
import { keptAs, nothingKept } from "./text/kept.ts";
import { marginAt } from "./text/scan.ts";

const spaces: Readonly<Record<Language, string>> = { openacc: "acc", openmp: "omp" };

/** The directive as a line, with its author's spacing. */
export function lineOf(to: Language, { name, clauses }: NewDirective): string {
  return `${spaces[to]} ${name}${clauses.map(({ gap, text }) => gap + text).join("")}`;
}

/** Undefined if text must be inserted after the statement, but a macro hides its end. */
export function editsOf(
  source: Source,
  to: Language,
  site: Site,
  rewrite: Rewrite,
): readonly Edit[] | undefined {
  const { text } = source;
  const { textSpan, indent, operator, extent, stmtSpan, nextSpan, free } = site;
  const { before = [], behind: below = [], after = [], directives, kept } = rewrite;
  const { lines, left } = withComments(
    site,
    text.slice(textSpan.start, textSpan.end),
    directives.map((one) => lineOf(to, one)),
  );
  const mark = kept ? ` ${nothingKept}` : "";
  const own = lines.map((line, i) => {
    const origin = kept && i === 0 ? ` ${keptAs(site.written.words)}` : mark;
    const tail = i === lines.length - 1 ? left + site.written.tail : "";
    return operator
      ? `_Pragma("${line.replace(/[\\"]/g, "\\$&")}")${origin}`
      : `#pragma ${line}${origin}${tail}`;
  });
  const advice = kept && lines.length > 0 ? undefined : adviceOf(site, rewrite);
  if (advice !== undefined) own.push(`${advice}${lines.length === 0 ? left + site.written.tail : ""}`);
  // Of a directive that goes, its comments stay.
  else if (lines.length === 0 && !site.added) own.push(...commentsOf(left + site.written.tail));
  const isStatement = extent === "standalone" || extent === "declarative";
  const wraps = !isStatement && (after.length > 0 || (before.length > 0 && !(free && !operator)));
  const marked = (list: readonly string[]): readonly string[] => list.map((line) => line + mark);
  const all = [...marked([...(wraps ? ["{"] : []), ...before]), ...own, ...marked(below)];
  const behind = marked([...after, ...(wraps ? ["}"] : [])]);
  const end = isStatement ? nextSpan?.end : stmtSpan?.end;
  if (behind.length > 0 && end === undefined) return undefined;
  const margin = site.added && lineBefore(text, textSpan.start).trim() !== "" ? `\n${indent}` : "";
  const separator = operator && before.length + below.length === 0 ? " " : `\n${indent}`;
  const first = site.added
    ? { ...textSpan, text: all.length > 0 ? `${margin}${all.join(separator)}${separator}` : "" }
    : all.length > 0
      ? { ...textSpan, text: all.join(separator) }
      : removal(text, site);
  const edits: Edit[] = [first];
  if (behind.length > 0 && end !== undefined) edits.push(linesAfter(text, end, indent, behind));
  for (const inserted of rewrite.inside ?? []) {
    const made = insertion(source, to, inserted, mark);
    if (!made) return undefined;
    edits.push(...made);
  }
  return edits;
}

const comment = /([ \t]*)(\/\*[\s\S]*?\*\/|\/\/[^\n]*)/g;

const commentsOf = (text: string): readonly string[] =>
  [...text.matchAll(comment)].map(([, , own = ""]) => own);

/**
 * The lines with each comment that stands between the clauses once: a clause may be in several of them, or in none.
 * `left`: comments of clauses in none, with a blank in front of each.
 */
function withComments(
  { written }: Site,
  own: string,
  lines: readonly string[],
): { readonly lines: readonly string[]; readonly left: string } {
  const comments = written.clauses.flatMap(({ gap }) => commentsOf(gap));
  const arguments_ = written.clauses.flatMap(({ argument = "" }) => commentsOf(argument));
  // Those between the words of the directive's name.
  const elsewhere = [...comments, ...arguments_, ...commentsOf(written.tail)];
  const left = [
    ...commentsOf(own).filter((one) => {
      const at = elsewhere.indexOf(one);
      if (at >= 0) elsewhere.splice(at, 1);
      return at < 0;
    }),
    ...comments,
  ];
  const shown = lines.map((line) =>
    line.replace(comment, (all: string, _: string, one: string) => {
      const at = left.indexOf(one);
      if (at >= 0) left.splice(at, 1);
      return at < 0 && comments.includes(one) ? "" : all;
    }),
  );
  return { lines: shown, left: left.map((own) => ` ${own}`).join("") };
}

/** What keeps a directive that is not translated. */
function adviceOf(site: Site, { advice, kept }: Rewrite): string | undefined {
  if (kept) return keptAs(site.written.words);
  return advice === undefined ? undefined : adviceIn(advice);
}

/** Lines below what ends at `at`; what else stands on its line comes below them. */
function linesAfter(text: string, at: number, margin: string, lines: readonly string[]): Edit {
  const [blank = ""] = /^[ \t]*/.exec(text.slice(at)) ?? [];
  const isLast = /^(\r?\n|\/\/|$)/.test(text.slice(at + blank.length));
  const added = lines.map((line) => `\n${margin}${line}`).join("");
  return isLast
    ? { start: at, end: at, text: added }
    : { start: at, end: at + blank.length, text: `${added}\n${margin}` };
}

const lineBefore = (text: string, at: number): string => text.slice(text.lastIndexOf("\n", at - 1) + 1, at);

/**
 * Directives before a statement, or in front of a function; undefined where a macro hides the place. `mark`: behind each
 * line.
 */
export function insertion(
  source: Source,
  to: Language,
  { stmt, through, directives, behind, inBraces }: Inserted,
  mark = "",
): readonly Edit[] | undefined {
  const { text } = source;
  const textSpan = rawSpan(text, source.parsed, stmt.span);
  const end = through ? rawSpan(text, source.parsed, through.span)?.end : textSpan?.end;
  if (!textSpan || end === undefined) return undefined;
  const line = lineBefore(text, textSpan.start);
  const margin = marginAt(text, textSpan.start);
  const lines = directives.map((one) => `#pragma ${lineOf(to, one)}${mark}`);
  if (behind) return [linesAfter(text, end, margin, lines)];
  if (through) lines.push(`{${mark}`);
  if (inBraces) lines.unshift(`{${mark}`);
  const before = line.trim() === "" ? "" : `\n${margin}`;
  const head = before + lines.map((one) => `${one}\n${margin}`).join("");
  return [
    { start: textSpan.start, end: textSpan.start, text: head },
    ...(through || inBraces ? [{ start: end, end, text: `\n${margin}}${mark}` }] : []),
  ];
}

/** Removes the directive, and its line if nothing else is on it. */
function removal(text: string, { textSpan, indent, operator }: Site): Edit {
  const begin = textSpan.start - indent.length;
  const isFirst = begin === 0 || text[begin - 1] === "\n";
  const ending = /^\r?\n/.exec(text.slice(textSpan.end))?.[0];
  if (operator || !isFirst || ending === undefined) return { ...textSpan, text: "" };
  return { start: begin, end: textSpan.end + ending.length, text: "" };
}
