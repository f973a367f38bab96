/** Pairs each parsed clause with its text. */
import { itemAt } from "../../checked/access.ts";
import type { Clause } from "../../ir/directives/directive.ts";
import type { WrittenClause } from "../text/written.ts";
import type { Site } from "./site.ts";

export interface Pair {
  readonly c: Clause;
  readonly from: WrittenClause;
}

export function pairs({ directive, written }: Site): readonly Pair[] {
  return directive.clauses.map((c, i) => ({ c, from: itemAt(written.clauses, i) }));
}
