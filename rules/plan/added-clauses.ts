/** Clauses that arc.yaml adds to directives of a source: `kernels: NAME: add`. */
import type { AddedClauses } from "../../core/ir/directives/added-clauses.ts";
import type { Kernel } from "../../schema/contract/project.ts";

export type { AddedClauses };

/** `source`: as the project names it. */
export const addedTo = (source: string, kernels: readonly Kernel[]): readonly AddedClauses[] =>
  kernels.flatMap(({ name, source: of, function: def, region, add: clauses }) =>
    of === source && clauses !== undefined
      ? [{ by: `kernels: ${name}: add`, function: def, ...(region !== undefined && { region }), clauses }]
      : [],
  );
