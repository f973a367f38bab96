/**
 * How many loops of a nest `collapse` joins. Where the bounds of a loop depend on the one around it, or statements stand
 * between them, it runs inside: iterations are shared out by the loops around, and all of them run as often and with
 * the same results (OpenMP 5.2, section 4.4.2).
 */
import { evaluateInteger } from "../../../lang/index.ts";
import type { Expr, ForStmt, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import { intLit } from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import { countedHeader } from "../../analysis/counted.ts";
import { clause, type Directive } from "../../directives/directive.ts";
import type { Reading } from "../../directives/read-state.ts";
import type { LoopHeader } from "../../model/ir.ts";

export interface Joined {
  /** With a `collapse` that joins no more loops than can be. */
  readonly d: Directive;
  /** Counters of the loops left inside that are declared outside: each iteration has its own. */
  readonly counters: readonly Symbol[];
}

export function joined(reading: Reading, d: Directive, outer: Stmt): Joined {
  const asked = clause(d, "collapse");
  const wanted = Number((asked && evaluateInteger(asked.exprs[0] as Expr)) ?? 1n);
  if (!asked || !(wanted > 1 && wanted < 100) || outer.kind !== "for") return { d, counters: [] };
  const headers: LoopHeader[] = [];
  const counters: Symbol[] = [];
  let depth = 0;
  let joins = true;
  for (let loop: ForStmt | undefined = outer; loop && headers.length < wanted; ) {
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
  // With too few loops there is nothing to share out: that is said elsewhere.
  if (headers.length < wanted || depth === wanted) return { d, counters: [] };
  reading.diagnostics.push({
    severity: "note",
    code: "no-effect",
    loc: asked.loc,
    message: `'collapse' joins ${depth === 1 ? "no loops" : `the outer ${depth} loops alone`}: the next one depends on them, or statements stand between`,
  });
  const clauses = d.clauses.map((c) => (c === asked ? { ...c, exprs: [intLit(depth)] } : c));
  return { d: { ...d, clauses }, counters };
}

const asStmt = (expr: Expr): Stmt => ({ kind: "expr", expr, span: expr.span });

const flat = (s: Stmt): readonly Stmt[] =>
  s.kind === "compound" ? (s.body.length === 1 ? flat(s.body[0] as Stmt) : s.body) : [s];
