/** A host pointer that the device follows. */
import type { Rule } from "../model/finding.ts";
import { transferring } from "./transfer.ts";

const name = "missing-map";

export const missingMap: Rule = {
  name,
  severity: "warning",
  summary: "a target region follows a pointer that no clause maps",
  page: {
    why: "The region gets the host's address, which leads nowhere on the device.",
    bad: `void *malloc(unsigned long);
void fill(void) {
  double *a = malloc(100 * sizeof *a);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 100; i++)
    a[i] = i;
}`,
    good: `void *malloc(unsigned long);
void fill(void) {
  double *a = malloc(100 * sizeof *a);
#pragma omp target teams distribute parallel for map(from: a[0:100])
  for (int i = 0; i < 100; i++)
    a[i] = i;
}`,
    source: "OpenMP 5.2, section 5.8.6",
  },
  check: transferring(name, (fault) => ({
    message: `the device follows '${fault.sym.name}', which points to memory of the host`,
    why: `no clause maps what '${fault.sym.name}' points to, and nothing else in the program has`,
    remedy: `add map(tofrom: ${fault.sym.name}[0:LENGTH])`,
    note: "the region begins here",
  })),
};
