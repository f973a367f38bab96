/**
 * `schedule(static, n)` and `schedule(dynamic, n)`: one thread runs the n iterations of a chunk in order, so that they may
 * need each other's results. Unless they certainly do not, threads share a loop over the chunks:
 *
 *     schedule(static, 4)                        for (long i_tile = 0; i_tile < n; i_tile += 4)
 *     for (int i = 0; i < n; i++) BODY    =>       for (int i = i_tile; i < (i_tile + 4 < n ? i_tile + 4 : n); i++) BODY
 *
 * `dist_schedule` says the same of a team with one thread. A program that asks for the number of its thread sees which one
 * runs a chunk: threads take the iterations of the loop over chunks in turn, as the standard has it.
 */
import { evaluateInteger, substitute } from "../../../lang/index.ts";
import type { ForStmt, Stmt } from "../../../lang/tree/ast.ts";
import { declare, freshSymbol, ident, stripBlocks } from "../../../lang/tree/build.ts";
import { definedFirst } from "../../analysis/liveness.ts";
import { countedHeader } from "../../analysis/loops/counted.ts";
import { asksItsNumber } from "../../analysis/loops/thread-numbers.ts";
import { dependence } from "../../dependence/dependence.ts";
import { clause, type Directive, site } from "../../directives/directive.ts";
import type { Loop, LoopHeader } from "../../model/ir.ts";
import { node } from "../../model/node-shapes.ts";
import { ruleOf } from "../directive/parse.ts";
import { chunks, tripsOf } from "../sizes/strips.ts";

/** Iterations that one thread runs in order, where it is more than one; undefined if the order is open besides. */
export function chunkOf(d: Directive): number | undefined {
  const { leaves } = ruleOf(d);
  const c = clause(d, leaves.includes("for") ? "schedule" : "dist_schedule");
  const [size] = c?.exprs ?? [];
  if (!c || !size || size === "*" || !["static", "dynamic"].includes(c.names[0] ?? "")) return undefined;
  if (!leaves.includes("for") && leaves.includes("parallel")) return undefined;
  if (!mayHaveChunks(d)) return undefined;
  const count = Number(evaluateInteger(size) ?? 0n);
  return count > 1 ? count : undefined;
}

/** Lanes run iterations in lock step, and some clauses count the iterations of the loop as it is. */
export function mayHaveChunks(d: Directive): boolean {
  if (ruleOf(d).leaves.includes("simd") || ["ordered", "linear"].some((name) => clause(d, name)))
    return false;
  if (d.clauses.some(({ modifiers }) => modifiers.includes("inscan"))) return false;
  const depth = clause(d, "collapse")?.exprs[0];
  return !depth || depth === "*" || evaluateInteger(depth) === 1n;
}

/** Whether a loop whose schedule says which thread runs an iteration asks for the number of its thread. */
export const asksUnderStatic = (d: Directive, body: Stmt): boolean =>
  clause(d, "schedule")?.names[0] === "static" && asksItsNumber(body);

/**
 * Whether the program sees which thread of the one team runs an iteration: `static` says which (OpenMP 5.2, section
 * 11.5.3). Of several teams, each has a part of the loop.
 */
export const showsThreads = (d: Directive, body: Stmt): boolean =>
  !ruleOf(d).leaves.includes("distribute") && asksUnderStatic(d, body);

/** The iterations of each thread where `static` has no chunks, one block each, if the numbers are known. */
export function blockOf(d: Directive, body: Stmt): number | undefined {
  if (!showsThreads(d, body) || clause(d, "schedule")?.exprs.length) return undefined;
  if (!ruleOf(d).leaves.includes("parallel") || !mayHaveChunks(d)) return undefined;
  const [asked, ...others] = [clause(d, "num_threads"), clause(d, "thread_limit")].flatMap((c) => c ?? []);
  const threads = asked?.exprs[0] && asked.exprs[0] !== "*" ? evaluateInteger(asked.exprs[0]) : undefined;
  const trips = tripsOf(stripBlocks(body));
  if (others.length > 0 || threads === undefined || threads < 1n || trips === undefined) return undefined;
  return Math.ceil(trips / Number(threads));
}

/** The loop over chunks; undefined: not of this loop. */
export function inChunks(d: Directive, body: Stmt, size: number): Stmt | undefined {
  const only = stripBlocks(body);
  if (only.kind !== "for") return undefined;
  const header = countedHeader(only);
  if ("severity" in header) return undefined;
  const last = d.clauses.some((c) => c.name === "lastprivate" && c.vars.some((v) => v.sym === header.var));
  return last ? undefined : chunks(header.declares ? only : declaring(only, header), size);
}

/** Whether iterations certainly need nothing of each other, so that any order will do. */
export function areIndependent(d: Directive, body: Stmt): boolean {
  const only = stripBlocks(body);
  const header = only.kind === "for" ? countedHeader(only) : undefined;
  if (only.kind !== "for" || !header || "severity" in header) return false;
  const copied = d.clauses.flatMap((c) => (hasCopies.has(c.name) ? c.vars.map((v) => v.sym) : []));
  const reduced = d.clauses.flatMap((c) => (c.name === "reduction" ? c.vars.map((v) => v.sym) : []));
  const loop: Loop = node({
    kind: "loop",
    headers: [header],
    parallel: { levels: [], independence: "auto" },
    // A thread's copy hands its value on to the next iteration, unless that sets it first.
    privates: [...reduced, ...copied.filter((sym) => definedFirst(only.body, sym))],
    reductions: [],
    body: only.body,
    site: site(d, only),
  });
  return dependence(loop).independent;
}

const hasCopies = new Set(["private", "firstprivate", "lastprivate"]);

/** The loop with a variable of its own: that of the program is private to it, and has no value behind it. */
export function declaring(loop: ForStmt, header: LoopHeader): ForStmt {
  const own = freshSymbol(header.var.name, header.var.type);
  const named = new Map([[header.var, ident(own)]]);
  const renamed = substitute(loop, named);
  return renamed.kind === "for" ? { ...renamed, init: declare(own, header.lower) } : loop;
}
