/** Jumps over declarations, which C++ takes only of variables without initialisers. */
import type { Compound, CType, Declarator, Expr, Stmt } from "../../core/lang/ast.ts";
import { build, canonical, isArray, LONG, mapStmt, unqualified, walkStmt } from "../../core/lang/index.ts";
import { counted } from "./share.ts";

const { assign, compound, exprStmt, freshSymbol, ident, index, intLit } = build;

/** The statement with variables in front of labels assigned to behind their declarations. */
export function initialisedLater(s: Stmt): Stmt {
  return mapStmt(s, { stmt: (child) => (child.kind === "compound" ? inBlock(child) : child) });
}

function inBlock(block: Compound): Stmt {
  const last = block.body.findLastIndex(takesJumps);
  if (last < 0) return block;
  const body = block.body.flatMap((s, k) => (k < last ? later(s) : [s]));
  return { ...block, body };
}

/** A jump from in front of it may lead into it. */
function takesJumps(s: Stmt): boolean {
  let found = false;
  walkStmt(s, {
    stmt(child) {
      found ||= child.kind === "label" || child.kind === "case";
      return child.kind !== "switch";
    },
  });
  return found;
}

function later(s: Stmt): Stmt[] {
  if (s.kind === "label" || s.kind === "case") {
    const [first = s.body, ...rest] = later(s.body);
    return [{ ...s, body: first }, ...rest];
  }
  if (s.kind !== "decl" || !s.decls.some((d) => d.init)) return [s];
  const bare = s.decls.map((d): Declarator => {
    const { init: _, ...rest } = d;
    return { ...rest, declared: { ...d.declared, type: writable(d.sym.type), storage: "none" } };
  });
  return [{ ...s, decls: bare }, ...s.decls.flatMap(initialised)];
}

function initialised({ sym, init }: Declarator): Stmt[] {
  if (!init) return [];
  if (init.kind === "expr" && !isArray(sym.type)) return [exprStmt(assign(ident(sym), init.expr))];
  const copy = freshSymbol(`${sym.name}_initial`, sym.type);
  const declaration: Stmt = {
    kind: "decl",
    decls: [{ sym: copy, init, span: sym.span }],
    defines: [],
    span: sym.span,
  };
  return [compound([declaration, copied(ident(sym), ident(copy))])];
}

/** Assigns an object; arrays element by element. */
export function copied(to: Expr, from: Expr): Stmt {
  const type = canonical(to.type);
  if (type.kind !== "array" || typeof type.size !== "number") return exprStmt(assign(to, from));
  const k = freshSymbol("arc_k", LONG);
  const element = copied(index(to, ident(k)), index(from, ident(k)));
  return counted(k, intLit(0, LONG), intLit(type.size, LONG), intLit(1, LONG), element);
}

/** Without `const` and other qualifiers, those of elements included. */
export function writable(type: CType): CType {
  const c = canonical(type);
  return c.kind === "array" ? { ...c, of: writable(c.of) } : c.quals ? unqualified(type) : type;
}
