/** State shared by all layers of the parser: the token position, the scope, diagnostics. */

import type { Token } from "../preprocess/token.ts";
import type { Diagnostic, EnumDecl, Expr, Loc, RecordDecl, Scope, Span, Symbol } from "../tree/ast.ts";
import { type Advice, diagnostic, nearestName, SyntaxFailure } from "../tree/diagnostics.ts";
import { LexicalScope, makeSymbol, visibleNames } from "../tree/scope.ts";
import { INT } from "../tree/types.ts";
import { walkExpr } from "../tree/walk.ts";
import { NEW_KEYWORDS } from "./c23.ts";

/** Input of every parser layer. */
interface ParserInput {
  /** Ends with a token of kind `end`. */
  readonly tokens: readonly Token[];
  readonly scope: LexicalScope;
  /** A scope of another parse that is searched last (clause expressions). */
  readonly outer?: Scope;
  readonly systemFiles?: ReadonlySet<string>;
}

/**
 * Nested constructs recurse, here and in every walk over the tree. This budget keeps the recursion within the stack:
 * 256 nested parentheses or braces, 1024 nested statements without braces or `else if`s.
 */
const DEEPEST = 1024;
export const BRACKET = 4;
export const BLOCK = 3;
export const STATEMENT = 1;
/** Longest run of binary operators, which nest to the left. */
const LONGEST_CHAIN = 1000;

/** Decimal and fixed-point numbers, numbers of some processors, and vectors of others. */
const ofCompilers = /^(_Decimal(32|64|128|64x)|_Fract|_Accum|_Sat|__ibm128|__mfp8|__SV\w+_t)$/;

const isOpening = ({ kind, text }: Token): boolean => kind === "punct" && text === "[";

export abstract class ParserBase {
  readonly diagnostics: Diagnostic[] = [];
  protected readonly tokens: readonly Token[];
  protected pos = 0;
  protected token: Token;
  protected scope: LexicalScope;
  protected readonly fileScope: LexicalScope;
  /** What the tokens form together, for messages. */
  protected readonly inputKind: string = "text";
  private depth = 0;
  /** Records and enums defined since the innermost `collectDefines` began. */
  protected defines: (RecordDecl | EnumDecl)[] = [];
  /** Undeclared names, each reported once. */
  private readonly guessed = new Set<Symbol>();
  /** Expressions that contain a reported error. */
  private readonly faulty = new WeakSet<Expr>();
  private readonly outer: Scope | undefined;
  private readonly systemFiles: ReadonlySet<string>;

  constructor(input: ParserInput) {
    this.tokens = input.tokens;
    this.token = input.tokens[0] as Token;
    this.scope = input.scope;
    let top = input.scope;
    while (top.parent) top = top.parent;
    this.fileScope = top;
    this.outer = input.outer;
    this.systemFiles = input.systemFiles ?? new Set();
  }

  // ---------------------------------------------------------------- tokens

  protected peek(ahead: number): Token {
    return this.tokens[Math.min(this.pos + ahead, this.tokens.length - 1)] as Token;
  }

  protected next(): Token {
    const { token } = this;
    if (this.pos < this.tokens.length - 1) this.token = this.tokens[++this.pos] as Token;
    return token;
  }

  protected seek(pos: number): void {
    this.pos = pos;
    this.token = this.tokens[pos] as Token;
  }

  /** Whether the next token is this punctuator or keyword. */
  protected at(text: string): boolean {
    const { token } = this;
    return token.text === text && (token.kind === "punct" || token.kind === "keyword");
  }

  /** The keyword that stands there, also as one of C23's. */
  protected keywordAt(ahead: number): string | undefined {
    const token = this.peek(ahead);
    if (token.kind === "keyword") return token.text;
    const word = token.kind === "ident" ? NEW_KEYWORDS.get(token.text) : undefined;
    return word === undefined || this.lookup(token.text) ? undefined : word;
  }

  /** Whether an attribute stands there: `__attribute__((…))`, or C23's `[[…]]`. */
  protected startsAttribute(ahead = 0): boolean {
    const { kind, text } = this.peek(ahead);
    if (kind === "keyword") return text === "__attribute__";
    return kind === "punct" && text === "[" && isOpening(this.peek(ahead + 1));
  }

  protected accept(text: string): boolean {
    if (!this.at(text)) return false;
    this.next();
    return true;
  }

  /** The next token, for messages. */
  protected found(): string {
    return this.token.kind === "end" ? `the end of the ${this.inputKind}` : `\`${this.token.text}\``;
  }

  /** Consumes `text` or fails, naming the construct that needs it. */
  protected expect(text: string, context: string): Token {
    if (!this.at(text)) {
      this.fail("syntax", `expected \`${text}\` ${context}, found ${this.found()}`, {
        remedy: `write \`${text}\` here`,
      });
    }
    return this.next();
  }

  protected expectIdent(what: string): Token {
    if (this.token.kind !== "ident") {
      this.fail("syntax", `expected ${what}, found ${this.found()}`, {
        remedy: `write ${what} here`,
      });
    }
    return this.next();
  }

  protected spanAt(token: Token): Span {
    return { start: token.loc, end: token.end };
  }

  /** From `start` to the last consumed token. */
  protected spanFrom(start: Loc): Span {
    const last = this.pos > 0 ? (this.tokens[this.pos - 1] as Token) : this.token;
    return { start, end: last.end };
  }

  // ---------------------------------------------------------------- nesting

  /** The nested construct must be followed by `leave` with the same weight. */
  protected enter(weight: number): void {
    this.depth += weight;
    if (this.depth > DEEPEST) this.tooDeep("this nests too deeply");
  }

  protected leave(weight: number): void {
    this.depth -= weight;
  }

  /** Runs `parse`; if it fails, reports the error and lets `recover` find where to continue. */
  protected recovering(parse: () => void, recover: () => void): void {
    const { depth } = this;
    try {
      parse();
    } catch (failure) {
      if (!(failure instanceof SyntaxFailure)) throw failure;
      this.diagnostics.push(failure.diagnostic);
      this.depth = depth;
      recover();
    }
  }

  protected checkChain(length: number): void {
    if (length > LONGEST_CHAIN) this.tooDeep("too many operators stand in a row");
  }

  private tooDeep(message: string): never {
    this.fail("nested-too-deep", message, { remedy: "split it into several statements" });
  }

  // ---------------------------------------------------------------- diagnostics

  protected fail(code: string, message: string, advice: Advice & { readonly at?: Loc } = {}): never {
    throw new SyntaxFailure(diagnostic("error", code, message, advice.at ?? this.token.loc, advice));
  }

  protected error(code: string, message: string, at: Span, advice: Advice = {}): void {
    this.diagnostics.push(diagnostic("error", code, message, at.start, { end: at.end, ...advice }));
  }

  /** Warnings inside system headers are not the user's concern. */
  protected warn(code: string, message: string, at: Span, advice: Advice = {}): void {
    if (this.systemFiles.has(at.start.file)) return;
    this.diagnostics.push(diagnostic("warning", code, message, at.start, { end: at.end, ...advice }));
  }

  // ---------------------------------------------------------------- scopes

  protected lookup(name: string): Symbol | undefined {
    return this.scope.lookup(name) ?? this.outer?.lookup(name);
  }

  protected lookupTag(tag: string): RecordDecl | EnumDecl | undefined {
    return this.scope.lookupTag(tag) ?? this.outer?.lookupTag(tag);
  }

  /** Runs `parse` in a new block scope inside the current one. */
  protected inScope<T>(parse: () => T): T {
    const saved = this.scope;
    this.scope = new LexicalScope("block", saved);
    try {
      return parse();
    } finally {
      this.scope = saved;
    }
  }

  /** Runs `parse` and returns the records and enums it defined apart from the enclosing ones. */
  protected collectDefines<T>(parse: () => T): { value: T; defines: (RecordDecl | EnumDecl)[] } {
    const saved = this.defines;
    this.defines = [];
    try {
      return { value: parse(), defines: this.defines };
    } finally {
      this.defines = saved;
    }
  }

  /** Reports the name and declares it as an int, so that one mistake gives one error. */
  protected undeclared(token: Token): Symbol {
    const near = nearestName(token.text, this.namesInScope());
    this.error(
      "undeclared-identifier",
      `\`${token.text}\` is not declared`,
      { start: token.loc, end: token.end },
      {
        remedy:
          near === undefined ? `declare \`${token.text}\` before this line` : `did you mean \`${near}\`?`,
      },
    );
    const sym = makeSymbol(token.text, "var", INT, "file", { start: token.loc, end: token.end }, "extern");
    this.fileScope.names.set(token.text, sym);
    this.guessed.add(sym);
    return sym;
  }

  /**
   * Reports an error in an expression, unless it follows from an error already reported for a part of it or for a name.
   */
  protected errorIn(expr: Expr, code: string, message: string, advice: Advice = {}, at = expr.span): void {
    let follows = false;
    walkExpr(expr, {
      expr: (part) => {
        follows ||= this.faulty.has(part) || (part.kind === "ident" && this.guessed.has(part.sym));
        return !follows;
      },
    });
    this.faulty.add(expr);
    if (!follows) this.error(code, message, at, advice);
  }

  /** `foo bar`, `foo *bar` or `foo *)` where `foo` is no type: a header is missing or the name is misspelt. */
  protected startsUnknownType(): boolean {
    const { token } = this;
    if (token.kind !== "ident" || this.lookup(token.text)) return false;
    let ahead = 1;
    while (this.peek(ahead).kind === "punct" && this.peek(ahead).text === "*") ahead++;
    const name = this.peek(ahead);
    if (ahead > 1 && name.kind === "punct" && name.text === ")") return true;
    if (name.kind !== "ident") return false;
    // `a * b;` could also be a product.
    const after = this.peek(ahead + 1).text;
    return ahead === 1 || /^[;,=[)]$/.test(after);
  }

  protected unknownType(): never {
    const { token } = this;
    const types: string[] = [];
    for (const name of this.namesInScope()) if (this.lookup(name)?.kind === "typedef") types.push(name);
    if (ofCompilers.test(token.text))
      return this.fail(
        "unknown-type",
        `\`${token.text}\` is a type of some C compilers that arc does not know`,
        {
          end: token.end,
          remedy: "move the code that needs it to a file without directives, or leave it out with #ifndef",
        },
      );
    const near = nearestName(token.text, types);
    return this.fail("unknown-type", `\`${token.text}\` is not a type`, {
      end: token.end,
      remedy: near === undefined ? "include the header that declares it" : `did you mean \`${near}\`?`,
    });
  }

  private *namesInScope(): Generator<string> {
    yield* visibleNames(this.scope);
    if (this.outer) yield* visibleNames(this.outer);
  }

  // ---------------------------------------------------------------- text

  /** The tokens from position `start` to the current one as text, spaced as in the source. */
  protected textFrom(start: number): string {
    let text = "";
    for (let i = start; i < this.pos; i++) {
      const token = this.tokens[i] as Token;
      text += i > start && token.spaced ? ` ${token.text}` : token.text;
    }
    return text;
  }

  /** Consumes a `( ... )` group and returns what is between the parentheses. */
  protected balanced(): { readonly text: string; readonly first: Token | undefined } {
    this.expect("(", "to open the argument list");
    const start = this.pos;
    for (let depth = 1; ; this.next()) {
      if (this.token.kind === "end") this.fail("syntax", "expected `)` before the end of the file");
      if (this.at("(")) depth++;
      if (this.at(")") && --depth === 0) break;
    }
    const first = this.pos > start ? this.tokens[start] : undefined;
    const text = this.textFrom(start);
    this.next();
    return { text, first };
  }
}
