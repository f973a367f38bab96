/** A sum, product or extreme over all iterations that no clause combines. */
import type { Finding, Rule, Subject } from "../model/finding.ts";
import { clauseAdded } from "../races/classify.ts";
import { lostSums } from "../races/lost-sums.ts";
import { racing } from "./races/race.ts";

const name = "missing-reduction";

/** OpenACC's gangs have private copies, whose values are lost. */
const unreturned = ({ functions }: Subject): readonly Finding[] =>
  lostSums(functions).map(({ sym, op, at, directive }) => {
    const fix = clauseAdded(directive, `reduction(${op}:${sym.name})`);
    return {
      severity: "warning",
      code: name,
      certainty: "proved",
      loc: at,
      message: `what the loop makes of '${sym.name}' is lost: each gang has a copy of its own, and no clause combines them`,
      why: `'${directive.name}' gives gangs their own of scalars that no clause names`,
      remedy: `add reduction(${op}:${sym.name}) to the '${directive.name}' directive`,
      ...(fix && { fix }),
    };
  });

const raced = racing(name, "reduction", ({ sym }, { op, by }) => ({
  message: `iterations that run at the same time all update '${sym.name}', and no clause combines what they make of it`,
  why: "one iteration stores over what another has just stored",
  remedy: `add reduction(${op}:${sym.name}) to the '${by.directive.name}' directive`,
  fix: clauseAdded(by.directive, `reduction(${op}:${sym.name})`),
}));

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
  check: (subject) => [...raced(subject), ...unreturned(subject)],
};
