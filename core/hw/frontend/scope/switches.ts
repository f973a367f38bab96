/** Switches: the meaning of their labels, and how they are split into steps if they contain loops. */

import { evaluateInteger, INT, intKind, wrapInteger } from "../../../lang/index.ts";
import type { Expr, Stmt } from "../../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
  unary,
} from "../../../lang/tree/build.ts";
import { unsupportedStatement } from "./refusals.ts";

export type Switch = Stmt & { readonly kind: "switch" };

/** Bounds in the type of `selectorOf`, both included. */
export interface Labelled {
  readonly from: bigint;
  readonly to: bigint;
}

/** A statement of a switch's body, with the labels before it. */
interface Part {
  readonly labels: readonly (Labelled | "default")[];
  readonly body: Stmt;
}

/** The value compared with the labels, after the integer promotions (C11 6.8.4.2). */
export function selectorOf({ test }: Switch): Expr {
  const promoted = unary("+", test);
  return promoted.kind === "unary" ? promoted.arg : promoted;
}

/** Throws if a label is not constant. */
export function partsOf(s: Switch): readonly Part[] {
  const kind = intKind(selectorOf(s).type) ?? "int";
  const converted = (e: Expr, label: Stmt): bigint => {
    const known = evaluateInteger(e);
    if (known === undefined) throw unsupportedStatement("case label", label.span.start);
    return wrapInteger(known, kind);
  };
  const part = (of: Stmt): Part => {
    if (of.kind !== "case") return { labels: [], body: of };
    const { labels, body } = part(of.body);
    const { value, to = value } = of;
    const label = value && to ? { from: converted(value, of), to: converted(to, of) } : "default";
    return { labels: [label, ...labels], body };
  };
  return (s.body.kind === "compound" ? s.body.body : [s.body]).map(part);
}

/**
 * A sequence of choices in a loop that runs once, which the switch's `break` leaves:
 *
 *     switch (x) { case 1: a; break; default: b; }
 *       =>   do { if (x == 1) on = 1; if (on) { a; break; } if (!(x == 1)) on = 1; if (on) b; } while (0);
 */
export function asChoices(s: Switch): readonly Stmt[] {
  const selector = selectorOf(s);
  const [selected, on] = [freshSymbol("arc_chosen", selector.type), freshSymbol("arc_on", INT)];
  const matching = ({ from, to }: Labelled): Expr => {
    const at = (op: "==" | ">=" | "<=", bound: bigint) =>
      binary(op, ident(selected), intLit(bound, selector.type), s.span);
    return from === to ? at("==", from) : binary("&&", at(">=", from), at("<=", to));
  };
  const parts = partsOf(s);
  const numbered = parts.flatMap(({ labels }) => labels.filter((label) => label !== "default"));
  const none = unary(
    "!",
    numbered.map(matching).reduce<Expr>((a, b) => binary("||", a, b), intLit(0)),
  );
  const body = parts.flatMap(({ labels, body: part }): Stmt[] => [
    ...labels.map((label) =>
      ifStmt(label === "default" ? none : matching(label), exprStmt(assign(ident(on), intLit(1)))),
    ),
    ...(part.kind === "decl" ? declared(part, ident(on)) : [ifStmt(ident(on), part)]),
  ]);
  return [
    declare(selected, selector),
    declare(on, intLit(0)),
    { kind: "do", body: compound(body, s.body.span), test: intLit(0), span: s.span },
  ];
}

/**
 * Declared variables are visible to what follows, but their values are computed only if control reaches the
 * declaration.
 */
function declared(decl: Stmt & { readonly kind: "decl" }, reached: Expr): readonly Stmt[] {
  return decl.decls.flatMap((declarator): Stmt[] => {
    const { sym, init } = declarator;
    if (init?.kind !== "expr") return [{ ...decl, decls: [declarator] }];
    return [declare(sym, undefined, decl.span), ifStmt(reached, exprStmt(assign(ident(sym), init.expr)))];
  });
}
