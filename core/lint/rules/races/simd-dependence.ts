/** Lanes that read a value before an earlier lane stores it. */
import type { Rule } from "../../model/finding.ts";
import { racing, text } from "./race.ts";

const name = "simd-dependence";

export const simdDependence: Rule = {
  name,
  severity: "warning",
  summary:
    "an iteration of a simd loop reads what an earlier one stores, and both may be lanes of one instruction",
  page: {
    why: "Vector instructions load for all lanes before they store: a lane gets the old value.",
    bad: `void prefix(double *a, const double *b, int n) {
#pragma omp simd
  for (int i = 0; i < n - 1; i++)
    a[i + 1] = a[i] + b[i];
}`,
    good: `void apart(double *a, const double *b, int n) {
#pragma omp simd safelen(8)
  for (int i = 0; i < n - 8; i++)
    a[i + 8] = a[i] + b[i];
}`,
    source: "OpenMP 5.2, section 10.4",
  },
  check: racing(name, "lanes", ({ write, other }) => ({
    message: `${text(other)} is what an earlier iteration of the simd loop stores as ${text(write)}`,
    why: "iterations closer than safelen run as lanes of one instruction, which loads before it stores",
    remedy: "add safelen with at most the distance between the two, or take the directive away",
  })),
};
