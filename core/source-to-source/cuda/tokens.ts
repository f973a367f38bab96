/** Tokens of a CUDA source with their offsets; preprocessor directives are separate, comments are omitted. */
import { itemAt } from "../../checked/access.ts";
import { CannotSay } from "../sites/rewrite.ts";

export interface Token {
  readonly kind: "name" | "number" | "literal" | "mark";
  readonly text: string;
  /** Offsets in the source. */
  readonly start: number;
  readonly end: number;
}

export interface Line {
  /** The text of a preprocessor directive, with continuation lines. */
  readonly text: string;
  readonly start: number;
}

export interface Tokens {
  readonly code: readonly Token[];
  readonly lines: readonly Line[];
  /** Tokens inside `#define`, in order. */
  readonly inMacros: readonly Token[];
}

const next =
  /(?<gap>\s+|\\\r?\n|\/\*[\s\S]*?\*\/|\/\/(?:\\\r?\n|[^\n])*)|(?<name>[A-Za-z_]\w*)|(?<number>\.?\d(?:[eEpP][+-]|[\w.])*)|(?<literal>"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*')|(?<mark><<<|>>>|<<=|>>=|->|\+\+|--|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||::|\S)/y;

export function tokensOf(text: string): Tokens {
  const lines: Line[] = [];
  const directive = /^[ \t]*#(?:\\\r?\n|\/\*[\s\S]*?\*\/|[^\n])*/gm;
  const commented = commentsOf(text);
  for (const { 0: found, index } of text.matchAll(directive))
    if (!commented.some(({ start, end }) => start < index && index < end))
      lines.push({ text: found, start: index });
  const all = scan(text);
  const lineOf = (token: Token): Line | undefined =>
    lines.find(({ start, text: line }) => start <= token.start && token.start < start + line.length);
  return {
    code: all.filter((token) => lineOf(token) === undefined),
    lines,
    inMacros: all.filter((token) => /^\s*#\s*define\b/.test(lineOf(token)?.text ?? "")),
  };
}

function scan(text: string): readonly Token[] {
  const found: Token[] = [];
  next.lastIndex = 0;
  for (let match = next.exec(text); match !== null; match = next.exec(text)) {
    const { gap, name, number, literal } = match.groups ?? {};
    if (gap !== undefined) continue;
    const kind =
      name !== undefined
        ? "name"
        : number !== undefined
          ? "number"
          : literal !== undefined
            ? "literal"
            : "mark";
    found.push({ kind, text: match[0], start: match.index, end: next.lastIndex });
  }
  return found;
}

function commentsOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(/"(?:\\[\s\S]|[^"\\\n])*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)]
    .filter(({ 0: found }) => found.startsWith("/*"))
    .map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
}

/** Converts offsets to locations, and refuses constructs there. */
export class SourceLocations {
  private readonly file: string;
  private readonly starts: readonly number[];
  constructor(file: string, text: string) {
    this.file = file;
    this.starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  /** Counted from 1. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.starts.length;
    while (high - low > 1) {
      const mid = (low + high) >> 1;
      if (itemAt(this.starts, mid) <= offset) low = mid;
      else high = mid;
    }
    return low + 1;
  }

  at(offset: number) {
    const line = this.lineAt(offset);
    return { file: this.file, line, col: offset - itemAt(this.starts, line - 1) + 1 };
  }

  refuse(at: number | Token, message: string, remedy: string): never {
    throw new CannotSay(this.at(typeof at === "number" ? at : at.start), message, remedy);
  }
}

/** Index of the token that closes the bracket at `open`; the last token if none does. */
export function closing(tokens: readonly Token[], open: number): number {
  const pairs: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<<<": ">>>" };
  const own = tokens[open]?.text ?? "";
  const close = pairs[own];
  let depth = 0;
  for (let k = open; k < tokens.length; k++) {
    const { text, kind } = itemAt(tokens, k);
    if (kind !== "mark") continue;
    if (text === own) depth++;
    else if (text === close && --depth === 0) return k;
  }
  return tokens.length - 1;
}

/** The comma-separated parts of tokens `from` to `to`, exclusive. */
export function parts(tokens: readonly Token[], from: number, to: number): readonly (readonly Token[])[] {
  const found: Token[][] = [];
  let depth = 0;
  let part: Token[] = [];
  for (const token of tokens.slice(from, to)) {
    if (token.kind === "mark" && /^[([{]$/.test(token.text)) depth++;
    if (token.kind === "mark" && /^[)\]}]$/.test(token.text)) depth--;
    if (token.kind === "mark" && token.text === "," && depth === 0) {
      found.push(part);
      part = [];
    } else part.push(token);
  }
  return part.length > 0 || found.length > 0 ? [...found, part] : [];
}
