/**
 * A switch that is cut into steps, since loops stand in it, as choices one after the other:
 *
 *     switch (x) { case 1: a; break; default: b; }
 *       =>   do { if (x == 1) on = 1; if (on) { a; break; } if (!(x == 1)) on = 1; if (on) b; } while (0);
 */
import { withoutContinue } from "../ir/control.ts";
import type { Expr, Stmt } from "../lang/ast.ts";
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
} from "../lang/build.ts";
import { evaluateInteger, INT } from "../lang/index.ts";

type Switch = Stmt & { readonly kind: "switch" };

/** Undefined where a 'continue' leaves it for the loop around, or a label names no constants or is no part of its own. */
export function inOrder(s: Switch): readonly Stmt[] | undefined {
  const parts = (s.body.kind === "compound" ? s.body.body : [s.body]).map(labelled);
  // What has a way to a 'continue' becomes a loop of its own.
  if (withoutContinue(s.body) !== s.body) return undefined;
  const [chosen, on] = [freshSymbol("arc_chosen", s.test.type), freshSymbol("arc_on", INT)];
  const tests = parts
    .flatMap(({ labels }) => labels)
    .flatMap((label) => matching(label, ident(chosen)) ?? []);
  const known = parts.every(({ labels }) =>
    labels.every((l) => [l.value, l.to].every((e) => !e || evaluateInteger(e) !== undefined)),
  );
  if (!known) return undefined;
  const none = unary(
    "!",
    tests.reduce<Expr>((a, b) => binary("||", a, b), intLit(0)),
  );
  const body = parts.flatMap(({ labels, body: part }): Stmt[] => [
    ...labels.map((l) => ifStmt(matching(l, ident(chosen)) ?? none, exprStmt(assign(ident(on), intLit(1))))),
    part.kind === "decl" ? part : ifStmt(ident(on), part),
  ]);
  return [
    declare(chosen, s.test),
    declare(on, intLit(0)),
    { kind: "do", body: compound(body, s.body.span), test: intLit(0), span: s.span },
  ];
}

type Label = Stmt & { readonly kind: "case" };

/** A statement without the labels in front of it. */
function labelled(s: Stmt): { readonly labels: readonly Label[]; readonly body: Stmt } {
  if (s.kind !== "case") return { labels: [], body: s };
  const { labels, body } = labelled(s.body);
  return { labels: [s, ...labels], body };
}

/** Undefined for `default`. */
function matching({ value, to }: Label, chosen: Expr): Expr | undefined {
  if (!value) return undefined;
  return to
    ? binary("&&", binary(">=", chosen, value), binary("<=", chosen, to))
    : binary("==", chosen, value);
}
