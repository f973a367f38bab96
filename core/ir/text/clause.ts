/** The clauses of a `#pragma upir` line, which follow the node's kind: each prints and parses one property. Kinds of clauses. */

import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import type { Cursor } from "./cursor.ts";

/** A node being printed or parsed: clauses know their properties by path (`parallel.gangs`). */
export type Draft = Record<string, unknown>;

/** How names and expressions are spelled in the text. */
export interface Speller {
  expr(e: Expr): string;
  name(sym: Symbol): string;
  /** All of a node, or only the parts that decide what a kernel does. */
  readonly detail: "all" | "kernel";
}

export interface Clause {
  readonly key: string;
  readonly repeats?: true;
  readonly required?: true;
  /** Affects where and when a kernel runs, not what it does. */
  readonly host?: true;
  /** All occurrences of the clause. */
  print(node: Draft, spell: Speller): readonly string[];
  /** Called with the cursor after the key. */
  read(at: Cursor, node: Draft): void;
}

export function valueAt(node: Draft, path: string): unknown {
  return path.split(".").reduce<unknown>((part, name) => (part as Draft | undefined)?.[name], node);
}

export function setAt(node: Draft, path: string, value: unknown): void {
  const [first = "", ...rest] = path.split(".");
  if (rest.length === 0) node[first] = value;
  else {
    const part: Draft = { ...(node[first] as Draft | undefined) };
    setAt(part, rest.join("."), value);
    node[first] = part;
  }
}

/** `key(...)` around the result of `one`. */
export function enclosed<T>(at: Cursor, one: () => T): T {
  at.expect("(");
  const value = one();
  at.expect(")");
  return value;
}

export const join = (key: string, parts: readonly string[]): readonly string[] =>
  parts.length > 0 ? [`${key}(${parts.join(", ")})`] : [];

export const host = (clause: Clause): Clause => ({ ...clause, host: true });

export const required = (clause: Clause): Clause => ({ ...clause, required: true });

/** How an argument is printed and read. */
interface Argument<T> {
  print(value: T, spell: Speller): string;
  read(at: Cursor): T;
}

/** A clause with one argument in parentheses, printed if the property is set. */
export const single = <T>(key: string, path: string, argument: Argument<T>): Clause => ({
  key,
  print: (node, spell) => {
    const value = valueAt(node, path);
    return value === undefined ? [] : [`${key}(${argument.print(value as T, spell)})`];
  },
  read: (at, node) =>
    setAt(
      node,
      path,
      enclosed(at, () => argument.read(at)),
    ),
});

/** A clause with a list of arguments, printed if the list is not empty. */
export const listed = <T>(key: string, path: string, argument: Argument<T>): Clause => ({
  key,
  print: (node, spell) =>
    join(
      key,
      ((valueAt(node, path) ?? []) as T[]).map((value) => argument.print(value, spell)),
    ),
  read: (at, node) =>
    setAt(
      node,
      path,
      enclosed(at, () => at.list(() => argument.read(at))),
    ),
});

export const flag = (key: string, path: string): Clause => ({
  key,
  print: (node) => (valueAt(node, path) === true ? [key] : []),
  read: (_, node) => setAt(node, path, true),
});

const expression: Argument<Expr> = { print: (e, spell) => spell.expr(e), read: (at) => at.expr() };

const symbolOf = (kind: "variable" | "function"): Argument<Symbol> => ({
  print: (sym, spell) => spell.name(sym),
  read: (at) => at.symbol(kind),
});

const oneOf = (key: string, values: readonly string[]): Argument<string> => ({
  print: String,
  read: (at) => at.choice(values, `value of '${key}'`),
});

export const expr = (key: string, path: string): Clause => single(key, path, expression);

export const exprs = (key: string, path: string): Clause => listed(key, path, expression);

export const number = (key: string, path: string): Clause =>
  single<number>(key, path, { print: String, read: (at) => at.number() });

export const word = (key: string, path: string): Clause =>
  single<string>(key, path, { print: String, read: (at) => at.word("a name") });

/** `key("text")` */
export const quoted = (key: string, path: string): Clause =>
  single<string>(key, path, { print: (text) => JSON.stringify(text), read: (at) => at.string() });

export const choice = (key: string, path: string, values: readonly string[]): Clause =>
  single(key, path, oneOf(key, values));

export const choices = (key: string, path: string, values: readonly string[]): Clause =>
  listed(key, path, oneOf(key, values));

export const symbol = (key: string, path: string, kind: "variable" | "function" = "variable"): Clause =>
  single(key, path, symbolOf(kind));

export const symbols = (key: string, path: string): Clause => listed(key, path, symbolOf("variable"));

/** An expression, or a keyword that is printed as the key alone. */
export const exprOr = (key: string, path: string, keyword: string): Clause => ({
  key,
  print: (node, spell) => {
    const value = valueAt(node, path) as Expr | string | undefined;
    if (value === undefined) return [];
    return [typeof value === "string" ? key : `${key}(${spell.expr(value)})`];
  },
  read: (at, node) => setAt(node, path, at.peek()?.text === "(" ? enclosed(at, () => at.expr()) : keyword),
});
