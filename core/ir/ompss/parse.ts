/** From a pragma's tokens to a task directive with typed clauses. Anything that arc does not support is an error. */

import { canonical, nearestName, spellTokens } from "../../lang/index.ts";
import type {
  CType,
  Diagnostic,
  Expr,
  Loc,
  Pragma,
  PragmaToken,
  Scope,
  Symbol,
} from "../../lang/tree/ast.ts";
import { binary, cast, intLit, stripImplicit } from "../../lang/tree/build.ts";
import { rootOf } from "../analysis/access.ts";
import type { VarRef } from "../directives/directive.ts";
import { DirectiveParser, parsed } from "../directives/parser.ts";
import type { ReductionOp, SectionDim, TaskAccess, TaskMode } from "../model/ir.ts";
import { clauses, dependKinds, directives, modes, refusedClauses, refusedDirectives } from "./grammar.ts";

export interface TaskClause {
  readonly name: string;
  readonly loc: Loc;
  readonly accesses: readonly TaskAccess[];
  readonly exprs: readonly Expr[];
  readonly vars: readonly VarRef[];
  /** Words, or text without its quotation marks. */
  readonly words: readonly string[];
  readonly op?: ReductionOp;
}

export interface TaskDirective {
  readonly name: string;
  readonly clauses: readonly TaskClause[];
  readonly loc: Loc;
  readonly pragma: Pragma;
}

export const clausesOf = (d: TaskDirective, ...names: readonly string[]): readonly TaskClause[] =>
  d.clauses.filter((c) => names.includes(c.name));

/** `params`: additional names that clauses may use. */
export function parseTaskDirective(
  pragma: Pragma,
  params: readonly Symbol[] = [],
): { directive?: TaskDirective; diagnostics: Diagnostic[] } {
  const scope = params.length > 0 ? withParameters(pragma.scope, params) : pragma.scope;
  return parsed((diagnostics) => new TaskParser({ ...pragma, scope }, diagnostics).parse(pragma));
}

function withParameters(parent: Scope, params: readonly Symbol[]): Scope {
  const own = new Map(params.map((sym) => [sym.name, sym]));
  return {
    parent,
    lookup: (name) => own.get(name) ?? parent.lookup(name),
    lookupTag: (tag) => parent.lookupTag(tag),
  };
}

class TaskParser extends DirectiveParser {
  /** directive = name { [","] clause } */
  parse(pragma: Pragma): TaskDirective {
    const loc = this.tokens[0]?.loc ?? this.pragma.span.start;
    const name = this.directiveName(loc);
    const found: TaskClause[] = [];
    while (!this.p.atEnd()) {
      if (this.p.accept(",") && this.p.atEnd()) break;
      const clause = this.clause(name, directives[name] ?? []);
      if (!clause) continue;
      if (!clauses[clause.name]?.repeats && found.some((f) => f.name === clause.name))
        this.report(
          "repeated-clause",
          clause.loc,
          `clause '${clause.name}' appears twice`,
          "keep one of them",
        );
      else found.push(clause);
    }
    return { name, clauses: found, loc, pragma };
  }

  private directiveName(loc: Loc): string {
    const token = this.p.next();
    const name = token?.text ?? "";
    if (Object.hasOwn(directives, name)) return name;
    if (Object.hasOwn(refusedDirectives, name))
      this.refuse("unsupported-directive", loc, `'${name}' is not honoured`, refusedDirectives[name]);
    const guess = nearestName(name, Object.keys(directives));
    return this.refuse(
      "unknown-directive",
      loc,
      `'${name}' is not a directive for tasks`,
      guess ? `did you mean '${guess}'?` : `write one of ${Object.keys(directives).join(", ")}`,
    );
  }

  private clause(directive: string, allowed: readonly string[]): TaskClause | undefined {
    const token = this.p.next() as PragmaToken;
    // `shmem` and `FILE` in older listings.
    const name = token.text;
    const isKnown =
      token.kind === "ident" && (Object.hasOwn(clauses, name) || Object.hasOwn(refusedClauses, name));
    if (isKnown && Object.hasOwn(refusedClauses, name)) {
      this.report("unsupported-clause", token.loc, `'${name}' is not honoured`, refusedClauses[name]);
      this.skipArgument();
      return undefined;
    }
    const known = { isKnown, isAllowed: allowed.includes(name), usable: allowed, guesses: allowed };
    return this.takes(directive, token, known) ? this.argument(name, token.loc) : undefined;
  }

  private argument(name: string, loc: Loc): TaskClause {
    const rule = clauses[name];
    const base: TaskClause = { name, loc, accesses: [], exprs: [], vars: [], words: [] };
    if (rule?.argument === "none") {
      this.takesNone(name);
      return base;
    }
    if (!this.opens(name, loc, rule?.argument === "expr?")) return base;
    const result = { ...base, ...this.inParentheses(name) };
    this.closes(name);
    return result;
  }

  private inParentheses(name: string): Partial<TaskClause> {
    const rule = clauses[name];
    switch (rule?.argument) {
      case "if":
        this.keyword("task", "taskloop");
        return { exprs: [this.expr()] };
      case "iterations":
        this.keyword("strict");
        return { exprs: [this.expr()] };
      case "expr":
      case "expr?":
        return { exprs: [this.expr()] };
      case "exprs":
        return { exprs: this.list(() => this.expr()) };
      case "vars":
        return { vars: this.list(() => this.plainVariable(name)) };
      case "regions":
        return {
          accesses: this.list(() => this.region(modes[name] ?? { mode: "inout" }, "last")),
        };
      case "depend":
        return this.depend();
      case "reduction":
        return this.reductionOf();
      case "word":
        return { words: [this.word(rule.words)] };
      case "text": {
        const token = this.p.peek();
        if (token?.kind !== "string") return { words: [this.word()] };
        this.p.next();
        return { words: [token.text.slice(1, -1)] };
      }
      case "file":
        return { words: [this.fileName()] };
      default:
        return {};
    }
  }

  /** A file name, with or without quotation marks. */
  private fileName(): string {
    const from = this.p.position;
    for (let depth = 0; ; this.p.next()) {
      const text = this.p.peek()?.text;
      if (text === undefined || (text === ")" && depth === 0)) break;
      if (text === "(") depth++;
      if (text === ")") depth--;
    }
    const text = spellTokens(this.tokens.slice(from, this.p.position)).replaceAll(" ", "");
    return text.startsWith('"') ? text.slice(1, -1) : text;
  }

  private plainVariable(name: string): VarRef {
    const found = this.variable();
    if (found.object.kind !== "ident" || found.section.length > 0)
      this.refuse(
        "not-a-variable",
        found.loc,
        `'${found.written}' is a part of a variable, and '${name}' is about whole ones`,
        "name the variable",
      );
    return found;
  }

  /** kind ":" list, where sections are `[start:length]` */
  private depend(): Partial<TaskClause> {
    const token = this.p.peek();
    const kind = token?.text ?? "";
    if (kind === "iterator")
      this.refuse("unsupported-modifier", this.p.loc, "'iterator' is not honoured", "list the sections");
    if (kind === "depobj" || kind === "source" || kind === "sink")
      this.refuse("unsupported-modifier", this.p.loc, `'depend(${kind})' is not honoured`, "name the memory");
    const mode: TaskMode | undefined = Object.hasOwn(dependKinds, kind) ? dependKinds[kind] : undefined;
    if (!mode)
      this.refuse(
        "unexpected-word",
        token?.loc ?? this.pragma.span.end,
        `'${kind}' is no kind of dependence`,
        `write depend(in: ...), with one of ${Object.keys(dependKinds).join(", ")}`,
      );
    this.p.next();
    if (!this.p.accept(":"))
      this.refuse("expected-colon", this.p.loc, `expected ':' after '${kind}'`, `write depend(${kind}: x)`);
    return { words: [kind], accesses: this.list(() => this.region({ mode }, "length")) };
  }

  private reductionOf(): Partial<TaskClause> {
    const first = this.p.peek();
    if (first?.kind === "ident" && first.text !== "max" && first.text !== "min")
      this.refuse(
        "user-defined-reduction",
        first.loc,
        `'${first.text}' is a reduction of the program's own, which is not honoured`,
        "reduce numbers by + * max min & | ^ && ||",
      );
    const { op, vars } = this.reduction();
    const array = vars.find((v) => v.section.length > 0 || canonical(v.object.type).kind !== "int");
    for (const v of vars) {
      const { kind } = canonical(v.object.type);
      if (v.object.kind === "ident" && v.section.length === 0 && (kind === "int" || kind === "float"))
        continue;
      this.report(
        "unsupported-reduction",
        v.loc,
        `'${v.written}' is no variable that holds a number: tasks do not reduce it`,
        "reduce a number, or give each task memory of its own and add it up behind the tasks",
      );
    }
    return { op, vars: array ? vars.filter((v) => v.object.kind === "ident") : vars };
  }

  // -------------------------------------------------------------- sections

  /**
   * region = { "[" e "]" } variable { "[" section "]" }
   * section = e | [e] ";" e | [e] ":" [e]
   *
   * After `:` comes the last element in OmpSs's clauses, and the number of elements in `depend`.
   */
  private region(
    how: { readonly mode: TaskMode; readonly weak?: true },
    colon: "last" | "length",
  ): TaskAccess {
    const { loc, position } = this.p;
    const shape: Expr[] = [];
    while (this.p.accept("[")) {
      shape.push(this.expr());
      this.bracket();
    }
    const base = this.p.parseLvalue();
    if ("severity" in base) return this.refuse(base.code, base.loc, base.message, base.remedy);
    const section: SectionDim[] = [];
    while (this.p.accept("[")) section.push(this.dimension(colon));
    const written = spellTokens(this.tokens.slice(position, this.p.position));
    const sym = rootOf(base)?.sym;
    if (sym?.kind !== "var" && sym?.kind !== "param")
      this.refuse("not-a-variable", loc, `'${written}' is no memory of the program`, "name a variable");
    if (shape.length === 0) return { ...how, ...subscripted(stripImplicit(base), section), written, loc };
    return { ...how, ...this.shaped(stripImplicit(base), shape, section, loc), written, loc };
  }

  private bracket(): void {
    if (this.p.accept("]")) return;
    this.refuse("expected-bracket", this.p.loc, "expected ']'", "write x[start;length], or [n]x");
  }

  private dimension(colon: "last" | "length"): SectionDim {
    const at = this.p.peek()?.text;
    const start = at === ":" || at === ";" ? undefined : this.p.parseConditional();
    if (start && "severity" in start) return this.refuse(start.code, start.loc, start.message, start.remedy);
    const from = start && { start };
    if (this.p.accept(";")) {
      const length = this.expr();
      this.bracket();
      return { ...from, length };
    }
    if (!this.p.accept(":")) {
      this.bracket();
      return { ...from, length: intLit(1) };
    }
    if (this.p.accept("]")) return { ...from };
    const end = this.expr();
    this.bracket();
    if (colon === "length") return { ...from, length: end };
    const count = start ? binary("-", end, start) : end;
    return { ...from, length: binary("+", count, intLit(1)) };
  }

  /** `[n][m]x`: x as an array of n rows of m elements. */
  private shaped(
    base: Expr,
    shape: readonly Expr[],
    section: readonly SectionDim[],
    loc: Loc,
  ): Pick<TaskAccess, "object" | "section"> {
    const type = canonical(base.type);
    const element: CType | undefined =
      type.kind === "pointer" ? type.to : type.kind === "array" ? type.of : undefined;
    if (!element)
      this.refuse(
        "not-an-array",
        loc,
        "the shape stands before a variable that is no array and no pointer",
        "leave the shape out",
      );
    const [first, ...inner] = shape;
    const row = inner.reduceRight<CType>((of, size) => ({ kind: "array", of, size }), element);
    const object = inner.length > 0 ? cast({ kind: "pointer", to: row }, base) : base;
    const entire = shape.map((length): SectionDim => ({ start: intLit(0), length }));
    if (section.length > shape.length)
      this.refuse(
        "not-an-array",
        loc,
        "the section has more dimensions than the shape",
        "write one [...] behind the variable for each one before it",
      );
    const dims = entire.map((dim, i): SectionDim => {
      const own = section[i];
      if (!own) return dim;
      if (own.length) return own;
      const start = own.start ?? intLit(0);
      return { start, length: binary("-", dim.length as Expr, start) };
    });
    void first;
    return { object, section: dims };
  }
}

/** Subscripts at the end are sections of one element: those of arrays, and the last one of a pointer. */
function subscripted(base: Expr, section: readonly SectionDim[]): Pick<TaskAccess, "object" | "section"> {
  if (base.kind !== "index") return { object: base, section };
  const inner = stripImplicit(base.base);
  const isArray = canonical(inner.type).kind === "array";
  if (section.length > 0 && !isArray) return { object: base, section };
  return subscripted(inner, [{ start: base.index, length: intLit(1) }, ...section]);
}
