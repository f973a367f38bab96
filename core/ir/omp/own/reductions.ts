/**
 * User-defined reductions (OpenMP 5.2, section 5.5.11): their `declare reduction`, which one a clause refers to, and
 * code with copies that they combine.
 *
 *     #pragma omp declare reduction(add: struct sum: omp_out.n += omp_in.n) initializer(omp_priv = {0})
 *
 *     reduction(add: s)            { struct sum s_own; s_own = (struct sum){0};
 *     BODY                   =>      BODY with s_own
 *                                    s.n += s_own.n; }
 */
import { entryOf } from "../../../checked/access.ts";
import {
  canonical,
  compatibleUnqualified,
  makeSymbol,
  substituteExpr,
  walkStmt,
} from "../../../lang/index.ts";
import type {
  CType,
  Diagnostic,
  Expr,
  Pragma,
  PragmaToken,
  Scope,
  Stmt,
  Symbol,
  TranslationUnit,
} from "../../../lang/tree/ast.ts";
import { compound, exprStmt, ident } from "../../../lang/tree/build.ts";
import type { Clause, DeclaredReduction, Directive, VarRef } from "../../directives/directive.ts";
import { DirectiveParser, parsed } from "../../directives/parser.ts";
import type { Reading } from "../../directives/read-state.ts";
import { copiesOf, eachElement, elementsOf, inCopy, inVariable } from "./reduced.ts";

/** The name of clauses whose variables all have a user-defined reduction; `reduction` keeps the others. */
export const ofProgram = "declared reduction";

interface Declaration {
  readonly name: string;
  readonly type: CType;
  readonly reduction: DeclaredReduction;
}

const isDeclaration = ({ tokens }: Pragma): boolean =>
  ["omp", "declare", "reduction"].every((word, i) => tokens[i]?.text === word);

export class DeclaredReductions {
  private readonly all: Declaration[] = [];
  private readonly reading: Reading;

  constructor(reading: Reading, { externals }: TranslationUnit) {
    this.reading = reading;
    for (const e of externals) {
      if (e.kind === "pragma") this.read(e);
      if (e.kind !== "function") continue;
      for (const pragma of e.pragmas ?? []) this.read(pragma);
      walkStmt(e.body, {
        stmt: (s) => {
          for (const pragma of s.pragmas ?? []) this.read(pragma);
          return true;
        },
        expr: () => false,
      });
    }
  }

  private read(pragma: Pragma): void {
    if (!isDeclaration(pragma)) return;
    const { directive, diagnostics } = parsed((found) => new DeclarationParser(pragma, found).parse());
    this.reading.diagnostics.push(...diagnostics);
    this.all.push(...(directive ?? []));
  }

  /** The directive with a separate clause for each user-defined reduction. */
  in(d: Directive): Directive {
    if (!d.clauses.some((c) => c.name === "reduction")) return d;
    return { ...d, clauses: d.clauses.flatMap((c) => (c.name === "reduction" ? this.parted(d, c) : [c])) };
  }

  private parted(d: Directive, c: Clause): readonly Clause[] {
    const name = c.op ?? c.names[0] ?? "";
    const found = c.vars.map((v) => this.all.findLast((one) => one.name === name && takes(one, v)));
    const declared = found.flatMap((one) => one?.reduction ?? []);
    if (declared.length > 0 && !isParticipant(d))
      this.reading.report(
        "user-defined-reduction",
        c.loc,
        `'${name}' is a reduction of the program's own, which '${d.name}' does not honour`,
        "write it on a loop, or on 'parallel'",
      );
    const others = c.vars.filter((_, i) => !found[i]);
    if (c.op === undefined)
      for (const v of others) {
        const isLong = this.all.some((one) => one.name === name && isOfElements(one, v));
        this.reading.report(
          "user-defined-reduction",
          v.loc,
          isLong
            ? `how many elements '${v.written}' has is known only when the program runs, and each thread needs a copy of them`
            : `no 'declare reduction' says what '${name}' does to '${v.written}'`,
          isLong
            ? "name a constant number of elements: [start:length]"
            : "declare it for the variable's type, or that of its elements: declare reduction(name: type: combiner)",
        );
      }
    const own: Clause = { ...c, name: ofProgram, vars: c.vars.filter((_, i) => found[i]), declared };
    return [
      ...(declared.length > 0 ? [own] : []),
      ...(c.op !== undefined && others.length > 0 ? [{ ...c, vars: others }] : []),
    ];
  }
}

const takes = ({ type }: Declaration, v: VarRef): boolean => elementsOf(v, type) !== undefined;

/** Whether the elements of the array or section have its type, however many there are. */
const isOfElements = ({ type }: Declaration, v: VarRef): boolean =>
  v.object.kind === "ident" && compatibleUnqualified(type, innerType(v));

function innerType({ sym }: VarRef): CType {
  let type = canonical(sym.type);
  while (type.kind === "array" || type.kind === "pointer")
    type = canonical(type.kind === "array" ? type.of : type.to);
  return type;
}

/** Loops, sections, and code for all threads. */
const isParticipant = ({ name }: Directive): boolean =>
  /\b(for|simd|loop|taskloop|distribute|sections)\b/.test(name) || /\b(parallel|scope)$/.test(name);

/** The variables of a directive that user-defined reductions combine. */
export const combinedVariables = (d: Directive): readonly VarRef[] =>
  d.clauses.flatMap((c) => (c.declared ? c.vars : []));

/** The statement with copies of these variables, which `together` combines with the originals one thread at a time. */
export function withCombined(
  d: Directive,
  body: Stmt,
  together: (combine: Stmt) => Stmt | undefined = (combine) => combine,
): Stmt {
  const { copies, before, body: inner } = copiesOf(d, body);
  if (copies.length === 0) return body;
  const combine = compound(
    copies.map((c) =>
      eachElement(c, (at) => [
        exprStmt(c.reduction.combine(inVariable(c, at), inCopy(c, ident(c.copy), at))),
      ]),
    ),
    body.span,
  );
  const last = together(combine);
  return compound([...before, inner, ...(last ? [last] : [])], body.span);
}

// ---------------------------------------------------------------- declarations

/** The identifiers of a declaration: each is replaced by a variable where the reduction is used. */
const words = ["omp_out", "omp_in", "omp_priv", "omp_orig"] as const;

class DeclarationParser extends DirectiveParser {
  /** "declare" "reduction" "(" name ":" type { "," type } ":" combiner ")" [ "initializer" "(" init ")" ] */
  parse(): readonly Declaration[] {
    this.p.next();
    this.p.next();
    this.take("(");
    const name = this.p.next()?.text ?? "";
    this.take(":");
    const types: { readonly type: CType; readonly tokens: readonly PragmaToken[] }[] = [];
    do {
      const from = this.p.position;
      const type = this.p.parseTypeName();
      if ("severity" in type) return this.refuse(type.code, type.loc, type.message, type.remedy);
      types.push({ type, tokens: this.tokens.slice(from, this.p.position) });
    } while (this.p.accept(","));
    this.take(":");
    const rest = this.tokens.slice(this.p.position);
    return types.map((one) => ({
      name,
      type: one.type,
      reduction: new CombinerParser(this.pragma, rest, one.type, one.tokens, this.diagnostics).ofType(),
    }));
  }

  protected take(text: string): void {
    const { loc } = this.p;
    if (!this.p.accept(text))
      this.refuse(
        "declare-reduction",
        loc,
        `expected '${text}' in 'declare reduction'`,
        "write declare reduction(name: type: combiner) initializer(omp_priv = value)",
      );
  }
}

/** The part of a declaration after its types, parsed for one of them. */
class CombinerParser extends DeclarationParser {
  private readonly named: ReadonlyMap<string, Symbol>;
  private readonly type: CType;
  private readonly typeTokens: readonly PragmaToken[];

  constructor(
    pragma: Pragma,
    rest: readonly PragmaToken[],
    type: CType,
    typeTokens: readonly PragmaToken[],
    diagnostics: Diagnostic[],
  ) {
    const named = new Map(words.map((word) => [word, makeSymbol(word, "var", type, "block")]));
    super(
      {
        ...pragma,
        tokens: [{ kind: "ident", text: "omp", loc: pragma.span.start }, ...rest],
        scope: within(pragma.scope, named),
      },
      diagnostics,
    );
    this.named = named;
    this.type = type;
    this.typeTokens = typeTokens;
  }

  ofType(): DeclaredReduction {
    const combiner = this.read(() => this.p.parseExpression());
    this.take(")");
    this.p.accept(",");
    const initial = this.initial();
    const replaced = (e: Expr, by: Readonly<Partial<Record<(typeof words)[number], Expr>>>): Expr =>
      substituteExpr(
        e,
        new Map(Object.entries(by).map(([word, value]) => [entryOf(this.named, word), value])),
      );
    return {
      type: this.type,
      combine: (out, value) => replaced(combiner, { omp_out: out, omp_in: value }),
      initialise: (copy, original) => replaced(initial, { omp_priv: copy, omp_orig: original }),
    };
  }

  /** `omp_priv = value`, `omp_priv = {...}` or `f(&omp_priv, ...)`; 0 if there is none. */
  private initial(): Expr {
    const { loc } = this.p;
    if (this.p.atEnd()) {
      return this.valued(canonical(this.type).kind === "record" ? ["{", "0", "}"] : ["0"], loc);
    }
    if (this.p.next()?.text !== "initializer")
      this.refuse(
        "declare-reduction",
        loc,
        "'declare reduction' takes the clause 'initializer' alone",
        "leave the others out",
      );
    this.take("(");
    if (this.p.peek()?.text === "omp_priv" && this.p.peek(2)?.text === "{") {
      const texts = this.tokens.slice(this.p.position + 2, -1).map((t) => t.text);
      return this.valued(texts, loc);
    }
    const initial = this.read(() => this.p.parseAssignment());
    this.take(")");
    return initial;
  }

  /** `omp_priv = (type)VALUE` */
  private valued(texts: readonly string[], loc: PragmaToken["loc"]): Expr {
    const punct = (text: string): PragmaToken => ({ kind: "punct", text, loc });
    const token = (text: string): PragmaToken =>
      /^\d/.test(text)
        ? { kind: "number", text, loc }
        : /^\w/.test(text)
          ? { kind: "ident", text, loc }
          : punct(text);
    const tokens = [
      token("omp_priv"),
      punct("="),
      punct("("),
      ...this.typeTokens,
      punct(")"),
      ...texts.map(token),
    ];
    const parser = new ValueParser({ ...this.pragma, tokens: [token("omp"), ...tokens] }, this.diagnostics);
    return parser.value();
  }

  private read(parse: () => Expr | Diagnostic): Expr {
    const found = parse();
    if ("severity" in found) return this.refuse(found.code, found.loc, found.message, found.remedy);
    return found;
  }
}

class ValueParser extends DirectiveParser {
  value(): Expr {
    return this.expr();
  }
}

/** A scope with additional names. */
const within = (parent: Scope, named: ReadonlyMap<string, Symbol>): Scope => ({
  parent,
  lookup: (name) => named.get(name) ?? parent.lookup(name),
  lookupTag: (tag) => parent.lookupTag(tag),
});
