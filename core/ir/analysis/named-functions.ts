/** `abort;` for `abort();` in device code: it does nothing, and a device's language may not have the function. */

import { canonical, mapStmt } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";

export const withoutNamedFunctions = (body: Stmt): Stmt =>
  mapStmt(body, { stmt: (s) => (namesFunction(s) ? { kind: "expr", span: s.span } : s) });

/** Whether a statement is the name of a function. */
export function namesFunction(s: Stmt): boolean {
  const e = s.kind === "expr" && s.expr ? stripImplicit(s.expr) : undefined;
  return e?.kind === "ident" && canonical(e.sym.type).kind === "function";
}
