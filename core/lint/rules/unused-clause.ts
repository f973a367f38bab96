/** Variables in clauses of regions that do not use them. */
import type { Rule } from "../model/finding.ts";
import { isCompute, namesOf, placed } from "../read/constructs.ts";
import { type Clause, type Directive, itemsOf } from "../read/directive.ts";

const name = "unused-clause";

export const unusedClause: Rule = {
  name,
  severity: "warning",
  advice: true,
  summary:
    "a clause names a variable that the region does not use: it is copied for nothing, or has no effect",
  page: {
    why: "A transfer costs as much for an array that nothing uses.",
    bad: `void fill(double *a, double *b, int n) {
#pragma acc parallel loop copyout(a[0:n]) copyin(b[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
}`,
    good: `void fill(double *a, double *b, int n) {
#pragma acc parallel loop copyout(a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
}`,
  },
  check: ({ functions }) =>
    functions.flatMap((def) =>
      placed(def).flatMap(({ directive, stmt }) => {
        const clauses = directive.clauses.filter((c) => moves(directive, c) || copies(directive, c));
        if (clauses.length === 0) return [];
        const { names, calls } = namesOf(stmt);
        return clauses.flatMap((clause) =>
          itemsOf(directive, clause).flatMap(({ sym, text, loc }) => {
            // A called function may use what is visible to it, and what is already on the device.
            if (names.has(sym) || calls || sym.scope === "file") return [];
            return [
              {
                severity: "warning" as const,
                code: name,
                certainty: "proved" as const,
                advice: true as const,
                loc,
                message: `'${directive.name}' does not use '${sym.name}', which '${clause.name}(${text})' names`,
                why: moves(directive, clause)
                  ? "it is moved, or given room, for nothing"
                  : "the clause has no effect",
                remedy: "remove it from the clause",
              },
            ];
          }),
        );
      }),
    ),
};

const moves = (d: Directive, { name: clause }: Clause): boolean =>
  isCompute(d) && /^(copy|copyin|copyout|create|map)$/.test(clause);

const copies = (d: Directive, { name: clause }: Clause): boolean =>
  /^(private|firstprivate|lastprivate|reduction)$/.test(clause) &&
  (isCompute(d) || /^(parallel|for|loop|simd|parallel for|parallel for simd|for simd)$/.test(d.name));
