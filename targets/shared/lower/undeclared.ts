/** Variables that a kernel uses and that nothing declares in it: each work-item has its own. */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { substitute, unqualified } from "../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { declare, freshSymbol, ident } from "../../../core/lang/tree/build.ts";
import { placeOf } from "../device/device.ts";

/** The code with declarations of them. `known`: parameters, and what groups share. */
export function withLocals(stmts: readonly Stmt[], known: ReadonlySet<Symbol>): readonly Stmt[] {
  const uses = usesOf(...stmts);
  const locals = [...uses.of.keys()].filter((s) => !uses.declared.has(s) && !known.has(s) && !placeOf(s));
  // What the program keeps (`static`, or of file scope) would be declared as such in the kernel, too.
  const kept = locals.filter((s) => s.scope === "file" || s.storage !== "none");
  const own = new Map(kept.map((s) => [s, freshSymbol(s.name, unqualified(s.type))]));
  const named = new Map([...own].map(([sym, copy]) => [sym, ident(copy)]));
  return [...locals.map((s) => declare(own.get(s) ?? s)), ...stmts.map((s) => substitute(s, named))];
}
