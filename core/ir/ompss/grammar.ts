/**
 * Task directives and their clauses: those of OpenMP (5.0, sections 2.10 and 2.17) and of OmpSs, which writes `in(x)`
 * for `depend(in: x)`, applies tasks to functions and gives them devices.
 */
import type { TaskMode } from "../model/ir.ts";

type Argument =
  | "none"
  | "expr"
  | "expr?"
  | "exprs"
  | "vars"
  | "regions" // OmpSs: `x[first:last]`
  | "depend"
  | "reduction"
  | "word"
  | "text" // a word or a string
  | "file" // tokens
  | "if"
  | "iterations"; // [strict:] e

interface ClauseRule {
  readonly argument: Argument;
  readonly words?: readonly string[];
  readonly repeats?: true;
  /** OpenMP does not have it: arc handles the directive, whatever the C compiler is asked to do. */
  readonly ompss?: true;
}

const regions = { argument: "regions", repeats: true, ompss: true } as const;
const vars = { argument: "vars", repeats: true } as const;

const devices = ["smp", "cuda", "opencl", "hip", "fpga"] as const;

export const clauses: Readonly<Record<string, ClauseRule>> = {
  in: regions,
  out: regions,
  inout: regions,
  concurrent: regions,
  commutative: regions,
  weakin: regions,
  weakout: regions,
  weakinout: regions,
  weakconcurrent: regions,
  weakcommutative: regions,
  on: regions,
  depend: { argument: "depend", repeats: true },
  if: { argument: "if" },
  final: { argument: "if" },
  priority: { argument: "expr" },
  grainsize: { argument: "iterations" },
  num_tasks: { argument: "iterations" },
  nogroup: { argument: "none" },
  label: { argument: "text", ompss: true },
  private: vars,
  firstprivate: vars,
  shared: vars,
  default: { argument: "word", words: ["none", "shared", "firstprivate", "private"] },
  reduction: { argument: "reduction", repeats: true },
  in_reduction: { argument: "reduction", repeats: true },
  task_reduction: { argument: "reduction", repeats: true },
  untied: { argument: "none" },
  tied: { argument: "none", ompss: true },
  mergeable: { argument: "none" },
  /** OpenMP 6.0, as `threadset`: tasks are created each time, and any thread may run them. */
  replayable: { argument: "expr?" },
  threadset: { argument: "word", words: ["omp_pool", "omp_team"] },
  /** `taskloop simd`, whose iterations the C compiler may run side by side if it finds that they can. */
  simd: { argument: "none" },
  safelen: { argument: "expr" },
  simdlen: { argument: "expr" },
  wait: { argument: "none", ompss: true },
  noflush: { argument: "none", ompss: true },
  device: { argument: "word", words: devices },
  copy_deps: { argument: "none", ompss: true },
  no_copy_deps: { argument: "none", ompss: true },
  copy_in: regions,
  copy_out: regions,
  copy_inout: regions,
  ndrange: { argument: "exprs", ompss: true },
  shmem: { argument: "exprs", ompss: true },
  file: { argument: "file", ompss: true },
  name: { argument: "word", ompss: true },
  implements: { argument: "word", ompss: true },
  onto: { argument: "exprs", ompss: true },
};

/** How a clause says that memory is used. */
export const modes: Readonly<Record<string, { readonly mode: TaskMode; readonly weak?: true }>> = {
  in: { mode: "in" },
  out: { mode: "out" },
  inout: { mode: "inout" },
  concurrent: { mode: "concurrent" },
  commutative: { mode: "commutative" },
  weakin: { mode: "in", weak: true },
  weakout: { mode: "out", weak: true },
  weakinout: { mode: "inout", weak: true },
  weakconcurrent: { mode: "concurrent", weak: true },
  weakcommutative: { mode: "commutative", weak: true },
  on: { mode: "inout" },
  copy_in: { mode: "in" },
  copy_out: { mode: "out" },
  copy_inout: { mode: "inout" },
};

/** Words before the colon of `depend`. */
export const dependKinds: Readonly<Record<string, TaskMode>> = {
  in: "in",
  out: "out",
  inout: "inout",
  mutexinoutset: "commutative",
  inoutset: "concurrent",
  concurrent: "concurrent",
  commutative: "commutative",
};

/** Clauses that arc does not support, and what to write instead. */
export const refusedClauses: Readonly<Record<string, string>> = {
  affinity: "remove it: threads take what they made ready themselves",
  allocate: "remove it",
  detach: "wait inside the task for what it started",
  cost: "remove it, or write priority",
  aligned: "remove it",
  collapse: "create the tasks in a loop",
  inprivate: "write firstprivate",
  linear: "compute the value from the loop's variable",
  nontemporal: "remove it",
  order: "remove it",
  lastprivate: "set the variable behind the loop",
  induction: "compute the value from the loop's variable",
  transparent: "write the dependences on a task that waits for those inside",
};

const taskClauses = (
  "in out inout concurrent commutative weakin weakout weakinout weakconcurrent weakcommutative depend if final " +
  "priority label private firstprivate shared default reduction in_reduction untied tied mergeable wait replayable threadset"
).split(" ");

const targetClauses =
  "device copy_deps no_copy_deps copy_in copy_out copy_inout ndrange shmem file name implements onto".split(
    " ",
  );

export const directives: Readonly<Record<string, readonly string[]>> = {
  task: [...taskClauses, "device", "ndrange", "shmem", "file", "name", "implements"],
  target: targetClauses,
  taskwait: ["on", "in", "out", "inout", "depend", "noflush", "replayable"],
  taskgroup: ["task_reduction"],
  taskloop: (
    "if final priority label private firstprivate shared default reduction in_reduction untied tied mergeable replayable threadset " +
    "grainsize num_tasks nogroup simd safelen simdlen"
  ).split(" "),
  taskyield: [],
};

/** Task directives that arc cannot support, and what to write instead. */
export const refusedDirectives: Readonly<Record<string, string>> = {
  for: "write a loop over blocks of iterations whose body is a 'task'",
  critical: "use commutative(...) on the tasks",
  atomic: "write '#pragma omp atomic'",
  release: "end the task",
  lint: "remove it",
};
