/** A shared variable that each iteration sets before using it. */
import type { Rule } from "../model/finding.ts";
import { clauseAdded } from "../races/classify.ts";
import { racing } from "./races/race.ts";

const name = "missing-private";

export const missingPrivate: Rule = {
  name,
  severity: "warning",
  summary: "iterations that run at the same time use one variable for what is each one's own",
  page: {
    why: "Between the store of one iteration and its own read, another iteration stores its value. Counters of inner loops that are declared outside of the parallel loop are the usual case.",
    bad: `void scale(double *a, int n) {
  double t;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    t = a[i] * 2;
    a[i] = t + 1;
  }
}`,
    good: `void scale(double *a, int n) {
  double t;
#pragma omp parallel for private(t)
  for (int i = 0; i < n; i++) {
    t = a[i] * 2;
    a[i] = t + 1;
  }
}`,
    source: "OpenMP 5.2, section 5.1.1; OpenACC 3.3, section 2.9.10",
  },
  check: racing(name, "private", ({ sym }, { by }) => ({
    message: `iterations that run at the same time share '${sym.name}', which each of them sets for itself`,
    why: "it is declared outside of the loop, and no clause gives each iteration its own",
    remedy: `declare '${sym.name}' inside the loop, or add private(${sym.name}), or lastprivate(${sym.name}) where its value is used after the loop`,
    fix: clauseAdded(by.directive, `private(${sym.name})`),
  })),
};
