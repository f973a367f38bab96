/** Declarations in kernels: fewer than the program has, and new ones for variables whose declaration was cut off. */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { substitute, unqualified } from "../../../core/lang/index.ts";
import type { DeclStmt, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { declare, freshSymbol, ident } from "../../../core/lang/tree/build.ts";
import { placeOf } from "../device/device.ts";

/**
 * Without what is declared for the program: device code gets variables of file scope as parameters. Constants
 * that are static on the host have no storage of their own.
 */
export function deviceDeclaration(s: DeclStmt): DeclStmt {
  const own = s.decls.filter((d) => d.sym.kind !== "function" && d.sym.scope !== "file");
  const decls = own.map((d) =>
    d.sym.storage === "static"
      ? { ...d, declared: { ...d.declared, type: d.sym.type, storage: "none" as const } }
      : d,
  );
  return { ...s, decls };
}

/**
 * The code with declarations of the variables that it uses and that nothing declares in it: each work-item has its own.
 * `known`: parameters, and what groups share.
 */
export function withLocals(stmts: readonly Stmt[], known: ReadonlySet<Symbol>): readonly Stmt[] {
  const uses = usesOf(...stmts);
  const locals = [...uses.of.keys()].filter((s) => !uses.declared.has(s) && !known.has(s) && !placeOf(s));
  // What the program keeps (`static`, or of file scope) would be declared as such in the kernel, too.
  const kept = locals.filter((s) => s.scope === "file" || s.storage !== "none");
  const own = new Map(kept.map((s) => [s, freshSymbol(s.name, unqualified(s.type))]));
  const named = new Map([...own].map(([sym, copy]) => [sym, ident(copy)]));
  return [...locals.map((s) => declare(own.get(s) ?? s)), ...stmts.map((s) => substitute(s, named))];
}
