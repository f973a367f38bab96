/**
 * Finds constructs in the user's own file, as it was before preprocessing, so that only they are replaced and includes,
 * macros and comments stay.
 *
 * Nothing is guessed from the shape of the text: an extent is accepted only if the user's tokens, with the macros in
 * force there expanded, are exactly the tokens that were parsed.
 */

import { isConditional } from "../preprocess/conditionals.ts";
import { lex, lexFragment } from "../preprocess/lexer.ts";
import type { MacroView } from "../preprocess/macro.ts";
import { expandStepwise } from "../preprocess/macro-expansion.ts";
import { type PragmaLine, Token } from "../preprocess/token.ts";
import { spellTokens } from "../print/print.ts";
import type { Loc, Pragma, Span } from "../tree/ast.ts";
import type { Parsed } from "./parse.ts";

/** Offsets into the text, `end` one past the last character. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

interface RawConstruct {
  /**
   * The whole `#pragma` line with its continuations, or `_Pragma("...")`; no line break at the end. Of a directive that is
   * not in the source, the place in front of which it is to be read: an extent without text.
   */
  readonly pragma: Extent | undefined;
  readonly stmt: Extent | undefined;
  /** Both extents were found with certainty; otherwise the construct begins or ends inside a macro. */
  readonly clean: boolean;
}

/** Where a pragma and its statement are in `text`, the file that `pragma` names. */
export function rawExtents(
  text: string,
  parsed: Parsed,
  pragma: Pragma,
  stmt?: { readonly span: Span },
): RawConstruct {
  const lines = linesOf(text, parsed);
  const own =
    pragma.added === "directive"
      ? addedExtent(lines, parsed, pragma, stmt)
      : pragmaExtent(lines, parsed, pragma);
  // The empty statement of a pragma at the end of a block has no text.
  if (!stmt || stmt.span.start === stmt.span.end)
    return { pragma: own, stmt: undefined, clean: own !== undefined };
  const extent = own && spanExtent(lines, parsed, stmt.span, own.end);
  return { pragma: own, stmt: extent, clean: extent !== undefined };
}

/**
 * Where the code of `span` is in `text`, searching from offset `behind`, which separates identical constructs on one
 * line. Undefined if a macro hides either end.
 */
export function rawSpan(text: string, parsed: Parsed, span: Span, behind = 0): Extent | undefined {
  return spanExtent(linesOf(text, parsed), parsed, span, behind);
}

/**
 * The `register` keywords in `span`, except GNU's `register int x __asm__("r1")`, which names a machine register.
 * Undefined if a macro hides one.
 */
export function registerWords(text: string, parsed: Parsed, span: Span): readonly Extent[] | undefined {
  const { tokens } = parsed.source;
  const first = indexOf(tokens).get(span.start) ?? tokens.length;
  const last = endIndex(tokens, first, span.end) ?? first;
  const lines = linesOf(text, parsed);
  const found: Extent[] = [];
  // Macros shift columns, so keywords on one line are matched by their order.
  let behind = 0;
  for (let i = first; i < last; i++) {
    const { kind, text: word, loc, end } = tokens[i] as Token;
    if (kind !== "keyword" || word !== "register") continue;
    const extent = spanExtent(lines, parsed, { start: loc, end }, behind);
    if (!extent) return undefined;
    behind = extent.end;
    if (!ofMachine(tokens, i)) found.push(extent);
  }
  return found;
}

function ofMachine(tokens: readonly Token[], at: number): boolean {
  for (let i = at; i < tokens.length; i++) {
    const { text } = tokens[i] as Token;
    if (text === ";" || text === "{") return false;
    if (text === "__asm__") return true;
  }
  return false;
}

/** The lines of the last text for each unit: a unit has many constructs. */
const knownLines = new WeakMap<Parsed, Lines>();

function linesOf(text: string, parsed: Parsed): Lines {
  const last = knownLines.get(parsed);
  if (last?.text === text) return last;
  const now = new Lines(text);
  knownLines.set(parsed, now);
  return now;
}

/** Line offsets of a text. */
class Lines {
  readonly text: string;
  private readonly starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
  }

  /** Lines count from 1. */
  start(line: number): number {
    return this.starts[line - 1] ?? this.text.length;
  }

  /** Offset of a place; its column is in bytes. */
  offset({ line, col }: Loc): number {
    const before = new TextEncoder().encode(this.physical(line)).subarray(0, col - 1);
    return this.start(line) + new TextDecoder().decode(before).length;
  }

  /** End of the line at `line`, of its backslash continuations and of comments that begin on it, without the line break. */
  logicalEnd(line: number): number {
    let at = line;
    while (at < this.starts.length && this.continues(line, at)) at++;
    const end = this.start(at) + this.physical(at).length;
    return this.text[end - 1] === "\r" ? end - 1 : end;
  }

  /** Whether the line that begins at `from` goes on after `to`. */
  private continues(from: number, to: number): boolean {
    return (
      /\\\r?$/.test(this.physical(to)) || endsInComment(this.text.slice(this.start(from), this.start(to + 1)))
    );
  }

  /** Lines `from` to `to` as one text, with directive lines blanked. */
  withoutDirectives(from: number, to: number): string {
    const texts: string[] = [];
    let begin: number | undefined;
    for (let line = from; line <= to || begin !== undefined; line++) {
      if (line > this.count) break;
      const text = this.physical(line);
      const directive: boolean = begin !== undefined || /^[ \t]*(?:#|%:)/.test(text);
      begin = directive && this.continues(begin ?? line, line) ? (begin ?? line) : undefined;
      texts.push(directive ? " ".repeat(text.length) : text);
    }
    return texts.join("\n");
  }

  get count(): number {
    return this.starts.length;
  }

  physical(line: number): string {
    const end = line < this.starts.length ? this.start(line + 1) - 1 : this.text.length;
    return this.text.slice(this.start(line), end);
  }
}

/** Whether the last comment of a text is a block comment that does not end in it. */
function endsInComment(text: string): boolean {
  const parts = text.matchAll(/\/\*([\s\S]*?)(\*\/|$)|\/\/(?:\\\r?\n|[^\n])*|"(?:\\[\s\S]|[^"\\\n])*"/g);
  return [...parts].some(([all, , end]) => all.startsWith("/*") && end !== "*/");
}

// ---------------------------------------------------------------- pragmas

function pragmaExtent(lines: Lines, parsed: Parsed, pragma: Pragma): Extent | undefined {
  const { line } = pragma.span.start;
  // A comment or a continued line may stand between `#` and `pragma`, of whose line preprocessors tell.
  for (let first = line; first > Math.max(0, line - FARTHEST); first--) {
    const start = lines.start(first);
    const end = lines.logicalEnd(first);
    if (end < lines.start(line)) continue;
    const directive = DIRECTIVE.exec(lines.text.slice(start, end));
    const word = directive && start + directive[0].length;
    if (directive && word && word > lines.start(line))
      return { start: start + (directive[1] ?? "").length, end };
  }
  return operatorExtent(lines, parsed, pragma);
}

/** Lines between a directive's `#` and its `pragma`. */
const FARTHEST = 8;
const DIRECTIVE = /^((?:[ \t]|\/\*.*?\*\/)*)(?:#|%:)(?:\s|\\\r?\n|\/\*[\s\S]*?\*\/)*pragma\b/;

/** In front of the next pragma that the file has, or of the token that these precede. */
function addedExtent(
  lines: Lines,
  parsed: Parsed,
  pragma: Pragma,
  stmt: { readonly span: Span } | undefined,
): Extent | undefined {
  const { tokens } = parsed.source;
  const index = tokens.findIndex((token) => token.pragmas?.some(({ start }) => start === pragma.span.start));
  const token = tokens[index];
  if (!token || token.loc.file !== parsed.unit.file) return undefined;
  const beside = token.pragmas ?? [];
  const own = beside.findIndex(({ start }) => start === pragma.span.start);
  const next = beside.slice(own + 1).find(({ added }) => added !== "directive");
  // A token by itself may stand twice on its line, but seldom in this column, unless a macro before it shifts columns.
  const column = lines.offset(token.loc);
  const first = { start: token.loc, end: token.end };
  const extent = next
    ? pragmaExtent(lines, parsed, asPragma(next, pragma))
    : (spanExtent(lines, parsed, first, column) ??
      // A macro may make the token together with others.
      spanExtent(lines, parsed, stmt?.span.start === token.loc ? stmt.span : first));
  return extent && { start: extent.start, end: extent.start };
}

const asPragma = ({ tokens, start, end }: PragmaLine, { kind, scope }: Pragma): Pragma => ({
  kind,
  scope,
  tokens,
  span: { start, end },
});

/** `_Pragma("...")`, or a macro that expands only to pragmas, including this one. */
function operatorExtent(lines: Lines, parsed: Parsed, pragma: Pragma): Extent | undefined {
  const { file, line } = pragma.span.start;
  const { tokens, macrosAt } = parsed.source;
  const isOwn = ({ start }: PragmaLine): boolean => start === pragma.span.start;
  const index = tokens.findIndex((token) => token.pragmas?.some(isOwn));
  const own = tokens[index]?.pragmas?.find(isOwn);
  if (!own) return undefined;
  // Preprocessing may put a macro's pragma on the line where the macro's arguments end.
  const from = Math.min(line, lineOf(tokens[index - 1], file) ?? line);
  const to = lineOf(tokens[index], file) ?? line;
  const text = lines.withoutDirectives(from, to);
  const raw = lexFragment(text, { file, line: from, col: 1 });
  const rows = pragmaRows(raw, macrosAt(index)).filter(({ texts }) =>
    texts.includes(squeezed(spellTokens(own.written))),
  );
  const row = rows[earlierTwins(tokens, index, own, from)];
  return row && { start: lines.start(from) + row.start, end: lines.start(from) + row.end };
}

const lineOf = (token: Token | undefined, file: string): number | undefined =>
  token?.loc.file === file && token.kind !== "end" ? token.loc.line : undefined;

/** How many operators with the same text as `own` precede it from line `from` on. */
function earlierTwins(tokens: readonly Token[], index: number, own: PragmaLine, from: number): number {
  const ownText = squeezed(spellTokens(own.written));
  const isTwin = (other: PragmaLine): boolean =>
    other.start.line >= from &&
    other.start.file === own.start.file &&
    squeezed(spellTokens(other.written)) === ownText;
  let count = 0;
  for (let i = index; i >= 0 && (tokens[i] as Token).loc.line >= from; i--) {
    for (const other of tokens[i]?.pragmas ?? []) {
      if (other === own) break;
      if (isTwin(other)) count++;
    }
  }
  return count;
}

/** Each stretch of `raw` that expands to nothing but `_Pragma ( string )`, with the strings. */
function pragmaRows(
  raw: readonly Token[],
  macros: MacroView,
): (Extent & { readonly texts: readonly string[] })[] {
  const rows: (Extent & { readonly texts: readonly string[] })[] = [];
  let group: Token[] = [];
  let first = 0;
  for (const { token, consumed } of expandStepwise(raw, macros)) {
    group.push(token);
    const inside = group.length % 4 !== 0 && group[group.length - (group.length % 4)]?.text === "_Pragma";
    if (consumed === undefined || inside) continue;
    const [from, to] = [raw[first], raw[consumed - 1]];
    const texts = pragmaTexts(group);
    if (from && to && texts) rows.push({ start: from.offset, end: to.stop, texts });
    first = consumed;
    group = [];
  }
  return rows;
}

/** The strings of a sequence of `_Pragma ( string )`; undefined if anything else is in it. */
function pragmaTexts(group: readonly Token[]): string[] | undefined {
  const texts: string[] = [];
  for (let i = 0; i < group.length; i += 4) {
    const [name, , text] = group.slice(i, i + 3);
    if (name?.text !== "_Pragma" || text?.kind !== "string") return undefined;
    texts.push(squeezed(text.text.slice(text.text.indexOf('"') + 1, -1).replace(/\\([\\"])/g, "$1")));
  }
  return texts;
}

const squeezed = (text: string): string => text.replace(/\s+/g, "");

// ---------------------------------------------------------------- statements

/** `from`: the earliest offset at which it may begin. */
function spanExtent(lines: Lines, parsed: Parsed, span: Span, from = 0): Extent | undefined {
  const { tokens, macrosAt } = parsed.source;
  const first = indexOf(tokens).get(span.start);
  const last = first === undefined ? undefined : endIndex(tokens, first, span.end);
  if (first === undefined || last === undefined) return undefined;
  const expanded = tokens.slice(first, last + 1);
  const raw = rawTokens(lines, expanded, tokens[last + 1]);
  const macros = macrosAt(first);
  // Macros before the construct on its line shift columns, so every token of the line is tried as its start.
  for (let at = 0; raw[at]?.loc.line === span.start.line; at++) {
    const rest = raw.slice(at);
    if ((rest[0] as Token).offset < from) continue;
    const count = matchLength(rest, expanded, macros);
    const [start, end] = [rest[0], rest[(count ?? 0) - 1]];
    if (start && end) return { start: start.offset, end: end.stop };
  }
  return undefined;
}

/** Token index by location, built once per unit because a unit has many constructs. */
const indices = new WeakMap<readonly Token[], ReadonlyMap<Loc, number>>();

function indexOf(tokens: readonly Token[]): ReadonlyMap<Loc, number> {
  let index = indices.get(tokens);
  if (!index) {
    index = new Map(tokens.map((token, i) => [token.loc, i]));
    indices.set(tokens, index);
  }
  return index;
}

function endIndex(tokens: readonly Token[], first: number, end: Loc): number | undefined {
  for (let i = first; i < tokens.length; i++) {
    const at = (tokens[i] as Token).end;
    if (at.line === end.line && at.col === end.col && at.file === end.file) return i;
  }
  return undefined;
}

/** How many raw tokens expand to exactly the wanted tokens. */
function matchLength(
  raw: readonly Token[],
  expected: readonly Token[],
  macros: MacroView,
): number | undefined {
  let matched = 0;
  for (const { token, consumed } of withoutPragmas(expandStepwise(raw, macros))) {
    if (unspliced(token.text) !== expected[matched]?.text) return undefined;
    if (++matched === expected.length) return consumed;
  }
  return undefined;
}

const unspliced = (text: string): string => (text.includes("\\\n") ? text.replaceAll("\\\n", "") : text);

type Step = { readonly token: Token; readonly consumed?: number };

/** `_Pragma ( string )` inside a replacement is not a token of the program. */
function* withoutPragmas(steps: Iterable<Step>): Generator<Step> {
  let skip = 0;
  for (const step of steps) {
    if (skip > 0) skip--;
    else if (step.token.text === "_Pragma") skip = 3;
    else yield step;
  }
}

/**
 * The user's tokens on the lines of `expected`, and further to `next`, the token that follows them: a macro's arguments
 * may continue after the line that preprocessing puts its replacement on. Branches of `#if` that contributed no parsed
 * token are left out.
 */
function rawTokens(lines: Lines, expected: readonly Token[], next: Token | undefined): Token[] {
  const { file, line: firstLine } = (expected[0] as Token).loc;
  const lastLine = next && next.loc.file === file && next.kind !== "end" ? next.loc.line : lines.count;
  const visible = new Set(expected.map(({ loc }) => loc.line));
  const start = lines.start(firstLine);
  const shown: string[] = [];
  let segment: string[] = [];
  let seen = false;
  const close = (): void => {
    shown.push(...(seen ? segment : segment.map((text) => " ".repeat(text.length))));
    segment = [];
    seen = false;
  };
  for (let line = firstLine; line <= lastLine; line++) {
    const text = lines.physical(line);
    if (isConditional(text)) {
      close();
      shown.push(" ".repeat(text.length));
    } else {
      segment.push(text);
      seen ||= visible.has(line);
    }
  }
  close();
  const { tokens } = lex(shown.join("\n"), file, { line: firstLine });
  return tokens
    .filter(({ kind }) => kind !== "end")
    .map(
      ({ kind, text, loc, length, spaced, offset }) =>
        new Token(kind, text, loc, length, spaced, start + offset),
    );
}
