/**
 * The parts of an iteration that a team of lanes runs (mapping/teams.ts): loops that the lanes share, and code between
 * them, which every lane runs if it only computes the lane's own variables, and one lane otherwise.
 */

import { firstOf, itemAt } from "../../../core/checked/access.ts";
import { type Uses, usesOf } from "../../../core/ir/analysis/access.ts";
import { hasLoop } from "../../../core/ir/analysis/control.ts";
import { liveAfter } from "../../../core/ir/analysis/liveness.ts";
import { isVolatile, pureReads } from "../../../core/ir/analysis/purity.ts";
import { dependence } from "../../../core/ir/dependence/dependence.ts";
import { asNode, type Loop, type LoopHeader, type Reduction } from "../../../core/ir/model/ir.ts";
import { withoutLevels } from "../../../core/ir/normalise/levels.ts";
import { canonical, findStatement, isPointer, isScalar, sizeOf } from "../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { containsAtomic, escapesLoop, flat } from "../device/control.ts";
import { distinct } from "./accumulators.ts";
import { countedLoop, tripsKnown } from "./counted-loops.ts";
import type { Position } from "./positions.ts";
import { type ScanLoop, scanLoop } from "./scans.ts";

/** An inner loop that a team's lanes share. */
export interface SharedLoop {
  readonly is: "loop";
  readonly header: LoopHeader;
  readonly body: Stmt;
  readonly privates: readonly Symbol[];
  /** Variables of the enclosing iteration that it combines; none: its iterations are independent. */
  readonly reductions: readonly Reduction[];
  /** Set if iterations also read the running result. */
  readonly scan?: ScanLoop;
  /** Set if it looks for a value and its place. */
  readonly position?: Position;
}

interface SharedCode {
  readonly is: "code";
  readonly stmt: Stmt;
  readonly by: "one" | "all";
}

export type Step = (SharedLoop | SharedCode) & {
  /** Lanes wait for each other before it: it meets memory that other lanes may have accessed. */
  readonly fence: boolean;
};

export const sharedLoops = (steps: readonly Step[]): readonly SharedLoop[] =>
  steps.filter((s) => s.is === "loop");

/** Shorter inner loops are not worth it. */
const FEWEST = 8;

/** The first loop that is long enough to share. */
export const leadingLoop = (steps: readonly Step[]): SharedLoop =>
  sharedLoops(steps).find(isLong) ?? firstOf(sharedLoops(steps));

const isLong = ({ header }: SharedLoop): boolean => (tripsKnown(header) ?? FEWEST) >= FEWEST;

/** Independent iterations of a directive's loop have lanes of the group already. */
const gains = ({ reductions }: SharedLoop, s: Stmt): boolean =>
  reductions.length > 0 || !asNode(s, "loop")?.parallel.levels.length;

type Reach = (sym: Symbol) => boolean;

/** Variables of an iteration. */
export const ownOf =
  (isArgument: Reach): Reach =>
  (sym) =>
    !isArgument(sym) && isScalar(sym.type) && sym.storage !== "static";

/** The steps of an iteration of `loop`; undefined: teams cannot share it. */
export function stepsOf(
  loop: Loop,
  isArgument: Reach,
  isBuffer: Reach,
  positions: ReadonlyMap<Stmt, Position>,
): readonly Step[] | undefined {
  const stmts = flat(loop.body);
  const own = ownOf(isArgument);
  const loops = stmts.map((s) => {
    const position = positions.get(s);
    if (position) return { is: "loop", ...position, position } as const;
    return sharedLoop(loop, s, own, isArgument) ?? scanOf(loop, s, own, isBuffer);
  });
  const last = loops.findLastIndex((found) => found !== undefined);
  if (!loops.some((found, k) => found && isLong(found) && gains(found, itemAt(stmts, k)))) return undefined;
  const parts: (SharedLoop | SharedCode)[] = [];
  for (const [k, stmt] of stmts.entries()) {
    const shared = loops[k];
    if (shared) {
      const before = shared.scan?.before ?? [];
      // A lane runs whole iterations: loops inside are not divided again.
      const whole = { ...shared, body: withoutLevels(shared.body) };
      parts.push(...before.map((s) => ({ is: "code", stmt: s, by: "all" }) as const), whole);
    } else if (hasLoop(stmt)) return undefined;
    else if (k > last) parts.push({ is: "code", stmt, by: "one" });
    else if (repeatable(stmt, own)) parts.push({ is: "code", stmt, by: "all" });
    else if (leavesVariables(stmt, stmts.slice(k + 1))) parts.push({ is: "code", stmt, by: "one" });
    else return undefined;
  }
  return withFences(parts);
}

/** One lane may execute `s`: no later code reads variables that it changes. */
function leavesVariables(s: Stmt, later: readonly Stmt[]): boolean {
  const [mine, theirs] = [usesOf(s), usesOf(...later)];
  if (s.kind === "decl" || !callsArePure(mine)) return false;
  if ([...mine.declared].some((sym) => theirs.of.has(sym))) return false;
  return [...mine.of].every(([sym, use]) => !(use.written || use.addressTaken) || !theirs.of.has(sym));
}

const callsArePure = ({ indirectCall, calls }: Uses): boolean =>
  !indirectCall && [...calls.keys()].every((f) => pureReads(f));

/** A fence goes in front of each part that meets memory of a part since the last fence. */
function withFences(parts: readonly (SharedLoop | SharedCode)[]): Step[] {
  let open: Uses[] = [];
  return parts.map((part): Step => {
    const uses = part.is === "loop" ? usesOf(part.body, ...boundsOf(part.header)) : usesOf(part.stmt);
    const fence = open.some((earlier) => meet(earlier, uses));
    if (fence) open = [];
    // All lanes have done what they reduce before any lane goes on.
    const done = part.is === "loop" && part.reductions.length > 0 && !part.scan && !storesElements(uses);
    if (!done) open.push(uses);
    return { ...part, fence };
  });
}

const boundsOf = ({ lower, bound, step }: LoopHeader) => [lower, bound, step];

const storesElements = ({ of }: Uses): boolean => [...of.values()].some((use) => use.elementsWritten);

/** Whether one may store what the other accesses. Calls may access anything. */
function meet(a: Uses, b: Uses): boolean {
  const reaches = (uses: Uses) => [...uses.of.values()].some((u) => u.elementsRead || u.elementsWritten);
  if (!callsArePure(a) || !callsArePure(b)) return true;
  const reads = [...a.calls.keys(), ...b.calls.keys()].some(
    (f) => pureReads(f)?.pointees || pureReads(f)?.globals.size,
  );
  if (reads && (storesElements(a) || storesElements(b))) return reaches(a) || reaches(b);
  for (const [sym, x] of a.of)
    for (const [other, y] of b.of) {
      if (!x.elementsWritten && !y.elementsWritten) continue;
      const both = (x.elementsRead || x.elementsWritten) && (y.elementsRead || y.elementsWritten);
      if (both && (sym === other || !distinct(sym, other))) return true;
    }
  return false;
}

/** Every lane may execute it: it only computes variables of the iteration. */
function repeatable(s: Stmt, own: Reach): boolean {
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

function changesOnly(s: Stmt, own: Reach): boolean {
  const uses = usesOf(s);
  if (!callsArePure(uses)) return false;
  for (const [sym, use] of uses.of) {
    if (isVolatile(sym.type)) return false;
    if (uses.declared.has(sym) && sym.storage !== "static") continue;
    if (use.elementsWritten || use.addressTaken || (use.written && !own(sym))) return false;
  }
  return true;
}

const holdsDirective = (s: Stmt): boolean => findStatement(s, (inner) => inner.kind === "ext") !== undefined;

/** A loop whose iterations any lane may run, apart from what they combine into variables of the enclosing iteration. */
function sharedLoop(outer: Loop, s: Stmt, own: Reach, isArgument: Reach): SharedLoop | undefined {
  const inner = countedLoop(s);
  const [header] = inner?.headers ?? [];
  if (!inner || !header || inner.headers.length !== 1 || escapesLoop(inner.body)) return undefined;
  const behind = (sym: Symbol) => !own(sym) || liveAfter(outer.body, s, sym);
  if (!header.declares && s.kind === "for" && behind(header.var)) return undefined;
  const proof = dependence(inner, { liveAfter: behind });
  if (!proof.independent) return undefined;
  const reductions = [...inner.reductions, ...proof.reductions];
  if (!reductions.every(({ sym }) => own(sym) && combinable(sym))) return undefined;
  const plain = reductions.length > 0 && !containsAtomic(inner.body) && changesOnly(inner.body, own);
  if (!plain && (holdsDirective(inner.body) || !storesShared(outer, inner.body, isArgument)))
    return undefined;
  const privates = [...inner.privates, ...proof.privates];
  return { is: "loop", header, body: inner.body, privates, reductions };
}

/** Whether all stores go to memory that the lanes share: each lane has its own copy of an iteration's arrays. */
function storesShared(outer: Loop, body: Stmt, isArgument: Reach): boolean {
  const [inside, around] = [usesOf(body), usesOf(outer.body)];
  const ownMemory = [...around.of].some(
    ([sym, use]) => !isArgument(sym) && (use.addressTaken || canonical(sym.type).kind === "array"),
  );
  return [...inside.of].every(
    ([sym, use]) =>
      !use.elementsWritten ||
      inside.declared.has(sym) ||
      isArgument(sym) ||
      (isPointer(sym.type) && !ownMemory),
  );
}

/** A loop with scans in variables of the enclosing iteration. */
function scanOf(outer: Loop, s: Stmt, own: Reach, isBuffer: Reach): SharedLoop | undefined {
  const scan = scanLoop(s, {
    liveAfter: (sym) => !own(sym) || liveAfter(outer.body, s, sym),
    asks: (a, b) => isBuffer(a) && isBuffer(b),
  });
  if (!scan || "why" in scan || !scan.scans.every(({ sym }) => own(sym))) return undefined;
  const { header, body, privates } = scan;
  const reductions = scan.scans.map(({ op, sym }) => ({ op, sym, loc: scan.loc }));
  return { is: "loop", header, body, privates, reductions, scan };
}

/** Values that lanes can exchange. */
function combinable({ type }: Symbol): boolean {
  const { kind } = canonical(type);
  const size = sizeOf(type);
  return (kind === "int" || kind === "float") && (size === 4 || size === 8);
}
