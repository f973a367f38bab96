/** Expressions inside pragma lines, for the readers of directives. */

import { byteLength, KEYWORDS, Token } from "../preprocess/token.ts";
import type { CType, Diagnostic, Expr, Loc, PragmaToken, Scope, Symbol } from "../tree/ast.ts";
import { diagnostic } from "../tree/diagnostics.ts";
import { LexicalScope } from "../tree/scope.ts";
import { StatementParser } from "./statements.ts";

const NO_PLACE: Loc = { file: "<pragma>", line: 1, col: 1 };

/** The grammar's expression layers over one pragma's tokens. */
class PragmaExpressions extends StatementParser {
  protected override readonly inputKind: string = "directive";
  stopAtSections = false;

  constructor(tokens: readonly PragmaToken[], scope: Scope, end: Loc) {
    const own = tokens.map(toToken);
    own.push(new Token("end", "", end, 0, true));
    super({ tokens: own, scope: new LexicalScope("block"), outer: scope });
  }

  get position(): number {
    return this.pos;
  }

  get place(): Loc {
    return this.token.loc;
  }

  atText(text: string): boolean {
    return (
      this.token.kind !== "string" && this.token.kind !== "char" && this.token.text === text && text !== ""
    );
  }

  moveTo(position: number): void {
    this.seek(position);
  }

  /** Undefined when it fails, with an error among the diagnostics. */
  attempt<T>(parse: () => T): T | undefined {
    let value: T | undefined;
    this.recovering(
      () => {
        value = parse();
      },
      () => {},
    );
    return value;
  }

  readTypeName(): CType {
    return this.typeName();
  }

  beginsType(): boolean {
    return this.startsType(0);
  }

  /** Every undeclared name is its own error, because clauses are parsed one by one. */
  protected override undeclared(token: Token): Symbol {
    const sym = super.undeclared(token);
    this.fileScope.names.delete(token.text);
    return sym;
  }

  /** True at a `[` that begins an array section (`;` or a bare `:` inside) rather than a subscript. */
  protected override endsPostfix(): boolean {
    if (!this.stopAtSections || !this.at("[")) return false;
    let depth = 0;
    let questions = 0;
    for (let ahead = 0; this.peek(ahead).kind !== "end"; ahead++) {
      const { kind, text } = this.peek(ahead);
      if (kind !== "punct") continue;
      if (text === "[" || text === "(" || text === "{") depth++;
      else if (text === "]" || text === ")" || text === "}") {
        if (--depth === 0) return false;
      } else if (depth === 1 && text === "?") questions++;
      else if (depth === 1 && text === ";") return true;
      else if (depth === 1 && text === ":" && questions-- === 0) return true;
    }
    return false;
  }
}

function toToken(token: PragmaToken): Token {
  const keyword = token.kind === "ident" ? KEYWORDS.get(token.text) : undefined;
  return new Token(
    keyword ? "keyword" : token.kind,
    keyword ?? token.text,
    token.loc,
    byteLength(token.text),
    true,
  );
}

/**
 * A cursor over the tokens of a pragma that parses C expressions with the names visible there. A syntax error is
 * returned as a Diagnostic, and the cursor then stands at the error.
 */
export class ExprParser {
  /** Warnings about the expressions parsed so far. */
  readonly warnings: Diagnostic[] = [];
  private readonly tokens: readonly PragmaToken[];
  private readonly expressions: PragmaExpressions;

  /** `end`: where errors at the end of the line are reported; the end of the last token by default. */
  constructor(tokens: readonly PragmaToken[], scope: Scope, end: Loc = endOf(tokens)) {
    this.tokens = tokens;
    this.expressions = new PragmaExpressions(tokens, scope, end);
  }

  /** Index of the next token; `seek` goes back to it. */
  get position(): number {
    return this.expressions.position;
  }

  seek(position: number): void {
    this.expressions.moveTo(position);
  }

  /** Place of the next token, or of the end. */
  get loc(): Loc {
    return this.expressions.place;
  }

  atEnd(): boolean {
    return this.position >= this.tokens.length;
  }

  /** Undefined at the end of the line. */
  peek(ahead = 0): PragmaToken | undefined {
    return this.tokens[this.position + ahead];
  }

  next(): PragmaToken | undefined {
    const token = this.peek();
    if (token) this.expressions.moveTo(this.position + 1);
    return token;
  }

  /** Whether the next token is spelled `text` and is not a literal. */
  at(text: string): boolean {
    return this.expressions.atText(text);
  }

  accept(text: string): boolean {
    if (!this.at(text)) return false;
    this.next();
    return true;
  }

  /** Consumes `text`, or returns the error that it is missing. */
  expect(text: string): Diagnostic | undefined {
    if (this.accept(text)) return undefined;
    const found = this.peek();
    return this.error(
      "syntax",
      `expected \`${text}\`, found ${found ? `\`${found.text}\`` : "the end of the directive"}`,
    );
  }

  /** An error at the next token. */
  error(code: string, message: string, remedy?: string): Diagnostic {
    return diagnostic("error", code, message, this.loc, { remedy });
  }

  /** expression, with commas */
  parseExpression(): Expr | Diagnostic {
    return this.read(() => this.expressions.expression());
  }

  /** assignment-expression: what stands between commas */
  parseAssignment(): Expr | Diagnostic {
    return this.read(() => this.expressions.assignment());
  }

  /** conditional-expression: what stands before a `:` */
  parseConditional(): Expr | Diagnostic {
    return this.read(() => this.expressions.conditional());
  }

  /**
   * A variable or a part of one (`a`, `s->p`, `(*q)[i].r`) up to a `[` that opens an array section
   * `[lower : length]`, at which the cursor then stands.
   */
  parseVariable(): Expr | Diagnostic {
    return this.upToSections(() => this.expressions.postfixExpression());
  }

  /** The same, and `*p`. */
  parseLvalue(): Expr | Diagnostic {
    return this.upToSections(() => this.expressions.castExpression());
  }

  private upToSections(parse: () => Expr): Expr | Diagnostic {
    this.expressions.stopAtSections = true;
    try {
      return this.read(parse);
    } finally {
      this.expressions.stopAtSections = false;
    }
  }

  startsType(): boolean {
    return this.expressions.beginsType();
  }

  parseTypeName(): CType | Diagnostic {
    return this.read(() => this.expressions.readTypeName());
  }

  private read<T extends object>(parse: () => T): T | Diagnostic {
    const { diagnostics } = this.expressions;
    const value = this.expressions.attempt(parse);
    const error = diagnostics.find(({ severity }) => severity === "error");
    if (!error) this.warnings.push(...diagnostics);
    diagnostics.length = 0;
    return error ?? (value as T);
  }
}

function endOf(tokens: readonly PragmaToken[]): Loc {
  const last = tokens[tokens.length - 1];
  return last ? { ...last.loc, col: last.loc.col + byteLength(last.text) } : NO_PLACE;
}

/** The one expression that all of `tokens` make. */
export function parseExpr(tokens: readonly PragmaToken[], scope: Scope): Expr | Diagnostic {
  const parser = new ExprParser(tokens, scope);
  const expr = parser.parseExpression();
  if ("severity" in expr || parser.atEnd()) return expr;
  return parser.error(
    "syntax",
    `unexpected \`${parser.peek()?.text ?? ""}\` after the expression`,
    "remove it",
  );
}
