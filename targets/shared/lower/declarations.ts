/** Declarations in kernels: some of the program's are dropped, and variables left without one get a new one. */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { substitute, unqualified } from "../../../core/lang/index.ts";
import type { DeclStmt, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { declare, freshSymbol, ident } from "../../../core/lang/tree/build.ts";
import { workItemIdOf } from "../device/device.ts";

/**
 * Drops declarations of functions and file-scope variables: device code gets these variables as parameters. Constants
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
 * The code preceded by declarations of variables that it uses but does not declare; each work-item gets its own.
 * `known`: parameters and variables of groups.
 */
export function withLocals(stmts: readonly Stmt[], known: ReadonlySet<Symbol>): readonly Stmt[] {
  const uses = usesOf(...stmts);
  const locals = [...uses.of.keys()].filter(
    (s) => !uses.declared.has(s) && !known.has(s) && !workItemIdOf(s),
  );
  // A `static` or file-scope symbol would keep its storage class in the kernel.
  const copied = locals.filter((s) => s.scope === "file" || s.storage !== "none");
  const own = new Map(copied.map((s) => [s, freshSymbol(s.name, unqualified(s.type))]));
  const named = new Map([...own].map(([sym, copy]) => [sym, ident(copy)]));
  return [...locals.map((s) => declare(own.get(s) ?? s)), ...stmts.map((s) => substitute(s, named))];
}
