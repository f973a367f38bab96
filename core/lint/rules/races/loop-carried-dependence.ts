/** Iterations of a parallel loop that access the same element. */
import type { Rule } from "../../model/finding.ts";
import { racing, text, verb } from "./race.ts";

const name = "loop-carried-dependence";

export const loopCarriedDependence: Rule = {
  name,
  severity: "warning",
  summary: "an iteration of a parallel loop uses or overwrites what another one stores",
  page: {
    why: "The order in which iterations run decides what is read: the loop gives other results than the serial one, now and then.",
    bad: `void next(double *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++)
    a[i] = a[i + 1] * 0.5;
}`,
    good: `void next(double *restrict b, const double *restrict a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n - 1; i++)
    b[i] = a[i + 1] * 0.5;
}`,
    source: "OpenMP 5.2, section 1.4.1; OpenACC 3.3, section 2.9.6",
  },
  check: racing(name, "carried", ({ write, other }, { by }) => {
    const same = write === other || text(write) === text(other);
    return {
      message: same
        ? `several iterations of the '${by.directive.name}' loop store into the same ${text(write)}`
        : `${text(write)} is written in one iteration of the '${by.directive.name}' loop and ${text(other)}, the same memory, ${verb(other)} in another`,
      why: "iterations of this loop run at the same time, in any order",
      remedy: same
        ? "give each iteration its own, use an atomic or a reduction, or take the directive away"
        : "write into another array, use an atomic update, or take the directive away",
    };
  }),
};
