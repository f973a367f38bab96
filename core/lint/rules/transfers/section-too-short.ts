/** Subscripts outside of the mapped section. */
import type { Rule } from "../../model/finding.ts";
import { accessed, clauseText, transferring } from "./transfer.ts";

const name = "section-too-short";

export const sectionTooShort: Rule = {
  name,
  severity: "warning",
  summary: "the device uses elements that lie outside of the section that a clause names",
  page: {
    why: "Only the elements of the section have a place on the device: others are whatever lies beside them. A section is [first : how many], not [first : last].",
    bad: `void smooth(double *a, double *b, int n) {
#pragma acc parallel loop copyin(a[0:n]) copyout(b[0:n])
  for (int i = 0; i < n; i++)
    b[i] = a[i] + a[i + 1];
}`,
    good: `void smooth(double *a, double *b, int n) {
#pragma acc parallel loop copyin(a[0:n + 1]) copyout(b[0:n])
  for (int i = 0; i < n; i++)
    b[i] = a[i] + a[i + 1];
}`,
    source: "OpenACC 3.3, section 2.7.1; OpenMP 5.2, section 3.2.5",
  },
  check: transferring(name, (fault) => ({
    message: `${accessed(fault)} reaches elements outside of the section in ${clauseText(fault)}`,
    why: "only the elements of the section have memory on the device",
    remedy: "name the elements that the loop uses: [first : how many]",
    note: "the section is here",
  })),
};
