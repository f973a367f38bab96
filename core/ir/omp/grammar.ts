/**
 * The grammar of OpenMP's device directives as data: which there are, the constructs that a combined one is made
 * of, which clauses each takes, what a clause's argument looks like (OpenMP 5.0, chapter 2; what 4.5, 5.1 and 5.2
 * spell otherwise where noted).
 */
import type { Extent } from "../directives/directive.ts";

/** What stands in a clause's parentheses. */
export type Argument =
  | "none"
  | "expr" // (e)
  | "expr?" // optional
  | "limits" // ([lower :] upper)
  | "condition" // ([construct :] e)
  | "device" // ([device_num | ancestor :] e)
  | "vars" // (list of variables or sections)
  | "motion" // ([present :] list)
  | "map" // ([modifiers] [type :] list)
  | "reduction" // ([modifier ,] op : list)
  | "linear" // (list [: step])
  | "schedule" // ([modifiers :] kind [, chunk])
  | "defaultmap" // (behaviour [: category])
  | "word" // (one of `words`)
  | "tokens"; // anything: the clause has no effect

interface ClauseRule {
  readonly argument: Argument;
  readonly repeats?: true;
  readonly words?: readonly string[];
}

const vars: ClauseRule = { argument: "vars", repeats: true };
const word = (...words: readonly string[]): ClauseRule => ({ argument: "word", words });

export const clauses: Readonly<Record<string, ClauseRule>> = {
  aligned: { argument: "linear", repeats: true },
  bind: word("teams", "parallel", "thread"),
  capture: { argument: "none" },
  collapse: { argument: "expr" },
  default: word("shared", "none"),
  defaultmap: { argument: "defaultmap", repeats: true },
  depend: { argument: "tokens", repeats: true },
  device: { argument: "device" },
  device_type: word("any", "host", "nohost"),
  dist_schedule: { argument: "schedule" },
  /** 5.2's name of `to` on declare target. */
  enter: vars,
  firstprivate: vars,
  filter: { argument: "expr" },
  from: { argument: "motion", repeats: true },
  hint: { argument: "expr" },
  if: { argument: "condition", repeats: true },
  is_device_ptr: vars,
  lastprivate: vars,
  linear: { argument: "linear", repeats: true },
  link: vars,
  map: { argument: "map", repeats: true },
  nontemporal: vars,
  nowait: { argument: "none" },
  num_teams: { argument: "limits" },
  num_threads: { argument: "expr" },
  order: { argument: "tokens" },
  private: vars,
  proc_bind: { argument: "tokens" },
  read: { argument: "none" },
  reduction: { argument: "reduction", repeats: true },
  relaxed: { argument: "none" },
  safelen: { argument: "expr" },
  schedule: { argument: "schedule" },
  shared: vars,
  simdlen: { argument: "expr" },
  thread_limit: { argument: "expr" },
  to: { argument: "motion", repeats: true },
  update: { argument: "none" },
  use_device_addr: vars,
  use_device_ptr: vars,
  write: { argument: "none" },
};

/** Clauses that arc knows and does not honour, and what to write instead. */
export const refusedClauses: Readonly<Record<string, string>> = {
  acq_rel: "remove it: updates are indivisible, and other memory is synchronised at the region's end",
  acquire: "remove it: reads are indivisible, and other memory is synchronised at the region's end",
  allocate: "remove it: private variables stand in registers or in the memory of their team",
  copyprivate: "write the value into a variable of the team",
  compare: "write a `min` or `max` reduction, or the update as `x = x op e`",
  copyin: "pass the value in a variable of the region",
  fail: "remove it",
  has_device_addr: "map the variable, or pass a pointer in is_device_ptr",
  in_reduction: "name the variable in a reduction clause of the construct",
  inclusive: "compute the prefix sum in steps, each a loop of its own",
  exclusive: "compute the prefix sum in steps, each a loop of its own",
  indirect: "call the function by name",
  ordered: "remove it, or leave the loop without a directive so that it runs in order",
  release: "remove it: writes are indivisible, and other memory is synchronised at the region's end",
  seq_cst: "remove it: updates are indivisible, and other memory is synchronised at the region's end",
  task_reduction: "name the variable in a reduction clause of the construct",
  uses_allocators: "remove it: private variables stand in registers or in the memory of their team",
  weak: "remove it",
};

/** The constructs that combined directives are made of. */
export const leaves = ["target", "teams", "distribute", "parallel", "for", "simd", "loop"] as const;
export type Leaf = (typeof leaves)[number];

const leafClauses: Readonly<Record<Leaf, string>> = {
  target:
    "if map private firstprivate defaultmap device is_device_ptr nowait depend thread_limit has_device_addr in_reduction uses_allocators allocate",
  teams: "num_teams thread_limit default private firstprivate shared reduction allocate",
  distribute: "private firstprivate lastprivate collapse dist_schedule order allocate",
  parallel: "if num_threads default private firstprivate shared reduction proc_bind copyin allocate",
  for: "private firstprivate lastprivate linear reduction schedule collapse nowait order ordered allocate",
  simd: "if safelen simdlen linear aligned nontemporal private lastprivate reduction collapse order",
  loop: "bind collapse order private lastprivate reduction",
};

export interface DirectiveRule {
  readonly extent: Extent;
  readonly clauses: readonly string[];
  /** In order, outermost first. */
  readonly leaves: readonly Leaf[];
  /** A list directly after the name: `declare target(f)`. */
  readonly list?: true;
}

/** Directives that are made of leaves. */
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
  "for",
  "for simd",
  "simd",
  "loop",
];

function combine(name: string): DirectiveRule {
  const of = name.split(" ") as Leaf[];
  const named = of.flatMap((leaf) => leafClauses[leaf].split(" "));
  // The region's end is waited for, and a team's barrier stands at the end of each loop that it has alone.
  const parallelFor = of.includes("parallel") && !of.includes("target");
  const allowed = [...new Set(named)].filter((clause) => clause !== "nowait" || !parallelFor);
  const last = of.at(-1);
  const loop = last !== "target" && last !== "teams" && last !== "parallel";
  return { extent: loop ? "loop" : "block", clauses: allowed, leaves: of };
}

const other = (extent: Extent, names: string, list?: true): DirectiveRule => ({
  extent,
  clauses: names === "" ? [] : names.split(" "),
  leaves: [],
  ...(list && { list }),
});

export const directives: Readonly<Record<string, DirectiveRule>> = {
  ...Object.fromEntries(combined.map((name) => [name, combine(name)])),
  "target data": other("block", "if device map use_device_ptr use_device_addr"),
  "target enter data": other("standalone", "if device map depend nowait"),
  "target exit data": other("standalone", "if device map depend nowait"),
  "target update": other("standalone", "if device to from depend nowait"),
  barrier: other("standalone", ""),
  single: other("block", "private firstprivate nowait copyprivate allocate"),
  master: other("block", ""),
  masked: other("block", "filter"),
  atomic: other(
    "atomic",
    "read write update capture hint relaxed seq_cst acq_rel acquire release compare fail weak",
  ),
  "declare target": other("declarative", "to enter link device_type indirect", true),
  "begin declare target": other("declarative", "device_type indirect"),
  "end declare target": other("declarative", ""),
  "declare variant": other("declarative", "match adjust_args append_args", true),
};

/** Directives that arc has no way to honour inside a region, and what to write instead. */
export const refusedDirectives: Readonly<Record<string, string>> = {
  "begin declare variant":
    "give each variant a name of its own, and write 'declare variant' before the base function",
  "end declare variant":
    "give each variant a name of its own, and write 'declare variant' before the base function",
  cancel: "leave the rest of the body under a condition",
  "cancellation point": "remove it",
  critical: "use `#pragma omp atomic` for one update, a reduction for many",
  "declare mapper": "map the members in the clauses of the constructs",
  depobj: "remove it: constructs run one after the other",
  dispatch: "call the function itself",
  error: "remove it",
  flush: "end the region: that is where memory becomes visible",
  interop: "use is_device_ptr and use_device_ptr",
  requires: "map what regions use",
  ordered: "leave the loop without a directive so that it runs in order",
  "parallel masked": "write the code outside of loops: one thread runs it there",
  "parallel master": "write the code outside of loops: one thread runs it there",
  "parallel sections": "write a loop over the sections with a switch in it, or the sections in order",
  scan: "compute the prefix sum in steps, each a loop of its own",
  scope: "write the loops of the block with `parallel for` each",
  section: "write a loop over the sections with a switch in it, or the sections in order",
  sections: "write a loop over the sections with a switch in it, or the sections in order",
  task: "write the tasks as iterations of a loop",
  taskgroup: "write the tasks as iterations of a loop",
  taskloop: "write `parallel for`",
  taskwait: "write the tasks as iterations of a loop",
  taskyield: "remove it",
  threadprivate: "declare the variable inside the region",
  tile: "write collapse, or the tiled loops themselves",
  unroll: "write `#pragma unroll` before the loop",
  workshare: "write `parallel for`",
};
