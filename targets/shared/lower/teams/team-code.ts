/**
 * Loops shared by teams (mapping/teams.ts), as code that all items of a group run together. The number of lanes per team
 * is chosen when the kernel starts (lanes-per-team.ts):
 *
 *     lanes = 1, 2, 4, ...                          rows of 11 elements take 8, those of a thousand 32
 *     for each round of the group's teams           all items of a group go round alike
 *       if (the team has an iteration) own part of a sum, or of an independent loop
 *       the team's sum
 *       barrier, where lanes access what others stored
 *       if (the team has an iteration and this is its first lane) code after the last shared loop
 *
 * A team takes several iterations in a round where they share what they load (loops/rows-together.ts).
 */

import { itemAt } from "../../../../core/checked/access.ts";
import { hasLoop } from "../../../../core/ir/analysis/control.ts";
import { extStmt, type LoopHeader, type Threads } from "../../../../core/ir/model/ir.ts";
import { node } from "../../../../core/ir/model/node-shapes.ts";
import {
  evaluateInteger,
  INT,
  isArithmetic,
  isInteger,
  isScalar,
  LONG,
  sizeOf,
  walkStmt,
} from "../../../../core/lang/index.ts";
import type { Diagnostic, Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  cond,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { tripCount } from "../../loops/trips.ts";
import { leadingLoop, sharedLoops } from "../../mapping/team-steps.ts";
import type { TeamLoop } from "../../mapping/teams.ts";
import { heldElements } from "./held-elements.ts";
import { heldPerLane, lengthOf, meanTrips, widths, widthsDown, widthsHeld } from "./lanes-per-team.ts";
import { type Holding, type Room, Rounds, togetherIn } from "./rounds.ts";
import { scanByLanes } from "./scan-remarks.ts";
import { LOADS_DOWN, SHORT } from "./strided-loops.ts";
import { wideScan } from "./wide-scans.ts";

/**
 * Items of a group whose lanes follow columns, on devices that allow so many, and the groups that a multiprocessor has
 * room for if a lane has 32 registers, so loops in `int` take the place of those in `long`. Compilers are not held to
 * that: nvcc's code then took 1.25 to 1.45 times as long.
 */
const DOWN = { items: 1024, groupsAtOnce: 2 };

/**
 * Groups that a multiprocessor should have room for where lanes scan numbers of so many bytes: rows of 4096 numbers took
 * an H200 0.162 ms with five (46 registers), and 0.150 with six (40), their next loads under way.
 */
const SCANNING = { groups: 6, bytes: 4 };

/**
 * Groups that a multiprocessor should have room for where lanes hold rows, and lanes that a launch counts on where it does
 * not know how long these are.
 */
const HOLDING = { groups: 4, lanes: 128 };

/** Expressions of a body that 32 registers are enough for. */
const FEW = 48;

export interface TeamCode {
  readonly body: Stmt;
  /** The items of a group that the code is for. */
  readonly items: number;
  /** Groups that a multiprocessor's registers should have room for. */
  readonly resident?: number;
  /** Groups of a multiprocessor that are counted on to start at once. */
  readonly groupsAtOnce?: number;
  /** Lanes of teams that hold their rows, or about as many. */
  readonly lanes?: number;
  readonly groupMemory: readonly Symbol[];
  readonly remarks: readonly Diagnostic[];
}

/** What lanes hold of rows that fit; undefined: nothing. */
export function heldBy(
  team: TeamLoop,
  items: number,
  isBuffer: (sym: Symbol) => boolean,
): Holding | undefined {
  const of = heldElements(team, isBuffer);
  const per = of && heldPerLane(of.header, of.size, items);
  return of && per && { of, per };
}

/** `clear`: that no pointers overlap which must not, if rows are held. */
export function teamCode(
  team: TeamLoop,
  { usual, most, loads, narrow, ...wide }: Room,
  holding?: Holding,
  clear?: Expr,
): TeamCode {
  const { loop, along } = team;
  const isWide = most >= DOWN.items && isDownColumns(team);
  const items = isWide ? DOWN.items : usual;
  const rows = freshSymbol("arc_rows", LONG);
  const trips = freshSymbol("arc_trips", LONG);
  const lanes = freshSymbol("arc_lanes", isWide || isNarrow(team, narrow) ? INT : LONG);
  const room = { items, loads: isWide ? LOADS_DOWN : loads, ...wide };
  const rounds = new Rounds(team, room, { rows, lanes }, holding && { ...holding, clear });
  const site = loop.site;
  const together = extStmt(node<Threads>({ kind: "threads", body: rounds.code(), site }), loop.body.span);
  const plain = extStmt(loop, loop.body.span);
  const [first, ...inner] = loop.headers as [LoopHeader, ...LoopHeader[]];
  const counts = rounds.counts.slice(1);
  const mean = meanTrips(team, rows);
  const body = compound([
    ...inner.flatMap((header, k) => countOf(header, itemAt(counts, k))),
    declare(
      rows,
      counts.reduce((product, count) => binary("*", product, ident(count)), tripCount(first)),
    ),
    declare(trips, cond(binary(">", ident(rows), intLit(0)), mean, intLit(0, LONG))),
    declare(lanes, intLit(1, lanes.type)),
    ...(holding
      ? widthsHeld(team, items, holding.per, { rows, trips, lanes })
      : (isWide ? widthsDown : widths)(team, items, rounds.together, { rows, trips, lanes })),
    along === "inner" || isWide
      ? together
      : ifStmt(binary("==", ident(lanes), intLit(1, LONG)), plain, compound([together])),
  ]);
  const scans = sharedLoops(team.steps).flatMap(({ scan }) => (scan ? [scanByLanes(scan)] : []));
  const { groupMemory } = rounds;
  const { groupsAtOnce } = DOWN;
  return {
    body,
    items,
    groupMemory,
    remarks: [remarkOn(team), ...scans],
    ...(isWide && { groupsAtOnce }),
    ...(scansWords(team) && { resident: SCANNING.groups }),
    ...(holding && { lanes: holding.per.lanes ?? HOLDING.lanes, resident: HOLDING.groups }),
  };
}

/** Whether lanes follow columns, for one loop inside that needs few registers. */
function isDownColumns(team: TeamLoop): boolean {
  const [only, ...more] = sharedLoops(team.steps);
  if (team.along !== "outer" || !only || more.length > 0 || togetherIn(team) > 1) return false;
  let expressions = 0;
  let isNarrow = true;
  walkStmt(only.body, {
    expr(e) {
      expressions++;
      if (isScalar(e.type) && isArithmetic(e.type))
        isNarrow &&= (sizeOf(e.type) ?? 8) <= 4 || isInteger(e.type);
    },
  });
  return isNarrow && expressions <= FEW && !hasLoop(only.body);
}

/** Rows so long that counting matters more than beginning. */
const LONG_ROWS = 256n;

/**
 * Whether 32 bits hold what lanes count, which saves registers: scans, which count so anyway, and long rows of constant
 * length; `inAnyLength`: all rows that are equally long. By CUDA such rows took 7 % more time with it, and short ones 6 %.
 */
function isNarrow({ steps, loop }: TeamLoop, inAnyLength: boolean): boolean {
  return sharedLoops(steps).every(({ header, scan }) => {
    const trips = evaluateInteger(tripCount(header));
    if (scan || (trips !== undefined && trips >= LONG_ROWS && trips < SHORT)) return true;
    return inAnyLength && lengthOf(header, loop) === "alike";
  });
}

/** Whether all that lanes share is one scan of small numbers, with elements that they access 16 bytes at a time. */
function scansWords({ steps }: TeamLoop): boolean {
  const [only, ...more] = sharedLoops(steps);
  const scan = more.length === 0 ? only?.scan : undefined;
  const [one, ...others] = scan?.scans ?? [];
  return (
    scan !== undefined &&
    one !== undefined &&
    others.length === 0 &&
    (sizeOf(one.sym.type) ?? SCANNING.bytes + 1) <= SCANNING.bytes &&
    wideScan(scan) !== undefined
  );
}

/** Declares a trip count that is not negative. */
function countOf(header: LoopHeader, count: Symbol): Stmt[] {
  const none = binary("<", ident(count), intLit(0, LONG));
  return [declare(count, tripCount(header)), ifStmt(none, exprStmt(assign(ident(count), intLit(0, LONG))))];
}

function remarkOn({ loop, steps, along }: TeamLoop): Diagnostic {
  const shared = sharedLoops(steps);
  const names = shared.flatMap(
    (s) => s.scan?.names ?? s.position?.names ?? s.reductions.map((r) => r.sym.name),
  );
  const list = [...new Set(names)].map((name) => `'${name}'`).join(", ");
  const how = shared.some((s) => s.scan) ? "scans" : "reduces";
  const what =
    names.length > 0
      ? `what this loop ${how} inside each iteration (${list})`
      : `the loop over '${leadingLoop(steps).header.var.name}' inside each iteration`;
  const inner = leadingLoop(steps).header.span.start;
  return {
    severity: "note",
    code: "shared-by-teams",
    loc: loop.site.loc,
    message:
      along === "inner"
        ? `lanes share ${what}, so that neighbours read memory side by side`
        : `lanes share ${what} where its own iterations leave the device idle`,
    remedy: "say `loop seq` on the loop inside to have its iterations in order",
    ...(inner.line > 0 && { notes: [{ message: "the loop inside is here", loc: inner }] }),
  };
}
