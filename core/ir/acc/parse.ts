/** From an OpenACC pragma's tokens to a directive with typed clauses, checked against the grammar. */

import { nearestName } from "../../lang/index.ts";
import type { Diagnostic, Expr, Loc, Pragma, PragmaToken } from "../../lang/tree/ast.ts";
import type { Clause, Directive } from "../directives/directive.ts";
import { DirectiveParser, parsed } from "../directives/parser.ts";
import { type Argument, argumentOf, clauseAliases, clauses, directives, updateAliases } from "./grammar.ts";

const SPEC = "OpenACC 3.3";

export function isAcc(pragma: Pragma): boolean {
  return pragma.tokens[0]?.text === "acc";
}

/** Parses one `acc` pragma. Unknown directives and clauses are errors; nothing is dropped silently. */
export function parseDirective(pragma: Pragma): { directive?: Directive; diagnostics: Diagnostic[] } {
  return parsed((diagnostics) => new AccParser(pragma, diagnostics).parse());
}

class AccParser extends DirectiveParser {
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

  private directiveName(loc: Loc): string {
    const words: string[] = [];
    for (let i = 0; i < 2 && this.p.peek(i)?.kind === "ident"; i++)
      words.push(this.p.peek(i)?.text as string);
    const two = words.join(" ");
    const name = two in directives ? two : (words[0] ?? "");
    if (!(name in directives)) {
      const guess = nearestName(two, Object.keys(directives)) ?? nearestName(name, Object.keys(directives));
      const complaint = name
        ? `'${name}' is not an OpenACC directive`
        : "a directive name is missing after '#pragma acc'";
      const before = name in clauses || name in clauseAliases ? "parallel loop" : undefined;
      this.refuseUnknown(loc, complaint, { word: name, before, guess, specification: SPEC });
    }
    for (const _ of name.split(" ")) this.p.next();
    return name;
  }

  private clause(directive: string, allowed: readonly string[]): Clause | undefined {
    const token = this.p.next() as PragmaToken;
    const spelled = token.text;
    const name = (directive === "update" && updateAliases[spelled]) || (clauseAliases[spelled] ?? spelled);
    const known = {
      isKnown: token.kind === "ident" && (name in clauses || name in updateAliases),
      isAllowed: allowed.includes(name),
      usable: allowed,
      guesses: [...allowed, ...Object.keys(clauseAliases)],
    };
    if (!this.takes(directive, token, known)) return undefined;
    return this.argument(name, argumentOf(directive, name), directive, token.loc);
  }

  private checkRepeat(found: readonly Clause[], clause: Clause, types: readonly string[] | undefined): void {
    if (clauses[clause.name]?.repeats || clause.vars.length > 0) return;
    if (found.some((f) => f.name === clause.name && String(f.deviceTypes) === String(types)))
      this.report("repeated-clause", clause.loc, `clause '${clause.name}' appears twice`, "keep one of them");
  }

  private argument(name: string, kind: Argument, directive: string, loc: Loc): Clause {
    const base: Clause = { name, loc, vars: [], modifiers: [], exprs: [], names: [] };
    if (kind === "none") {
      this.takesNone(name);
      return base;
    }
    const optional = ["expr?", "exprs?", "gang", "unit"].includes(kind);
    if (!this.opens(name, loc, optional)) return base;
    const clause = { ...base, ...this.arguments(name, kind, directive) };
    this.closes(name);
    return clause;
  }

  /** `devnum: e :` */
  private deviceOfQueues(): Expr | undefined {
    if (!this.keyword("devnum")) return undefined;
    const device = this.expr();
    this.p.accept(":");
    return device;
  }

  private arguments(name: string, kind: Argument, directive: string): Partial<Clause> {
    switch (kind) {
      case "expr":
      case "expr?":
        return { exprs: [this.expr()] };
      case "exprs":
      case "exprs?": {
        // wait([devnum: e :] [queues:] list)
        const device = name === "wait" ? this.deviceOfQueues() : undefined;
        if (name === "wait" && this.p.peek()?.text === "queues" && this.p.peek(1)?.text === ":") {
          this.p.next();
          this.p.next();
        }
        return {
          ...(device && { device }),
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
        return this.reduction();
      case "vars":
        return this.variableArguments(name, directive);
      case "none":
        return {};
    }
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
}
