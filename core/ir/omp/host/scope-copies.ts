/**
 * `firstprivate` of `scope` for C compilers that do not know it there (OpenMP 5.2, section 11.2): each thread declares
 * its copy before the construct.
 *
 *     scope firstprivate(x) { x++; }      =>      { int x_own = x; scope { x_own++; } }
 */
import { canonical, mapStmt, substitute } from "../../../lang/index.ts";
import type { CType, Pragma, PragmaToken, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { compound, freshSymbol, ident } from "../../../lang/tree/build.ts";
import { unqualified } from "../../../lang/tree/types.ts";
import { begun } from "../../directives/copied.ts";
import { clausesOf } from "./clauses.ts";

export const withCopiesOfScope = (body: Stmt): Stmt =>
  mapStmt(body, {
    stmt(s) {
      const pragmas = s.pragmas ?? [];
      const at = pragmas.findIndex(isScope);
      const pragma = pragmas[at];
      const clause = pragma && firstprivate(pragma);
      if (!clause || at !== pragmas.length - 1) return s;
      const variables = clause.names.map((name) => pragma.scope.lookup(name));
      if (!variables.every(isCopied)) return s;
      const own = new Map(variables.map((sym) => [sym, freshSymbol(`${sym.name}_own`, writable(sym.type))]));
      const { pragmas: _, ...plain } = s;
      const named = new Map([...own].map(([sym, copy]) => [sym, ident(copy)]));
      const inner: Stmt = { ...substitute(plain, named), pragmas: [clause.rest] };
      const copies = [...own].flatMap(([sym, copy]) => begun(copy, sym));
      const block = compound([...copies, inner], s.span);
      return at > 0 ? { ...block, pragmas: pragmas.slice(0, at) } : block;
    },
  });

const isCopied = (sym: ReturnType<Pragma["scope"]["lookup"]>): sym is Symbol =>
  sym?.kind === "var" || sym?.kind === "param";

/** Elements of arrays are assigned one by one. */
function writable(type: CType): CType {
  const seen = canonical(type);
  return seen.kind === "array" ? { ...seen, of: writable(seen.of) } : unqualified(type);
}

const isScope = ({ tokens }: Pragma): boolean => tokens[0]?.text === "omp" && tokens[1]?.text === "scope";

/** The names in such clauses, and the directive without them; undefined if it has none, or what is not a list of names. */
function firstprivate(
  pragma: Pragma,
): { readonly names: readonly string[]; readonly rest: Pragma } | undefined {
  const clauses = clausesOf(pragma.tokens);
  const isMeant = (clause: readonly PragmaToken[]): boolean => clause[0]?.text === "firstprivate";
  const lists = clauses.filter(isMeant).map((clause) => clause.slice(2, -1));
  const isNames = (list: readonly PragmaToken[]): boolean =>
    list.every((t, i) => (i % 2 === 0 ? t.kind === "ident" : t.text === ","));
  if (lists.length === 0 || !lists.every(isNames)) return undefined;
  return {
    names: lists.flatMap((list) => list.filter((_, i) => i % 2 === 0).map(({ text }) => text)),
    rest: { ...pragma, tokens: clauses.filter((clause) => !isMeant(clause)).flat(), added: "clauses" },
  };
}
