/** `free` of memory that the device's values are still to be copied to. */
import type { Rule } from "../../model/finding.ts";
import { lastClause, transferring } from "./transfer.ts";

const name = "freed-while-mapped";

export const freedWhileMapped: Rule = {
  name,
  severity: "warning",
  summary: "memory is freed before the device's values are copied back to it",
  page: {
    why: "The end of the data's time on the device writes to the host's memory, which somebody else may own by then.",
    bad: `void *malloc(unsigned long);
void free(void *);
void fill(void) {
  double *a = malloc(100 * sizeof *a);
#pragma omp target enter data map(alloc: a[0:100])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 100; i++)
    a[i] = i;
  free(a);
#pragma omp target exit data map(from: a[0:100])
}`,
    good: `void *malloc(unsigned long);
void free(void *);
void fill(void) {
  double *a = malloc(100 * sizeof *a);
#pragma omp target enter data map(alloc: a[0:100])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma omp target exit data map(from: a[0:100])
  free(a);
}`,
    source: "OpenMP 5.2, section 5.8.3; OpenACC 3.3, section 2.6.7",
  },
  check: transferring(name, (fault) => ({
    message: `'${fault.sym.name}' is freed here, and the device's values are copied to it afterwards`,
    why: `${lastClause(fault)} writes to memory that is gone`,
    remedy: "free it behind the end of the data region, or behind exit data",
    note: "this clause copies it back",
  })),
};
