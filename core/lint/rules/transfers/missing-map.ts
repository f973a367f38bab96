/** A host pointer that the device dereferences. */
import type { Rule } from "../../model/finding.ts";
import { isAsserted } from "../../transfers/absent.ts";
import type { Fault } from "../../transfers/fault.ts";
import { transferring } from "./transfer.ts";

const name = "missing-map";

export const missingMap: Rule = {
  name,
  severity: "warning",
  summary: "a region of the device follows a pointer that no clause maps",
  page: {
    why: "The region gets the host's address, which leads nowhere on the device. Some compilers of OpenACC find out from the subscripts how much to copy, and others (gcc) do not: there it is told with --maybe, unless default(present) says that nothing is to be copied.",
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
    source: "OpenMP 5.2, section 5.8.6; OpenACC 3.3, sections 2.5.16 and 2.6.2",
  },
  check: transferring(name, (fault) => {
    const pointer = fault.member ?? fault.sym.name;
    return {
      message: `the device follows '${pointer}', which points to memory of the host`,
      why: whyOf(fault),
      remedy: remedyOf(fault, pointer),
      note: "the region begins here",
    };
  }),
};

function remedyOf({ sym, construct: { directive } }: Fault, pointer: string): string {
  const isAcc = directive.language === "acc";
  if (pointer.includes("["))
    return isAcc
      ? `map the rows, too: copy(${sym.name}[0:COUNT][0:LENGTH])`
      : `map the rows, too: map(iterator(k = 0:COUNT), tofrom: ${sym.name}[k][0:LENGTH])`;
  return isAcc ? `add copy(${pointer}[0:LENGTH])` : `add map(tofrom: ${pointer}[0:LENGTH])`;
}

function whyOf({ sym, member, construct: { directive } }: Fault): string {
  if (member !== undefined)
    return `mapping '${sym.name}' copies the address in '${member}', and not what it points to`;
  if (isAsserted(directive))
    return `default(present) copies nothing, and nothing has put what '${sym.name}' points to there`;
  if (directive.language === "acc")
    return `no clause copies what '${sym.name}' points to, and not all compilers find out how much that is`;
  return `no clause maps what '${sym.name}' points to, and nothing else in the program has`;
}
