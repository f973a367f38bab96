/** From a pragma's tokens to a directive with typed clauses, checked against the grammar. */
import type { Diagnostic, Expr, Loc, Pragma, PragmaToken, Span, Symbol } from "../../lang/ast.ts";
import { intLit } from "../../lang/build.ts";
import { ExprParser, nearestName, spellTokens } from "../../lang/index.ts";
import { isArray, rootOf } from "../access.ts";
import { bare } from "../counted.ts";
import type { ReductionOp, SectionDim } from "../ir.ts";
import { type Argument, argumentOf, clauseAliases, clauses, directives, updateAliases } from "./grammar.ts";

/** One entry of a variable list. */
export interface VarRef {
  readonly sym: Symbol;
  /** The object named, without its section. */
  readonly object: Expr;
  readonly section: readonly SectionDim[];
  readonly written: string;
  readonly loc: Loc;
}

export interface Clause {
  readonly name: string;
  readonly loc: Loc;
  readonly vars: readonly VarRef[];
  readonly modifiers: readonly string[];
  /** Arguments in order; "*" where the grammar allows one. */
  readonly exprs: readonly (Expr | "*")[];
  /** Identifiers: device types, default(none), bind names. */
  readonly names: readonly string[];
  readonly op?: ReductionOp;
  /** gang(static: ...) */
  readonly static?: Expr | "*";
  /** Set on clauses after a device_type clause: the types they are for. */
  readonly deviceTypes?: readonly string[];
}

export interface Directive {
  readonly name: string;
  readonly clauses: readonly Clause[];
  /** The list directly after the name, as a clause called like the directive. */
  readonly argument?: Clause;
  readonly loc: Loc;
  readonly span: Span;
  readonly pragma: Pragma;
}

const SPEC = "OpenACC 3.3";

class Refused extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

export function isAcc(pragma: Pragma): boolean {
  return pragma.tokens[0]?.text === "acc";
}

/** Parses one `acc` pragma. Unknown directives and clauses are errors; nothing is dropped silently. */
export function parseDirective(pragma: Pragma): { directive?: Directive; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  try {
    const directive = new DirectiveParser(pragma, diagnostics).parse();
    return { directive, diagnostics };
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    return { diagnostics: [...diagnostics, problem.diagnostic] };
  }
}

class DirectiveParser {
  private readonly pragma: Pragma;
  private readonly diagnostics: Diagnostic[];
  private readonly p: ExprParser;
  private readonly tokens: readonly PragmaToken[];

  constructor(pragma: Pragma, diagnostics: Diagnostic[]) {
    this.pragma = pragma;
    this.diagnostics = diagnostics;
    this.tokens = pragma.tokens.slice(1);
    this.p = new ExprParser(this.tokens, pragma.scope, pragma.span.end);
  }

  /** directive = name ["(" argument ")"] { [","] clause } */
  parse(): Directive {
    const loc = this.pragma.tokens[1]?.loc ?? this.pragma.span.start;
    const name = this.directiveName(loc);
    const rule = directives[name] as (typeof directives)[string];
    let argument: Clause | undefined;
    if (rule.argument && (rule.argument === "vars" || this.p.peek()?.text === "("))
      argument = this.argument(name, rule.argument, name, loc);
    const found: Clause[] = [];
    let deviceTypes: readonly string[] | undefined;
    while (!this.p.atEnd()) {
      if (this.p.accept(",") && this.p.atEnd()) break;
      const clause = this.clause(name, rule.clauses);
      if (!clause) continue;
      if (clause.name === "device_type") deviceTypes = clause.names;
      else this.checkRepeat(found, clause, deviceTypes);
      found.push(deviceTypes && clause.name !== "device_type" ? { ...clause, deviceTypes } : clause);
    }
    return {
      name,
      clauses: found,
      ...(argument && { argument }),
      loc,
      span: this.pragma.span,
      pragma: this.pragma,
    };
  }

  private refuse(code: string, loc: Loc, message: string, remedy?: string): never {
    throw new Refused({ severity: "error", code, loc, message, ...(remedy && { remedy }) });
  }

  private report(code: string, loc: Loc, message: string, remedy?: string): void {
    this.diagnostics.push({ severity: "error", code, loc, message, ...(remedy && { remedy }) });
  }

  private directiveName(loc: Loc): string {
    const words: string[] = [];
    for (let i = 0; i < 2 && this.p.peek(i)?.kind === "ident"; i++)
      words.push(this.p.peek(i)?.text as string);
    const two = words.join(" ");
    const name = two in directives ? two : (words[0] ?? "");
    if (!(name in directives)) {
      const guess = nearestName(two, Object.keys(directives)) ?? nearestName(name, Object.keys(directives));
      this.refuse(
        "unknown-directive",
        loc,
        name ? `'${name}' is not an OpenACC directive` : "a directive name is missing after '#pragma acc'",
        guess ? `did you mean '${guess}'?` : `see ${SPEC}, chapter 2`,
      );
    }
    for (const _ of name.split(" ")) this.p.next();
    return name;
  }

  private clause(directive: string, allowed: readonly string[]): Clause | undefined {
    const token = this.p.next() as PragmaToken;
    const spelled = token.text;
    const name = (directive === "update" && updateAliases[spelled]) || (clauseAliases[spelled] ?? spelled);
    if (token.kind !== "ident" || !(name in clauses || name in updateAliases)) {
      const guess = nearestName(spelled, [...allowed, ...Object.keys(clauseAliases)]);
      this.report(
        "unknown-clause",
        token.loc,
        `'${spelled}' is not a clause of '${directive}'`,
        guess ? `did you mean '${guess}'?` : `allowed here: ${allowed.join(", ") || "none"}`,
      );
      this.skipArgument();
      return undefined;
    }
    if (!allowed.includes(name)) {
      this.report(
        "misplaced-clause",
        token.loc,
        `clause '${spelled}' cannot be used on '${directive}'`,
        `allowed here: ${allowed.join(", ") || "none"}`,
      );
      this.skipArgument();
      return undefined;
    }
    return this.argument(name, argumentOf(directive, name), directive, token.loc);
  }

  private skipArgument(): void {
    if (this.p.peek()?.text !== "(") return;
    let depth = 0;
    do {
      const token = this.p.next();
      if (!token) return;
      if (token.text === "(") depth++;
      else if (token.text === ")") depth--;
    } while (depth > 0);
  }

  private checkRepeat(found: readonly Clause[], clause: Clause, types: readonly string[] | undefined): void {
    if (clauses[clause.name]?.repeats || clause.vars.length > 0) return;
    if (found.some((f) => f.name === clause.name && String(f.deviceTypes) === String(types)))
      this.report("repeated-clause", clause.loc, `clause '${clause.name}' appears twice`, "keep one of them");
  }

  private argument(name: string, kind: Argument, directive: string, loc: Loc): Clause {
    const base: Clause = { name, loc, vars: [], modifiers: [], exprs: [], names: [] };
    const optional = ["none", "expr?", "exprs?", "gang", "unit"].includes(kind);
    if (this.p.peek()?.text !== "(") {
      if (!optional)
        this.refuse(
          "missing-argument",
          loc,
          `'${name}' needs an argument in parentheses`,
          `write ${name}(...)`,
        );
      return base;
    }
    const open = this.p.next() as PragmaToken;
    if (kind === "none")
      this.refuse("unexpected-argument", open.loc, `'${name}' takes no argument`, "remove it");
    if (this.p.peek()?.text === ")")
      this.refuse("empty-argument", open.loc, `'${name}' has an empty argument`, `write ${name}(...)`);
    const clause = { ...base, ...this.arguments(name, kind, directive) };
    const close = this.p.peek();
    if (!this.p.accept(")"))
      this.refuse(
        "expected-parenthesis",
        close?.loc ?? this.pragma.span.end,
        `expected ')' to close '${name}('${close ? ` before '${close.text}'` : ""}`,
        "close the parenthesis; several arguments are separated by commas",
      );
    return clause;
  }

  private arguments(name: string, kind: Argument, directive: string): Partial<Clause> {
    switch (kind) {
      case "expr":
      case "expr?":
        return { exprs: [this.expr()] };
      case "exprs":
      case "exprs?": {
        // wait([devnum: e :] [queues:] list)
        if (name === "wait" && this.keyword("devnum")) {
          this.diagnostics.push({
            severity: "warning",
            code: "wait-device",
            loc: this.p.loc,
            message: "'devnum' is not used: the directive waits for queues of the current device",
            remedy: "choose the device with '#pragma acc set device_num(...)' before",
          });
          this.expr();
          this.p.accept(":");
        }
        if (name === "wait" && this.p.peek()?.text === "queues" && this.p.peek(1)?.text === ":") {
          this.p.next();
          this.p.next();
        }
        return {
          exprs: this.atMost(
            name,
            this.list(() => this.expr()),
          ),
        };
      }
      case "tile":
        return { exprs: this.list(() => (this.starAlone() ? "*" : this.expr())) };
      case "collapse":
        if (this.p.peek()?.text === "force" && this.p.peek(1)?.text === ":") {
          this.p.next();
          this.p.next();
          return { exprs: [this.expr()], modifiers: ["force"] };
        }
        return { exprs: [this.expr()] };
      case "unit":
        this.keyword("num", "length");
        return { exprs: [this.expr()] };
      case "gang":
        return this.gangArguments();
      case "default":
        return { names: [this.word(["none", "present"])] };
      case "device-types":
        return { names: this.list(() => (this.starAlone() ? "*" : this.word())) };
      case "names":
        return { names: this.list(() => this.word()) };
      case "bind": {
        if (this.p.peek()?.kind !== "string") return { names: [this.word()] };
        return { names: [(this.p.next() as PragmaToken).text.replace(/^"|"$/g, "")] };
      }
      case "reduction":
        return this.reductionArguments();
      case "vars":
        return this.variableArguments(name, directive);
      case "none":
        return {};
    }
  }

  private expr(): Expr {
    const result = this.p.parseAssignment();
    if ("severity" in result) throw new Refused(result);
    return result;
  }

  private list<T>(one: () => T): T[] {
    const result = [one()];
    while (this.p.accept(",")) result.push(one());
    return result;
  }

  private atMost(name: string, exprs: Expr[]): Expr[] {
    const most = clauses[name]?.most ?? exprs.length;
    const extra = exprs[most];
    if (extra)
      this.report(
        "too-many-arguments",
        extra.span.start,
        `'${name}' takes at most ${most} arguments`,
        "remove the others",
      );
    return exprs.slice(0, most);
  }

  private starAlone(): boolean {
    const after = this.p.peek(1)?.text;
    return this.p.peek()?.text === "*" && (after === "," || after === ")") && this.p.accept("*");
  }

  private word(allowed?: readonly string[]): string {
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

  private keyword(...names: string[]): string | undefined {
    const token = this.p.peek();
    if (!token || !names.includes(token.text) || this.p.peek(1)?.text !== ":") return undefined;
    this.p.next();
    this.p.next();
    return token.text;
  }

  /** gang-arg = ["num" ":"] e | "static" ":" (e | "*") | "dim" ":" e, in a list */
  private gangArguments(): Partial<Clause> {
    const exprs: Expr[] = [];
    const modifiers: string[] = [];
    let fixed: Expr | "*" | undefined;
    this.list(() => {
      const word = this.keyword("num", "static", "dim");
      if (word === "static") fixed = this.starAlone() ? "*" : this.expr();
      else if (word === "dim") {
        this.expr();
        modifiers.push("dim");
      } else exprs.push(this.expr());
    });
    return { exprs, modifiers, ...(fixed !== undefined && { static: fixed }) };
  }

  /** reduction = operator ":" var { "," var } */
  private reductionArguments(): Partial<Clause> {
    const token = this.p.next();
    const ops: readonly ReductionOp[] = ["+", "*", "max", "min", "&", "|", "^", "&&", "||"];
    const op = ops.find((o) => o === token?.text);
    if (!op)
      this.refuse(
        "unknown-reduction-operator",
        token?.loc ?? this.pragma.span.end,
        `'${token?.text ?? ""}' is not a reduction operator`,
        `use one of ${ops.join(" ")}`,
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

  private variableArguments(name: string, directive: string): Partial<Clause> {
    const modifiers: string[] = [];
    const known = clauses[name]?.modifiers ?? (directive === "cache" ? ["readonly"] : []);
    const colon = this.modifierColon();
    if (colon) {
      this.list(() => {
        const token = this.p.peek() as PragmaToken;
        const word = this.word();
        if (!known.includes(word))
          this.report(
            "unknown-modifier",
            token.loc,
            `'${word}' is not a modifier of '${name}'`,
            known.length ? `allowed: ${known.join(", ")}` : "remove it",
          );
        modifiers.push(word);
      });
      this.p.accept(":");
    }
    return { modifiers, vars: this.list(() => this.variable()) };
  }

  /** A list of plain words up to a colon outside brackets is a modifier list. */
  private modifierColon(): boolean {
    for (let i = 0; ; i += 2) {
      if (this.p.peek(i)?.kind !== "ident") return false;
      const after = this.p.peek(i + 1)?.text;
      if (after === ":") return true;
      if (after !== ",") return false;
    }
  }

  /** var = ident { "." ident | "->" ident | "[" [e] [":" [e]] "]" } */
  private variable(): VarRef {
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
    // Subscripts at the end name single elements of the section.
    // A subscript that leads to a pointer with a section of its own is part of the object: the pointer
    // in memory is what gets attached.
    const ends = () => section.length === 0 && this.p.peek()?.text !== "[";
    for (let e = bare(object); e.kind === "index" && (ends() || isArray(e)); e = bare(object)) {
      section.unshift({ start: e.index, length: intLit(1) });
      object = bare(e.base);
    }
    while (this.p.accept("[")) {
      section.push(this.sectionDim());
      if (!this.p.accept("]"))
        this.refuse("expected-bracket", this.p.loc, "expected ']'", "a section is written [start:length]");
    }
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
    return { sym, object: bare(object), section, written, loc: first.loc };
  }

  private sectionDim(): SectionDim {
    let start: Expr | undefined;
    if (this.p.peek()?.text !== ":") start = this.expr();
    if (!this.p.accept(":")) return { ...(start && { start }), length: intLit(1) };
    if (this.p.peek()?.text === "]") return { ...(start && { start }) };
    return { ...(start && { start }), length: this.expr() };
  }
}
