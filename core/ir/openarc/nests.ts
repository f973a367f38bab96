/**
 * OpenARC's nests of loops of one level, and `acc barrier` inside loops of workers or lanes (OpenACC-e):
 *
 *     loop gang     for (by ...)              loop gang nest(2)  for (by ...) for (bx ...)
 *       loop gang     for (bx ...)              threads size(H * W) {
 *         loop worker   for (ty ...)      =>      int t = the thread's number;
 *           loop worker   for (tx ...)            int ty = t / W, tx = t % W;
 *             { ... barrier ... }                 ... barrier ...
 *                                               }
 *
 * The innermost loop runs fastest over gangs and over workers, as OpenARC's dimension x does. Loops with a barrier have one
 * worker for each iteration, whose number has to be a constant; those without are one nest.
 */
import { entryOf } from "../../checked/access.ts";
import { evaluateInteger, mapChildren, withBody } from "../../lang/index.ts";
import type { ExtStmt, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { binary, call, compound, declare, freshSymbol, ident, intLit } from "../../lang/tree/build.ts";
import { INT, isScalar } from "../../lang/tree/types.ts";
import { usesOf } from "../analysis/access.ts";
import { ownCopies } from "../analysis/own-copies.ts";
import { unusedName } from "../analysis/unused-name.ts";
import { threadNumber } from "../model/device-routines.ts";
import {
  asNode,
  extStmt,
  type Level,
  type Loop,
  type LoopHeader,
  type Spmd,
  type Threads,
} from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import { findNode, nodesIn } from "../model/nodes.ts";
import type { Program } from "../model/program.ts";

/** The group size that every device supports, leaving room for its variables. */
const mostThreads = 1024n;

export function readNests(program: Program): Program {
  const inFunction = (s: Stmt): Stmt => {
    const task = asNode(s, "task");
    if (!task || s.kind !== "ext") return mapChildren(s, inFunction);
    const own = usesOf(task.body).declared;
    return mapChildren(s, (child) => withLaneRequest(inRegion(child, [], own), child));
  };
  const externals = program.unit.externals.map((e) =>
    e.kind === "function" ? withBody(e, inFunction(e.body)) : e,
  );
  return { ...program, unit: { ...program.unit, externals } };
}

/** A region whose loops became threads requests as many lanes. */
function withLaneRequest(s: Stmt, before: Stmt): Stmt {
  const spmd = asNode(s, "spmd");
  if (!spmd || s === before || spmd.numUnits || spmd.numLanes) return s;
  const sizes = [...nodesIn(spmd.body, "threads")].map((t) =>
    Number(t.size ? (evaluateInteger(t.size) ?? 0n) : 0n),
  );
  if (sizes.length === 0) return s;
  const ext: Spmd = { ...spmd, numLanes: intLit(Math.max(...sizes)) };
  return extStmt(ext, s.span);
}

/** `own`: variables that the region declares. */
function inRegion(s: Stmt, around: readonly Level[], own: ReadonlySet<Symbol>): Stmt {
  const loop = asNode(s, "loop");
  if (!loop || s.kind !== "ext") return mapChildren(s, (child) => inRegion(child, around, own));
  const nest = oneNest(loop);
  const free = around.every((level) => level === "gang");
  const rewritten = (free && threadsOf(nest, own)) || (nest === loop ? s : ({ ...s, ext: nest } as ExtStmt));
  return mapChildren(rewritten, (child) => inRegion(child, [...around, ...nest.parallel.levels], own));
}

// ---------------------------------------------------------------- one nest

/**
 * Merges the loop with the loops of the same single level that make up its body. If one factor of a size is missing,
 * the size is unknown.
 */
function oneNest(loop: Loop): Loop {
  const inner = only(loop.body);
  const next = inner && asNode(inner, "loop");
  if (!next || !sameLevel(loop, next) || !isRectangular(loop, next)) return loop;
  const { gangs, workers, lanes: _, ...rest } = loop.parallel;
  const all = next.parallel;
  return oneNest({
    ...loop,
    headers: [...loop.headers, ...next.headers],
    parallel: {
      ...rest,
      ...(gangs && all.gangs && { gangs: binary("*", gangs, all.gangs) }),
      ...(workers && all.workers && { workers: binary("*", workers, all.workers) }),
    },
    privates: [...new Set([...loop.privates, ...next.privates])],
    reductions: [
      ...loop.reductions,
      ...next.reductions.filter((r) => !loop.reductions.some((o) => o.sym === r.sym)),
    ],
    body: next.body,
  });
}

function sameLevel(outer: Loop, inner: Loop): boolean {
  const [level, ...more] = outer.parallel.levels;
  const [same, ...others] = inner.parallel.levels;
  return (
    level !== undefined &&
    level !== "vector" &&
    level === same &&
    more.length === 0 &&
    others.length === 0 &&
    !outer.parallel.tile &&
    !inner.parallel.tile &&
    !outer.parallel.dimension &&
    !inner.parallel.dimension
  );
}

function isRectangular(outer: Loop, inner: Loop): boolean {
  const counters = new Set(outer.headers.map((h) => h.var));
  const uses = inner.headers.flatMap(({ lower, bound, step }) => [lower, bound, step]);
  return uses.every((e) => [...usesOf(e).of.keys()].every((sym) => !counters.has(sym)));
}

/** The only statement of a block. */
function only(s: Stmt): Stmt | undefined {
  if (s.kind !== "compound") return s;
  const [first, ...more] = s.body.filter((c) => !(c.kind === "expr" && !c.expr));
  return first && more.length === 0 ? only(first) : undefined;
}

// ---------------------------------------------------------------- barriers

function threadsOf(loop: Loop, own: ReadonlySet<Symbol>): Stmt | undefined {
  const { levels, tile } = loop.parallel;
  const [level, ...more] = levels;
  const isShared = (level === "worker" || level === "vector") && more.length === 0 && !tile;
  if (!isShared || loop.reductions.length > 0 || !findNode(loop.body, "sync", (n) => n.name === "barrier"))
    return undefined;
  const counts = loop.headers.map(tripCount);
  const size = counts.reduce<bigint>((product, n) => product * (n ?? 0n), 1n);
  if (size < 1n || size > mostThreads) return undefined;
  const outside = [...usesOf(loop.body).of].flatMap(([sym, use]) =>
    use.written && isScalar(sym.type) && !own.has(sym) && sym.scope !== "file" ? [sym] : [],
  );
  const counters = loop.headers.map((h) => h.var);
  const copied = new Set([...counters, ...loop.privates, ...outside]);
  const { own: copies, body } = ownCopies(copied, loop.body);
  const number = freshSymbol(unusedName("thread", body), INT);
  let below = size;
  const begins = loop.headers.map((h, i) => {
    const count = counts[i] as bigint;
    below /= count;
    const at = binary("%", binary("/", ident(number), intLit(below)), intLit(count));
    return declare(entryOf(copies, h.var), binary("+", h.lower, binary("*", at, h.step)));
  });
  const others = [...copied].filter((sym) => !counters.includes(sym));
  const threads = node<Threads>({
    kind: "threads",
    size: intLit(size),
    site: loop.site,
    body: compound(
      [
        declare(number, call(ident(threadNumber), [])),
        ...begins,
        ...others.map((sym) =>
          declare(entryOf(copies, sym), loop.privates.includes(sym) ? undefined : ident(sym)),
        ),
        body,
      ],
      loop.body.span,
    ),
  });
  return extStmt(threads, loop.body.span);
}

function tripCount({ lower, bound, step, relation }: LoopHeader): bigint | undefined {
  const [first, last, by] = [lower, bound, step].map(evaluateInteger);
  if (first === undefined || last === undefined || by === undefined || by <= 0n) return undefined;
  const end = relation === "<" ? last : relation === "<=" ? last + 1n : undefined;
  return end === undefined || end <= first ? undefined : (end - first + by - 1n) / by;
}
