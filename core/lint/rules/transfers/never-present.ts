/** `present` for data that nothing has put on the device. */
import type { Rule } from "../../model/finding.ts";
import { clauseText, transferring } from "./transfer.ts";

const name = "never-present";

export const neverPresent: Rule = {
  name,
  severity: "warning",
  summary: "a present clause or an update names what nothing has put on the device",
  page: {
    why: "The program stops there: present only asserts, and copies nothing. An update stops it in OpenACC, and does nothing in OpenMP.",
    bad: `double first(void) {
  double a[100] = {0};
#pragma acc parallel loop present(a)
  for (int i = 0; i < 100; i++)
    a[i] = i;
  return a[0];
}`,
    good: `double first(void) {
  double a[100] = {0};
#pragma acc data copy(a)
  {
#pragma acc parallel loop present(a)
    for (int i = 0; i < 100; i++)
      a[i] = i;
  }
  return a[0];
}`,
    source: "OpenACC 3.3, sections 2.7.5 and 2.14.4; OpenMP 5.2, section 13.9",
  },
  check: transferring(name, (fault) => {
    const isUpdate = fault.construct.directive.name.endsWith("update");
    const does = isUpdate ? "can move nothing" : "says that it is";
    return {
      message: `'${fault.sym.name}' is not on the device here, and ${clauseText(fault)} ${does}`,
      why: "no data construct around it, and no enter data or declare anywhere, puts it there",
      remedy: isUpdate
        ? "move the update into the data construct, or write enter data before it"
        : "write copy, copyin or copyout instead, or a data construct around the region",
    };
  }),
};
