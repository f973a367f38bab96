/** A read on the device of data that has changed on the host. */
import type { Rule } from "../../model/finding.ts";
import { accessed, otherOf, transferring } from "./transfer.ts";

const name = "stale-device-read";

export const staleDeviceRead: Rule = {
  name,
  severity: "warning",
  summary: "inside a data region a kernel reads what the host has changed, with no update in between",
  page: {
    why: "The data region has copied the array at its beginning; clauses of constructs inside it copy nothing, as the array is there already.",
    bad: `void fill(double *b) {
  double a[100] = {0};
#pragma acc data copyin(a) copyout(b[0:100])
  {
    for (int i = 0; i < 100; i++)
      a[i] = i;
#pragma acc parallel loop
    for (int i = 0; i < 100; i++)
      b[i] = a[i];
  }
}`,
    good: `void fill(double *b) {
  double a[100] = {0};
#pragma acc data copyin(a) copyout(b[0:100])
  {
    for (int i = 0; i < 100; i++)
      a[i] = i;
#pragma acc update device(a)
#pragma acc parallel loop
    for (int i = 0; i < 100; i++)
      b[i] = a[i];
  }
}`,
    source: "OpenACC 3.3, sections 2.6.5 and 2.14.4; OpenMP 5.2, section 13.9",
  },
  check: transferring(name, (fault) => ({
    message: `the device reads ${accessed(fault)}, of which the host has a newer value`,
    why:
      fault.mapped?.clause === "declare"
        ? `'${fault.sym.name}' lives on both sides from the program's start, and only updates copy it`
        : `the data region has copied '${fault.sym.name}' when it began`,
    remedy: `write '#pragma ${fault.construct.directive.language === "acc" ? "acc update device" : "omp target update to"}(${fault.sym.name})' before the region`,
    note: `the host writes ${otherOf(fault)} here`,
  })),
};
