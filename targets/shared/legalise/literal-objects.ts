/**
 * Compound literals reached through pointers, as variables of the enclosing block, which is their lifetime in C. In C++
 * they end with their expression, and compilers of OpenCL C disagree on their address space.
 */
import { leadsToConstant } from "../../../core/ir/analysis/access.ts";
import { build, canonical, freeVariables, isArray, isPointer, mapStmt } from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { type LoweredRegion, mapBodies } from "../device/device.ts";
import { assignedInitialiser, writable } from "./object-copies.ts";
import { statementExpression } from "./single-evaluation.ts";

const { assign, comma, declare, freshSymbol, ident, intLit } = build;

type Literal = Expr & { readonly kind: "compound" };

export const namedLiterals = (region: LoweredRegion): LoweredRegion => mapBodies(region, inBlocks);

function inBlocks(s: Stmt): Stmt {
  let pending: Symbol[] = [];
  return mapStmt(s, {
    expr(e) {
      const literal = isAddress(e) && rootLiteral(e.arg);
      if (!literal) return e;
      const sym = freshSymbol("arc_literal", writable(literal.type));
      pending.push(sym);
      // It is initialised each time control reaches it.
      return comma(filled(literal, sym), { ...e, arg: within(e.arg, literal, sym) }, e.span);
    },
    stmt(child) {
      if (child.kind !== "compound" || pending.length === 0) return child;
      const used = freeVariables(child);
      const own = pending.filter((sym) => used.has(sym));
      pending = pending.filter((sym) => !used.has(sym));
      return own.length === 0
        ? child
        : { ...child, body: [...own.map((sym) => declare(sym)), ...child.body] };
    },
  });
}

/** Whether an expression is the address of a literal or of a part of it, so that pointers may change it. */
export const exposesLiteral = (e: Expr): boolean =>
  isAddress(e) && !leadsToConstant(e.type) && rootLiteral(e.arg) !== undefined;

/** The address of a part of an object, or of an array's first element. */
const isAddress = (e: Expr): e is Expr & { readonly kind: "cast" | "unary" } =>
  e.kind === "cast"
    ? e.implicit === true && isPointer(e.to) && isArray(e.arg.type)
    : e.kind === "unary" && e.op === "&";

function rootLiteral(e: Expr): Literal | undefined {
  if (e.kind === "compound") return e;
  if (e.kind === "member") return e.arrow ? undefined : rootLiteral(e.base);
  return e.kind === "index" && isArray(e.base.type) ? rootLiteral(e.base) : undefined;
}

/** The same part of the variable. */
function within(part: Expr, literal: Literal, sym: Symbol): Expr {
  if (part === literal) return ident(sym);
  return part.kind === "member" || part.kind === "index"
    ? { ...part, base: within(part.base, literal, sym) }
    : part;
}

function filled(literal: Literal, sym: Symbol): Expr {
  const value = scalarValue(literal);
  if (value) return assign(ident(sym), value);
  if (!isArray(literal.type)) return assign(ident(sym), literal);
  return statementExpression(assignedInitialiser(sym, literal.init, literal.type), intLit(0));
}

/** The type of a scalar literal such as `(int){1}`. */
function scalarValue({ type, init }: Literal): Expr | undefined {
  const { kind } = canonical(type);
  if (kind === "record" || kind === "array" || init.kind !== "list") return undefined;
  const [first] = init.items;
  return first?.init.kind === "expr" ? first.init.expr : undefined;
}
