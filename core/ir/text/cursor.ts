/** A cursor over one `#pragma upir` line: words, numbers, variables and C expressions; errors carry their location. */

import { ExprParser, isDiagnostic, nearestName, spellTokens, visibleNames } from "../../lang/index.ts";
import type { Diagnostic, Expr, Loc, Pragma, PragmaToken, Scope, Symbol } from "../../lang/tree/ast.ts";

/** Aborts the parse of a line. */
export class Unreadable extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** The names in scope and those that the line itself introduces. */
class LineScope implements Scope {
  readonly own = new Map<string, Symbol>();
  readonly parent: Scope;

  constructor(parent: Scope) {
    this.parent = parent;
  }

  lookup(name: string): Symbol | undefined {
    return this.own.get(name) ?? this.parent.lookup(name);
  }

  lookupTag(tag: string): ReturnType<Scope["lookupTag"]> {
    return this.parent.lookupTag(tag);
  }
}

export class Cursor {
  private readonly tokens: readonly PragmaToken[];
  private readonly scope: LineScope;
  private readonly parser: ExprParser;

  /** Starts after `upir`. */
  constructor(pragma: Pragma) {
    this.tokens = pragma.tokens.slice(1);
    this.scope = new LineScope(pragma.scope);
    this.parser = new ExprParser(this.tokens, this.scope, pragma.span.end);
  }

  get loc(): Loc {
    return this.parser.loc;
  }

  get atEnd(): boolean {
    return this.parser.atEnd();
  }

  peek(ahead = 0): PragmaToken | undefined {
    return this.parser.peek(ahead);
  }

  fail(code: string, message: string, remedy: string, loc: Loc = this.loc): never {
    throw new Unreadable({ severity: "error", code, loc, message, remedy });
  }

  accept(text: string): boolean {
    return this.parser.accept(text);
  }

  expect(text: string): void {
    const found = this.peek();
    if (!this.accept(text))
      this.fail(
        "syntax",
        `expected '${text}', found ${found ? `'${found.text}'` : "the end of the line"}`,
        `write '${text}' here`,
      );
  }

  /** word = name { "-" name } */
  word(what: string): string {
    const token = this.peek();
    if (token?.kind !== "ident")
      this.fail("syntax", `expected ${what}${token ? ` before '${token.text}'` : ""}`, `write ${what} here`);
    let text = token.text;
    this.parser.next();
    while (this.peek()?.text === "-" && this.peek(1)?.kind === "ident" && !this.peek(1)?.spaced) {
      this.parser.next();
      text += `-${this.parser.next()?.text}`;
    }
    return text;
  }

  /** One of `values`. */
  choice<T extends string>(values: readonly T[], what: string): T {
    const { loc } = this;
    const text = this.word(what);
    const found = values.find((v) => v === text);
    if (found === undefined) {
      const near = nearestName(text, values);
      const all = `write one of ${values.join(", ")}`;
      this.fail(
        "unknown-word",
        `'${text}' is no ${what}`,
        near === undefined ? all : `did you mean '${near}'? ${all}`,
        loc,
      );
    }
    return found;
  }

  number(): number {
    const token = this.peek();
    const value = token?.kind === "number" && /^\d+$/.test(token.text) ? Number(token.text) : undefined;
    if (value === undefined)
      this.fail(
        "syntax",
        `expected a number${token ? ` before '${token.text}'` : ""}`,
        "write a whole number",
      );
    this.parser.next();
    return value;
  }

  /** A string literal without escapes. */
  string(): string {
    const token = this.peek();
    if (token?.kind !== "string") this.fail("syntax", "expected a string", 'write "..." here');
    this.parser.next();
    return token.text.slice(1, -1);
  }

  /** assignment-expression */
  expr(): Expr {
    return this.read(this.parser.parseAssignment());
  }

  /** The object of a data clause, up to its section. */
  object(): Expr {
    return this.read(this.parser.parseLvalue());
  }

  private read(parsed: Expr | Diagnostic): Expr {
    if (isDiagnostic(parsed)) throw new Unreadable(parsed);
    return parsed;
  }

  /** A variable or, with `kind`, another declared entity. */
  symbol(kind: "variable" | "function" = "variable"): Symbol {
    const { loc } = this;
    const name = this.word(`a ${kind}`);
    const sym = this.scope.lookup(name);
    const fits = kind === "function" ? ["function"] : ["var", "param"];
    if (sym && fits.includes(sym.kind)) return sym;
    const near = nearestName(name, visibleNames(this.scope.parent));
    return this.fail(
      "unknown-name",
      `'${name}' is no ${kind} here`,
      near === undefined ? `declare '${name}' before this line` : `did you mean '${near}'?`,
      loc,
    );
  }

  /** Makes a name visible to the rest of the line. */
  bring(sym: Symbol): void {
    this.scope.own.set(sym.name, sym);
  }

  list<T>(one: () => T): T[] {
    const result = [one()];
    while (this.accept(",")) result.push(one());
    return result;
  }

  /** ["(" tokens ")"]: the tokens as text. */
  rest(): string | undefined {
    if (this.peek()?.text !== "(") return undefined;
    const from = this.parser.position + 1;
    for (let depth = 0; ; ) {
      const token = this.parser.next();
      if (!token) this.fail("syntax", "expected ')' before the end of the line", "close the parenthesis");
      if (token.text === "(") depth++;
      if (token.text === ")" && --depth === 0) break;
    }
    return this.since(from, this.parser.position - 1);
  }

  get position(): number {
    return this.parser.position;
  }

  /** The text of the tokens from position `from` on. */
  since(from: number, to: number = this.position): string {
    return spellTokens(this.tokens.slice(from, to));
  }
}
