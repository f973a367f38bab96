/** What OpenMP constructs decide for the directives inside them. */
import type { Symbol } from "../../lang/tree/ast.ts";
import type { Directive } from "../directives/directive.ts";
import type { Around, OmpAround } from "../directives/read-state.ts";
import { ruleOf } from "./directive/parse.ts";
import { shuffled } from "./parallel/shuffle.ts";
import { contextOf } from "./selectors/context.ts";

/** The context of the statement that a directive applies to. */
export function inside(around: Around, d: Directive): Around {
  if (d.name === "target data") return { ...around, mapped: mappedBy(around, d) };
  const { leaves } = ruleOf(d);
  if (leaves.length === 0) return around;
  const constructs = leaves.filter((leaf) => leaf !== "distribute" && leaf !== "loop");
  const shuffles = new Set(shuffled(d).map((v) => v.sym));
  const omp: OmpAround = {
    ...around.omp,
    ...(shuffles.size > 0 && { shuffles: new Set([...(around.omp?.shuffles ?? []), ...shuffles]) }),
    ...(leaves.at(-1) === "teams" && { ofTeams: shuffles }),
    constructs: [...contextOf(around).constructs, ...constructs],
    ...(leaves.includes("teams") && { teams: true as const }),
    ...(leaves.includes("parallel") && { threads: true as const }),
    // A construct nested in another one has a team of one thread, which shares no loops.
    ...(leaves.includes("parallel") && around.omp?.threads && { shared: undefined }),
    ...((leaves.includes("for") || (leaves.includes("parallel") && leaves.includes("loop"))) && {
      shared: true as const,
    }),
  };
  return { ...around, region: around.region ?? "omp", omp };
}

function mappedBy({ mapped }: Around, d: Directive): ReadonlySet<Symbol> {
  const own = d.clauses.flatMap((c) => (c.name === "map" ? c.vars.map((v) => v.sym) : []));
  return new Set([...(mapped ?? []), ...own]);
}
