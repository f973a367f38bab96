/** Every `lanes`-th iteration of an inner loop: how many are unrolled, and which of their loads come first. */
import { firstOf } from "../../../../core/checked/access.ts";
import {
  type Expr,
  evaluateInteger,
  INT,
  LONG,
  type Stmt,
  type Symbol,
  substitute,
  unqualified,
} from "../../../../core/lang/index.ts";
import {
  binary,
  cast,
  compound,
  declare,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { flat } from "../../device/control.ts";
import { counted } from "../../device/counted-loop.ts";
import { unrollPragma } from "../../device/pragmas.ts";
import { canInterleave, interleave, storesLoaded } from "../../loops/interleave.ts";
import { tripCount, valueAt } from "../../loops/trips.ts";
import type { SharedLoop } from "../../mapping/team-steps.ts";
import type { HeldRow } from "./held-rows.ts";
import type { Row } from "./row.ts";
import { wideLoop } from "./wide-loads.ts";
import { wideRun } from "./wide-runs.ts";

/** Iterations per lane that repay unrolled code only where inner loops have equal lengths. */
export const ROLLED = 1;

/**
 * The same down columns of constant length. nvcc then orders loads behind each other's sums: 8192 columns took 147
 * microseconds with eight at once, and 120 with four.
 */
export const LOADS_DOWN = 4;

/** One wide load for so many others: with four at once, rows on an H200 by CUDA took 3 to 18 % less than with two. */
const WIDE_FOR = 2;

/** Where a lane also stores them, it holds so many fewer at once: with four, softmax took 97 registers and more time. */
const STORING = 2;

/** Limit on copies of the inner loop's body, over iterations and rows. */
const COPIES = 32;

/** Iterations that can be counted in `int`, with a lane's next ones. */
export const SHORT = 1n << 30n;

interface Unrolled {
  readonly unrolled: number;
  /** How many at once beside wide loads, where these are possible. */
  readonly besideWide: number | undefined;
  readonly held: HeldRow | undefined;
}

/** Every `lanes`th iteration of an inner loop, into the lane's private variables for each row. */
export function strided(
  step: SharedLoop,
  rows: readonly Row[],
  lane: { readonly member: Symbol; readonly lanes: Symbol },
  { unrolled, besideWide, held }: Unrolled,
): Stmt {
  const { header, body, privates, reductions } = step;
  const trips = tripCount(header);
  const isShort = lane.lanes.type !== LONG && (evaluateInteger(trips) ?? SHORT) < SHORT;
  const type = isShort ? INT : LONG;
  const t = freshSymbol(`arc_${header.var.name}`, type);
  const count = freshSymbol("arc_n", type);
  const counter = freshSymbol(header.var.name, unqualified(header.var.type));
  const copies = rows.map((r) => {
    const names = r.names().set(header.var, ident(counter));
    for (const p of privates) names.delete(p);
    for (const { sym } of reductions) names.set(sym, ident(r.laneOf(sym)));
    return names;
  });
  const [one] = copies as [Map<Symbol, Expr>];
  const times = Math.min(unrolled, COPIES / rows.length);
  const own =
    copies.length > 1
      ? interleave(flat(body), copies)
      : [...privates.map((p) => declare(p)), ...flat(substitute(body, one))];
  const iteration = [declare(counter, valueAt(header, ident(t))), ...own];
  const loadFirst =
    copies.length === 1 && times > 1 && storesLoaded(body) && canInterleave(body, [header.var]);
  const single = (at: number): Stmt => ({
    ...counted(t, ident(lane.member), ident(count), ident(lane.lanes), compound(iteration)),
    pragmas: [unrollPragma(at)],
  });
  const walk = { t, count, ...lane };
  const plain = (at: number): Stmt =>
    loadFirst ? loadsFirst(iteration, { ...walk, times: at }) : single(at);
  const atOnce = Math.ceil(times / WIDE_FOR);
  const beside =
    besideWide !== undefined && copies.length === 1 && times > 1 && plain(Math.min(times, besideWide));
  const wide =
    beside &&
    (wideLoop(step, iteration, walk, atOnce, beside) ??
      wideRun(step, iteration, walk, Math.ceil(atOnce / STORING), beside));
  const inMemory = wide || plain(times);
  const loop = held?.loop(step, iteration, walk, inMemory) ?? inMemory;
  return firstOf(rows).renamed(compound([declare(count, isShort ? cast(INT, trips) : trips), loop]));
}

/** `times` iterations of a lane at once. Unrolled by a compiler, each would load behind the stores of the one before. */
function loadsFirst(
  iteration: readonly Stmt[],
  {
    t,
    count,
    times,
    member,
    lanes,
  }: Record<"t" | "count" | "member" | "lanes", Symbol> & { readonly times: number },
): Stmt {
  const apart = (n: number): Expr =>
    n === 0 ? ident(t) : binary("+", ident(t), binary("*", intLit(n, t.type), ident(lanes)));
  const copies = Array.from({ length: times }, (_, n) => new Map([[t, apart(n)]]));
  const rest = freshSymbol("arc_rest", t.type);
  const single = substitute(compound(iteration), new Map([[t, ident(rest)]]));
  return counted(
    t,
    ident(member),
    ident(count),
    binary("*", intLit(times, t.type), ident(lanes)),
    ifStmt(
      binary("<", apart(times - 1), ident(count)),
      compound(interleave(iteration, copies)),
      counted(rest, ident(t), ident(count), ident(lanes), single),
    ),
  );
}
