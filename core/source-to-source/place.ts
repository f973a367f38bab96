/** Rewrites of directives as edits of the user's text. */

import { rawSpan } from "../lang/index.ts";
import type { Language, Source } from "./model/source.ts";
import type { Inserted, NewDirective, Rewrite } from "./sites/rewrite.ts";
import type { Site } from "./sites/site.ts";
import { adviceIn } from "./text/advice.ts";
import type { Edit } from "./text/edits.ts";
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
  const { place, indent, operator, extent, stmtPlace, nextPlace, free } = site;
  const { before = [], after = [], directives } = rewrite;
  const lines = directives.map((one) => lineOf(to, one));
  const own = operator
    ? lines.map((line) => `_Pragma("${line.replace(/[\\"]/g, "\\$&")}")`)
    : lines.map((line, i) => `#pragma ${line}${i === lines.length - 1 ? site.written.tail : ""}`);
  if (rewrite.advice !== undefined)
    own.push(`${adviceIn(rewrite.advice)}${lines.length === 0 ? site.written.tail : ""}`);
  const isStatement = extent === "standalone" || extent === "declarative";
  const wraps = !isStatement && (after.length > 0 || (before.length > 0 && !(free && !operator)));
  const all = [...(wraps ? ["{"] : []), ...before, ...own];
  const behind = [...after, ...(wraps ? ["}"] : [])];
  const end = isStatement ? nextPlace?.end : stmtPlace?.end;
  if (behind.length > 0 && end === undefined) return undefined;
  const margin = site.added && lineBefore(text, place.start).trim() !== "" ? `\n${indent}` : "";
  const separator = operator && before.length === 0 ? " " : `\n${indent}`;
  const first = site.added
    ? { ...place, text: all.length > 0 ? `${margin}${all.join(separator)}${separator}` : "" }
    : all.length > 0
      ? { ...place, text: all.join(separator) }
      : removal(text, site);
  const edits: Edit[] = [first];
  if (behind.length > 0 && end !== undefined)
    edits.push({ start: end, end, text: behind.map((line) => `\n${indent}${line}`).join("") });
  for (const inserted of rewrite.inside ?? []) {
    const made = insertion(source, to, inserted);
    if (!made) return undefined;
    edits.push(...made);
  }
  return edits;
}

const lineBefore = (text: string, at: number): string => text.slice(text.lastIndexOf("\n", at - 1) + 1, at);

/** Directives before a statement, or in front of a function; undefined where a macro hides the place. */
export function insertion(
  source: Source,
  to: Language,
  { stmt, through, directives, behind }: Inserted,
): readonly Edit[] | undefined {
  const { text } = source;
  const place = rawSpan(text, source.parsed, stmt.span);
  const end = through ? rawSpan(text, source.parsed, through.span)?.end : place?.end;
  if (!place || end === undefined) return undefined;
  const line = lineBefore(text, place.start);
  const margin = marginAt(text, place.start);
  const lines = directives.map((one) => `#pragma ${lineOf(to, one)}`);
  if (behind) return [{ start: end, end, text: lines.map((one) => `\n${margin}${one}`).join("") }];
  if (through) lines.push("{");
  const before = line.trim() === "" ? "" : `\n${margin}`;
  const head = before + lines.map((one) => `${one}\n${margin}`).join("");
  return [
    { start: place.start, end: place.start, text: head },
    ...(through ? [{ start: end, end, text: `\n${margin}}` }] : []),
  ];
}

/** Removes the directive, and its line if nothing else is on it. */
function removal(text: string, { place, indent, operator }: Site): Edit {
  const begin = place.start - indent.length;
  const isFirst = begin === 0 || text[begin - 1] === "\n";
  const ending = /^\r?\n/.exec(text.slice(place.end))?.[0];
  if (operator || !isFirst || ending === undefined) return { ...place, text: "" };
  return { start: begin, end: place.end + ending.length, text: "" };
}
