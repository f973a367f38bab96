/**
 * Parses directives of both languages, including those for the host's threads, without reporting errors: the compiler's
 * readers reject what they cannot translate, but a checker must analyse such code as well.
 */
import { itemAt } from "../../checked/access.ts";
import { evaluateInteger, parseExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, Loc, Pragma, PragmaToken, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { directiveNames, type Language, mostWords } from "./names.ts";

export interface Clause {
  readonly name: string;
  readonly loc: Loc;
  /** The tokens in its parentheses. */
  readonly tokens: readonly PragmaToken[];
  /** Whether it has parentheses. */
  readonly argument: boolean;
}

export interface Directive {
  readonly language: Language;
  /** The name as in the table of names; `?`: a name that is not in the table. */
  readonly name: string;
  readonly words: ReadonlySet<string>;
  /** Directly after the name: `critical(name)`. */
  readonly argument: readonly PragmaToken[];
  readonly clauses: readonly Clause[];
  readonly pragma: Pragma;
  readonly loc: Loc;
}

const known = new WeakMap<Pragma, { readonly directive: Directive | undefined }>();

/** Undefined if the pragma belongs to another language. */
export function readDirective(pragma: Pragma): Directive | undefined {
  const made = known.get(pragma) ?? { directive: read(pragma) };
  known.set(pragma, made);
  return made.directive;
}

function read(pragma: Pragma): Directive | undefined {
  const [space, ...tokens] = pragma.tokens;
  const language = space?.text;
  if (language !== "omp" && language !== "acc") return undefined;
  const length = nameLength(tokens, directiveNames[language]);
  const name = length === 0 ? "?" : wordsOf(tokens, length);
  const first = readParentheses(tokens, length);
  return {
    language,
    name,
    words: new Set(name.split(" ")),
    argument: first.inside,
    clauses: readClauses(tokens, first.next),
    pragma,
    loc: tokens[0]?.loc ?? pragma.span.start,
  };
}

/** The directives of a statement, in order. */
export function directivesOf({ pragmas }: Stmt): readonly Directive[] {
  if (pragmas === undefined) return none;
  const known = listsByPragmas.get(pragmas);
  if (known) return known;
  const list = pragmas.flatMap((pragma) => readDirective(pragma) ?? []);
  listsByPragmas.set(pragmas, list);
  return list;
}

/** Every rule and every walk asks for them. */
const listsByPragmas = new WeakMap<readonly Pragma[], readonly Directive[]>();
const none: readonly Directive[] = [];

const wordsOf = (tokens: readonly PragmaToken[], length: number): string =>
  tokens
    .slice(0, length)
    .map((t) => t.text)
    .join(" ");

function nameLength(tokens: readonly PragmaToken[], names: ReadonlySet<string>): number {
  for (let length = Math.min(mostWords, tokens.length); length > 0; length--)
    if (names.has(wordsOf(tokens, length))) return length;
  return 0;
}

function readParentheses(
  tokens: readonly PragmaToken[],
  at: number,
): { readonly inside: readonly PragmaToken[]; readonly next: number } {
  if (tokens[at]?.text !== "(") return { inside: [], next: at };
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    if (tokens[i]?.text === "(") depth++;
    if (tokens[i]?.text === ")" && --depth === 0) return { inside: tokens.slice(at + 1, i), next: i + 1 };
  }
  return { inside: tokens.slice(at + 1), next: tokens.length };
}

function readClauses(tokens: readonly PragmaToken[], from: number): readonly Clause[] {
  const found: Clause[] = [];
  for (let i = from; i < tokens.length; ) {
    const token = itemAt(tokens, i);
    if (token.kind !== "ident") {
      i++;
      continue;
    }
    const { inside, next } = readParentheses(tokens, i + 1);
    found.push({ name: token.text, loc: token.loc, tokens: inside, argument: next > i + 1 });
    i = next;
  }
  return found;
}

export const clausesOf = (d: Directive, ...names: readonly string[]): readonly Clause[] =>
  d.clauses.filter((c) => names.includes(c.name));

export const clauseOf = (d: Directive, name: string): Clause | undefined =>
  d.clauses.find((c) => c.name === name);

/** An entry of a list of variables. */
interface Item {
  readonly sym: Symbol;
  /** `a[0:n]` without white space. */
  readonly text: string;
  readonly loc: Loc;
  /** More than a plain name. */
  readonly part: boolean;
  readonly tokens: readonly PragmaToken[];
}

/** The variables of a list, after the last `:` outside of brackets; `linear(list: step)` has them before it. */
export function itemsOf(d: Directive, clause: Pick<Clause, "name" | "tokens">): readonly Item[] {
  const items = itemsByClause.get(clause) ?? readItems(d, clause);
  itemsByClause.set(clause, items);
  return items;
}

const itemsByClause = new WeakMap<Pick<Clause, "name" | "tokens">, readonly Item[]>();

function readItems(d: Directive, { name, tokens }: Pick<Clause, "name" | "tokens">): readonly Item[] {
  const colon = lastColon(tokens);
  const list =
    colon < 0
      ? tokens
      : name === "linear" || name === "aligned"
        ? tokens.slice(0, colon)
        : tokens.slice(colon + 1);
  return split(list).flatMap((part) => {
    const first = unshaped(part).find((t) => t.kind === "ident");
    const sym = first && d.pragma.scope.lookup(first.text);
    if (!first || !sym || (sym.kind !== "var" && sym.kind !== "param")) return [];
    return [
      { sym, text: part.map((t) => t.text).join(""), loc: first.loc, part: part.length > 1, tokens: part },
    ];
  });
}

/** `([n][m]p)[0:n]` without the shape that it gives to `p`. */
function unshaped(part: readonly PragmaToken[]): readonly PragmaToken[] {
  if (part[0]?.text !== "(" || part[1]?.text !== "[") return part;
  let depth = 0;
  const end = part.findIndex((t, k) => {
    if (t.text === "[") depth++;
    if (t.text === "]") depth--;
    return k > 0 && depth === 0 && part[k + 1]?.text !== "[";
  });
  return part.slice(end + 1);
}

export const symbolsOf = (d: Directive, ...clauses: readonly string[]): readonly Symbol[] =>
  clausesOf(d, ...clauses).flatMap((c) => itemsOf(d, c).map((i) => i.sym));

/** Variables named by any clause of a statement's directives, and of those inside it. */
export function namedIn(stmt: Stmt): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  walkStmt(stmt, {
    stmt(s) {
      for (const d of directivesOf(s))
        for (const c of d.clauses) for (const { sym } of itemsOf(d, c)) found.add(sym);
    },
    expr: () => false,
  });
  return found;
}

function lastColon(tokens: readonly PragmaToken[]): number {
  let depth = 0;
  let found = -1;
  for (const [i, { text, kind }] of tokens.entries()) {
    if (kind === "string" || kind === "char") continue;
    if (text === "(" || text === "[") depth++;
    if (text === ")" || text === "]") depth--;
    if (text === ":" && depth === 0) found = i;
  }
  return found;
}

/** Splits at commas outside of brackets. */
export function split(tokens: readonly PragmaToken[]): readonly (readonly PragmaToken[])[] {
  const parts: PragmaToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.text === "(" || token.text === "[") depth++;
    if (token.text === ")" || token.text === "]") depth--;
    if (token.text === "," && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

/** A clause's argument as an expression, after a modifier and its `:`. */
export function argumentOf(d: Directive, name: string): Expr | undefined {
  const clause = clauseOf(d, name);
  if (!clause || clause.tokens.length === 0) return undefined;
  const made = argumentsByClause.get(clause) ?? { expr: readArgument(clause, d) };
  argumentsByClause.set(clause, made);
  return made.expr;
}

const argumentsByClause = new WeakMap<Clause, { readonly expr: Expr | undefined }>();

function readArgument({ tokens }: Clause, { pragma }: Directive): Expr | undefined {
  const colon = lastColon(tokens);
  const expr = parseExpr(colon < 0 ? tokens : tokens.slice(colon + 1), pragma.scope);
  return "severity" in expr ? undefined : expr;
}

/** The same, if it is a constant. */
export function numberOf(d: Directive, name: string): number | undefined {
  const expr = argumentOf(d, name);
  const value = expr && evaluateInteger(expr);
  return value === undefined ? undefined : Number(value);
}
