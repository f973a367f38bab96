/** Work in two queues, or in a queue and on the host, that accesses the same memory. */
import type { Rule } from "../../model/finding.ts";
import { accessed, clauseText, otherOf, transferring } from "./transfer.ts";

const name = "queue-race";

export const queueRace: Rule = {
  name,
  severity: "warning",
  summary:
    "work in a queue and in another one, or of the host, uses and changes the same memory, and no wait stands between them",
  page: {
    why: "Queues run beside each other. A region without async waits for its own end only, not for those in queues.",
    bad: `void chain(double *a, double *b) {
#pragma acc data copy(a[0:100], b[0:100])
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < 100; i++)
      a[i] = i;
#pragma acc parallel loop async(2)
    for (int i = 0; i < 100; i++)
      b[i] = a[i];
#pragma acc wait
  }
}`,
    good: `void chain(double *a, double *b) {
#pragma acc data copy(a[0:100], b[0:100])
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < 100; i++)
      a[i] = i;
#pragma acc parallel loop async(2) wait(1)
    for (int i = 0; i < 100; i++)
      b[i] = a[i];
#pragma acc wait
  }
}`,
    source: "OpenACC 3.3, section 2.16; OpenMP 5.2, section 13.8",
  },
  check: transferring(name, (fault) => ({
    message: fault.byHost
      ? `the host uses ${accessed(fault)} while work in a queue may still be using ${otherOf(fault)}, the same memory`
      : `${accessed(fault)} is used while work in another queue may still be using ${otherOf(fault)}, the same memory`,
    why: fault.byHost
      ? `${clauseText(fault)} copies while the host goes on`
      : "nothing waits for the first region before the second one begins",
    remedy: fault.byHost
      ? "wait for the region before it: 'acc wait', or 'omp taskwait'"
      : "put both into one queue, or add a wait clause, or depend clauses to OpenMP's nowait",
    note: `the region before it uses ${otherOf(fault)} here`,
  })),
};
