/**
 * `collapse` of host loops with statements between them (OpenMP 5.2, section 4.4.2), for C compilers that join only nests
 * with nothing between: the loops in front of the statements are shared out, and each runs as often, with the same results.
 *
 *     for collapse(2)                            for private(j)
 *     for (i ...) { A; for (j ...) B; }    =>    for (i ...) { A; for (j ...) B; }
 */
import { evaluateInteger, mapStmt, parseExpr } from "../../../lang/index.ts";
import type { Diagnostic, ForStmt, Pragma, PragmaToken, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { stripBlocks } from "../../../lang/tree/build.ts";
import { countedHeader } from "../../analysis/loops/counted.ts";
import { clausesOf } from "./clauses.ts";

export const withPerfectNests = (body: Stmt, tell: (found: Diagnostic) => void): Stmt =>
  mapStmt(body, {
    stmt(s) {
      const pragmas = s.pragmas ?? [];
      const pragma = pragmas.at(-1);
      if (s.kind !== "for" || !pragma) return s;
      const perfect = ofPerfectNest(pragma, s, tell);
      return perfect === pragma ? s : { ...s, pragmas: [...pragmas.slice(0, -1), perfect] };
    },
  });

function ofPerfectNest(pragma: Pragma, loop: ForStmt, tell: (found: Diagnostic) => void): Pragma {
  const [model] = pragma.tokens;
  const clauses = clausesOf(pragma.tokens);
  const words = clauses.map(([first]) => first?.text);
  const collapse = clauses.find(([first]) => first?.text === "collapse");
  // Of regions arc reads the clause itself; iterations of `ordered(n)` are named by the variables of all loops.
  if (model?.text !== "omp" || !collapse?.[0] || words.includes("target") || words.includes("ordered"))
    return pragma;
  const argument = parseExpr(collapse.slice(2, -1), pragma.scope);
  const requested = "severity" in argument ? undefined : evaluateInteger(argument);
  const nest = requested === undefined ? undefined : nestOf(loop, Number(requested));
  if (!nest || nest.depth === Number(requested)) return pragma;
  const [word] = collapse;
  tell({
    severity: "note",
    code: "no-effect",
    loc: word.loc,
    message: `'collapse' joins ${nest.depth === 1 ? "no loops" : `the outer ${nest.depth} loops alone`}: statements stand between them and the next one`,
  });
  const token = (kind: PragmaToken["kind"], text: string): PragmaToken => ({ ...word, kind, text });
  const clause = (name: string, kind: PragmaToken["kind"], text: string): readonly PragmaToken[] => [
    token("ident", name),
    token("punct", "("),
    token(kind, text),
    token("punct", ")"),
  ];
  const named = new Set(pragma.tokens.map(({ text }) => text));
  const own = nest.counters.filter(({ name }) => !named.has(name));
  const tokens = [
    ...clauses.flatMap((c) =>
      c === collapse ? (nest.depth > 1 ? clause("collapse", "number", String(nest.depth)) : []) : c,
    ),
    ...own.flatMap(({ name }) => clause("private", "ident", name)),
  ];
  return { ...pragma, tokens, added: "clauses" };
}

/** How many loops have nothing between them, and the variables of the others; undefined if there are too few loops. */
function nestOf(
  outer: ForStmt,
  requested: number,
): { readonly depth: number; readonly counters: readonly Symbol[] } | undefined {
  const counters: Symbol[] = [];
  let depth = 1;
  let joins = true;
  let loop = outer;
  for (let k = 1; k < requested; k++) {
    const body = stripBlocks(loop.body);
    const list = body.kind === "compound" ? body.body : [body];
    const [inner, ...more] = list.filter((s) => s.kind === "for");
    const header = inner && more.length === 0 && !inner.pragmas ? countedHeader(inner) : undefined;
    if (!inner || !header || "severity" in header) return undefined;
    joins &&= list.length === 1;
    if (joins) depth++;
    else if (!header.declares) counters.push(header.var);
    loop = inner;
  }
  return { depth, counters };
}
