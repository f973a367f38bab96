/**
 * Divides a statement that one step cannot do: a side effect that C lets happen first becomes a statement before it.
 *
 *     *p->next++ = f(x);   =>   short *arc_first = p->next++;   *arc_first = f(x);
 */
import { hasEffects } from "../../ir/analysis/purity.ts";
import { canonical, isVoid, unqualified } from "../../lang/index.ts";
import type { Expr, Stmt } from "../../lang/tree/ast.ts";
import { assign, declare, exprStmt, freshSymbol, ident, ifStmt } from "../../lang/tree/build.ts";
import { mapExpr } from "../../lang/tree/map.ts";

/** Undefined for a statement that has no such part. */
export function inTwo(s: Stmt): readonly Stmt[] | undefined {
  switch (s.kind) {
    case "expr":
      return s.expr && effectInTwo(s.expr, s);
    case "decl": {
      if (s.decls.length > 1) return s.decls.map((one) => ({ ...s, decls: [one] }));
      const [only] = s.decls;
      if (only?.init?.kind !== "expr") return undefined;
      const { expr } = only.init;
      if (armsOf(expr))
        return [
          declare(only.sym, undefined, s.span),
          { ...exprStmt(assign(ident(only.sym), expr)), span: s.span },
        ];
      return apart(expr, firstEffect(expr, expr), (rest) => ({
        ...s,
        decls: [{ ...only, init: { kind: "expr", expr: rest } }],
      }));
    }
    case "if":
      return apart(s.test, firstEffect(s.test), (test) => ({ ...s, test }));
    default:
      return undefined;
  }
}

function effectInTwo(e: Expr, s: Stmt & { readonly kind: "expr" }): readonly Stmt[] | undefined {
  const doing = (expr: Expr): Stmt => ({ ...s, expr });
  if (e.kind === "comma") return [doing(e.left), doing(e.right)];
  if (e.kind === "cast" && isVoid(e.to)) return [doing(e.arg)];
  if (e.kind === "cond" && e.then && hasEffects(e)) return [ifStmt(e.test, doing(e.then), doing(e.else))];
  const arms = e.kind === "assign" && !hasEffects(e.left) ? armsOf(e.right) : undefined;
  if (e.kind === "assign" && arms) {
    const [then, otherwise] = arms.values.map((right) => doing({ ...e, right })) as [Stmt, Stmt];
    return [ifStmt(arms.test, then, otherwise)];
  }
  return apart(e, firstEffect(e, e), doing);
}

/** The test and the values of a choice that has side effects, under conversions. */
function armsOf(e: Expr): { readonly test: Expr; readonly values: readonly Expr[] } | undefined {
  if (e.kind === "cast") {
    const of = armsOf(e.arg);
    return of && { ...of, values: of.values.map((arg) => ({ ...e, arg })) };
  }
  return e.kind === "cond" && e.then && hasEffects(e)
    ? { test: e.test, values: [e.then, e.else] }
    : undefined;
}

/** The effect as a statement, and the statement that `rest` makes with its value in the effect's place. */
function apart(e: Expr, effect: Expr | undefined, rest: (e: Expr) => Stmt): readonly Stmt[] | undefined {
  if (!effect) return undefined;
  const value = freshSymbol("arc_first", unqualified(effect.type));
  const without = mapExpr(e, { expr: (part) => (part === effect ? ident(value, effect.span) : part) });
  return [declare(value, effect, effect.span), rest(without)];
}

/** The first side effect, with none in it, of those that C does not order behind others; never `but`. */
function firstEffect(e: Expr, but?: Expr): Expr | undefined {
  const parts = firstParts(e);
  for (const part of parts) {
    const effect = firstEffect(part, but);
    if (effect) return effect;
  }
  const is = e.kind === "assign" || e.kind === "incdec" || e.kind === "call" || e.kind === "stmt-expr";
  return is && e !== but && isScalar(e) ? e : undefined;
}

/** What is evaluated whenever the expression is, before anything that C orders behind it. */
function firstParts(e: Expr): readonly Expr[] {
  switch (e.kind) {
    case "binary":
      return e.op === "&&" || e.op === "||" ? [e.left] : [e.left, e.right];
    case "comma":
      return hasEffects(e.left) ? [e.left] : [e.left, e.right];
    case "assign":
      return [e.right, e.left];
    case "cond":
      return [e.test];
    case "unary":
    case "incdec":
    case "cast":
      return [e.arg];
    case "index":
      return [e.base, e.index];
    case "member":
      return [e.base];
    case "call":
      return e.args;
    default:
      return [];
  }
}

const isScalar = ({ type }: Expr): boolean =>
  !["record", "array", "void", "function"].includes(canonical(type).kind);
