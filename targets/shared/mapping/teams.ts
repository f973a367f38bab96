/**
 * Loops shared by teams: each iteration of an outer loop goes to a team of lanes, which share the reductions
 * inside the iteration.
 *
 *     for (i = 0; i < n; i++) {            a team for each i: its lanes
 *       double s = 0;                        every lane has its own s
 *       for (j = 0; j < m; j++)              lanes take every n-th j (n lanes), then combine their sums
 *         s += a[i * m + j] * x[j];
 *       y[i] = s;                            one lane stores
 *       for (j = 0; j < m; j++)              lanes share later independent iterations
 *         b[i * m + j] /= s;
 *     }
 *
 * Lanes of a team are adjacent if the inner loop accesses contiguous memory; if the outer loop does, adjacent lanes
 * take different iterations of it.
 */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { liveAfter } from "../../../core/ir/analysis/liveness.ts";
import { isVolatile, pureReads } from "../../../core/ir/analysis/purity.ts";
import { dependence } from "../../../core/ir/dependence/dependence.ts";
import { routineCalled } from "../../../core/ir/model/device-routines.ts";
import { asNode, type Loop, type LoopHeader, type Reduction, type Spmd } from "../../../core/ir/model/ir.ts";
import {
  canonical,
  evaluateInteger,
  findStatement,
  isScalar,
  sizeOf,
  walkStmt,
} from "../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { compound } from "../../../core/lang/tree/build.ts";
import { containsAtomic, escapes, flat } from "../device/control.ts";
import { distinct } from "./accumulators.ts";
import { countedLoop } from "./counted-loops.ts";
import { hasPartition } from "./partition.ts";
import { type ScanLoop, scanLoop, withOneDeclaration } from "./scans.ts";
import { trafficOf } from "./strides.ts";

/** An inner loop that a team's lanes share. */
export interface SharedReduction {
  readonly header: LoopHeader;
  readonly body: Stmt;
  readonly privates: readonly Symbol[];
  readonly reductions: readonly Reduction[];
  /** Set if iterations also read the running result. */
  readonly scan?: ScanLoop;
  /** Code that all lanes run before it. */
  readonly before: readonly Stmt[];
}

export interface Behind {
  readonly stmt: Stmt;
  readonly by: "one" | "all";
}

export type Spread = Pick<SharedReduction, "header" | "body" | "privates">;

export interface TeamLoop {
  readonly loop: Loop;
  readonly header: LoopHeader;
  readonly shared: readonly SharedReduction[];
  /** Code after the last of them, for one lane or for every lane. */
  readonly behind: readonly Behind[];
  /** A final independent loop that lanes share. */
  readonly spread?: Spread;
  /** Pointers that must not point to the same memory. */
  readonly pairs: readonly (readonly [Symbol, Symbol])[];
  /** inner: lanes of a team take neighbouring iterations of the inner loop; outer: neighbouring teams those of the outer. */
  readonly along: "inner" | "outer";
}

/** Shorter inner loops are not worth it. */
const FEWEST = 8;
/** Lanes along the inner loop must reduce memory traffic to this fraction. */
const WORTH = 0.6;

/** The loop that makes up a region, if teams may and should share it. `isArgument`: a variable from outside. */
export function teamLoop(
  spmd: Spmd,
  given: Loop,
  isArgument: (sym: Symbol) => boolean,
  isBuffer: (sym: Symbol) => boolean,
): TeamLoop | undefined {
  const loop = withPlainLoops(given);
  const { parallel, headers, reductions } = loop;
  const [header] = headers;
  const sized = spmd.numTeams || spmd.numUnits || spmd.numLanes;
  const open = parallel.free && parallel.levels.includes("gang") && !parallel.lanes && !parallel.workers;
  if (!open || sized || parallel.tile || headers.length !== 1 || !header || reductions.length > 0)
    return undefined;
  if (escapes(loop.body) || hasPartition(loop.body) || asksItsPlace(loop.body)) return undefined;
  const split = splitBody(loop, isArgument, isBuffer);
  if (!split) return undefined;
  const traffic = trafficOf(
    header,
    loop.body,
    [...split.shared, ...(split.spread ? [split.spread] : [])].map((s) => s.header),
  );
  if (!traffic) return undefined;
  const along = traffic.inner < WORTH * traffic.outer ? "inner" : "outer";
  if (along === "outer" && traffic.outer >= traffic.inner) return undefined;
  if (along === "outer" && split.shared.some((s) => s.scan)) return undefined;
  return { loop, header, ...split, pairs: split.shared.flatMap((s) => s.scan?.pairs ?? []), along };
}

/** Moves further declarations in loop headers of the body before the loop. */
function withPlainLoops(loop: Loop): Loop {
  const stmts = flat(loop.body).flatMap((s) => {
    const { loop: plain, before } = withOneDeclaration(s);
    return before.length > 0 ? [...before, plain] : [s];
  });
  return stmts.length > flat(loop.body).length ? { ...loop, body: compound(stmts, loop.body.span) } : loop;
}

/** OpenMP's routines return a thread's number, which teams would change. */
export function asksItsPlace(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    expr(e) {
      found ||= routineCalled(e) !== undefined;
    },
  });
  return found;
}

function splitBody(
  loop: Loop,
  isArgument: (sym: Symbol) => boolean,
  isBuffer: (sym: Symbol) => boolean,
): Pick<TeamLoop, "shared" | "behind" | "spread"> | undefined {
  const stmts = flat(loop.body);
  const own = (sym: Symbol) => !isArgument(sym) && isScalar(sym.type) && sym.storage !== "static";
  const found = stmts.map((s) => reductionLoop(loop, s, own) ?? scanOf(loop, s, own, isBuffer));
  const last = found.findLastIndex((f) => f !== undefined);
  if (last < 0) return undefined;
  const shared: SharedReduction[] = [];
  let before: Stmt[] = [];
  for (const [k, s] of stmts.slice(0, last + 1).entries()) {
    const inner = found[k];
    if (inner) {
      shared.push({ ...inner, before: [...before, ...(inner.scan?.before ?? [])] });
      before = [];
    } else if (repeatable(s, own)) before.push(s);
    else return undefined;
  }
  const rest = restOf(loop, stmts.slice(last + 1), own);
  const long = shared.some(({ header }) => (tripsKnown(header) ?? FEWEST) >= FEWEST);
  return rest && long ? { shared, ...rest } : undefined;
}

/** Later loops would leave all lanes but one idle, unless it is a single one whose iterations lanes can share. */
function restOf(
  loop: Loop,
  stmts: readonly Stmt[],
  own: (sym: Symbol) => boolean,
): Pick<TeamLoop, "behind" | "spread"> | undefined {
  if (!stmts.some((s) => hasLoop(s))) return { behind: stmts.map((stmt) => ({ stmt, by: "one" })) };
  const end = stmts.at(-1) as Stmt;
  const first = stmts.slice(0, -1);
  const spread = independentLoop(loop, end, own);
  if (!spread || first.some((s) => hasLoop(s))) return undefined;
  const behind = first.map((stmt): Behind => ({ stmt, by: repeatable(stmt, own) ? "all" : "one" }));
  const late = behind.some(
    ({ stmt, by }, k) =>
      by === "one" &&
      [...behind.slice(k + 1).map((b) => b.stmt), end].some((later) => !mayRunBeside(stmt, later)),
  );
  return late ? undefined : { behind, spread };
}

/** Other lanes may execute `later` while one executes `s`: neither depends on or disturbs the other. */
function mayRunBeside(s: Stmt, later: Stmt): boolean {
  const [mine, theirs] = [usesOf(s), usesOf(later)];
  if (mine.indirectCall || theirs.indirectCall) return false;
  if (![...mine.calls.keys(), ...theirs.calls.keys()].every((f) => pureReads(f))) return false;
  if ([...mine.declared].some((sym) => theirs.of.has(sym))) return false;
  for (const [sym, a] of mine.of)
    for (const [other, b] of theirs.of) {
      const changed = a.written || a.addressTaken || b.written || b.addressTaken;
      if (sym === other && changed) return false;
      if (!a.elementsWritten && !b.elementsWritten) continue;
      const reached = (a.elementsRead || a.elementsWritten) && (b.elementsRead || b.elementsWritten);
      if (reached && (sym === other || !distinct(sym, other))) return false;
    }
  return true;
}

export function tripsKnown({ lower, bound }: LoopHeader): number | undefined {
  const [from, to] = [evaluateInteger(lower), evaluateInteger(bound)];
  return from === undefined || to === undefined ? undefined : Number(to > from ? to - from : from - to);
}

export function hasLoop(s: Stmt): boolean {
  let found = false;
  walkStmt(s, {
    stmt(child) {
      found ||= ["for", "while", "do"].includes(child.kind) || asNode(child, "loop") !== undefined;
    },
  });
  return found;
}

/** Every lane may execute it: it only computes variables of the iteration. */
function repeatable(s: Stmt, own: (sym: Symbol) => boolean): boolean {
  if (hasLoop(s) || containsAtomic(s) || s.kind === "ext") return false;
  if (s.kind === "decl") {
    const plain = s.decls.every(
      ({ sym, init }) =>
        sym.kind === "var" &&
        isScalar(sym.type) &&
        !isVolatile(sym.type) &&
        !["static", "extern"].includes(sym.storage) &&
        (!init || init.kind === "expr"),
    );
    if (!plain || s.defines.length > 0) return false;
  }
  return changesOnly(s, own);
}

function changesOnly(s: Stmt, own: (sym: Symbol) => boolean): boolean {
  const uses = usesOf(s);
  if (uses.indirectCall || ![...uses.calls.keys()].every((f) => pureReads(f))) return false;
  for (const [sym, use] of uses.of) {
    if (isVolatile(sym.type)) return false;
    if (uses.declared.has(sym) && sym.storage !== "static") continue;
    if (use.elementsWritten || use.addressTaken || (use.written && !own(sym))) return false;
  }
  return true;
}

function holdsDirective(s: Stmt): boolean {
  return findStatement(s, (inner) => inner.kind === "ext") !== undefined;
}

/** A loop whose iterations any lane may run. */
function independentLoop(outer: Loop, s: Stmt, own: (sym: Symbol) => boolean): Spread | undefined {
  const inner = countedLoop(s);
  const [header] = inner?.headers ?? [];
  if (!inner || !header || inner.headers.length !== 1 || inner.reductions.length > 0) return undefined;
  if (escapes(inner.body, true) || holdsDirective(inner.body)) return undefined;
  const behind = (sym: Symbol) => isArgumentLike(sym, own) || liveAfter(outer.body, s, sym);
  if (!header.declares && s.kind === "for" && behind(header.var)) return undefined;
  const proof = dependence(inner, { liveAfter: behind });
  if (!proof.independent || proof.reductions.length > 0) return undefined;
  return { header, body: inner.body, privates: [...inner.privates, ...proof.privates] };
}

type Inner = Omit<SharedReduction, "before">;

/** A loop that reduces into variables of the enclosing iteration, and changes nothing else. */
function reductionLoop(outer: Loop, s: Stmt, own: (sym: Symbol) => boolean): Inner | undefined {
  const inner = countedLoop(s);
  const [header] = inner?.headers ?? [];
  if (!inner || !header || inner.headers.length !== 1) return undefined;
  if (escapes(inner.body, true) || containsAtomic(inner.body) || !changesOnly(inner.body, own))
    return undefined;
  const behind = (sym: Symbol) => isArgumentLike(sym, own) || liveAfter(outer.body, s, sym);
  if (!header.declares && s.kind === "for" && behind(header.var)) return undefined;
  const proof = dependence(inner, { liveAfter: behind });
  if (!proof.independent) return undefined;
  const reductions = [...inner.reductions, ...proof.reductions];
  const summed = reductions.every(({ sym }) => own(sym) && combinable(sym));
  if (reductions.length === 0 || !summed) return undefined;
  return { header, body: inner.body, privates: [...inner.privates, ...proof.privates], reductions };
}

/** A loop with scans in variables of the enclosing iteration. */
function scanOf(
  outer: Loop,
  s: Stmt,
  own: (sym: Symbol) => boolean,
  isBuffer: (sym: Symbol) => boolean,
): Inner | undefined {
  const scan = scanLoop(s, {
    liveAfter: (sym) => isArgumentLike(sym, own) || liveAfter(outer.body, s, sym),
    asks: (a, b) => isBuffer(a) && isBuffer(b),
  });
  if (!scan || "why" in scan || !scan.scans.every(({ sym }) => own(sym))) return undefined;
  const { header, body, privates } = scan;
  const reductions = scan.scans.map(({ op, sym }) => ({ op, sym, loc: scan.loc }));
  return { header, body, privates, reductions, scan };
}

const isArgumentLike = (sym: Symbol, own: (sym: Symbol) => boolean) => !own(sym);

/** Values that lanes can exchange. */
function combinable({ type }: Symbol): boolean {
  const { kind } = canonical(type);
  const size = sizeOf(type);
  return (kind === "int" || kind === "float") && (size === 4 || size === 8);
}
