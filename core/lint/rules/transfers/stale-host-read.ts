/** A read on the host of data that has changed on the device. */
import type { Rule } from "../../model/finding.ts";
import type { Fault } from "../../transfers/fault.ts";
import { accessed, clauseText, otherOf, transferring } from "./transfer.ts";

const name = "stale-host-read";

export const staleHostRead: Rule = {
  name,
  severity: "warning",
  summary: "inside a data region the host reads what a kernel has changed, with no update in between",
  page: {
    why: "Until the data region ends, or an update directive copies them, results are on the device alone.",
    bad: `double peek(void) {
  double a[100] = {0}, x;
#pragma acc data copy(a)
  {
#pragma acc parallel loop
    for (int i = 0; i < 100; i++)
      a[i] = i;
    x = a[10];
  }
  return x;
}`,
    good: `double peek(void) {
  double a[100] = {0}, x;
#pragma acc data copy(a)
  {
#pragma acc parallel loop
    for (int i = 0; i < 100; i++)
      a[i] = i;
#pragma acc update self(a[10:1])
    x = a[10];
  }
  return x;
}`,
    source: "OpenACC 3.3, sections 2.6.5 and 2.14.4; OpenMP 5.2, section 13.9",
  },
  check: transferring(name, (fault) => ({
    message: `the host reads ${accessed(fault)}, of which the device has a newer value`,
    why: whyOf(fault),
    remedy: `write '#pragma ${fault.construct.directive.language === "acc" ? "acc update self" : "omp target update from"}(${(fault.movedTo ?? fault.sym).name})' before it`,
    note: `the device writes ${otherOf(fault)} here`,
  })),
};

function whyOf(fault: Fault): string {
  const { sym, mapped, construct, movedTo } = fault;
  if (movedTo)
    return `'${movedTo.name}' leads by now to what ${clauseText(fault)} names, and only an update copies that to the host`;
  if (mapped?.clause === "declare")
    return `'${sym.name}' lives on both sides from the program's start, and only updates copy it`;
  if (construct.directive.name.endsWith("enter data") && !mapped?.until)
    return `'${construct.directive.name}' puts '${sym.name}' on the device, and nothing copies it back`;
  return `the data region copies '${sym.name}' back at its end at the earliest`;
}
