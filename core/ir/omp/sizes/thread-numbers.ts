/** How many threads teams have whose loops can tell them apart. */
import { evaluateInteger, mapStmt } from "../../../lang/index.ts";
import type { Expr, Stmt } from "../../../lang/tree/ast.ts";
import { binary, cond, intLit } from "../../../lang/tree/build.ts";
import { tellsThreads } from "../../analysis/loops/thread-numbers.ts";
import { clause, type Directive, exprOf } from "../../directives/directive.ts";
import { asNode, type Loop, type Spmd } from "../../model/ir.ts";
import { hasNode, nodesIn } from "../../model/nodes.ts";

const constant = (e: Expr | undefined): bigint | undefined => e && evaluateInteger(e);

/** The most threads of a team that a directive allows. */
export function threadsAllowed(d: Directive): Expr | undefined {
  const [asked, limit] = ["num_threads", "thread_limit"].map((name) => exprOf(clause(d, name)));
  if (!asked || !limit) return asked ?? limit;
  const [a, b] = [constant(asked), constant(limit)];
  if (a !== undefined && b !== undefined) return a < b ? asked : limit;
  return cond(binary("<", asked, limit), asked, limit);
}

/**
 * A region whose loops tell their threads apart, with no more threads in a team than the program allows: the smallest
 * number that it names, and one if it computes a number, since teams have as many as was known when they were compiled.
 */
export function withThreadsAllowed(region: Spmd): Spmd {
  const { body, numUnits } = region;
  if (hasNode(body, "threads")) return region;
  const asked = sizesAsked(region);
  if (asked.length === 0 || (asked.length === 1 && constant(asked[0]) !== undefined)) return region;
  if (!tellsThreads(body)) return region;
  const known = asked.map(constant).filter((size) => size !== undefined);
  const least = computesSizes(region) ? 1n : known.reduce((a, b) => (b < a ? b : a));
  return { ...region, numLanes: intLit(Number(least)), ...(numUnits && { numUnits: intLit(1) }) };
}

/** Whether the program computes one of the numbers of threads that it names. */
export const computesSizes = (region: Spmd): boolean =>
  sizesAsked(region).some((size) => constant(size) === undefined);

function sizesAsked({ body, numUnits, numLanes }: Spmd): readonly Expr[] {
  const named = [...nodesIn(body, "loop")].flatMap(({ parallel }: Loop) => [
    parallel.workers,
    parallel.lanes,
  ]);
  return [numUnits, numLanes, ...named].filter((size) => size !== undefined);
}

/** Loops that a construct's threads share, with the number of threads that it asks for. */
export const withSizeOfLoops = (body: Stmt, size: Expr): Stmt =>
  mapStmt(body, {
    stmt(s) {
      const loop = asNode(s, "loop");
      if (!loop || s.kind !== "ext" || loop.parallel.workers || loop.parallel.lanes) return s;
      if (!/\b(for|loop|sections)\b/.test(loop.site.what)) return s;
      const { levels } = loop.parallel;
      const own = levels.includes("worker")
        ? { workers: size }
        : levels.includes("vector")
          ? { lanes: size }
          : {};
      const ext: Loop = { ...loop, parallel: { ...loop.parallel, ...own } };
      return { ...s, ext };
    },
  });
