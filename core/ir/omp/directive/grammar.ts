/**
 * The grammar of OpenMP's device directives as data: which there are, the constructs that a combined one is made
 * of, which clauses each takes, what a clause's argument looks like (OpenMP 5.0, chapter 2; what 4.5, 5.1 and 5.2
 * spell otherwise where noted).
 */
import type { Extent } from "../../directives/directive.ts";
import { type ShuffleWay, shuffleWays } from "../../model/ir.ts";
import { newestOf } from "./newest.ts";

/** The form of a clause's argument. */
type Argument =
  | "none"
  | "expr" // (e)
  | "expr?" // optional
  | "strict" // ([strict :] e)
  | "limits" // ([lower :] upper)
  | "condition" // ([construct :] e)
  | "device" // ([device_num | ancestor :] e)
  | "vars" // (list of variables or sections)
  | "motion" // ([present :] list)
  | "map" // ([modifiers] [type :] list)
  | "last" // ([conditional :] list)
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
  absent: { argument: "tokens", repeats: true },
  acq_rel: { argument: "none" },
  acquire: { argument: "none" },
  affinity: { argument: "tokens", repeats: true },
  aligned: { argument: "linear", repeats: true },
  align: { argument: "tokens" },
  allocate: { argument: "tokens", repeats: true },
  allocator: { argument: "tokens" },
  at: word("compilation", "execution"),
  atomic_default_mem_order: word("relaxed", "seq_cst", "acq_rel"),
  bind: word("teams", "parallel", "thread"),
  capture: { argument: "none" },
  collapse: { argument: "expr" },
  compare: { argument: "none" },
  copyprivate: vars,
  contains: { argument: "tokens", repeats: true },
  default: word("shared", "none", "firstprivate", "private"),
  defaultmap: { argument: "defaultmap", repeats: true },
  depend: { argument: "tokens", repeats: true },
  device: { argument: "device" },
  device_type: word("any", "host", "nohost"),
  dist_schedule: { argument: "schedule" },
  doacross: { argument: "tokens", repeats: true },
  dynamic_allocators: { argument: "none" },
  /** 5.2's name of `to` on declare target. */
  enter: vars,
  exclusive: vars,
  fail: word("relaxed", "acquire", "seq_cst"),
  final: { argument: "condition" },
  firstprivate: vars,
  full: { argument: "none" },
  grainsize: { argument: "tokens" },
  graph_id: { argument: "tokens" },
  graph_reset: { argument: "tokens" },
  has_device_addr: vars,
  holds: { argument: "tokens", repeats: true },
  in_reduction: { argument: "reduction", repeats: true },
  inclusive: vars,
  indirect: { argument: "expr?" },
  filter: { argument: "expr" },
  from: { argument: "motion", repeats: true },
  hint: { argument: "expr" },
  if: { argument: "condition", repeats: true },
  is_device_ptr: vars,
  lastprivate: { argument: "last", repeats: true },
  linear: { argument: "linear", repeats: true },
  link: vars,
  map: { argument: "map", repeats: true },
  /** OpenMP 6.0; `all` would be for the host's threads too. */
  memscope: word("cgroup", "device"),
  mergeable: { argument: "none" },
  message: { argument: "tokens" },
  no_openmp: { argument: "none" },
  no_openmp_constructs: { argument: "none" },
  no_openmp_routines: { argument: "none" },
  no_parallelism: { argument: "none" },
  nogroup: { argument: "none" },
  nontemporal: vars,
  nowait: { argument: "expr?" },
  num_tasks: { argument: "tokens" },
  num_teams: { argument: "limits" },
  num_threads: { argument: "strict" },
  order: { argument: "tokens" },
  ordered: { argument: "expr?" },
  partial: { argument: "expr?" },
  priority: { argument: "tokens" },
  private: vars,
  proc_bind: { argument: "tokens" },
  read: { argument: "none" },
  reduction: { argument: "reduction", repeats: true },
  relaxed: { argument: "none" },
  /** OpenMP 6.0, as `threadset` and `transparent`. */
  replayable: { argument: "expr?" },
  release: { argument: "none" },
  reverse_offload: { argument: "none" },
  safelen: { argument: "expr" },
  schedule: { argument: "schedule" },
  seq_cst: { argument: "none" },
  severity: word("fatal", "warning"),
  shared: vars,
  /** The REX compiler's clause, for the directive of that name: threads may read each other's copies. */
  shuffle: vars,
  simd: { argument: "none" },
  simdlen: { argument: "expr" },
  self_maps: { argument: "none" },
  sizes: { argument: "tokens" },
  task_reduction: { argument: "reduction", repeats: true },
  thread_limit: { argument: "expr" },
  threadset: { argument: "tokens" },
  threads: { argument: "none" },
  to: { argument: "motion", repeats: true },
  transparent: { argument: "expr?" },
  unified_address: { argument: "none" },
  unified_shared_memory: { argument: "none" },
  untied: { argument: "none" },
  update: { argument: "none" },
  use_device_addr: vars,
  use_device_ptr: vars,
  uses_allocators: { argument: "tokens", repeats: true },
  weak: { argument: "none" },
  write: { argument: "none" },
};

interface RefusedClause {
  readonly section: string;
  readonly remedy: string;
}

/** Of loop transformations. */
export const refusedApply: RefusedClause = {
  section: "OpenMP 6.0, section 11.1",
  remedy: "write the loops that the directive makes, with directives of their own",
};

/** Clauses that arc knows but does not support, and what to write instead. */
export const refusedClauses: Readonly<Record<string, RefusedClause>> = {
  apply: refusedApply,
  copyin: { section: "OpenMP 5.2, section 5.7.1", remedy: "pass the value in a variable of the region" },
  detach: { section: "OpenMP 5.2, section 12.5.2", remedy: "let the task end when its statement does" },
};

/** The constructs that combined directives are made of. */
const leaves = ["target", "teams", "distribute", "parallel", "for", "simd", "loop"] as const;
type Leaf = (typeof leaves)[number];

const leafClauses: Readonly<Record<Leaf, string>> = {
  target:
    "if map private firstprivate defaultmap device is_device_ptr nowait depend thread_limit has_device_addr in_reduction uses_allocators allocate priority replayable",
  teams: "if num_teams thread_limit default private firstprivate shared reduction allocate",
  distribute: "private firstprivate lastprivate collapse dist_schedule order allocate",
  parallel: "if num_threads default private firstprivate shared reduction proc_bind copyin allocate",
  for: "private firstprivate lastprivate linear reduction schedule collapse nowait order ordered allocate",
  simd: "if safelen simdlen linear aligned nontemporal private lastprivate reduction collapse order",
  loop: "bind collapse order private lastprivate reduction",
};

export interface DirectiveRule {
  readonly extent: Extent;
  readonly clauses: readonly string[];
  /** Outermost first. */
  readonly leaves: readonly Leaf[];
  /** What OpenMP 6.0 gives to it beyond those. */
  readonly newest: readonly string[];
  /** A list directly after the name: `declare target(f)`. */
  readonly list?: true;
  /** After the name, `(mask, lane, target [operator], variable)`. */
  readonly exchange?: ShuffleWay;
}

/** Directives composed of leaf constructs. */
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
  // The end of the region synchronises anyway, and a loop that has the team to itself ends with a barrier.
  const parallelFor = of.includes("parallel") && !of.includes("target");
  const last = of.at(-1);
  const loop = last !== "target" && last !== "teams" && last !== "parallel";
  const shuffles = !loop && last !== "target" ? ["shuffle"] : [];
  const allowed = [...new Set([...named, ...shuffles])].filter((c) => c !== "nowait" || !parallelFor);
  return {
    extent: loop ? "loop" : "block",
    clauses: allowed,
    leaves: of,
    newest: newestOf(of).filter((c) => !allowed.includes(c)),
  };
}

const other = (
  extent: Extent,
  names: string,
  list?: true,
  newest: readonly string[] = [],
): DirectiveRule => ({
  extent,
  clauses: names === "" ? [] : names.split(" "),
  leaves: [],
  newest,
  ...(list && { list }),
});

/** `parallel` combined with a construct for its threads. */
const threadsAnd = (extent: Extent, names: string, by: readonly string[] = []): DirectiveRule => ({
  extent,
  clauses: [...new Set([...leafClauses.parallel.split(" "), ...names.split(" ").filter(Boolean)])],
  leaves: ["parallel"],
  newest: newestOf(["parallel", ...by]),
});

const ofTasks = "replayable threadset transparent";

const ofTaskloop =
  "if shared private firstprivate lastprivate reduction in_reduction default grainsize num_tasks collapse final priority untied mergeable nogroup allocate";

/** `taskloop` and what may stand before it. */
function taskloops(): readonly (readonly [string, DirectiveRule])[] {
  return ["taskloop", "taskloop simd"].flatMap((name) => {
    const simd = name === "taskloop" ? "" : ` ${leafClauses.simd}`;
    const own = `${ofTaskloop} ${ofTasks}${simd}`;
    const newest = newestOf(["taskloop"]);
    return [
      [name, other("loop", own, undefined, newest)] as const,
      ...["master", "masked"].flatMap((by) => {
        const all = by === "masked" ? `filter ${own}` : own;
        return [
          [`${by} ${name}`, other("loop", all, undefined, newest)] as const,
          [
            `parallel ${by} ${name}`,
            threadsAnd("block", all.replace(" in_reduction", ""), ["taskloop"]),
          ] as const,
        ];
      }),
    ];
  });
}

export const directives: Readonly<Record<string, DirectiveRule>> = {
  ...Object.fromEntries(combined.map((name) => [name, combine(name)])),
  "target data": other(
    "block",
    "if device map use_device_ptr use_device_addr",
    undefined,
    newestOf(["data"]),
  ),
  "target enter data": other("standalone", "if device map depend nowait priority replayable"),
  "target exit data": other("standalone", "if device map depend nowait priority replayable"),
  "target update": other("standalone", "if device to from depend nowait priority replayable"),
  barrier: other("standalone", ""),
  ...Object.fromEntries(
    shuffleWays.map((way) => [`shuffle ${way}`, { ...other("standalone", ""), exchange: way }]),
  ),
  single: other("block", "private firstprivate nowait copyprivate allocate"),
  master: other("block", ""),
  masked: other("block", "filter"),
  "parallel master": threadsAnd("block", ""),
  "parallel masked": threadsAnd("block", "filter"),
  scope: other("block", "private firstprivate reduction nowait allocate"),
  sections: other("block", "private firstprivate lastprivate reduction nowait allocate"),
  section: other("block", ""),
  "parallel sections": threadsAnd("block", "lastprivate"),
  critical: other("block", "hint", true),
  flush: other("standalone", "seq_cst acq_rel acquire release memscope", true),
  ordered: other("block", "threads simd depend doacross"),
  scan: other("standalone", "inclusive exclusive", undefined, newestOf(["scan"])),
  task: other(
    "block",
    "if final untied default mergeable private firstprivate shared in_reduction depend priority allocate affinity detach replayable threadset transparent",
  ),
  ...Object.fromEntries(taskloops()),
  taskgroup: other("block", "task_reduction allocate"),
  taskgraph: other("block", "graph_id graph_reset if nogroup"),
  taskwait: other("standalone", "depend nowait replayable"),
  taskyield: other("standalone", ""),
  ...Object.fromEntries(
    ["parallel", "for", "sections", "taskgroup"].flatMap((construct) => [
      [`cancel ${construct}`, other("standalone", "if")],
      [`cancellation point ${construct}`, other("standalone", "")],
    ]),
  ),
  nothing: other("standalone", "", undefined, newestOf(["nothing"])),
  assume: other(
    "block",
    "absent contains holds no_openmp no_openmp_constructs no_openmp_routines no_parallelism",
  ),
  error: other("standalone", "at severity message"),
  allocate: other("standalone", "allocator align", true),
  tile: other("loop", "sizes apply"),
  unroll: other("loop", "full partial apply"),
  requires: other(
    "declarative",
    "atomic_default_mem_order dynamic_allocators reverse_offload unified_address unified_shared_memory self_maps",
  ),
  atomic: other(
    "atomic",
    "read write update capture hint relaxed seq_cst acq_rel acquire release compare fail weak memscope",
  ),
  "declare target": other("declarative", "to enter link device_type indirect", true),
  "begin declare target": other("declarative", "device_type indirect"),
  "end declare target": other("declarative", ""),
  groupprivate: other("declarative", "device_type", true),
  "declare variant": other("declarative", "match adjust_args append_args", true),
};

/** Directives that arc cannot support inside a region, and what to write instead. */
export const refusedDirectives: Readonly<Record<string, string>> = {
  "begin declare variant": "write it between functions",
  "end declare variant": "write it between functions",
  "begin metadirective": "write 'end metadirective' in the same block, behind the statements that it is for",
  "end metadirective": "write 'begin metadirective' in the same block, before the statements that it is for",
  depobj: "remove it: constructs run one after the other",
  dispatch: "call the function itself",
  interop: "write it outside of the region, and pass what it tells",
  threadprivate: "declare the variable inside the region",
  workshare: "write `parallel for`",
};
