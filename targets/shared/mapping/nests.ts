/**
 * Nests whose lanes access contiguous memory: perfectly nested loops become one nest. Its last loop, which lanes
 * follow, is the one whose neighbouring iterations access neighbouring elements.
 *
 *     shared out: for (i = 0; i < n; i++)            shared out, lanes along j: for (i...) for (j...)
 *       for (j = 0; j < m; j++)               =>       a[i][j] = 2 * b[i][j];
 *         a[i][j] = 2 * b[i][j];
 */
import { itemAt } from "../../../core/checked/access.ts";
import { rootOf, usesOf } from "../../../core/ir/analysis/access.ts";
import { liveAfter } from "../../../core/ir/analysis/liveness.ts";
import { dependence } from "../../../core/ir/dependence/dependence.ts";
import { asNode, type Loop, type LoopHeader, type Spmd } from "../../../core/ir/model/ir.ts";
import { evaluateInteger, printExpr } from "../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { containsAtomic, escapes, escapesLoop, flat } from "../device/control.ts";
import { type Arguments, distinct } from "./accumulators.ts";
import { soleLoop } from "./counted-loops.ts";
import { leavesOpen } from "./open-levels.ts";
import { hasPartition } from "./partition.ts";
import { memoryAccesses, trafficAlong } from "./strides.ts";

export interface Nest {
  readonly loop: Loop;
  /** The loop that lanes now follow. */
  readonly last: LoopHeader;
  /** Pointers that must not point to the same memory. */
  readonly pairs: readonly (readonly [Symbol, Symbol])[];
}

/** Another order must reduce memory traffic to this fraction. */
const WORTH = 0.6;

/** The loop that makes up a region as a better nest, if there is one. */
export function betterNest(spmd: Spmd, loop: Loop, args: Arguments): Nest | undefined {
  const { headers, reductions, body } = loop;
  if (!leavesOpen(spmd, loop) || reductions.length > 0 || escapes(body)) return undefined;
  return headers.length > 1 ? reordered(loop) : merged(loop, args);
}

function reordered(loop: Loop): Nest | undefined {
  const { headers, body } = loop;
  if (hasPartition(body) || !areFixed(headers, body)) return undefined;
  const costs = headers.map((h) => trafficAlong(headers, body, h.var));
  const least = Math.min(...costs.map((c) => c ?? Infinity));
  const best = headers[costs.indexOf(least)];
  const now = costs.at(-1);
  if (!best || now === undefined || !(least < WORTH * now)) return undefined;
  return { loop: { ...loop, headers: [...headers.filter((h) => h !== best), best] }, last: best, pairs: [] };
}

/** The loop that makes up a region and its inner loop as one nest in the same order, if allowed. */
export function plainNest(loop: Loop, args: Arguments): Nest | undefined {
  const { parallel, headers, reductions, body } = loop;
  const open = parallel.free && parallel.levels.includes("gang") && reductions.length === 0;
  return open && headers.length === 1 && !escapes(body) ? merged(loop, args, "as written") : undefined;
}

function merged(loop: Loop, args: Arguments, order: "as written" | "better" = "better"): Nest | undefined {
  const [outer] = loop.headers;
  const [only] = flat(loop.body);
  const inner = soleLoop(loop.body);
  const [header] = inner?.headers ?? [];
  if (!outer || !only || !inner || !header || inner.headers.length > 1 || inner.reductions.length > 0)
    return undefined;
  if (!header.declares && args.isArgument(header.var)) return undefined;
  if (escapesLoop(inner.body) || containsAtomic(inner.body) || hasPartition(inner.body)) return undefined;
  if (!areFixed([outer, header], inner.body)) return undefined;
  const [along, across] = [header, outer].map((h) => trafficAlong([outer, header], inner.body, h.var));
  if (along === undefined || across === undefined) return undefined;
  // A plain loop runs in one lane; a directive's loop already has lanes of its own.
  const shared = asNode(only, "loop") !== undefined && inner.parallel.independence === "independent";
  const swapped = shared && order === "better" && across < WORTH * along;
  if (order === "better" && !shared && !(along < WORTH * across)) return undefined;
  if (order === "better" && shared && !swapped && isLongStream(header, inner.body)) return undefined;
  const headers = swapped ? [header, outer] : [outer, header];
  const proof = shared ? { privates: inner.privates, pairs: [] } : proved(loop, inner, only, args);
  if (!proof) return undefined;
  return {
    loop: {
      ...loop,
      headers,
      // The inner loop's variable may be private in the outer loop; it is now a variable of the nest itself.
      privates: [...new Set([...loop.privates, ...proof.privates])].filter(
        (sym) => !headers.some((h) => h.var === sym),
      ),
      parallel: { ...loop.parallel, levels: ["gang", "vector"] },
      body: inner.body,
    },
    last: itemAt(headers, 1),
    pairs: proof.pairs,
  };
}

/** Iterations of a row for which a team's accesses of 16 bytes make up for what its lanes say to each other. */
const LONG = 1024;

/**
 * Whether a loop of many iterations accesses one element of each array, so that rows have nothing in common (an update of
 * 8192 x 8192 floats on an H200 takes 0.03 ms less by teams than as one nest).
 */
function isLongStream(header: LoopHeader, body: Stmt): boolean {
  const [from, to] = [header.lower, header.bound].map((e) => evaluateInteger(e));
  if (from === undefined || to === undefined || (to > from ? to - from : from - to) < LONG) return false;
  const elements = (memoryAccesses([header], body) ?? []).map((r) => r.expr);
  const arrays = new Set(elements.map((e) => rootOf(e)?.sym));
  return new Set(elements.map((e) => printExpr(e))).size === arrays.size;
}

/** Proves the iterations of a plain loop independent, and lists the pointers that must differ for that. */
export function proved(
  outer: Loop,
  inner: Loop,
  at: Stmt,
  args: Arguments,
): { readonly privates: readonly Symbol[]; readonly pairs: Nest["pairs"] } | undefined {
  const pairs = new Map<string, readonly [Symbol, Symbol]>();
  const proof = dependence(inner, {
    liveAfter: (sym) => args.isArgument(sym) || liveAfter(outer.body, at, sym),
    distinct(a, b) {
      if (distinct(a, b)) return true;
      if (!args.isBuffer(a) || !args.isBuffer(b)) return false;
      const pair = a.id < b.id ? ([a, b] as const) : ([b, a] as const);
      pairs.set(pair.map((p) => p.id).join(" "), pair);
      return true;
    },
  });
  if (!proof.independent || proof.reductions.length > 0) return undefined;
  return { privates: proof.privates, pairs: [...pairs.values()] };
}

/** Whether bounds and steps are invariant. */
export function areFixed(headers: readonly LoopHeader[], body: Stmt): boolean {
  const changed = usesOf(body);
  const counters = new Set(headers.map((h) => h.var));
  return headers.every(({ lower, bound, step }) =>
    [...usesOf(lower, bound, step).of].every(([sym, use]) => {
      const there = changed.of.get(sym);
      return (
        !counters.has(sym) &&
        !use.elementsRead &&
        !changed.declared.has(sym) &&
        !there?.written &&
        !there?.addressTaken
      );
    }),
  );
}

/** What a remark adds where the launch checks pointers. */
export function unless(pairs: Nest["pairs"]): string {
  const pointers = pairs.map(([a, b]) => `'${a.name}' and '${b.name}'`).join(", ");
  return pairs.length > 0 ? `, unless the launch finds that ${pointers} overlap` : "";
}
