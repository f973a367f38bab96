/** Statements (C11 6.8) with GNU extensions, and the pragmas before them. */

import type { PragmaLine, Token } from "../preprocess/token.ts";
import type { Compound, CType, DeclStmt, Expr, ForStmt, Pragma, Stmt } from "../tree/ast.ts";
import { assigned, decayed } from "../tree/build.ts";
import { snapshot } from "../tree/scope.ts";
import { canonical, VOID } from "../tree/types.ts";
import { DeclarationParser } from "./declarations.ts";
import { BLOCK, STATEMENT } from "./parser-base.ts";

export class StatementParser extends DeclarationParser {
  private returns: CType = VOID;
  /** Pragmas that were attached to a node of the tree. */
  protected readonly placed = new Set<PragmaLine>();

  /** The pragmas between the previous token and the current one. */
  protected takePragmas(): Pragma[] | undefined {
    const lines = this.token.pragmas;
    if (!lines) return undefined;
    const pragmas: Pragma[] = [];
    for (const line of lines) {
      if (this.placed.has(line)) continue;
      this.placed.add(line);
      pragmas.push({
        kind: "pragma",
        tokens: line.tokens,
        scope: snapshot(this.scope),
        span: { start: line.start, end: line.end },
        ...(line.operator && { operator: true }),
        ...(line.added && { added: line.added }),
      });
    }
    return pragmas.length > 0 ? pragmas : undefined;
  }

  protected override functionBody(name: string): Compound {
    const saved = { name: this.currentFunction, returns: this.returns };
    const sym = this.fileScope.lookup(name);
    const type = sym && canonical(sym.type);
    this.currentFunction = name;
    this.returns = type?.kind === "function" ? type.ret : VOID;
    try {
      return this.compoundStatement();
    } finally {
      this.currentFunction = saved.name;
      this.returns = saved.returns;
    }
  }

  /** compound-statement = "{" (declaration | statement)* "}" */
  protected override compoundStatement(): Compound {
    const { loc } = this.expect("{", "to open the block");
    this.enter(BLOCK);
    const block = this.inScope(() => {
      const body: Stmt[] = [];
      while (!this.at("}")) {
        if (this.token.kind === "end") {
          this.fail("syntax", "expected `}` to close the block", {
            remedy: `the block opened at line ${loc.line}`,
          });
        }
        this.blockItem(body);
      }
      const pragmas = this.takePragmas();
      if (pragmas) body.push({ kind: "expr", pragmas, span: { start: this.token.loc, end: this.token.loc } });
      this.next();
      return { kind: "compound", body, span: this.spanFrom(loc) } as const;
    });
    this.leave(BLOCK);
    return block;
  }

  /** Adds the next item; after a syntax error, continues after the broken one. */
  private blockItem(body: Stmt[]): void {
    const start = this.pos;
    this.recovering(
      () => body.push(this.declarationOrStatement()),
      () => this.skipStatement(start),
    );
  }

  /** Skips past the next `;` or balanced block, or to the `}` that closes the enclosing block. */
  private skipStatement(start: number): void {
    // Braces opened by the broken statement belong to it.
    let depth = 0;
    for (let i = start; i < this.pos; i++) {
      const token = this.tokens[i] as Token;
      if (token.kind === "punct") depth += token.text === "{" ? 1 : token.text === "}" ? -1 : 0;
    }
    for (; this.token.kind !== "end"; this.next()) {
      if (this.at("{")) depth++;
      else if (this.at("}")) {
        if (depth <= 0) return;
        if (--depth === 0) {
          this.next();
          return;
        }
      } else if (this.at(";") && depth <= 0) {
        this.next();
        return;
      }
    }
  }

  private declarationOrStatement(): Stmt {
    const pragmas = this.takePragmas();
    if (!this.startsDeclaration()) return this.statement(pragmas);
    if (this.keywordAt(0) === "_Static_assert") {
      const { loc } = this.token;
      return {
        kind: "static-assert",
        text: this.staticAssertion(),
        span: this.spanFrom(loc),
        ...withPragmas(pragmas),
      };
    }
    return { ...this.blockDeclaration(), ...withPragmas(pragmas) };
  }

  /**
   * statement = pragma* (compound-statement | if | switch | while | do | for | jump | labelled | asm
   *           | local-labels | attributes ";" | expression? ";")
   */
  statement(pragmas: Pragma[] | undefined = this.takePragmas()): Stmt {
    this.enter(STATEMENT);
    const stmt = this.unadorned();
    this.leave(STATEMENT);
    return pragmas ? { ...stmt, pragmas } : stmt;
  }

  private unadorned(): Stmt {
    const { token } = this;
    const { loc } = token;
    if (token.kind === "ident" && this.peek(1).kind === "punct" && this.peek(1).text === ":")
      return this.labelled();
    if (token.kind === "punct" && token.text === "{") return this.compoundStatement();
    if (token.kind === "keyword") {
      switch (token.text) {
        case "if":
          return this.ifStatement();
        case "for":
          return this.forStatement();
        case "while":
          return this.whileStatement();
        case "do":
          return this.doStatement();
        case "switch":
          return this.switchStatement();
        case "case":
        case "default":
          return this.caseStatement();
        case "return":
          return this.returnStatement();
        case "goto":
          return this.gotoStatement();
        case "break":
        case "continue":
          this.next();
          this.expect(";", `after \`${token.text}\``);
          return { kind: token.text, span: this.spanFrom(loc) };
        case "__asm__":
          return { kind: "asm", text: this.asmText(), span: this.spanFrom(loc) };
        case "__label__":
          return this.localLabels();
      }
    }
    if (this.startsAttribute()) return this.attributedStatement();
    if (this.accept(";")) return { kind: "expr", span: this.spanFrom(loc) };
    if (this.startsUnknownType()) this.unknownType();
    const expr = this.expression();
    this.expect(";", "after the expression");
    return { kind: "expr", expr, span: this.spanFrom(loc) };
  }

  private condition(context: string): Expr {
    this.expect("(", `after \`${context}\``);
    const test = decayed(this.expression());
    this.expect(")", `to close the condition of \`${context}\``);
    return test;
  }

  /** A statement that is a scope of its own (C11 6.8.4p3, 6.8.5p5). */
  private substatement(): Stmt {
    return this.inScope(() => this.statement());
  }

  /** if = "if" "(" expression ")" statement ("else" statement)? */
  private ifStatement(): Stmt {
    const { loc } = this.next();
    const test = this.condition("if");
    const then = this.substatement();
    const otherwise = this.accept("else") ? this.substatement() : undefined;
    return { kind: "if", test, then, ...(otherwise && { else: otherwise }), span: this.spanFrom(loc) };
  }

  /** for = "for" "(" (declaration | expression? ";") expression? ";" expression? ")" statement */
  private forStatement(): ForStmt {
    const { loc } = this.next();
    this.expect("(", "after `for`");
    return this.inScope(() => {
      const init = this.forInit();
      const test = this.at(";") ? undefined : decayed(this.expression());
      this.expect(";", "after the condition of `for`");
      const step = this.at(")") ? undefined : this.expression();
      this.expect(")", "to close the head of `for`");
      const body = this.substatement();
      return {
        kind: "for",
        ...(init && { init }),
        ...(test && { test }),
        ...(step && { step }),
        body,
        span: this.spanFrom(loc),
      };
    });
  }

  private forInit(): Expr | DeclStmt | undefined {
    if (this.accept(";")) return undefined;
    if (this.startsDeclaration()) return this.blockDeclaration();
    const init = this.expression();
    this.expect(";", "after the first part of `for`");
    return init;
  }

  /** while = "while" "(" expression ")" statement */
  private whileStatement(): Stmt {
    const { loc } = this.next();
    const test = this.condition("while");
    const body = this.substatement();
    return { kind: "while", test, body, span: this.spanFrom(loc) };
  }

  /** do = "do" statement "while" "(" expression ")" ";" */
  private doStatement(): Stmt {
    const { loc } = this.next();
    const body = this.substatement();
    this.expect("while", "after the body of `do`");
    const test = this.condition("while");
    this.expect(";", "after `do ... while (...)`");
    return { kind: "do", body, test, span: this.spanFrom(loc) };
  }

  /** switch = "switch" "(" expression ")" statement */
  private switchStatement(): Stmt {
    const { loc } = this.next();
    const test = this.condition("switch");
    const body = this.substatement();
    return { kind: "switch", test, body, span: this.spanFrom(loc) };
  }

  /** case = ("case" constant ("..." constant)? | "default") ":" statement */
  private caseStatement(): Stmt {
    const keyword = this.next();
    if (keyword.text === "default") {
      this.expect(":", "after `default`");
      return { kind: "case", body: this.labelledBody(), span: this.spanFrom(keyword.loc) };
    }
    const value = this.conditional();
    const to = this.accept("...") ? this.conditional() : undefined;
    this.expect(":", "after the value of `case`");
    return {
      kind: "case",
      value,
      ...(to && { to }),
      body: this.labelledBody(),
      span: this.spanFrom(keyword.loc),
    };
  }

  /** Standard attributes may stand before any statement; those of GNU make an empty one. */
  private attributedStatement(): Stmt {
    const { loc } = this.token;
    const isStandard = this.at("[");
    const attrs = this.attributes();
    if (isStandard && !this.at(";")) return this.statement();
    this.expect(";", "after the attribute");
    return { kind: "expr", attrs, span: this.spanFrom(loc) };
  }

  /** labelled = name ":" attributes? statement */
  private labelled(): Stmt {
    const name = this.next();
    this.next();
    const attrs = this.attributes();
    return {
      kind: "label",
      name: name.text,
      ...(attrs.length > 0 && { attrs }),
      body: this.labelledBody(),
      span: this.spanFrom(name.loc),
    };
  }

  /** C23 allows a label before a declaration and at the end of a block. */
  private labelledBody(): Stmt {
    if (this.at("}")) {
      const { loc } = this.token;
      const pragmas = this.takePragmas();
      return { kind: "expr", span: { start: loc, end: loc }, ...withPragmas(pragmas) };
    }
    return this.declarationOrStatement();
  }

  /** jump = "return" expression? ";" */
  private returnStatement(): Stmt {
    const { loc } = this.next();
    if (this.accept(";")) return { kind: "return", span: this.spanFrom(loc) };
    const value = this.expression();
    this.expect(";", "after the returned value");
    return { kind: "return", value: assigned(value, this.returns), span: this.spanFrom(loc) };
  }

  /** jump = "goto" (name | "*" expression) ";" */
  private gotoStatement(): Stmt {
    const { loc } = this.next();
    if (this.accept("*")) {
      const target = this.expression();
      this.expect(";", "after `goto`");
      return { kind: "goto", target, span: this.spanFrom(loc) };
    }
    const label = this.expectIdent("a label").text;
    this.expect(";", "after `goto`");
    return { kind: "goto", label, span: this.spanFrom(loc) };
  }

  /** asm = "__asm__" ("volatile" | "goto" | "inline")* "(" tokens ")" ";" ; its text without the `;` */
  protected asmText(): string {
    const start = this.pos;
    this.next();
    while (this.at("volatile") || this.at("goto") || this.at("inline")) this.next();
    this.balanced();
    const text = this.textFrom(start);
    this.expect(";", "after the asm statement");
    return text;
  }

  /** local-labels = "__label__" name ("," name)* ";" */
  private localLabels(): Stmt {
    const { loc } = this.next();
    const names: string[] = [];
    do names.push(this.expectIdent("a label").text);
    while (this.accept(","));
    this.expect(";", "after the local labels");
    return { kind: "local-labels", names, span: this.spanFrom(loc) };
  }
}

const withPragmas = (pragmas: Pragma[] | undefined): { pragmas?: readonly Pragma[] } =>
  pragmas ? { pragmas } : {};
