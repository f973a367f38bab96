/** An array that is read on the device although nothing was copied to it. */
import type { Rule } from "../../model/finding.ts";
import type { Fault } from "../../transfers/fault.ts";
import { accessed, clauseText, transferring } from "./transfer.ts";

const name = "read-before-copy";

/** What has brought the host an element without a value. */
const backWith = (fault: Fault): string | undefined =>
  fault.updated ? "an update" : fault.returned ? clauseText(fault) : undefined;

export const readBeforeCopy: Rule = {
  name,
  severity: "warning",
  summary: "the device reads an array that was given room there and no values",
  page: {
    why: "copyout and create, and map(from:) and map(alloc:), make room on the device and copy nothing in: what is read is what lay there before.",
    bad: `void twice(void) {
  double a[100];
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 100; i++)
    a[i] = 2 * a[i];
}`,
    good: `void twice(void) {
  double a[100];
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 100; i++)
    a[i] = 2 * a[i];
}`,
    source: "OpenACC 3.3, section 2.7; OpenMP 5.2, section 5.8.3",
  },
  check: transferring(name, (fault) => ({
    message: backWith(fault)
      ? `the host reads ${accessed(fault)}, which the device has not set and ${backWith(fault)} has copied back`
      : `the device reads ${accessed(fault)} before anything has set it there`,
    why: `${clauseText(fault)} makes room on the device and copies nothing in`,
    remedy: `map '${fault.sym.name}' in both directions: copy, or map(tofrom:)`,
    note: "the clause is here",
  })),
};
