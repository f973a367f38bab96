/**
 * Preprocessed text to tokens. Follows line markers (`# 12 "file.c" 3`, `#line 12 "file.c"`) and, in
 * the output of `cc -E -dD`, `#define` and `#undef`, so that each pragma is expanded with the macros in
 * force at its line.
 */

import type { Diagnostic, Loc, PragmaToken } from "../tree/ast.ts";
import { endOfHeader, type HeaderText, headerText } from "./header-texts.ts";
import { decodeString } from "./literals.ts";
import { MacroTable, type MacroView } from "./macro.ts";
import { expandMacros } from "./macro-expansion.ts";
import { MARK, type Mark, markOf } from "./mark.ts";
import { CLASS, Kind, Scanner } from "./scanner.ts";
import { byteLength, type LexOptions, type PragmaLine, Token } from "./token.ts";

export interface Lexed {
  /** The last token has the kind `end`. */
  readonly tokens: readonly Token[];
  /** Indexes of the tokens with pragmas before them. */
  readonly afterPragmas: readonly number[];
  readonly diagnostics: readonly Diagnostic[];
  /** The name in the first line marker, else the `file` that was passed. */
  readonly mainFile: string;
  /** Files that markers call system headers. */
  readonly systemFiles: ReadonlySet<string>;
  /** The macros in force at the token with this index. */
  readonly macrosAt: (index: number) => MacroView;
}

export function lex(text: string, file: string, options: LexOptions = {}): Lexed {
  return new Lexer(text, file, options).run();
}

/** The tokens of the first whole lines of a text. Call `finish` once, with the whole text. */
interface LexedHead {
  /** Without the `end` token; `finish` appends to them. */
  readonly tokens: Token[];
  /** As of `Lexed`; `finish` appends to them. */
  readonly afterPragmas: readonly number[];
  readonly diagnostics: readonly Diagnostic[];
  readonly systemFiles: ReadonlySet<string>;
  readonly finish: (text: string) => Lexed;
}

export function lexHead(head: string, file: string, options: LexOptions = {}): LexedHead {
  return new Lexer(head, file, options).head();
}

/** Tokens of text that contains no directives except `_Pragma`; `at` is the location of its first character. */
export function lexFragment(text: string, at: Loc): Token[] {
  const lexer = new Lexer(text, at.file, {});
  return lexer.fragment(at);
}

/** The words of a directive, macros unexpanded; `at` is the location of its first character. */
export const lexPragma = (text: string, at: Loc): readonly PragmaToken[] =>
  lexFragment(text, at).map(pragmaToken);

const MARKER = /^#[ \t]*(?:line[ \t]+)?([0-9]+)(?:[ \t]+("(?:[^"\\]|\\.)*")([ \t0-9]*))?/;
/** As the preprocessor writes it. */
const DEFINE = "#define ";
const DIRECTIVE = /^#[ \t]*([A-Za-z_]*)[ \t]*/;

class Lexer extends Scanner {
  private readonly macros = new MacroTable();
  /** Indexes of tokens before which macros changed, and the version after that. */
  private readonly macroChanges: { readonly index: number; readonly version: number }[] = [];
  /** The version at the last token. */
  private knownVersion = 0;
  private readonly expandPragmas: ReadonlySet<string>;
  private readonly sharesHeaders: boolean;
  private readonly systemFiles = new Set<string>();
  private readonly tokens: Token[] = [];
  private readonly afterPragmas: number[] = [];
  private mainFile: string | undefined;
  private pending: PragmaLine[] | undefined;
  /** White space precedes the next token. */
  private spaced = false;

  constructor(text: string, file: string, options: LexOptions) {
    super(text, file, options.line ?? 1);
    this.expandPragmas = new Set(options.expandPragmas ?? []);
    this.sharesHeaders = options.sharesHeaders ?? false;
  }

  run(): Lexed {
    const fallback = this.file;
    this.read();
    return this.end(fallback);
  }

  head(): LexedHead {
    const fallback = this.file;
    this.read();
    const { tokens, afterPragmas, diagnostics, systemFiles } = this;
    const finish = (text: string): Lexed => {
      this.text = text;
      this.read();
      return this.end(fallback);
    };
    return { tokens, afterPragmas, diagnostics, systemFiles, finish };
  }

  /** Reads to the end of the current text. */
  private read(): void {
    for (;;) {
      const spaced = this.skipSpace(true) || this.spaced;
      this.spaced = this.pos >= this.text.length && spaced;
      if (this.pos >= this.text.length) return;
      const token = this.token(spaced);
      if (token) this.add(token);
    }
  }

  private end(fallback: string): Lexed {
    this.add(new Token("end", "", this.here(), 0, true, this.pos));
    return {
      tokens: this.tokens,
      afterPragmas: this.afterPragmas,
      diagnostics: this.diagnostics,
      mainFile: this.mainFile ?? fallback,
      systemFiles: this.systemFiles,
      macrosAt: (index) => this.macrosAt(index),
    };
  }

  fragment(at: Loc): Token[] {
    const tokens: Token[] = [];
    this.isFragment = true;
    this.line = at.line;
    this.lineStart = 1 - at.col;
    for (;;) {
      const spaced = this.skipSpace(false);
      if (this.pos >= this.text.length) return tokens;
      const token = this.token(spaced);
      if (token) tokens.push(token);
    }
  }

  private add(token: Token): void {
    const { version } = this.macros;
    if (version > this.knownVersion) {
      this.macroChanges.push({ index: this.tokens.length, version });
      this.knownVersion = version;
    }
    if (this.pending) {
      token.pragmas = this.pending;
      this.pending = undefined;
      this.afterPragmas.push(this.tokens.length);
    }
    this.tokens.push(token);
  }

  private macrosAt(index: number): MacroView {
    const change = this.macroChanges.findLast((candidate) => candidate.index <= index);
    return { table: this.macros, version: change?.version ?? 0, relex: lexFragment };
  }

  /** Skips white space, comments and, at line starts when `directives`, directive lines. */
  private skipSpace(directives: boolean): boolean {
    const { text } = this;
    const start = this.pos;
    let lineBegin = start === 0 || text.charCodeAt(start - 1) === 10;
    for (;;) {
      const c = text.charCodeAt(this.pos);
      const kind = c < 128 ? CLASS[c] : 0;
      if (kind === Kind.space) {
        this.pos++;
      } else if (kind === Kind.newline) {
        this.pos++;
        this.newline();
        lineBegin = true;
      } else if (c === 47 /* / */ && text.charCodeAt(this.pos + 1) === 47) {
        const end = text.indexOf("\n", this.pos);
        this.pos = end < 0 ? text.length : end;
      } else if (c === 47 && text.charCodeAt(this.pos + 1) === 42 /* * */) {
        this.blockComment();
      } else if (c === 92 /* \ */ && text.charCodeAt(this.pos + 1) === 10) {
        this.pos += 2;
        this.newline();
      } else if (c === 35 /* # */ && lineBegin && directives) {
        this.directive();
      } else {
        return this.pos > start;
      }
    }
  }

  private blockComment(): void {
    const end = this.text.indexOf("*/", this.pos + 2);
    const stop = end < 0 ? this.text.length : end + 2;
    if (end < 0) this.report("unterminated-comment", "this comment does not end", this.here(), "write `*/`");
    const mark = this.isFragment && this.text.startsWith(MARK, this.pos) ? this.markAt(stop) : undefined;
    this.advance(stop);
    if (mark) this.goOnAt(mark.at);
  }

  private markAt(stop: number): Mark | undefined {
    return markOf(this.text.slice(this.pos, stop));
  }

  /**
   * line-marker = "#" ("line")? number (string flags*)?
   * directive   = "#" ("define" | "undef" | "pragma" | "ident" | ...) rest-of-line
   */
  private directive(): void {
    const start = this.pos;
    const loc = this.here();
    const { line, next, spliced } = this.logicalLine();
    // Most lines are of this form, in headers.
    if (!spliced && line.startsWith(DEFINE) && line.charCodeAt(DEFINE.length) > 32) {
      this.macros.define(line.slice(DEFINE.length), loc);
      this.nextLine(next);
      return;
    }
    const marker = MARKER.exec(line);
    if (marker) {
      if (this.sharesHeaders && this.knownHeader(start, marker[3] ?? "")) return;
      this.pos = next;
      this.lineMarker(marker);
      return;
    }
    const name = DIRECTIVE.exec(line);
    const word = name?.[1] ?? "";
    const bodyAt = name?.[0].length ?? 0;
    const body = line.slice(bodyAt);
    if (word === "pragma") {
      const tokens = lexFragment(body, { ...loc, col: loc.col + bodyAt });
      const mark = markOf(body);
      const from = mark?.of === "directive" ? mark.at : loc;
      const end = mark ? (tokens.at(-1)?.end ?? from) : { ...loc, col: loc.col + byteLength(line.trimEnd()) };
      this.pragma(tokens, {
        start: from,
        end,
        operator: false,
        offset: start,
        stop: start + line.length,
        mark,
      });
    } else if (word === "define") {
      this.macros.define(body, loc);
    } else if (word === "undef") {
      this.macros.undefine(body.trim());
    } else if (/^(include|include_next|import|if|ifdef|ifndef|elif|else|endif)$/.test(word)) {
      this.report(
        "not-preprocessed",
        `\`#${word}\` is left in the text`,
        loc,
        "run the file through `cc -E -dD` first",
      );
    }
    // `#ident`, `#sccs`, `#assert` and the rest mean nothing to the language.
    if (spliced) this.advance(next);
    else this.nextLine(next);
  }

  /** Goes on at `next`, the end of this line, which may be the end of the text. */
  private nextLine(next: number): void {
    this.pos = next;
    if (this.text.charCodeAt(next - 1) === 10) this.newline();
  }

  /** The line at `pos` with backslash continuations joined, and the start of the next one. */
  private logicalLine(): { line: string; next: number; spliced: boolean } {
    const { text } = this;
    let end = text.indexOf("\n", this.pos);
    if (end < 0) return { line: text.slice(this.pos), next: text.length, spliced: false };
    if (text.charCodeAt(end - 1) !== 92)
      return { line: text.slice(this.pos, end), next: end + 1, spliced: false };
    while (end >= 0 && text.charCodeAt(end - 1) === 92) end = text.indexOf("\n", end + 1);
    if (end < 0) end = text.length;
    return {
      line: text.slice(this.pos, end).replaceAll("\\\n", ""),
      next: Math.min(end + 1, text.length),
      spliced: true,
    };
  }

  /** Passes over a system header, from the marker at `start` on, whose tokens are known; returns whether it did. */
  private knownHeader(start: number, flags: string): boolean {
    if (this.mainFile === undefined || this.pending || this.systemFiles.has(this.file)) return false;
    const end = endOfHeader(this.text, start, flags, this.file);
    if (end === undefined) return false;
    const read = (text: string) => new Lexer(text, this.file, {}).header();
    const header = headerText(this.text.slice(start, end), read);
    if (!header) return false;
    const [index, { version }] = [this.tokens.length, this.macros];
    if (header.tokens.length > 0 && version > this.knownVersion) this.macroChanges.push({ index, version });
    for (const change of header.macroChanges)
      this.macroChanges.push({ index: index + change.index, version: version + change.version });
    for (const token of header.tokens) this.tokens.push(token);
    if (header.tokens.length > 0) this.knownVersion = this.macroChanges.at(-1)?.version ?? version;
    for (const file of header.systemFiles) this.systemFiles.add(file);
    this.macros.append(header.macros);
    this.pos = end;
    return true;
  }

  private header(): HeaderText | undefined {
    this.read();
    const { tokens, macros, macroChanges, systemFiles } = this;
    const isWhole = this.diagnostics.length === 0 && this.afterPragmas.length === 0 && !this.pending;
    return isWhole ? { tokens, macros, macroChanges, systemFiles } : undefined;
  }

  private lineMarker(marker: RegExpExecArray): void {
    const [, line, quoted, flags] = marker;
    if (quoted !== undefined) {
      const name = decodeString(quoted);
      this.file = name;
      // gcc opens with a marker for the main file; `<built-in>` and the like never name it.
      if (this.mainFile === undefined && !name.startsWith("<")) this.mainFile = name;
      if (flags && /\b3\b/.test(flags)) this.systemFiles.add(name);
    }
    this.line = Number(line);
    this.lineStart = this.pos;
    this.extraBytes = 0;
  }

  private pragma(
    tokens: Token[],
    {
      mark,
      ...where
    }: Pick<PragmaLine, "start" | "end" | "operator" | "offset" | "stop"> & {
      readonly mark?: Mark | undefined;
    },
  ): void {
    const space = tokens[0]?.text ?? "";
    if ((space === "push_macro" || space === "pop_macro") && tokens[2]?.kind === "string") {
      const name = decodeString(tokens[2].text);
      if (space === "push_macro") this.macros.push(name);
      else this.macros.pop(name);
    }
    const expand = this.expandPragmas.has(space);
    const macros: MacroView = { table: this.macros, version: this.macros.version, relex: lexFragment };
    const written = tokens.map(pragmaToken);
    const report = ({ loc }: Token, fault: string): void =>
      this.report("macro-call", fault, loc, "call it as it is defined");
    const expanded = expand ? expandMacros(tokens, macros, report).map(pragmaToken) : written;
    this.pending ??= [];
    this.pending.push({ tokens: expanded, written, ...where, ...(mark && { added: mark.of }) });
  }

  /** pragma-operator = "_Pragma" "(" string ")" */
  protected override pragmaOperator(loc: Loc, spaced: boolean): Token | undefined {
    const match = /^\s*\(\s*(L?"(?:[^"\\\n]|\\[\s\S])*")\s*\)/.exec(
      this.text.slice(this.pos, this.pos + 65536),
    );
    if (!match?.[1]) return new Token("ident", "_Pragma", loc, 7, spaced);
    const quoted = match[1];
    const offset = this.pos - 7;
    const at = this.pos + match[0].indexOf(quoted) + quoted.indexOf('"') + 1;
    const body = quoted.slice(quoted.indexOf('"') + 1, -1).replace(/\\([\\"])/g, "$1");
    const bodyLoc = { ...loc, col: loc.col + at - offset };
    this.advance(this.pos + match[0].length);
    const where = { start: loc, end: this.here(), operator: true, offset, stop: this.pos };
    this.pragma(lexFragment(body, bodyLoc), where);
    return undefined;
  }
}

function pragmaToken(token: Token): PragmaToken {
  const kind = token.kind === "keyword" || token.kind === "end" ? "ident" : token.kind;
  return { kind, text: token.text, loc: token.loc, ...(token.spaced && { spaced: true }) };
}
