/**
 * The directives of OpenMP 5.2 and 6.0 for C, the clauses that each takes, and a program around each: in a region, where
 * arc reads them, and in host code, where the C compiler does.
 */

/** Clauses of the constructs that combined directives are made of. */
const leaf = {
  target:
    "allocate default defaultmap depend device device_type firstprivate has_device_addr if in_reduction is_device_ptr map nowait priority private replayable thread_limit uses_allocators",
  teams: "allocate default firstprivate if num_teams private reduction shared thread_limit",
  distribute: "allocate collapse dist_schedule firstprivate induction lastprivate order private",
  parallel:
    "allocate copyin default firstprivate if message num_threads private proc_bind reduction safesync severity shared",
  for: "allocate collapse firstprivate induction lastprivate linear nowait order ordered private reduction schedule",
  simd: "aligned collapse if induction lastprivate linear nontemporal order private reduction safelen simdlen",
  loop: "bind collapse lastprivate order private reduction",
  masked: "filter",
  master: "",
  sections: "allocate firstprivate lastprivate nowait private reduction",
  taskloop:
    "allocate collapse default final firstprivate grainsize if in_reduction induction lastprivate mergeable nogroup num_tasks priority private reduction replayable shared threadset transparent untied",
} as const;
type Leaf = keyof typeof leaf;

const assumptions = "absent contains holds no_openmp no_openmp_constructs no_openmp_routines no_parallelism";
const ofTargetTasks = "depend device if map nowait priority replayable";

/** Directives by themselves. */
const single: Readonly<Record<string, string>> = {
  single: "allocate copyprivate firstprivate nowait private",
  scope: "allocate firstprivate nowait private reduction",
  section: "",
  task: "affinity allocate default depend detach final firstprivate if in_reduction mergeable priority private replayable shared threadset transparent untied",
  taskgroup: "allocate task_reduction",
  taskwait: "depend nowait replayable",
  taskyield: "",
  taskgraph: "graph_id graph_reset if nogroup",
  critical: "hint",
  barrier: "",
  atomic: "acq_rel acquire capture compare fail hint memscope read relaxed release seq_cst update weak write",
  flush: "acq_rel acquire memscope release seq_cst",
  ordered: "simd threads",
  "cancel for": "if",
  "cancellation point for": "",
  depobj: "destroy init update depend",
  tile: "apply sizes",
  unroll: "apply full partial",
  reverse: "apply",
  interchange: "apply permutation",
  fuse: "apply depth looprange",
  split: "apply counts",
  stripe: "apply sizes",
  nothing: "apply",
  error: "at message severity",
  assume: assumptions,
  interop: "depend destroy device init nowait use",
  dispatch: "depend device has_device_addr interop is_device_ptr nocontext novariants nowait",
  allocate: "align allocator",
  scan: "exclusive inclusive init_complete",
  "target data":
    "allocate default depend device firstprivate if in_reduction map nogroup nowait priority private replayable shared use_device_addr use_device_ptr",
  "target enter data": ofTargetTasks,
  "target exit data": ofTargetTasks,
  "target update": "depend device from if nowait priority replayable to",
};

/** Those of leaf constructs, which version 5.2 names. */
const combined = [
  "target",
  "target teams",
  "target teams distribute",
  "target teams distribute simd",
  "target teams distribute parallel for",
  "target teams distribute parallel for simd",
  "target teams loop",
  "target parallel",
  "target parallel for",
  "target parallel for simd",
  "target parallel loop",
  "target simd",
  "teams",
  "teams distribute",
  "teams distribute simd",
  "teams distribute parallel for",
  "teams distribute parallel for simd",
  "teams loop",
  "distribute",
  "distribute simd",
  "distribute parallel for",
  "distribute parallel for simd",
  "parallel",
  "parallel for",
  "parallel for simd",
  "parallel loop",
  "parallel sections",
  "parallel masked",
  "parallel master",
  "parallel masked taskloop",
  "parallel masked taskloop simd",
  "parallel master taskloop",
  "parallel master taskloop simd",
  "for",
  "for simd",
  "simd",
  "loop",
  "masked",
  "master",
  "masked taskloop",
  "masked taskloop simd",
  "master taskloop",
  "master taskloop simd",
  "sections",
  "taskloop",
  "taskloop simd",
];

function ofCombined(name: string): readonly string[] {
  const leaves = name.split(" ") as Leaf[];
  const all = new Set(leaves.flatMap((one) => leaf[one].split(" ").filter(Boolean)));
  // The loop ends with the threads (OpenMP 5.2, section 17.3).
  if (leaves.includes("parallel") && !leaves.includes("target")) all.delete("nowait");
  if (leaves.includes("parallel") && leaves.includes("taskloop")) all.delete("in_reduction");
  if (leaves.includes("distribute") && leaves.includes("for"))
    for (const clause of ["linear", "ordered"]) all.delete(clause);
  return [...all].sort();
}

/** The clauses that each directive may have. */
export const clausesOf: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(combined.map((name) => [name, ofCombined(name)])),
  ...Object.fromEntries(Object.entries(single).map(([name, all]) => [name, all.split(" ").filter(Boolean)])),
};

export const allClauses: readonly string[] = [...new Set(Object.values(clausesOf).flat())].sort();
