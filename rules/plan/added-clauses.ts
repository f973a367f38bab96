/** Clauses that arc.yaml adds to directives of a source: `kernels: NAME: add`. */
import type { Addition } from "../../core/ir/added/model.ts";
import type { Kernel } from "../../schema/contract/project.ts";

export type { Addition };

/** `source`: as the project names it. */
export const addedTo = (source: string, kernels: readonly Kernel[]): readonly Addition[] =>
  kernels.flatMap(({ name, source: of, function: def, region, add: text }): readonly Addition[] => {
    if (of !== source || text === undefined) return [];
    const place = { function: def, of: "region", ...(region !== undefined && { number: region }) } as const;
    return [{ anchor: place, is: "clauses", text, by: `kernels: ${name}: add` }];
  });
