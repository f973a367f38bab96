/** A sum, product or extreme that all iterations add to, and no clause combines. */
import type { Rule } from "../model/finding.ts";
import { clauseAdded } from "../races/classify.ts";
import { racing } from "./race.ts";

const name = "missing-reduction";

export const missingReduction: Rule = {
  name,
  severity: "warning",
  summary: "iterations that run at the same time all combine values into one variable",
  page: {
    why: "Two iterations read the same old value, and one of the two updates is lost: the result differs from run to run.",
    bad: `double sum(const double *a, int n) {
  double s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}`,
    good: `double sum(const double *a, int n) {
  double s = 0;
#pragma omp parallel for reduction(+:s)
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}`,
    source: "OpenMP 5.2, section 5.5; OpenACC 3.3, section 2.9.11",
  },
  check: racing(name, "reduction", ({ sym }, { op, by }) => ({
    message: `iterations that run at the same time all update '${sym.name}', and no clause combines what they make of it`,
    why: "one iteration stores over what another has just stored",
    remedy: `add reduction(${op}:${sym.name}) to the '${by.directive.name}' directive`,
    fix: clauseAdded(by.directive, `reduction(${op}:${sym.name})`),
  })),
};
