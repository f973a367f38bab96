/** Tokens of preprocessed C. */
import type { Added, Loc, PragmaToken } from "../tree/ast.ts";

type TokenKind = "ident" | "keyword" | "number" | "char" | "string" | "punct" | "end";

export interface LexOptions {
  /** Namespaces (first word after `pragma`) whose tokens are macro-expanded. */
  readonly expandPragmas?: readonly string[];
  /** Number of the first line; 1 by default. */
  readonly line?: number;
  /** Tokens of system headers may be those of another text, with their offsets there. */
  readonly sharesHeaders?: boolean;
}

/** A `#pragma` line or `_Pragma` operator, with macros expanded if its namespace requires it. */
export interface PragmaLine {
  readonly tokens: readonly PragmaToken[];
  /** Before macro expansion. */
  readonly written: readonly PragmaToken[];
  readonly start: Loc;
  readonly end: Loc;
  readonly operator: boolean;
  /** Indexes in the input text: of its first character, and one past its last. */
  readonly offset: number;
  readonly stop: number;
  /** Set if part of it is not in the source (mark.ts). */
  readonly added?: Added;
}

/** Its fields are declared only: a unit has many tokens, and each would be filled twice. */
export class Token {
  declare readonly kind: TokenKind;
  /** The spelling; canonical for keywords and digraphs. */
  declare readonly text: string;
  declare readonly loc: Loc;
  /** Bytes of the spelling in the source. */
  declare readonly length: number;
  /** White space or a line break precedes it. */
  declare readonly spaced: boolean;
  /** Index of its first character in the input text. */
  declare readonly offset: number;
  /** Pragmas between the previous token and this one. */
  declare pragmas: PragmaLine[] | undefined;

  constructor(kind: TokenKind, text: string, loc: Loc, length: number, spaced: boolean, offset = 0) {
    this.kind = kind;
    this.text = text;
    this.loc = loc;
    this.length = length;
    this.spaced = spaced;
    this.offset = offset;
    this.pragmas = undefined;
  }

  /** Index one past its last character in the input text. */
  get stop(): number {
    const canonical = this.kind === "keyword" || this.kind === "punct";
    return this.offset + (canonical ? this.length : this.text.length);
  }

  /** One past the last byte. */
  get end(): Loc {
    return { file: this.loc.file, line: this.loc.line, col: this.loc.col + this.length };
  }
}

/** Bytes of `text` in UTF-8; source is ASCII almost everywhere. */
export function byteLength(text: string): number {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 127) return new TextEncoder().encode(text).length;
  }
  return text.length;
}

/** Spellings of one keyword, the canonical one first. */
const SPELLINGS: readonly (readonly string[])[] = [
  ..."auto break case char continue default do double else enum extern float for goto if int long register return short static struct switch typedef union unsigned void while"
    .split(" ")
    .map((word) => [word]),
  ..."_Bool _Generic _Static_assert _Float16 _Float32 _Float64 _Float128 _Float32x _Float64x __bf16 __label__ __auto_type __builtin_va_arg __builtin_offsetof __builtin_types_compatible_p __builtin_choose_expr __builtin_convertvector __float80"
    .split(" ")
    .map((word) => [word]),
  ["const", "__const", "__const__"],
  ["volatile", "__volatile", "__volatile__"],
  ["restrict", "__restrict", "__restrict__"],
  ["inline", "__inline", "__inline__"],
  ["signed", "__signed", "__signed__"],
  ["sizeof"],
  ["__typeof__", "typeof", "__typeof"],
  ["__asm__", "asm", "__asm"],
  ["__attribute__", "__attribute"],
  ["__extension__"],
  ["_Complex", "__complex", "__complex__"],
  ["_Alignas"],
  ["_Alignof"],
  // Not a spelling of _Alignof: it gives the preferred alignment and takes expressions.
  ["__alignof__", "__alignof"],
  ["_Atomic"],
  ["_Noreturn"],
  ["_Thread_local", "__thread"],
  ["__int128"],
  ["__float128"],
  ["__real__", "__real"],
  ["__imag__", "__imag"],
];

/** Maps every spelling of a keyword to the canonical one. */
export const KEYWORDS: ReadonlyMap<string, string> = new Map(
  SPELLINGS.flatMap(([canonical, ...others]) =>
    [canonical, ...others].map((word) => [word, canonical] as [string, string]),
  ),
);
