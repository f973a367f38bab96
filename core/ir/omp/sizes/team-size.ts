/**
 * The number of threads of a region's blocks. Teams of a kernel have one size. If a block requests another number, or
 * one computed at run time, and contains no barrier, the existing threads take turns to run it for all requested thread
 * numbers:
 *
 *     parallel num_threads(n)      =>      { int asked = n;
 *       BODY                                 threads for (int id = own number; id < asked; id += number of threads)
 *                                              BODY with asked threads, as thread id }
 *
 * A limit of the whole region that is computed at run time is the size of its teams, which the launch gives, if their
 * threads meet at barriers and share nothing out.
 */
import { evaluateInteger, INT, mapChildren, mapStmt, walkStmt } from "../../../lang/index.ts";
import type { Expr, Span, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  assign,
  binary,
  call,
  compound,
  declare,
  forStmt,
  freshSymbol,
  ident,
  intLit,
} from "../../../lang/tree/build.ts";
import { usesOf } from "../../analysis/access.ts";
import type { Reading } from "../../directives/read-state.ts";
import { routineCalled, threadCount, threadNumber } from "../../model/device-routines.ts";
import { asNode, extStmt, type Loop, type Threads } from "../../model/ir.ts";
import { findNode, hasNode, meetingIn, nodesIn } from "../../model/nodes.ts";

const ofLoop = /\b(for|loop|simd)$/;

const constant = (e: Expr | undefined): bigint | undefined => e && evaluateInteger(e);

/**
 * The block with a given number of threads; undefined if the number is not constant and the threads must meet at a
 * barrier.
 */
export function ofSize(block: Threads, size: Expr, span: Span): Stmt | undefined {
  return constant(size) === undefined ? inTurns(block, size, span) : extStmt(block, span);
}

function inTurns({ size: _, ...block }: Threads, requested: Expr, span: Span): Stmt | undefined {
  const meets = meetingIn(block.body);
  const shares = findNode(block.body, "loop", (loop: Loop) => loop.parallel.levels.length > 0);
  if (meets || shares || callsAsk(block.body)) return undefined;
  const count = freshSymbol("arc_asked", INT);
  const id = freshSymbol("arc_id", INT);
  const body = withNumbers(block.body, {
    thread: (at) => ident(id, at),
    threads: (at) => ident(count, at),
  });
  const rounds = forStmt(
    declare(id, call(ident(threadNumber), [])),
    binary("<", ident(id), ident(count)),
    assign(ident(id), call(ident(threadCount), []), "+="),
    body,
  );
  return compound([declare(count, requested), extStmt({ ...block, body: rounds }, span)], span);
}

/** Code that asks for the number of its thread, and of all, with these instead. */
export const withNumbers = (
  code: Stmt,
  { thread, threads }: { readonly thread: (at: Span) => Expr; readonly threads: (at: Span) => Expr },
): Stmt =>
  mapStmt(code, {
    expr(e) {
      const routine = routineCalled(e);
      if (routine === "omp_get_thread_num") return thread(e.span);
      return routine === "omp_get_num_threads" ? threads(e.span) : e;
    },
  });

/** Whether a called function queries the number of the calling thread. */
export function callsAsk(code: Stmt, seen = new Set<Symbol>()): boolean {
  return [...usesOf(code).calls.keys()].some((sym) => {
    if (!sym.definition || seen.has(sym)) return false;
    seen.add(sym);
    let queries = false;
    walkStmt(sym.definition.body, {
      expr(e) {
        queries ||= routineCalled(e) !== undefined;
      },
    });
    return queries || callsAsk(sym.definition.body, seen);
  });
}

/** The number of threads of a region's blocks: the largest that they request, or the limit. */
export function requestedThreads(body: Stmt, limit: Expr | undefined): Expr | undefined {
  const [first, ...others] = [...nodesIn(body, "threads")].flatMap((b) => (b.size ? [b.size] : []));
  if (!first) return limit;
  return others.reduce((a, b) => ((constant(b) ?? 0n) > (constant(a) ?? 0n) ? b : a), first);
}

/** Whether a block can do with a number of threads that is not known before the launch. */
function isOpen({ body, size }: Threads): boolean {
  const shares = findNode(
    body,
    "loop",
    (loop: Loop) => loop.parallel.levels.length > 0 || loop.reductions.length > 0,
  );
  return size === undefined && !shares && !hasNode(body, "shuffle");
}

/** Runs all blocks with the same number of threads. */
export function withThreads(reading: Reading, s: Stmt, size: Expr): Stmt {
  const block = asNode(s, "threads");
  if (!block || s.kind !== "ext") return mapChildren(s, (child) => withThreads(reading, child, size));
  const ext: Threads = { ...block, size };
  // A loop uses whatever threads there are.
  if (ofLoop.test(block.site.what)) return constant(size) === undefined ? s : { ...s, ext };
  const [own, most] = [constant(block.size), constant(size)];
  if (most !== undefined && (own === undefined || own === most)) return { ...s, ext };
  const rounds = inTurns(block, most === undefined ? size : intLit(own ?? most), s.span);
  if (!rounds && most === undefined && isOpen(block))
    return { ...s, ext: { ...block, atLaunch: true } as Threads };
  if (rounds) return most === undefined ? rounds : withThreads(reading, rounds, size);
  const [why, remedy] =
    most === undefined
      ? [
          "the number of this construct's threads follows from a thread_limit that is not a constant, and they share a loop or values",
          "write num_threads with a constant",
        ]
      : [
          "the 'parallel' constructs of this region ask for different numbers of threads, and these meet at a barrier or share a loop",
          "ask for the largest number everywhere, and let the threads beyond the number that is needed do nothing",
        ];
  reading.report("parallel-block", block.site.loc, why, remedy);
  return s;
}
