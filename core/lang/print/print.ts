/** The tree as readable C: statements, declarations, functions, whole units. */
import type {
  Attribute,
  Compound,
  CType,
  Declared,
  DeclStmt,
  Expr,
  External,
  FunctionDef,
  Param,
  Pragma,
  PragmaToken,
  Stmt,
  Symbol,
  TranslationUnit,
} from "../tree/ast.ts";
import { ExpressionPrinter } from "./print-expressions.ts";
import { joinWords, type PrintOptions } from "./print-types.ts";

export type { PrintOptions, RecordBody } from "./print-types.ts";

export function print(unit: TranslationUnit, options: PrintOptions = {}): string {
  const printer = new Printer(options);
  let text = "";
  let afterFunction = false;
  for (const external of unit.externals) {
    const isFunction = external.kind === "function";
    if (text !== "" && (isFunction || afterFunction)) text += "\n";
    text += `${printer.external(external).join("\n")}\n`;
    afterFunction = isFunction;
  }
  return text;
}

export function printExternal(external: External, options: PrintOptions = {}): string {
  return new Printer(options).external(external).join("\n");
}

export function printStmt(stmt: Stmt, options: PrintOptions = {}): string {
  return new Printer(options).statement(stmt).join("\n");
}

export function printExpr(expr: Expr, options: PrintOptions = {}): string {
  return new Printer(options).expression(expr);
}

/** `int (*f)(void)`; a type name without `name`. `sym`: what is declared, for hooks that ask. */
export function printDecl(type: CType, name = "", options: PrintOptions = {}, sym?: Symbol): string {
  return new Printer(options).declaration(type, name, sym);
}

export function printPragma(pragma: Pragma): string {
  return `#pragma ${spellTokens(pragma.tokens)}`;
}

class Printer extends ExpressionPrinter {
  private hookedStmt: Stmt | undefined;

  external(external: External): string[] {
    switch (external.kind) {
      case "function":
        return [...this.pragmas(external.pragmas), ...this.functionDefinition(external)];
      case "decl":
        return this.statement(external);
      case "pragma":
        return this.pragma(external);
      case "static-assert":
      case "asm":
        return [`${external.text};`];
    }
  }

  protected override compoundText(body: Compound): string {
    return this.statement(body).join("\n");
  }

  // ---------------------------------------------------------------- declarations

  private functionDefinition(def: FunctionDef): string[] {
    for (const decl of def.defines) this.pending.add(decl);
    const { sym } = def;
    const spec = def.declared ?? sym;
    const type = spec.type.kind === "function" ? spec.type : sym.type;
    const name = this.nameOf(sym);
    const prefix = joinWords(
      this.options.declPrefix?.(sym) ?? "",
      this.storage(spec),
      this.attributes(spec.attrs),
    );
    if (type.kind !== "function")
      return [joinWords(prefix, this.declaration(type, name)), ...this.statement(def.body)];
    const params = def.oldStyle
      ? def.params.map((param) => this.nameOf(param)).join(", ")
      : type.unprototyped && def.params.length === 0
        ? ""
        : this.definedParameters(def, type.params, type.variadic);
    const head = joinWords(prefix, this.declaration(type.ret, `${name}(${params})`));
    const oldStyle = def.oldStyle?.flatMap((decl) => this.statement(decl)) ?? [];
    if (oldStyle.length > 0) return [head, ...this.indented(oldStyle), ...this.statement(def.body)];
    const [open = "", ...rest] = this.statement(def.body);
    return open === "{" ? [`${head} {`, ...rest] : [head, open, ...rest];
  }

  private definedParameters(def: FunctionDef, params: readonly Param[], variadic: boolean): string {
    const texts = def.params.map((sym, i) => {
      const param = params.find((candidate) => candidate.sym === sym) ?? params[i];
      return this.parameter(param ?? { type: sym.type }, sym);
    });
    if (variadic) texts.push("...");
    return texts.length === 0 ? "void" : texts.join(", ");
  }

  private storage(spec: Declared | Symbol): string {
    return joinWords(
      this.storageClass(spec),
      spec.threadLocal ? "_Thread_local" : "",
      // C90 has no `inline`; compilers accept this spelling there, too.
      spec.inline ? "__inline" : "",
      spec.noreturn ? "_Noreturn" : "",
    );
  }

  /** One declaration, or several where the declarators do not share their specifiers. */
  private declarationText(decl: DeclStmt): string {
    for (const defined of decl.defines) this.pending.add(defined);
    if (decl.decls.length === 0) return decl.bare ? `${this.declaration(decl.bare)};` : ";";
    let text = "";
    let shared: string | undefined;
    for (const { sym, init, declared } of decl.decls) {
      const spec = declared ?? sym;
      const isAlignas = (attr: Attribute): boolean => attr.name === "_Alignas";
      const pending = new Set(this.pending);
      const { base, declarator } = this.split(spec.type, this.nameOf(sym), sym);
      const specifiers = joinWords(
        this.options.declPrefix?.(sym) ?? "",
        this.storage(spec),
        this.attributes(spec.attrs?.filter(isAlignas)),
        // A body printed by the first declarator is a plain mention for the next ones.
        base,
      );
      const label = spec.asmLabel === undefined ? "" : `__asm__(${JSON.stringify(spec.asmLabel)})`;
      const attrs = this.attributes(spec.attrs?.filter((attr) => !isAlignas(attr)));
      const value = init ? `= ${this.init(init)}` : "";
      const rest = joinWords(declarator, label, attrs, value);
      const key = pending.size === this.pending.size ? specifiers : undefined;
      if (text === "") text = joinWords(specifiers, rest);
      else if (shared === undefined || key === shared || sharesUnnamed(decl)) text += `, ${rest}`;
      else text += `;\n${joinWords(specifiers, rest)}`;
      shared = key ?? this.mention(spec, sym);
    }
    return `${text};`;
  }

  /** The specifiers once every body has been printed. */
  private mention(spec: Declared | Symbol, sym: Symbol): string {
    const { base } = this.split(spec.type, "", sym);
    const alignments = this.attributes(spec.attrs?.filter((attr) => attr.name === "_Alignas"));
    return joinWords(this.options.declPrefix?.(sym) ?? "", this.storage(spec), alignments, base);
  }

  // ---------------------------------------------------------------- pragmas

  private pragmas(pragmas: readonly Pragma[] | undefined): string[] {
    return (pragmas ?? []).flatMap((pragma) => this.pragma(pragma));
  }

  private pragma(pragma: Pragma): string[] {
    return [...(this.options.pragma?.(pragma) ?? [printPragma(pragma)])];
  }

  // ---------------------------------------------------------------- statements

  /** The lines of a statement, its pragmas first. */
  statement(stmt: Stmt): string[] {
    const { hookedStmt } = this;
    if (this.options.stmt && stmt !== hookedStmt) {
      this.hookedStmt = stmt;
      const lines = this.options.stmt(stmt, (part) =>
        part === stmt ? this.lines(part) : this.statement(part),
      );
      this.hookedStmt = hookedStmt;
      if (lines) return [...this.pragmas(stmt.pragmas), ...lines];
    }
    return [...this.pragmas(stmt.pragmas), ...this.lines(stmt)];
  }

  private lines(stmt: Stmt): string[] {
    switch (stmt.kind) {
      case "expr": {
        const text = joinWords(this.attributes(stmt.attrs), stmt.expr ? this.expression(stmt.expr) : "");
        return [`${text};`];
      }
      case "decl":
        return stmt.nested ? this.functionDefinition(stmt.nested) : [this.declarationText(stmt)];
      case "compound":
        return this.block(stmt);
      case "if":
        return this.ifLines(stmt);
      case "switch":
        return this.withBody(`switch (${this.expression(stmt.test)})`, stmt.body);
      case "while":
        return this.withBody(`while (${this.expression(stmt.test)})`, stmt.body);
      case "do": {
        const lines = this.withBody("do", stmt.body);
        const tail = `while (${this.expression(stmt.test)});`;
        return this.closesBrace(stmt.body) ? joinLast(lines, ` ${tail}`) : [...lines, tail];
      }
      case "for":
        return this.withBody(this.forHead(stmt), stmt.body);
      case "goto":
        return [
          stmt.target ? `goto *${this.expression(stmt.target)};` : `goto ${this.label(stmt.label ?? "")};`,
        ];
      case "continue":
      case "break":
        return [`${stmt.kind};`];
      case "return":
        return [stmt.value ? `return ${this.expression(stmt.value)};` : "return;"];
      case "label":
        return [
          joinWords(`${this.label(stmt.name)}:`, this.attributes(stmt.attrs)),
          ...this.statement(stmt.body),
        ];
      case "case":
        return [this.caseHead(stmt), ...this.caseBody(stmt.body)];
      case "asm":
      case "static-assert":
        return [`${stmt.text};`];
      case "ext":
        throw new Error(`no stmt hook prints the "${stmt.ext.kind}" node`);
      case "local-labels":
        return [`__label__ ${stmt.names.join(", ")};`];
    }
  }

  private label(name: string): string {
    return this.options.labelName?.(name) ?? name;
  }

  private block(body: Compound): string[] {
    // Inside a switch, statements stand one level deeper than their case labels.
    const hasCases = body.body.some((stmt) => stmt.kind === "case");
    const lines = body.body.flatMap((stmt) => {
      const own = this.statement(stmt);
      return hasCases && stmt.kind !== "case" ? this.indented(own) : own;
    });
    return ["{", ...this.indented(lines), "}"];
  }

  private caseHead(stmt: Stmt & { readonly kind: "case" }): string {
    if (!stmt.value) return "default:";
    const to = stmt.to ? ` ... ${this.assignment(stmt.to)}` : "";
    return `case ${this.assignment(stmt.value)}${to}:`;
  }

  private caseBody(body: Stmt): string[] {
    return body.kind === "case" ? this.statement(body) : this.indented(this.statement(body));
  }

  private forHead(stmt: Stmt & { readonly kind: "for" }): string {
    const { init, test, step } = stmt;
    const first = !init
      ? ";"
      : init.kind === "decl"
        ? this.declarationText(init)
        : `${this.expression(init)};`;
    const second = test ? ` ${this.expression(test)};` : ";";
    return `for (${first}${second}${step ? ` ${this.expression(step)}` : ""})`;
  }

  private ifLines(stmt: Stmt & { readonly kind: "if" }): string[] {
    const dangling = stmt.else !== undefined && endsInOpenIf(stmt.then);
    const then: Stmt = dangling ? { kind: "compound", body: [stmt.then], span: stmt.then.span } : stmt.then;
    const lines = this.withBody(`if (${this.expression(stmt.test)})`, then);
    if (!stmt.else) return lines;
    const chained = stmt.else.kind === "if" && !stmt.else.pragmas && !this.options.stmt;
    const [first = "", ...rest] = chained ? this.statement(stmt.else) : [];
    const otherwise = chained ? [`else ${first}`, ...rest] : this.withBody("else", stmt.else);
    if (!this.closesBrace(then)) return [...lines, ...otherwise];
    return [...joinLast(lines, ` ${otherwise[0]}`), ...otherwise.slice(1)];
  }

  /** `head` with its body: a block opens on the same line, anything else stands indented below. */
  private withBody(head: string, body: Stmt): string[] {
    // A lone declaration is no statement; only built trees have one here.
    const stmt: Stmt = body.kind === "decl" ? { kind: "compound", body: [body], span: body.span } : body;
    const lines = this.statement(stmt);
    if (this.closesBrace(stmt) && lines[0] === "{") return [`${head} {`, ...lines.slice(1)];
    return [head, ...this.indented(lines)];
  }

  private closesBrace(stmt: Stmt): boolean {
    return (stmt.kind === "compound" || stmt.kind === "decl") && this.pragmas(stmt.pragmas).length === 0;
  }
}

function joinLast(lines: readonly string[], text: string): string[] {
  return [...lines.slice(0, -1), (lines[lines.length - 1] ?? "") + text];
}

/** `struct { ... } a, b;` cannot be taken apart. */
function sharesUnnamed(decl: DeclStmt): boolean {
  return decl.defines.some((defined) => defined.tag === undefined);
}

/** Whether an `else` after `stmt` would bind to an `if` inside it. */
function endsInOpenIf(stmt: Stmt): boolean {
  switch (stmt.kind) {
    case "if":
      return stmt.else === undefined || endsInOpenIf(stmt.else);
    case "for":
    case "while":
    case "switch":
    case "label":
    case "case":
      return endsInOpenIf(stmt.body);
    case "ext":
      return stmt.ext.shape.parts(stmt.ext).stmts.some(endsInOpenIf);
    default:
      return false;
  }
}

/** The tokens as text, spaced as in the source. */
export function spellTokens(tokens: readonly PragmaToken[]): string {
  let text = "";
  let previous: PragmaToken | undefined;
  for (const token of tokens) {
    const apart = token.spaced || (previous?.kind !== "punct" && token.kind !== "punct");
    text += previous && apart ? ` ${token.text}` : token.text;
    previous = token;
  }
  return text;
}
