/**
 * How many loops of a nest `collapse` can join. A loop whose bounds depend on the enclosing one, or that is separated
 * from it by statements, runs inside: only the outer loops are distributed. Each loop still runs as often, with the
 * same results (OpenMP 5.2, section 4.4.2).
 */
import { firstOf } from "../../../checked/access.ts";
import { evaluateInteger } from "../../../lang/index.ts";
import type { Expr, ForStmt, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { intLit } from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import { countedHeader } from "../../analysis/loops/counted.ts";
import { clause, type Directive } from "../../directives/directive.ts";
import type { Reading } from "../../directives/read-state.ts";
import type { LoopHeader } from "../../model/ir.ts";

interface Joined {
  /** With `collapse` reduced to the loops that can be joined. */
  readonly d: Directive;
  /** Counters of loops left inside that are declared outside: each iteration needs its own. */
  readonly counters: readonly Symbol[];
}

export function joined(reading: Reading, d: Directive, outer: Stmt): Joined {
  const collapse = clause(d, "collapse");
  const requested = Number((collapse && evaluateInteger(collapse.exprs[0] as Expr)) ?? 1n);
  if (!collapse || !(requested > 1 && requested < 100) || outer.kind !== "for") return { d, counters: [] };
  const headers: LoopHeader[] = [];
  const counters: Symbol[] = [];
  let depth = 0;
  let joins = true;
  for (let loop: ForStmt | undefined = outer; loop && headers.length < requested; ) {
    const header = countedHeader(loop);
    if ("severity" in header) return { d, counters: [] };
    const outside = new Set(headers.map((h) => h.var));
    const bounds = usesOf(...[header.lower, header.bound].map(asStmt)).of;
    joins &&= ![...bounds.keys()].some((sym) => outside.has(sym));
    if (joins) depth++;
    else if (!header.declares) counters.push(header.var);
    headers.push(header);
    const list: readonly Stmt[] = flat(loop.body);
    const inner: readonly ForStmt[] = list.filter((s) => s.kind === "for");
    joins &&= list.length === 1;
    loop = inner.length === 1 ? inner[0] : undefined;
  }
  // With too few loops there is nothing to distribute; that is reported elsewhere.
  if (headers.length < requested || depth === requested) return { d, counters: [] };
  reading.diagnostics.push({
    severity: "note",
    code: "no-effect",
    loc: collapse.loc,
    message: `'collapse' joins ${depth === 1 ? "no loops" : `the outer ${depth} loops alone`}: the next one depends on them, or statements stand between`,
  });
  const clauses = d.clauses.map((c) => (c === collapse ? { ...c, exprs: [intLit(depth)] } : c));
  return { d: { ...d, clauses }, counters };
}

const asStmt = (expr: Expr): Stmt => ({ kind: "expr", expr, span: expr.span });

const flat = (s: Stmt): readonly Stmt[] =>
  s.kind === "compound" ? (s.body.length === 1 ? flat(firstOf(s.body)) : s.body) : [s];
