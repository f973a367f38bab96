/** Which symbols a tree uses and declares, and replacing them. */
import type { CType, Expr, Stmt, Symbol } from "./ast.ts";
import { ident } from "./build.ts";
import { type Mapper, mapExpr, mapStmt, mapType } from "./map.ts";
import { makeSymbol } from "./scope.ts";
import { type Visitor, walkExpr, walkStmt } from "./walk.ts";

/** The block-scope symbols that declarations in `stmt` introduce. */
export function declaredSymbols(stmt: Stmt): Set<Symbol> {
  const declared = new Set<Symbol>();
  walkStmt(stmt, {
    stmt: (inner) => {
      if (inner.kind === "decl")
        for (const { sym } of inner.decls) if (sym.scope !== "file") declared.add(sym);
    },
  });
  return declared;
}

/**
 * Variables and parameters that `node` uses and does not declare, in order of first use. Names inside
 * asm statements are text and not seen.
 */
export function freeVariables(node: Stmt | Expr): Set<Symbol> {
  const used = new Set<Symbol>();
  const declared = new Set<Symbol>();
  const visitor: Visitor = {
    expr: (expr) => {
      if (expr.kind === "ident" && (expr.sym.kind === "var" || expr.sym.kind === "param")) used.add(expr.sym);
    },
    stmt: (stmt) => {
      if (stmt.kind === "decl") for (const { sym } of stmt.decls) if (sym.scope !== "file") declared.add(sym);
    },
  };
  if ("type" in node) walkExpr(node, visitor);
  else walkStmt(node, visitor);
  for (const sym of declared) used.delete(sym);
  return used;
}

/**
 * Replaces uses of symbols by expressions of the same type, also where clauses name them (`private(t)`, `reduction(+:t)`).
 * Symbols have identity, so shadowing needs no care. Local variables whose array sizes use a replaced symbol become new symbols.
 */
export function substitute<T extends Stmt>(stmt: T, replacements: ReadonlyMap<Symbol, Expr>): Stmt {
  if (replacements.size === 0) return stmt;
  return mapStmt(stmt, symbolMapper(new Map(replacements)));
}

export function substituteExpr(expr: Expr, replacements: ReadonlyMap<Symbol, Expr>): Expr {
  return replacements.size === 0 ? expr : mapExpr(expr, symbolMapper(new Map(replacements)));
}

function symbolMapper(replacements: Map<Symbol, Expr>, map = (expr: Expr): Expr => expr): Mapper {
  const mapper: Mapper = {
    expr(expr) {
      const by = expr.kind === "ident" ? replacements.get(expr.sym) : undefined;
      // Each use has a node of its own, which analyses can tell from others.
      return map(by?.kind === "ident" ? { ...by } : (by ?? expr));
    },
    // A clause names variables: one that is replaced by some other expression keeps its name there.
    named: (sym) => {
      const by = replacements.get(sym);
      return by?.kind === "ident" ? by.sym : sym;
    },
    // Declarations precede uses, so a new symbol is known before its first use.
    declared: (sym) => {
      const type = mapType(sym.type, mapper);
      if (type === sym.type) return sym;
      const fresh = copySymbol(sym, type);
      replacements.set(sym, ident(fresh));
      return fresh;
    },
  };
  return mapper;
}

/**
 * Maps all expressions, those in the sizes of local arrays among them: arrays whose size changes become new symbols.
 */
export function mapWithSizes(stmt: Stmt, map: (expr: Expr) => Expr): Stmt {
  return mapStmt(stmt, symbolMapper(new Map(), map));
}

/** A copy in which every local variable is a new symbol, so that a statement can be repeated. */
export function copyWithFreshLocals(stmt: Stmt): Stmt {
  const replacements = new Map<Symbol, Expr>();
  for (const sym of declaredSymbols(stmt)) replacements.set(sym, ident(copySymbol(sym, sym.type)));
  const uses = symbolMapper(replacements);
  return mapStmt(stmt, {
    ...uses,
    declared: (sym) => {
      const copy = replacements.get(sym);
      if (copy?.kind !== "ident") return sym;
      copy.sym.type = mapType(sym.type, uses);
      return copy.sym;
    },
  });
}

function copySymbol(sym: Symbol, type: CType): Symbol {
  return { ...sym, ...makeSymbol(sym.name, sym.kind, type, sym.scope, sym.span, sym.storage) };
}
