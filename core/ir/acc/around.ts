/** What OpenACC constructs decide for the directives inside them. */
import { clause, type Directive } from "../directives/directive.ts";
import type { Around } from "../directives/read-state.ts";
import type { Task } from "../model/ir.ts";

export function defaultOf(d: Directive): "none" | "present" | undefined {
  return clause(d, "default")?.names[0] as "none" | "present" | undefined;
}

/** The context of the statement that a directive applies to. */
export function inside(around: Around, d: Directive): Around {
  const defaultData = defaultOf(d) ?? around.defaultData;
  const compute = d.name.match(/^(parallel|serial|kernels)/)?.[0] as Task["construct"] | undefined;
  const construct = compute ?? around.construct;
  return {
    ...around,
    ...(construct && { construct, region: around.region ?? "acc" }),
    ...(defaultData && { defaultData }),
    ...(d.name === "data" && {
      mapped: new Set([...(around.mapped ?? []), ...d.clauses.flatMap((c) => c.vars.map((v) => v.sym))]),
    }),
  };
}
