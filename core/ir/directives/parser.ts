/** Shared base of directive parsers: the cursor, expressions, lists of words and of variables, diagnostics. */

import { ExprParser, nearestName, spellTokens } from "../../lang/index.ts";
import type { Diagnostic, Expr, Loc, Pragma, PragmaToken, Scope, Symbol } from "../../lang/tree/ast.ts";
import { intLit, stripImplicit } from "../../lang/tree/build.ts";
import { isArray, rootOf } from "../analysis/access.ts";
import { type ReductionOp, reductionOps, type SectionDim } from "../model/ir.ts";
import type { VarRef } from "./directive.ts";

/** Aborts the parse of a directive; caught by `parsed`. */
class Refused extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** The result of `parse` and its diagnostics; undefined if it aborted. */
export function parsed<T>(parse: (diagnostics: Diagnostic[]) => T): {
  directive?: T;
  diagnostics: Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  try {
    return { directive: parse(diagnostics), diagnostics };
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    return { diagnostics: [...diagnostics, problem.diagnostic] };
  }
}

/** What a grammar knows about an unknown word in place of a directive. */
interface UnknownDirective {
  readonly word: string;
  readonly before: string | undefined;
  readonly guess: string | undefined;
  readonly specification: string;
}

/** What a grammar knows about a word in place of a clause. */
interface NamedClause {
  readonly isKnown: boolean;
  /** On this directive. */
  readonly isAllowed: boolean;
  /** Clauses that the directive accepts. */
  readonly usable: readonly string[];
  /** Similar names. */
  readonly guesses: readonly string[];
}

export class DirectiveParser {
  protected readonly pragma: Pragma;
  protected readonly diagnostics: Diagnostic[];
  protected p: ExprParser;
  protected readonly tokens: readonly PragmaToken[];
  /** Whether sections may have a stride. */
  protected readonly takesStrides: boolean = false;

  constructor(pragma: Pragma, diagnostics: Diagnostic[]) {
    this.pragma = pragma;
    this.diagnostics = diagnostics;
    this.tokens = pragma.tokens.slice(1);
    this.p = new ExprParser(this.tokens, pragma.scope, pragma.span.end);
  }

  /** Makes these names visible from here on. */
  protected declares(symbols: readonly Symbol[]): void {
    const { position } = this.p;
    const { scope } = this.pragma;
    const named = new Map(symbols.map((sym) => [sym.name, sym]));
    const inner: Scope = {
      parent: scope,
      lookup: (name) => named.get(name) ?? scope.lookup(name),
      lookupTag: (tag) => scope.lookupTag(tag),
    };
    this.p = new ExprParser(this.tokens, inner, this.pragma.span.end);
    this.p.seek(position);
  }

  protected refuse(code: string, loc: Loc, message: string, remedy?: string): never {
    throw new Refused({ severity: "error", code, loc, message, ...(remedy && { remedy }) });
  }

  protected report(code: string, loc: Loc, message: string, remedy?: string): void {
    this.diagnostics.push({ severity: "error", code, loc, message, ...(remedy && { remedy }) });
  }

  protected skipArgument(): void {
    if (this.p.peek()?.text !== "(") return;
    let depth = 0;
    do {
      const token = this.p.next();
      if (!token) return;
      if (token.text === "(") depth++;
      else if (token.text === ")") depth--;
    } while (depth > 0);
  }

  /** `before`: a directive that accepts `word` as a clause; `guess`: a similar name. */
  protected refuseUnknown(
    loc: Loc,
    message: string,
    { word, before, guess, specification }: UnknownDirective,
  ): never {
    const asClause = before && `'${word}' is a clause: begin with the directive, as in '${before} ${word}'`;
    const other = guess ? `did you mean '${guess}'?` : `see ${specification}, chapter 2`;
    return this.refuse("unknown-directive", loc, message, asClause ?? other);
  }

  /** Whether the directive accepts the clause; otherwise reports it and skips its argument. */
  protected takes(directive: string, token: PragmaToken, clause: NamedClause): boolean {
    const { isKnown, isAllowed, usable, guesses } = clause;
    if (isKnown && isAllowed) return true;
    const guess = isKnown ? undefined : nearestName(token.text, guesses);
    this.report(
      isKnown ? "misplaced-clause" : "unknown-clause",
      token.loc,
      isKnown
        ? `clause '${token.text}' cannot be used on '${directive}'`
        : `'${token.text}' is not a clause of '${directive}'`,
      guess ? `did you mean '${guess}'?` : `allowed here: ${usable.join(", ") || "none"}`,
    );
    this.skipArgument();
    return false;
  }

  /** Consumes a `(` and returns whether anything is in the parentheses. */
  protected opens(name: string, loc: Loc, optional: boolean): boolean {
    if (this.p.peek()?.text !== "(") {
      if (!optional)
        this.refuse(
          "missing-argument",
          loc,
          `'${name}' needs an argument in parentheses`,
          `write ${name}(...)`,
        );
      return false;
    }
    const open = this.p.next() as PragmaToken;
    if (this.p.peek()?.text === ")")
      this.refuse("empty-argument", open.loc, `'${name}' has an empty argument`, `write ${name}(...)`);
    return true;
  }

  protected takesNone(name: string): void {
    if (this.p.peek()?.text === "(")
      this.refuse("unexpected-argument", this.p.loc, `'${name}' takes no argument`, "remove it");
  }

  protected closes(name: string): void {
    const close = this.p.peek();
    if (!this.p.accept(")"))
      this.refuse(
        "expected-parenthesis",
        close?.loc ?? this.pragma.span.end,
        `expected ')' to close '${name}('${close ? ` before '${close.text}'` : ""}`,
        "close the parenthesis; several arguments are separated by commas",
      );
  }

  /** reduction = operator ":" var { "," var } */
  protected reduction(): { readonly op: ReductionOp; readonly vars: VarRef[] } {
    const token = this.p.next();
    const op = reductionOps.find((o) => o === token?.text);
    if (!op)
      this.refuse(
        "unknown-reduction-operator",
        token?.loc ?? this.pragma.span.end,
        `'${token?.text ?? ""}' is not a reduction operator`,
        `use one of ${reductionOps.join(" ")}`,
      );
    if (!this.p.accept(":"))
      this.refuse(
        "expected-colon",
        this.p.peek()?.loc ?? this.pragma.span.end,
        `expected ':' after '${op}'`,
        `write reduction(${op}: variable)`,
      );
    return { op, vars: this.list(() => this.variable()) };
  }

  protected expr(): Expr {
    const result = this.p.parseAssignment();
    if ("severity" in result) throw new Refused(result);
    return result;
  }

  protected list<T>(one: () => T): T[] {
    const result = [one()];
    while (this.p.accept(",")) result.push(one());
    return result;
  }

  protected starAlone(): boolean {
    const after = this.p.peek(1)?.text;
    return this.p.peek()?.text === "*" && (after === "," || after === ")") && this.p.accept("*");
  }

  protected word(allowed?: readonly string[]): string {
    const token = this.p.next();
    if (token?.kind !== "ident" || (allowed && !allowed.includes(token.text)))
      this.refuse(
        "unexpected-word",
        token?.loc ?? this.pragma.span.end,
        `expected ${allowed?.map((a) => `'${a}'`).join(" or ") ?? "a name"}${token ? `, not '${token.text}'` : ""}`,
        allowed ? `write ${allowed.join(" or ")}` : "write a name here",
      );
    return token.text;
  }

  protected keyword(...names: string[]): string | undefined {
    const token = this.p.peek();
    if (!token || !names.includes(token.text) || this.p.peek(1)?.text !== ":") return undefined;
    this.p.next();
    this.p.next();
    return token.text;
  }

  /** Finds the colon after a list of plain words outside brackets: a modifier list. */
  protected modifierColon(): boolean {
    for (let i = 0; ; i += 2) {
      if (this.p.peek(i)?.kind !== "ident") return false;
      const after = this.p.peek(i + 1)?.text;
      if (after === ":") return true;
      if (after !== ",") return false;
    }
  }

  /** var = ident { "." ident | "->" ident | "[" [e] [":" [e]] "]" } */
  protected variable(): VarRef {
    const first = this.p.peek();
    if (first?.kind !== "ident" && first?.text !== "(")
      this.refuse(
        "expected-variable",
        this.p.loc,
        `expected a variable${first ? ` before '${first.text}'` : ""}`,
        "list variables, array sections or members",
      );
    const from = this.p.position;
    const parsed = this.p.parseVariable();
    if ("severity" in parsed) throw new Refused(parsed);
    let object: Expr = parsed;
    const section: SectionDim[] = [];
    // Subscripts at the end are sections of one element. A subscript that leads to a pointer with a section of its own
    // is part of the object: the pointer in memory is what gets attached.
    const ends = () => section.length === 0 && this.p.peek()?.text !== "[";
    for (
      let e = stripImplicit(object);
      e.kind === "index" && (ends() || isArray(e));
      e = stripImplicit(object)
    ) {
      section.unshift({ start: e.index, length: intLit(1) });
      object = stripImplicit(e.base);
    }
    const element = section.length > 0 && this.p.peek()?.text !== "[" ? { element: parsed } : {};
    section.push(...this.sections());
    const after = this.p.peek();
    if (after?.text === "." || after?.text === "->")
      this.refuse(
        "section-of-members",
        after.loc,
        "a section cannot be followed by a member",
        "name one element, or the members one by one",
      );
    const root = rootOf(object);
    const sym = root?.sym;
    const written = spellTokens(this.tokens.slice(from, this.p.position));
    if (!sym || (sym.kind !== "var" && sym.kind !== "param"))
      this.refuse(
        "not-a-variable",
        first.loc,
        `'${written}' is not a variable`,
        "list variables, array sections or members",
      );
    return { sym, object: stripImplicit(object), section, ...element, written, loc: first.loc };
  }

  /** { "[" [e] [":" [e]] "]" } */
  protected sections(): SectionDim[] {
    const found: SectionDim[] = [];
    while (this.p.accept("[")) {
      found.push(this.sectionDim());
      if (!this.p.accept("]"))
        this.refuse("expected-bracket", this.p.loc, "expected ']'", "a section is written [start:length]");
    }
    return found;
  }

  private sectionDim(): SectionDim {
    let start: Expr | undefined;
    if (this.p.peek()?.text !== ":") start = this.expr();
    if (!this.p.accept(":")) return { ...(start && { start }), length: intLit(1) };
    if (this.p.peek()?.text === "]") return { ...(start && { start }) };
    const length = this.expr();
    // [start : length : stride], which OpenACC does not have.
    const stride = this.takesStrides && this.p.accept(":") ? this.expr() : undefined;
    return { ...(start && { start }), length, ...(stride && { stride }) };
  }
}
