/**
 * Counters of `simd` loops keep their values (OpenMP 5.0, section 2.19.1.1: linear or lastprivate); OpenACC's loops have
 * counters of their own (OpenACC 3.3, section 2.9).
 */
import { liveAfter } from "../../ir/analysis/liveness.ts";
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import { isGlobal } from "../../ir/analysis/routines.ts";
import { ruleOf } from "../../ir/omp/directive/parse.ts";
import { evaluateInteger } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripBlocks } from "../../lang/tree/build.ts";
import type { LoopFacts } from "../sites/facts.ts";
import { CannotSay } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";

/** Throws `CannotSay`. */
export function refuseLastingCounters(site: Site, facts: LoopFacts | undefined): void {
  const { directive: d, stmt, around, function: def } = site;
  if (!ruleOf(d).leaves.includes("simd") || !stmt) return;
  const construct = around.find(({ directive }) => ruleOf(directive).leaves[0] === "target");
  const code = construct?.stmt ?? (d.name.startsWith("target") ? stmt : def?.body);
  const leaves = new Set(
    facts?.task?.items.flatMap(({ sym, mapping: { is } }) => (is === "from" || is === "tofrom" ? [sym] : [])),
  );
  const collapse = d.clauses.find((c) => c.name === "collapse")?.exprs[0];
  const depth = collapse && collapse !== "*" ? Number(evaluateInteger(collapse) ?? 1n) : 1;
  const own = new Set(d.clauses.flatMap((c) => (c.name === "private" ? c.vars.map(({ sym }) => sym) : [])));
  for (const sym of outsideCounters(stmt, depth)) {
    if (own.has(sym)) continue;
    const isRead = isGlobal(sym) || leaves.has(sym) || (code && code !== stmt && liveAfter(code, stmt, sym));
    if (isRead)
      throw new CannotSay(
        d.loc,
        `the counter '${sym.name}' keeps its last value behind a loop of 'simd', and OpenACC's loops have counters of their own`,
        `declare the counter in the loop, for (int ${sym.name} = ...), and compute the value behind it`,
      );
  }
}

/** Counters of a nest that are declared outside of it. */
function outsideCounters(nest: Stmt, depth: number): readonly Symbol[] {
  const found: Symbol[] = [];
  let loop = nest;
  for (let left = depth; left > 0 && loop.kind === "for"; left--) {
    const header = countedHeader(loop);
    if (!("severity" in header) && !header.declares) found.push(header.var);
    loop = stripBlocks(loop.body);
  }
  return found;
}
