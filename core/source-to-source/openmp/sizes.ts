/** Sizes of an OpenACC construct as those of teams, threads and lanes. */
import { evaluateInteger } from "../../lang/index.ts";
import { spmd } from "../sites/facts.ts";
import { CannotSay, type NewClause, put } from "../sites/rewrite.ts";
import type { Site } from "../sites/site.ts";
import { wordsOf } from "./clauses.ts";
import type { ToOpenMp } from "./context.ts";
import type { SharedLoop } from "./loops.ts";

export interface Sizes {
  readonly target: readonly NewClause[];
  readonly loop: readonly NewClause[];
}

/** num_gangs applies to the teams; num_workers and vector_length to the loops that use the threads and lanes. */
export function sizes(site: Site, context: ToOpenMp, kind: string, own: SharedLoop | undefined): Sizes {
  const target: NewClause[] = [];
  const gangs = wordsOf(site, "num_gangs");
  if (gangs && gangs.list.length > 1)
    throw new CannotSay(
      site.directive.loc,
      "OpenMP's leagues of teams have one dimension",
      "write num_gangs with one number",
    );
  if (gangs && kind === "target teams" && !context.facts.mapped?.(site.directive.pragma))
    target.push(put(`num_teams(${gangs.argument ?? ""})`, gangs));
  // Code that gangs must not repeat: normalisation gives it one gang.
  const decided = context.facts.tasks(site.directive.pragma).map((task) => spmd(task).numTeams);
  if (!gangs && kind === "target teams" && decided.some((n) => n && evaluateInteger(n) === 1n))
    target.push(put("num_teams(1)"));
  return { target, loop: own ? sizeOfLoop(own.constructs, site, context) : [] };
}

/** The part of a construct's sizes that applies to one of its loops. */
export function sizeOfLoop(
  constructs: readonly string[],
  construct: Site,
  context: ToOpenMp,
): readonly NewClause[] {
  const [workers, lanes] = [wordsOf(construct, "num_workers"), wordsOf(construct, "vector_length")];
  if (context.facts.mapped?.(construct.directive.pragma)) return [];
  const threads = workerLoops(construct, context) ? workers : lanes;
  const clauses: NewClause[] = [];
  if (constructs.some((one) => one.includes("parallel for")) && threads)
    clauses.push(put(`num_threads(${threads.argument ?? ""})`, threads));
  if (constructs.includes("simd") && lanes) {
    const length = construct.directive.clauses.find((c) => c.name === "vector_length")?.exprs[0];
    if (length !== "*" && length !== undefined && (evaluateInteger(length) ?? 0n) > 0n)
      clauses.push(put(`simdlen(${lanes.argument ?? ""})`));
  }
  return clauses;
}

/** Whether workers are mapped to the threads in a construct. */
function workerLoops(construct: Site, { sites, facts }: ToOpenMp): boolean {
  return [construct, ...sites.filter((s) => s.around.includes(construct))].some((s) =>
    facts.loop(s.directive.pragma)?.loop.parallel.levels.includes("worker"),
  );
}
