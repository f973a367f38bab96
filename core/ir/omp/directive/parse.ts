/** From an OpenMP pragma's tokens to a directive with typed clauses, checked against the grammar. */

import { evaluateInteger, makeSymbol, nearestName } from "../../../lang/index.ts";
import type { AssignOp, Diagnostic, Expr, Loc, Pragma, PragmaToken } from "../../../lang/tree/ast.ts";
import { assign } from "../../../lang/tree/build.ts";
import type { Clause, Directive, VarRef } from "../../directives/directive.ts";
import { parsed } from "../../directives/parser.ts";
import type { MapperDeclaration } from "../map/mappers.ts";
import { clauses, type DirectiveRule, directives, refusedClauses, refusedDirectives } from "./grammar.ts";
import { ListItemParser, mapTypes } from "./list-items.ts";
import { newestRemedy } from "./newest.ts";

export const isOmp = (pragma: Pragma): boolean => pragma.tokens[0]?.text === "omp";

/** The longest directive name that a pragma begins with, whether arc supports it or not. */
export function nameOf(pragma: Pragma): string | undefined {
  let found: string | undefined;
  let words = "";
  for (const token of pragma.tokens.slice(1)) {
    if (token.kind !== "ident") break;
    words = words === "" ? token.text : `${words} ${token.text}`;
    if (words in directives || words in refusedDirectives) found = words;
  }
  return found;
}

export const ruleOf = ({ name }: Pick<Directive, "name">): DirectiveRule => directives[name] as DirectiveRule;

/**
 * Parses one `omp` pragma. Anything that arc does not know or does not support is an error; nothing is dropped
 * silently.
 */
export function parseDirective(pragma: Pragma): { directive?: Directive; diagnostics: Diagnostic[] } {
  return parsed((diagnostics) => new OmpParser(pragma, diagnostics).parse());
}

/** The mapper that a `declare mapper` declares. */
export function parseMapper(pragma: Pragma): { directive?: MapperDeclaration; diagnostics: Diagnostic[] } {
  return parsed((diagnostics) => new OmpParser(pragma, diagnostics).mapper());
}

const assignOps: readonly AssignOp[] = ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="];

class OmpParser extends ListItemParser {
  /** directive = name ["(" list ")"] { [","] clause } */
  parse(): Directive {
    const loc = this.pragma.tokens[1]?.loc ?? this.pragma.span.start;
    const name = this.directiveName(loc);
    const rule = ruleOf({ name });
    const argument = rule.exchange
      ? this.exchange(name, loc)
      : rule.list && this.p.peek()?.text === "("
        ? this.argument(name, "enter", loc)
        : undefined;
    const found: Clause[] = [];
    while (!this.p.atEnd()) {
      if (this.p.accept(",") && this.p.atEnd()) break;
      const clause = this.clause(name, rule.clauses);
      if (!clause) continue;
      this.checkRepeat(found, clause);
      found.push(clause);
    }
    return {
      name,
      clauses: found.flatMap((c) => (c.name === "nowait" ? nowait(c, name) : [c])),
      ...(argument && { argument }),
      loc,
      span: this.pragma.span,
      pragma: this.pragma,
    };
  }

  private directiveName(loc: Loc): string {
    const name = nameOf(this.pragma);
    const words = this.pragma.tokens.slice(1).map((t) => t.text);
    if (name !== undefined && name in directives) {
      for (const _ of name.split(" ")) this.p.next();
      return name;
    }
    if (name !== undefined)
      this.refuse(
        "unsupported-directive",
        loc,
        `'${name}' is not honoured in code for a device`,
        refusedDirectives[name],
      );
    const known = Object.keys(directives);
    const [first = ""] = words;
    const guess = [3, 2, 1].map((n) => nearestName(words.slice(0, n).join(" "), known)).find((g) => g);
    const complaint = first
      ? `'${first}' is not an OpenMP directive that arc knows`
      : "a directive name is missing after '#pragma omp'";
    const before = first in clauses ? "target" : undefined;
    return this.refuseUnknown(loc, complaint, { word: first, before, guess, specification: "OpenMP 5.0" });
  }

  private clause(directive: string, allowed: readonly string[]): Clause | undefined {
    const token = this.p.next() as PragmaToken;
    const name = token.text;
    const usable = allowed.filter((one) => !(one in refusedClauses));
    const { newest } = ruleOf({ name: directive }) ?? { newest: [] };
    if (token.kind === "ident" && newest.includes(name)) {
      const message = `'${name}' of '${directive}' is not honoured (OpenMP 6.0)`;
      this.report("unsupported-clause", token.loc, message, newestRemedy(directive, name));
      this.skipArgument();
      return undefined;
    }
    const isKnown = token.kind === "ident" && (name in clauses || name in refusedClauses);
    const known = { isKnown, isAllowed: allowed.includes(name), usable, guesses: usable };
    if (!this.takes(directive, token, known)) return undefined;
    if (name in refusedClauses) {
      const { section, remedy } = refusedClauses[name] as (typeof refusedClauses)[string];
      const message = `'${name}' is not honoured in code for a device (${section})`;
      this.report("unsupported-clause", token.loc, message, remedy);
      this.skipArgument();
      return undefined;
    }
    return this.argument(directive, name, token.loc);
  }

  /** "(" mask "," lane "," target [operator] "," variable ")" */
  private exchange(name: string, loc: Loc): Clause {
    this.opens(name, loc, false);
    const comma = (): void => this.expects(",", `write ${name}(mask, lane, x +=, variable)`);
    const mask = this.expr();
    comma();
    const lane = this.expr();
    comma();
    const target = this.conditional();
    const op = assignOps.find((one) => this.p.accept(one)) ?? "=";
    comma();
    const variable = this.variable();
    this.closes(name);
    const assignment = assign(target, variable.object, op);
    return {
      name: "shuffle",
      loc,
      vars: [variable],
      modifiers: [],
      exprs: [mask, lane, assignment],
      names: [],
    };
  }

  private checkRepeat(found: readonly Clause[], clause: Clause): void {
    if (clauses[clause.name]?.repeats || !found.some((f) => f.name === clause.name)) return;
    this.report("repeated-clause", clause.loc, `clause '${clause.name}' appears twice`, "keep one of them");
  }

  private argument(directive: string, name: string, loc: Loc): Clause {
    const base: Clause = { name, loc, vars: [], modifiers: [], exprs: [], names: [] };
    const kind = clauses[name]?.argument ?? "none";
    if (kind === "none") {
      this.takesNone(name);
      return base;
    }
    if (kind === "tokens") {
      this.skipArgument();
      return base;
    }
    if (!this.opens(name, loc, kind === "expr?")) return base;
    const clause = { ...base, ...this.arguments(directive, name) };
    this.closes(name);
    return clause;
  }

  private arguments(directive: string, name: string): Partial<Clause> {
    const rule = clauses[name];
    switch (rule?.argument) {
      case "expr":
      case "expr?":
        return { exprs: [this.expr()] };
      case "strict":
        this.keyword("strict");
        return { exprs: [this.expr()] };
      case "limits": {
        const first = this.conditional();
        return { exprs: [this.p.accept(":") ? this.conditional() : first] };
      }
      case "condition":
        return { names: this.constructName(), exprs: [this.expr()] };
      case "device": {
        const kind = this.keyword("device_num", "ancestor");
        return { names: kind ? [kind] : [], exprs: [this.expr()] };
      }
      case "last": {
        const modifier = this.keyword("conditional");
        return { modifiers: modifier ? [modifier] : [], vars: this.list(() => this.variable()) };
      }
      case "vars":
        if (directive === "critical" || directive === "flush") return { names: this.list(() => this.word()) };
        if (directive.endsWith("declare target")) return { names: this.list(() => this.word()) };
        return { vars: this.list(() => this.variable()) };
      case "motion": {
        if (directive === "declare target") return { names: this.list(() => this.word()) };
        return this.motionArguments(name);
      }
      case "map":
        return this.mapArguments();
      case "reduction":
        return this.reductionArguments();
      case "linear": {
        const around =
          ["val", "uval", "ref"].includes(this.p.peek()?.text ?? "") && this.p.peek(1)?.text === "(";
        if (around) {
          this.p.next();
          this.p.next();
        }
        const list = this.list(() => this.variable());
        if (around) this.closes("val");
        return { vars: list, exprs: this.p.accept(":") ? this.steps() : [] };
      }
      case "schedule": {
        const modifiers = this.modifiers(name, ["monotonic", "nonmonotonic", "simd"]);
        const kinds =
          name === "dist_schedule" ? ["static"] : ["static", "dynamic", "guided", "auto", "runtime"];
        const kind = this.word(kinds);
        return { names: [kind], modifiers, exprs: this.p.accept(",") ? [this.expr()] : [] };
      }
      case "defaultmap": {
        const behaviour = this.word([...mapTypes.slice(0, 4), "firstprivate", "none", "default", "present"]);
        const category = this.p.accept(":") ? [this.word(["scalar", "aggregate", "pointer", "all"])] : [];
        return { names: [behaviour, ...category] };
      }
      case "word": {
        const named = this.word(rule.words);
        if (name === "default" && this.p.at(":"))
          this.newer(
            "'default' for one category of variables",
            "7.5.1",
            "name these variables in a clause of their own",
          );
        return { names: [named] };
      }
      default:
        return {};
    }
  }

  /** step | { val | step(step) }: the step is already visible in the iteration's own assignments. */
  private steps(): Expr[] {
    const found = this.list((): Expr | undefined => {
      const word = this.p.peek()?.text;
      if (["val", "uval", "ref"].includes(word ?? "") && [",", ")"].includes(this.p.peek(1)?.text ?? "")) {
        this.p.next();
        return undefined;
      }
      if (word !== "step" || this.p.peek(1)?.text !== "(") return this.expr();
      this.p.next();
      this.p.next();
      const step = this.expr();
      this.closes("step");
      return step;
    });
    return found.filter((e) => e !== undefined);
  }

  /** `if(target enter data : e)`: the construct that the condition applies to. */
  private constructName(): string[] {
    const words: string[] = [];
    while (this.p.peek(words.length)?.kind === "ident") words.push(this.p.peek(words.length)?.text as string);
    if (words.length === 0 || this.p.peek(words.length)?.text !== ":") return [];
    for (let i = 0; i <= words.length; i++) this.p.next();
    return [words.join(" ")];
  }

  private modifiers(name: string, known: readonly string[]): string[] {
    if (!this.modifierColon()) return [];
    const found = this.list(() => {
      const { loc } = this.p;
      const word = this.word();
      if (!known.includes(word))
        this.report(
          "unknown-modifier",
          loc,
          `'${word}' is not a modifier of '${name}'`,
          `allowed: ${known.join(", ")}`,
        );
      return word;
    });
    this.p.accept(":");
    return found;
  }

  /** "declare" "mapper" "(" [name ":"] type variable ")" { [","] map clause } */
  mapper(): MapperDeclaration {
    this.p.next();
    this.p.next();
    const take = (text: string): void =>
      this.expects(text, "write declare mapper(name: type v) map(v, v.part)");
    take("(");
    const named = this.p.peek(1)?.text === ":";
    const name = named ? (this.p.next()?.text ?? "") : "default";
    if (named) this.p.next();
    const of = this.declared(")");
    const { type } = of;
    const sym = makeSymbol(of.name, "var", type, "block");
    take(")");
    this.ofMapper = [sym];
    this.declares(this.ofMapper);
    const found: Clause[] = [];
    while (!this.p.atEnd()) {
      if (this.p.accept(",") && this.p.atEnd()) break;
      const clause = this.clause("declare mapper", ["map"]);
      if (!clause) continue;
      found.push(clause);
      this.declares(this.ofMapper);
    }
    return { name, type, sym, clauses: found };
  }

  /** [ modifier "," ] operator ":" list; `-` is an older spelling of `+`. */
  private reductionArguments(): Partial<Clause> {
    const modifier = this.p.peek();
    if (modifier?.text === "original" && this.p.peek(1)?.text === "(") {
      this.original();
      return this.reductionArguments();
    }
    if (modifier?.kind === "ident" && this.p.peek(1)?.text === ",") {
      this.p.next();
      this.p.next();
      // Tasks run in place, so a reduction with the modifier `task` has no other participants.
      if (!["default", "inscan", "task"].includes(modifier.text))
        this.refuse(
          "unknown-modifier",
          modifier.loc,
          `'${modifier.text}' is not a modifier of 'reduction'`,
          "allowed: default, inscan, task",
        );
      return { ...this.operatorAndList(), modifiers: [modifier.text] };
    }
    return this.operatorAndList();
  }

  /** "original" "(" "default" | "shared" | "private" ")" ","  (OpenMP 6.0, section 7.6.9) */
  private original(): void {
    this.p.next();
    this.p.next();
    if (this.word(["default", "shared", "private"]) === "private")
      this.newer(
        "'original(private)' of 'reduction'",
        "7.6.9",
        "leave it out, and let the construct around share the variable",
      );
    this.closes("original");
    const missing = this.p.expect(",");
    if (missing) this.refuse(missing.code, missing.loc, missing.message, missing.remedy);
  }

  /** The name of a user-defined reduction, and a list. */
  private ofProgram(): Partial<Clause> {
    const name = this.word();
    const missing = this.p.expect(":");
    if (missing) return this.refuse(missing.code, missing.loc, missing.message, missing.remedy);
    return { names: [name], vars: this.list((): VarRef => this.variable()) };
  }

  private operatorAndList(): Partial<Clause> {
    const op = this.p.peek();
    if (op?.text === "-" && this.p.peek(1)?.text === ":") {
      this.p.next();
      this.p.next();
      return { op: "+", vars: this.list((): VarRef => this.variable()) };
    }
    if (op?.kind === "ident" && op.text !== "max" && op.text !== "min") return this.ofProgram();
    return this.reduction();
  }
}

/** Without a constant condition, constructs of threads wait; those of tasks evaluate it. */
function nowait(c: Clause, directive: string): readonly Clause[] {
  const [condition] = c.exprs;
  const value = condition && condition !== "*" ? evaluateInteger(condition) : undefined;
  if (condition === undefined || value !== undefined) return value === 0n ? [] : [{ ...c, exprs: [] }];
  return directive.startsWith("target") ? [c] : [];
}
