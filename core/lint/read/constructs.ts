/** Constructs that run on a device, with their statements. */
import { walkStmt } from "../../lang/index.ts";
import type { FunctionDef, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { type Directive, directivesOf } from "./directive.ts";

interface Placed {
  readonly directive: Directive;
  /** The statement it applies to, with the directives before that statement. */
  readonly stmt: Stmt;
}

/** All directives of a function's body, outermost first. */
export function placed(def: FunctionDef): readonly Placed[] {
  const list = known.get(def) ?? findPlaced(def);
  known.set(def, list);
  return list;
}

const known = new WeakMap<FunctionDef, readonly Placed[]>();

function findPlaced({ body }: FunctionDef): readonly Placed[] {
  const found: Placed[] = [];
  walkStmt(body, {
    stmt(stmt) {
      for (const directive of directivesOf(stmt)) found.push({ directive, stmt });
    },
    expr: () => false,
  });
  return found;
}

export const isCompute = ({ language, name }: Directive): boolean =>
  language === "acc"
    ? /^(parallel|kernels|serial)( loop)?$/.test(name)
    : /^target( simd| parallel.*| teams.*)?$/.test(name);

/**
 * The variables that a statement names outside of its own directives' clauses, and whether it calls unknown functions.
 */
export function namesOf(stmt: Stmt): { readonly names: ReadonlySet<Symbol>; readonly calls: boolean } {
  const names = new Set<Symbol>();
  let calls = false;
  walkStmt(stmt, {
    stmt(s) {
      if (s === stmt) return;
      for (const d of directivesOf(s))
        for (const token of d.clauses.flatMap((c) => c.tokens)) {
          const sym = token.kind === "ident" ? d.pragma.scope.lookup(token.text) : undefined;
          if (sym) names.add(sym);
        }
    },
    expr(e) {
      if (e.kind === "ident") names.add(e.sym);
      if (e.kind === "call") calls = true;
    },
  });
  return { names, calls };
}
