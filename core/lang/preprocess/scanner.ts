/** One token of text: words, numbers, literals and punctuators, and where they stand. */
import type { Diagnostic, Loc } from "../tree/ast.ts";
import { diagnostic } from "../tree/diagnostics.ts";
import { KEYWORDS, Token } from "./token.ts";

const PUNCTUATORS: ReadonlySet<string> = new Set(
  "... <<= >>= -> ++ -- << >> <= >= == != && || += -= *= /= %= &= ^= |= ## <: :> <% %> [ ] ( ) { } . & * + - ~ ! / % < > ^ | ? : ; = , #".split(
    " ",
  ),
);

/** Punctuators that are not a prefix of another. */
const SINGLES: ReadonlyMap<number, string> = new Map([..."[](){}~?;,"].map((c) => [c.charCodeAt(0), c]));

const DIGRAPHS: Readonly<Record<string, string>> = { "<:": "[", ":>": "]", "<%": "{", "%>": "}" };

export const Kind = { space: 1, digit: 2, letter: 3, quote: 4, punct: 5, newline: 6 } as const;
/** Class of each ASCII character; everything above is part of an identifier. */
export const CLASS = new Uint8Array(128).fill(Kind.punct);
for (const c of " \t\v\f\r") CLASS[c.charCodeAt(0)] = Kind.space;
CLASS[10] = Kind.newline;
for (let c = 48; c < 58; c++) CLASS[c] = Kind.digit;
for (let c = 65; c < 91; c++) CLASS[c] = CLASS[c + 32] = Kind.letter;
for (const c of "_$\\") CLASS[c.charCodeAt(0)] = Kind.letter;
for (const c of "\"'") CLASS[c.charCodeAt(0)] = Kind.quote;

const NUMBER = /\.?[0-9](?:[eEpP][+-]|'?[0-9A-Za-z_]|\.)*/y;
const WORD = /(?:[A-Za-z0-9_$\u0080-\uffff]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})+/y;
const STRING = /"(?:[^"\\\n]|\\[\s\S])*"/y;
const CHAR = /'(?:[^'\\\n]|\\[\s\S])*'/y;
const PREFIXES: ReadonlySet<string> = new Set(["L", "u", "U", "u8"]);

/** UTF-8 bytes of a UTF-16 code unit beyond the first; surrogates share the four of their pair. */
function utf8Extra(unit: number): number {
  if (unit < 0x800) return 1;
  return unit >= 0xd800 && unit < 0xe000 ? 1 : 2;
}

export abstract class Scanner {
  protected text: string;
  protected readonly diagnostics: Diagnostic[] = [];
  /** Leaves `_Pragma` operators as tokens. */
  protected isFragment = false;
  protected file: string;
  protected line: number;
  protected pos = 0;
  protected lineStart = 0;
  /** Bytes of this line's non-ASCII characters beyond one each. */
  protected extraBytes = 0;

  constructor(text: string, file: string, line: number) {
    this.text = text;
    this.file = file;
    this.line = line;
  }

  /** What a `_Pragma` operator becomes; `pos` is behind its name. */
  protected abstract pragmaOperator(loc: Loc, spaced: boolean): Token | undefined;

  protected here(): Loc {
    return { file: this.file, line: this.line, col: this.pos - this.lineStart + 1 + this.extraBytes };
  }

  protected report(code: string, message: string, loc: Loc, remedy?: string): void {
    this.diagnostics.push(diagnostic("error", code, message, loc, { remedy }));
  }

  protected newline(): void {
    this.line++;
    this.lineStart = this.pos;
    this.extraBytes = 0;
  }

  /** Sets the location of the next character. */
  protected goOnAt({ file, line, col }: Loc): void {
    this.file = file;
    this.line = line;
    this.lineStart = this.pos + 1 - col;
    this.extraBytes = 0;
  }

  /** Moves to `stop`, counting lines and bytes. */
  protected advance(stop: number): void {
    while (this.pos < stop) {
      const c = this.text.charCodeAt(this.pos++);
      if (c === 10) this.newline();
      else if (c > 127) this.extraBytes += utf8Extra(c);
    }
  }

  protected token(spaced: boolean): Token | undefined {
    const c = this.text.charCodeAt(this.pos);
    const kind = c < 128 ? CLASS[c] : Kind.letter;
    if (kind === Kind.letter) return this.word(spaced);
    if (kind === Kind.digit) return this.number(spaced);
    if (kind === Kind.quote) return this.quoted(this.pos, this.here(), spaced);
    if (c === 46 /* . */) {
      const after = this.text.charCodeAt(this.pos + 1);
      if (after >= 48 && after < 58) return this.number(spaced);
    }
    return this.punctuator(spaced);
  }

  private word(spaced: boolean): Token | undefined {
    const loc = this.here();
    const start = this.pos;
    const ascii = this.asciiWord();
    const isAscii = ascii !== undefined;
    const text = ascii ?? this.anyWord();
    if (text === undefined) return this.stray(loc);
    const next = this.text.charCodeAt(start + text.length);
    if ((next === 34 || next === 39) && PREFIXES.has(text)) {
      this.pos += text.length;
      return this.quoted(start, loc, spaced);
    }
    if (isAscii) this.pos = start + text.length;
    else this.advance(start + text.length);
    if (text === "_Pragma" && !this.isFragment) return this.pragmaOperator(loc, spaced);
    const length = this.here().col - loc.col;
    const keyword = KEYWORDS.get(text);
    return new Token(keyword ? "keyword" : "ident", keyword ?? text, loc, length, spaced, start);
  }

  /** Without a pattern, as most of a unit is words; undefined: there is more in it. */
  private asciiWord(): string | undefined {
    let end = this.pos;
    for (;;) {
      const c = this.text.charCodeAt(end);
      if (c > 127 || c === 92 /* \ */) return undefined;
      const kind = CLASS[c];
      if (kind !== Kind.letter && kind !== Kind.digit) return this.text.slice(this.pos, end);
      end++;
    }
  }

  private anyWord(): string | undefined {
    WORD.lastIndex = this.pos;
    return WORD.exec(this.text)?.[0];
  }

  private number(spaced: boolean): Token {
    const loc = this.here();
    NUMBER.lastIndex = this.pos;
    const text = NUMBER.exec(this.text)?.[0] ?? "0";
    const offset = this.pos;
    this.pos += text.length;
    return new Token("number", text, loc, text.length, spaced, offset);
  }

  /** A string or character literal whose prefix starts at `start`; `pos` is at its quote. */
  private quoted(start: number, loc: Loc, spaced: boolean): Token | undefined {
    const isString = this.text.charCodeAt(this.pos) === 34;
    const pattern = isString ? STRING : CHAR;
    pattern.lastIndex = this.pos;
    const match = pattern.exec(this.text);
    if (!match) {
      this.report(
        "unterminated-literal",
        `this ${isString ? "string" : "character"} literal does not end on its line`,
        loc,
        `close it with ${isString ? '`"`' : "`'`"}`,
      );
      const end = this.text.indexOf("\n", this.pos);
      this.advance(end < 0 ? this.text.length : end);
      return undefined;
    }
    this.advance(this.pos + match[0].length);
    const text = this.text.slice(start, this.pos);
    return new Token(isString ? "string" : "char", text, loc, this.here().col - loc.col, spaced, start);
  }

  private punctuator(spaced: boolean): Token | undefined {
    const loc = this.here();
    const single = SINGLES.get(this.text.charCodeAt(this.pos));
    if (single !== undefined) return new Token("punct", single, loc, 1, spaced, this.pos++);
    // None consists of anything else.
    const longest = CLASS[this.text.charCodeAt(this.pos + 1)] === Kind.punct ? 3 : 1;
    for (let length = longest; length > 0; length--) {
      const text = this.text.substr(this.pos, length);
      if (text.length === length && PUNCTUATORS.has(text)) {
        const offset = this.pos;
        this.pos += length;
        return new Token("punct", DIGRAPHS[text] ?? text, loc, length, spaced, offset);
      }
    }
    return this.stray(loc);
  }

  private stray(loc: Loc): undefined {
    const code = this.text.codePointAt(this.pos) ?? 0;
    const shown = code > 32 ? String.fromCodePoint(code) : `\\x${code.toString(16)}`;
    this.report("stray-character", `\`${shown}\` does not start a token`, loc, "remove it");
    this.advance(this.pos + (code > 0xffff ? 2 : 1));
    return undefined;
  }
}
