/** The host follows a pointer that a clause has made one of the device. */
import type { Rule } from "../../model/finding.ts";
import { accessed, clauseText, transferring } from "./transfer.ts";

const name = "device-pointer-on-host";

export const devicePointerOnHost: Rule = {
  name,
  severity: "warning",
  summary: "code of the host follows a pointer that holds an address of the device there",
  page: {
    why: "In the body of host_data, and of target data with use_device_ptr, the names in these clauses mean the device's memory. They are for calls of libraries that expect such addresses.",
    bad: `double first(void) {
  double a[100] = {0}, x;
#pragma acc data copyin(a)
#pragma acc host_data use_device(a)
  x = a[0];
  return x;
}`,
    good: `void scale_on_device(double *);
void scaled(void) {
  double a[100] = {0};
#pragma acc data copy(a)
#pragma acc host_data use_device(a)
  scale_on_device(a);
}`,
    source: "OpenACC 3.3, section 2.8; OpenMP 5.2, section 5.4.6",
  },
  check: transferring(name, (fault) => ({
    message: `the host accesses ${accessed(fault)}, where '${fault.sym.name}' is an address of the device`,
    why: fault.allocated
      ? "memory that is allocated on the device is not the host's"
      : `${clauseText(fault)} makes it one for the code of the host inside of the construct`,
    remedy: fault.allocated
      ? "copy it to memory of the host first (acc_memcpy_from_device, omp_target_memcpy), or use it in a region"
      : "move it out of the construct, or into a region of the device",
    note: fault.allocated ? "it is allocated here" : "the clause is here",
  })),
};
