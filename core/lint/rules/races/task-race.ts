/** A task, and code that does not wait for it. */
import type { Rule } from "../../model/finding.ts";
import { racing, text, verb } from "./race.ts";

const name = "task-race";

export const taskRace: Rule = {
  name,
  severity: "warning",
  summary: "a task uses what its creator or another task changes, and nothing orders the two",
  page: {
    why: "A task runs when a thread has time for it: until a taskwait, a barrier or a dependence, everything after it may come before it.",
    bad: `int fib(int n) {
  int i, j;
  if (n < 2)
    return n;
#pragma omp task shared(i)
  i = fib(n - 1);
#pragma omp task shared(j)
  j = fib(n - 2);
  return i + j;
}`,
    good: `int fib(int n) {
  int i, j;
  if (n < 2)
    return n;
#pragma omp task shared(i)
  i = fib(n - 1);
#pragma omp task shared(j)
  j = fib(n - 2);
#pragma omp taskwait
  return i + j;
}`,
    source: "OpenMP 5.2, sections 12.5 and 15.9.5",
  },
  check: racing(name, "tasks", ({ write, other }) => ({
    message: `${text(write)} is written while ${text(other)}, the same memory, may be ${verb(other)}: at least one of the two stands in a task that nothing waits for in between`,
    why: "tasks without a dependence run in any order, and at the same time",
    remedy: "write '#pragma omp taskwait' between them, or depend clauses on both tasks",
  })),
};
