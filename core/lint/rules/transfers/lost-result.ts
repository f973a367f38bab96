/** Results of the device that no clause copies back. */
import type { Rule } from "../../model/finding.ts";
import { accessed, lastClause, otherOf, transferring } from "./transfer.ts";

const name = "lost-result";

export const lostResult: Rule = {
  name,
  severity: "warning",
  summary: "the host reads what the device has changed, and no clause copies it back",
  page: {
    why: "copyin and map(to:) copy in only. Where host and device have memory of their own, the results are gone with the region.",
    bad: `double first(void) {
  double a[100] = {0};
#pragma omp target teams distribute parallel for map(to: a)
  for (int i = 0; i < 100; i++)
    a[i] = i + 1;
  return a[0];
}`,
    good: `double first(void) {
  double a[100] = {0};
#pragma omp target teams distribute parallel for map(tofrom: a)
  for (int i = 0; i < 100; i++)
    a[i] = i + 1;
  return a[0];
}`,
    source: "OpenACC 3.3, section 2.7.7; OpenMP 5.2, section 5.8.3",
  },
  check: transferring(name, (fault) => ({
    message: `${fault.byRegion ? "a later region" : "the host"} reads ${accessed(fault)}, which the device has changed and nothing has copied back`,
    why: fault.movedTo
      ? `'${fault.movedTo.name}' leads by now to what ${lastClause(fault)} names, which leaves on the device what the device writes`
      : fault.mapped
        ? `${lastClause(fault)} leaves what the device writes on the device`
        : "a scalar that no clause names is copied to the device, and not back",
    remedy: fault.movedTo
      ? `copy '${fault.movedTo.name}' back with an update, behind the last change of the pointers and before the data's end`
      : fault.mapped?.counted
        ? `write an 'exit data' for each 'enter data' of '${fault.sym.name}', as data that others hold is not copied back`
        : fault.mapped?.until
          ? fault.mapped.until.motion === "from"
            ? `let exit data copy back all of '${fault.sym.name}' that is read`
            : `let exit data copy '${fault.sym.name}' back: copyout, or map(from:)`
          : fault.mapped
            ? `map '${fault.sym.name}' in both directions: copy, or map(tofrom:)`
            : `add ${fault.construct.directive.language === "acc" ? "copy(" : "map(tofrom: "}${fault.sym.name})`,
    note: `the device writes ${otherOf(fault)} here`,
  })),
};
