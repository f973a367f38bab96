/**
 * Levels of parallelism in OpenMP: gangs are teams, workers are the threads of a team. Vector lanes are threads, too,
 * or lanes of a `simd` loop if the workers use the threads (CCAMP's Table 14).
 */
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import type { Level } from "../../ir/model/ir.ts";
import { canonical, walkExpr } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import type { Facts, LoopFacts } from "../sites/facts.ts";
import { CannotSay } from "../sites/rewrite.ts";
import { isCompute, type Site } from "../sites/site.ts";
import type { ToOpenMp } from "./context.ts";
import { formOf, hasOneTeam, inOneTeam } from "./kernels.ts";

/** The OpenMP constructs for a set of levels. */
function constructsOf(levels: readonly Level[], around: ReadonlySet<Level>): readonly string[] {
  const has = (level: Level): boolean => levels.includes(level);
  const workers = has("worker") || around.has("worker");
  return [
    ...(has("gang") ? ["distribute"] : []),
    ...(has("worker") || (has("vector") && !workers) ? ["parallel for"] : []),
    ...(has("vector") && workers ? ["simd"] : []),
  ];
}

export const constructsIn = ({ loop, around }: LoopFacts): readonly string[] =>
  constructsOf(loop.parallel.independence === "seq" ? [] : loop.parallel.levels, around);

/** A routine's loops follow their clauses: its callers provide the levels above. */
export function ofRoutine({ directive: d, around }: Site): readonly string[] {
  const levels = (clauses: readonly { readonly name: string }[]): Level[] =>
    (["gang", "worker", "vector"] as const).filter((level) => clauses.some((c) => c.name === level));
  if (d.clauses.some((c) => c.name === "seq" || c.name === "auto")) return [];
  const outer = new Set(around.flatMap((s) => levels(s.directive.clauses)));
  const own = levels(d.clauses);
  // Lanes without other levels belong to a thread of the caller.
  return own.join() === "vector" ? ["simd"] : constructsOf(own, outer);
}

export const takesThreads = (constructs: readonly string[]): boolean =>
  constructs.includes("parallel for") || constructs.includes("simd");

/** Whether a loop has a directive in OpenMP, if it is not collapsed into another. */
export function keepsDirective(s: Stmt, site: Site | undefined, { facts, sites }: ToOpenMp): boolean {
  if (site) {
    const found = facts.loop(site.directive.pragma);
    return (found?.task ? constructsIn(formed(site, found, facts)) : ofRoutine(site)).length > 0;
  }
  return sites
    .filter(isCompute)
    .some((construct) =>
      facts
        .bare(construct.directive.pragma)
        .some((found) => found.loop.site.stmt?.span === s.span && constructsIn(found).length > 0),
    );
}

/** The loop as the form of its `kernels` construct has it. */
export function formed(site: Site, found: LoopFacts, facts: Facts): LoopFacts {
  const construct = isCompute(site) ? site : site.around.findLast(isCompute);
  const form = construct?.directive.name.startsWith("kernels") ? formOf(construct, facts) : undefined;
  return hasOneTeam(form, found.task) ? inOneTeam(found) : found;
}

/**
 * gcc 12 miscompiles `distribute parallel for` over pointers whose bounds name an array: threads take another address for it
 * than the region's. By a pointer variable it is right.
 */
export function refuseArrayBounds(stmt: Stmt | undefined, constructs: readonly string[]): void {
  if (!constructs.includes("distribute") || !constructs.includes("parallel for")) return;
  const header = stmt?.kind === "for" ? countedHeader(stmt) : undefined;
  if (!header || "severity" in header || canonical(header.var.type).kind !== "pointer") return;
  const array = [header.lower, header.bound].map(arrayIn).find((found) => found !== undefined);
  if (array)
    throw new CannotSay(
      header.span.start,
      `the bounds of this loop over pointers name the array '${array.name}', and gcc 12 takes another address for it in OpenMP's threads`,
      `count with an integer, or let the loop begin and end at pointer variables: first = ${array.name}`,
    );
}

function arrayIn(e: Expr): Symbol | undefined {
  let found: Symbol | undefined;
  walkExpr(e, {
    expr(one) {
      if (one.kind === "ident" && canonical(one.sym.type).kind === "array") found ??= one.sym;
      return one.kind !== "sizeof";
    },
  });
  return found;
}
