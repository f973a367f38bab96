/** Visiting every statement and expression of a tree. */
import type { CType, Expr, Init, Stmt } from "./ast.ts";

/** Called before the parts of a node; `false` leaves them out. */
export interface Visitor {
  readonly expr?: (expr: Expr) => unknown;
  readonly stmt?: (stmt: Stmt) => unknown;
}

/** Visits `expr` and every expression and statement in it, in source order, array sizes included. */
export function walkExpr(expr: Expr, visitor: Visitor): void {
  if (visitor.expr?.(expr) === false) return;
  switch (expr.kind) {
    case "unary":
    case "incdec":
      walkExpr(expr.arg, visitor);
      return;
    case "binary":
    case "assign":
    case "comma":
      walkExpr(expr.left, visitor);
      walkExpr(expr.right, visitor);
      return;
    case "cond":
      walkExpr(expr.test, visitor);
      if (expr.then) walkExpr(expr.then, visitor);
      walkExpr(expr.else, visitor);
      return;
    case "call":
      walkExpr(expr.callee, visitor);
      for (const arg of expr.args) walkExpr(arg, visitor);
      return;
    case "index":
      walkExpr(expr.base, visitor);
      walkExpr(expr.index, visitor);
      return;
    case "member":
      walkExpr(expr.base, visitor);
      return;
    case "cast":
      if (!expr.implicit) walkType(expr.to, visitor);
      walkExpr(expr.arg, visitor);
      return;
    case "compound":
      walkType(expr.of, visitor);
      walkInit(expr.init, visitor);
      return;
    case "sizeof":
    case "alignof":
      if (expr.of) walkType(expr.of, visitor);
      if (expr.arg) walkExpr(expr.arg, visitor);
      return;
    case "generic": {
      // The control and the other associations are never evaluated.
      const chosen = expr.assocs[expr.chosen];
      if (chosen) walkExpr(chosen.value, visitor);
      return;
    }
    case "stmt-expr":
      walkStmt(expr.body, visitor);
      return;
    case "builtin":
      for (const arg of expr.args) {
        if (arg.kind === "offset-path") {
          for (const part of arg.parts) if (typeof part !== "string") walkExpr(part, visitor);
        } else if (isExpr(arg)) walkExpr(arg, visitor);
        else walkType(arg, visitor);
      }
      return;
  }
}

/** Visits `stmt` and every statement and expression in it, in source order. */
export function walkStmt(stmt: Stmt, visitor: Visitor): void {
  if (visitor.stmt?.(stmt) === false) return;
  switch (stmt.kind) {
    case "expr":
      if (stmt.expr) walkExpr(stmt.expr, visitor);
      return;
    case "decl":
      for (const { sym, init } of stmt.decls) {
        walkType(sym.type, visitor);
        if (init) walkInit(init, visitor);
      }
      if (stmt.nested) walkStmt(stmt.nested.body, visitor);
      return;
    case "compound":
      for (const item of stmt.body) walkStmt(item, visitor);
      return;
    case "if":
      walkExpr(stmt.test, visitor);
      walkStmt(stmt.then, visitor);
      if (stmt.else) walkStmt(stmt.else, visitor);
      return;
    case "switch":
    case "while":
      walkExpr(stmt.test, visitor);
      walkStmt(stmt.body, visitor);
      return;
    case "do":
      walkStmt(stmt.body, visitor);
      walkExpr(stmt.test, visitor);
      return;
    case "for":
      if (stmt.init?.kind === "decl") walkStmt(stmt.init, visitor);
      else if (stmt.init) walkExpr(stmt.init, visitor);
      if (stmt.test) walkExpr(stmt.test, visitor);
      if (stmt.step) walkExpr(stmt.step, visitor);
      walkStmt(stmt.body, visitor);
      return;
    case "goto":
      if (stmt.target) walkExpr(stmt.target, visitor);
      return;
    case "return":
      if (stmt.value) walkExpr(stmt.value, visitor);
      return;
    case "ext": {
      const { stmts, exprs } = stmt.ext.shape.parts(stmt.ext);
      for (const part of exprs) walkExpr(part, visitor);
      for (const part of stmts) walkStmt(part, visitor);
      return;
    }
    case "label":
      walkStmt(stmt.body, visitor);
      return;
    case "case":
      if (stmt.value) walkExpr(stmt.value, visitor);
      if (stmt.to) walkExpr(stmt.to, visitor);
      walkStmt(stmt.body, visitor);
      return;
  }
}

/** Visits the run-time array sizes and typeof operands that `type` spells; not those of typedefs. */
export function walkType(type: CType, visitor: Visitor): void {
  switch (type.kind) {
    case "pointer":
      walkType(type.to, visitor);
      return;
    case "array":
      if (typeof type.size === "object") walkExpr(type.size, visitor);
      walkType(type.of, visitor);
      return;
    case "function":
      walkType(type.ret, visitor);
      for (const param of type.params) walkType(param.written ?? param.type, visitor);
      return;
    case "typeof":
      if (type.expr) walkExpr(type.expr, visitor);
      if (type.of) walkType(type.of, visitor);
      return;
  }
}

export function walkInit(init: Init, visitor: Visitor): void {
  if (init.kind === "expr") {
    walkExpr(init.expr, visitor);
    return;
  }
  for (const item of init.items) walkInit(item.init, visitor);
}

export function isExpr(node: Expr | CType): node is Expr {
  return "span" in node;
}
