/**
 * Algorithms 2 to 4 of CCAMP: to which levels the parallelism of a construct's loops is mapped on CPUs, on GPUs and in
 * OpenACC. The result replaces the levels in directives; their data clauses stay.
 */
import { usesOf } from "../../ir/analysis/access.ts";
import type { Level, Loop } from "../../ir/model/ir.ts";
import type { Pragma, Stmt } from "../../lang/tree/ast.ts";
import { type Facts, type LoopFacts, spmd } from "../sites/facts.ts";
import type { Site } from "../sites/site.ts";
import { type Marked, marked } from "./marks.ts";
import type { Strategy } from "./profiles.ts";

/** An inner loop with few iterations is not worth a nested parallel region (CCAMP, section 4.4.3, 314.omriq). */
const fewTrips = 32n;

/** On a CPU, so many iterations are enough for its threads: more loops are not collapsed, and stay plain for vectors. */
const enoughForThreads = 64n;

interface Decided {
  readonly levels: readonly Level[];
  /** Number of loops collapsed into this one, including itself. */
  readonly collapse: number;
  readonly independence: "independent" | "seq";
}

export function remapped(
  facts: Facts,
  sites: readonly Site[],
  isConstruct: (site: Site) => boolean,
  strategy: Strategy,
): Facts {
  if (strategy === "literal") return facts;
  const loops = new Map<Pragma, LoopFacts>();
  const bare = new Map<Pragma, LoopFacts[]>();
  const mapped = new Set<Pragma>();
  const collapsed = new Map<Stmt["span"], number>();
  for (const construct of sites.filter(isConstruct)) {
    const roots = marked(construct, sites, facts);
    const { pragma } = construct.directive;
    const [task, ...others] = facts.tasks(pragma);
    const [root, ...more] = roots;
    // Left unchanged: a construct that is not one nest or that is serial, and a nest whose outermost loop is sequential.
    if (!task || others.length > 0 || spmd(task).serial || !root || more.length > 0) continue;
    if (!root.parallel || !isAll(construct.stmt, root.stmt) || hasCopies(construct)) continue;
    const found: LoopFacts[] = [];
    const decided = planOf[strategy](root);
    place(root, decided, new Set(), (one, { levels, collapse, independence }, around) => {
      const loop: Loop = { ...one.loop, parallel: { levels, independence } };
      collapsed.set(one.stmt.span, collapse);
      const facts: LoopFacts = { loop, task, around };
      if (one.site) loops.set(one.site.directive.pragma, facts);
      else if (levels.length > 0 || strategy === "acc")
        found.push({ ...facts, loop: { ...loop, site: { ...loop.site, stmt: one.stmt } } });
    });
    mapped.add(pragma);
    for (const s of sites) if (s.around.includes(construct)) mapped.add(s.directive.pragma);
    bare.set(pragma, found);
  }
  return {
    tasks: facts.tasks,
    declared: facts.declared,
    shared: facts.shared,
    loop: (pragma) => loops.get(pragma) ?? facts.loop(pragma),
    bare: (pragma) => bare.get(pragma) ?? facts.bare(pragma),
    collapse: (stmt) => collapsed.get(stmt.span),
    mapped: (pragma) => mapped.has(pragma),
  };
}

/** Whether the loop is the construct's whole statement. */
function isAll(s: Stmt | undefined, loop: Stmt): boolean {
  if (s?.kind === "compound") return s.body.length === 1 && isAll(s.body[0], loop);
  return s?.span === loop.span;
}

/** Variables private to gangs: results may depend on the distribution of iterations. */
const hasCopies = ({ directive: d, stmt }: Site): boolean =>
  stmt?.kind !== "for" && d.clauses.some((c) => c.name === "private" || c.name === "firstprivate");

type Plan = ReadonlyMap<Marked, Decided>;
const inOrder: Decided = { levels: [], collapse: 1, independence: "seq" };

function place(
  one: Marked,
  plan: Plan,
  around: ReadonlySet<Level>,
  put: (one: Marked, decided: Decided, around: ReadonlySet<Level>) => void,
): void {
  const decided = plan.get(one) ?? inOrder;
  put(one, decided, around);
  const within = new Set([...around, ...decided.levels]);
  for (const inner of one.inner) place(inner, plan, within, put);
}

/** The loop and the parallel loops tightly nested in it that may be collapsed; `stays`: given the loops so far. */
function chain(from: Marked, stays: (one: Marked, outer: readonly Marked[]) => boolean): readonly Marked[] {
  const list = [from];
  for (let last = from; ; ) {
    const [next, ...more] = last.inner;
    if (!next || more.length > 0 || !next.tight || !next.parallel || next.reduces || stays(next, list))
      return list;
    if (!isRectangular(next, list)) return list;
    list.push(next);
    last = next;
  }
}

/** The loop's bounds do not depend on the loops that it is collapsed with. */
function isRectangular({ header }: Marked, outer: readonly Marked[]): boolean {
  const used = usesOf(header.lower, header.bound, header.step).of;
  return outer.every((one) => !used.has(one.header.var));
}

const leaves = (one: Marked): readonly Marked[] =>
  one.inner.length === 0 ? [one] : one.inner.flatMap(leaves);

/** Loops fit for vectors become `simd` first; the outermost loop is distributed, with more of its nest if it is short. */
function forCpu(root: Marked): Plan {
  const simd = leaves(root).filter((one) => one.straight);
  const nest = chain(root, (one, outer) => simd.includes(one) || areEnough(outer));
  const inside = simd.some((one) => one !== root && !nest.includes(one));
  const levels: readonly Level[] = simd.includes(root)
    ? ["gang", "worker", "vector"]
    : inside
      ? ["gang", "worker"]
      : ["gang", "vector"];
  return new Map<Marked, Decided>([
    [root, { levels, collapse: nest.length, independence: "independent" }],
    ...simd
      .filter((one) => one !== root && !nest.includes(one))
      .map((one): [Marked, Decided] => [
        one,
        { levels: ["vector"], collapse: 1, independence: "independent" },
      ]),
  ]);
}

function areEnough(loops: readonly Marked[]): boolean {
  let product = 1n;
  for (const { trips } of loops) {
    if (trips === undefined) return true;
    product *= trips;
  }
  return product >= enoughForThreads;
}

/** The outermost nest is collapsed. Its iterations are lanes if they hold loops, which run in order. */
function forGcc(root: Marked): Plan {
  const nest = chain(root, () => false);
  const holdsLoop = nest.at(-1)?.hasLoop === true;
  const levels: readonly Level[] = holdsLoop ? ["gang", "worker", "vector"] : ["gang", "vector"];
  return new Map<Marked, Decided>([[root, { levels, collapse: nest.length, independence: "independent" }]]);
}

/** As many threads as possible: collapses, then teams outside and threads inside; no simd. */
function forGpu(root: Marked): Plan {
  const nest = chain(root, () => false);
  const next = (nest.at(-1)?.inner ?? []).filter(
    (one) => one.parallel && !one.reduces && (one.trips === undefined || one.trips >= fewTrips),
  );
  const plan = new Map<Marked, Decided>();
  const [outer]: readonly (readonly Level[])[] = next.length > 0 ? [["gang"]] : [["gang", "vector"]];
  plan.set(root, { levels: outer ?? [], collapse: nest.length, independence: "independent" });
  for (const one of next)
    plan.set(one, {
      levels: ["vector"],
      collapse: chain(one, () => false).length,
      independence: "independent",
    });
  return plan;
}

/** One innermost `vector` loop where it pays, `independent` and collapse outside, `seq` for all others. */
function forAcc(root: Marked): Plan {
  const vectors = leaves(root).filter((one) => one !== root && one.vectorFriendly && one.parallel);
  const nest = chain(root, (one) => vectors.includes(one));
  return new Map<Marked, Decided>([
    [root, { levels: [], collapse: nest.length, independence: "independent" }],
    ...vectors
      .filter((one) => !nest.includes(one))
      .map((one): [Marked, Decided] => [
        one,
        { levels: ["vector"], collapse: 1, independence: "independent" },
      ]),
  ]);
}

const planOf: Readonly<Record<Exclude<Strategy, "literal">, (root: Marked) => Plan>> = {
  "omp-cpu": forCpu,
  "omp-gpu": forGpu,
  "omp-gcc": forGcc,
  acc: forAcc,
};
