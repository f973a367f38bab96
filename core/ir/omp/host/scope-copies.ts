/**
 * `firstprivate` of `scope` for C compilers that do not know it there (OpenMP 5.2, section 11.2): each thread declares
 * its copy before the construct.
 *
 *     scope firstprivate(x) { x++; }      =>      { int x_own = x; scope { x_own++; } }
 */
import { mapStmt, substitute } from "../../../lang/index.ts";
import type { Pragma, PragmaToken, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { compound, declare, freshSymbol, ident } from "../../../lang/tree/build.ts";
import { isArray, unqualified } from "../../../lang/tree/types.ts";

export const withCopiesOfScope = (body: Stmt): Stmt =>
  mapStmt(body, {
    stmt(s) {
      const pragmas = s.pragmas ?? [];
      const at = pragmas.findIndex(isScope);
      const pragma = pragmas[at];
      const clause = pragma && firstprivate(pragma);
      if (!clause || at !== pragmas.length - 1) return s;
      const variables = clause.names.map((name) => pragma.scope.lookup(name));
      if (!variables.every((sym) => sym?.kind === "var" && !isArray(sym.type))) return s;
      const own = new Map(
        (variables as readonly Symbol[]).map((sym) => [
          sym,
          freshSymbol(`${sym.name}_own`, unqualified(sym.type)),
        ]),
      );
      const { pragmas: _, ...plain } = s;
      const named = new Map([...own].map(([sym, copy]) => [sym, ident(copy)]));
      const inner: Stmt = { ...substitute(plain, named), pragmas: [clause.rest] };
      const copies = [...own].map(([sym, copy]) => declare(copy, ident(sym)));
      const block = compound([...copies, inner], s.span);
      return at > 0 ? { ...block, pragmas: pragmas.slice(0, at) } : block;
    },
  });

const isScope = ({ tokens }: Pragma): boolean => tokens[0]?.text === "omp" && tokens[1]?.text === "scope";

/** The names in the clause, and the directive without it; undefined if it has none, or one that is not a list of names. */
function firstprivate(
  pragma: Pragma,
): { readonly names: readonly string[]; readonly rest: Pragma } | undefined {
  const { tokens } = pragma;
  const from = tokens.findIndex((t, i) => t.text === "firstprivate" && tokens[i + 1]?.text === "(");
  const to = tokens.findIndex((t, i) => i > from && t.text === ")");
  if (from < 0 || to < 0) return undefined;
  const list: readonly PragmaToken[] = tokens.slice(from + 2, to);
  if (!list.every((t, i) => (i % 2 === 0 ? t.kind === "ident" : t.text === ","))) return undefined;
  const names = list.filter((_, i) => i % 2 === 0).map(({ text }) => text);
  return {
    names,
    rest: { ...pragma, tokens: [...tokens.slice(0, from), ...tokens.slice(to + 1)], added: "clauses" },
  };
}
