/** What OpenMP constructs decide for the directives inside them. */
import type { Symbol } from "../../lang/ast.ts";
import type { Directive } from "../directive.ts";
import type { Around } from "../reading.ts";
import { ruleOf } from "./parse.ts";

export interface OmpAround {
  /** A function that regions call: its loops run in order, whoever calls it. */
  readonly routine?: true;
  readonly teams?: true;
  /** Inside a `parallel` construct. */
  readonly threads?: true;
  /** Inside a loop whose iterations threads share. */
  readonly shared?: true;
}

/** The surroundings of a directive's statement. */
export function inside(around: Around, d: Directive): Around {
  if (d.name === "target data") return { ...around, mapped: mappedBy(around, d) };
  const { leaves } = ruleOf(d);
  if (leaves.length === 0) return around;
  const omp: OmpAround = {
    ...around.omp,
    ...(leaves.includes("teams") && { teams: true as const }),
    ...(leaves.includes("parallel") && { threads: true as const }),
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
