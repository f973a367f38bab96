/** Declarations of blocks as kernels have them. */
import type { DeclStmt } from "../../../core/lang/tree/ast.ts";

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
