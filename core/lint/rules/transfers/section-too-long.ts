/** Sections that reach beyond an array's memory. */
import type { Rule } from "../../model/finding.ts";
import { clauseText, transferring } from "./transfer.ts";

const name = "section-too-long";

export const sectionTooLong: Rule = {
  name,
  severity: "warning",
  summary: "a clause names more elements than the array has",
  page: {
    why: "What lies behind the array is copied, too: other variables get old values back, or the program stops. A section is [first : how many], not [first : last], and counts elements, not bytes.",
    bad: `void *malloc(unsigned long);
void fill(int n) {
  double *a = malloc(n * sizeof *a);
#pragma omp target teams distribute parallel for map(from: a[0:n * sizeof *a])
  for (int i = 0; i < n; i++)
    a[i] = i;
}`,
    good: `void *malloc(unsigned long);
void fill(int n) {
  double *a = malloc(n * sizeof *a);
#pragma omp target teams distribute parallel for map(from: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = i;
}`,
    source: "OpenACC 3.3, section 2.7.1; OpenMP 5.2, section 3.2.5",
  },
  check: transferring(name, (fault) => ({
    message: `the section in ${clauseText(fault)} is longer than '${fault.sym.name}'`,
    why: "what lies behind it is moved, too, or is no memory of the program",
    remedy: "name as many elements as there are: [first : how many]",
  })),
};
