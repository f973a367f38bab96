/** How a region's loops map onto groups and items of a device. */

import { entryOf } from "../../../core/checked/access.ts";
import { hasLoop } from "../../../core/ir/analysis/control.ts";
import { asNode, type Loop, type LoopHeader, type Spmd } from "../../../core/ir/model/ir.ts";
import { findNode, hasNode } from "../../../core/ir/model/nodes.ts";
import { evaluateInteger, mapChildren } from "../../../core/lang/index.ts";
import type { Expr, Stmt } from "../../../core/lang/tree/ast.ts";
import { compound, declare } from "../../../core/lang/tree/build.ts";
import { canInterleave } from "../loops/interleave.ts";
import { sequentialNest } from "../loops/sequential.ts";
import { groupShape, type Tiled } from "../loops/tiles.ts";
import { tripCount } from "../loops/trips.ts";
import { keyOf } from "../mapping/same-expression.ts";
import type { Limits } from "./tails/last-group.ts";

/** Capabilities of a device that a region's geometry depends on. */
export interface ExecutionModel {
  /** Functions may call themselves. */
  readonly recursion?: true;
  /** Most work-items per group; 1: vector and worker loops run as ordinary loops. */
  readonly maxItems: number;
  /** Work-items per group if the user gives no sizes. */
  readonly defaultItems: number;
  /** Work-items along the innermost loop of a nest, the others form rows; absent: chosen to suit the device. */
  readonly width?: number;
  /** Groups of a region that is one loop; absent: from the program, or computed at launch. */
  readonly groups?: number;
  /** Most groups for each compute unit, where a group takes as many rounds as are left. */
  readonly mostGroups?: number;
  /**
   * Most work-items per group if all of a group run code together and the user gives their number; absent: `maxItems`.
   */
  readonly together?: number;
  /** cyclic: neighbouring items get neighbouring iterations (coalescing); block: each group gets a range. */
  readonly partition: "cyclic" | "block";
  /**
   * If a region has one shared loop, each work-item runs at most one iteration:
   * data paths without an enclosing loop can be replicated.
   */
  readonly once?: true;
  /** The kernel language has no work-items: every region runs in order as a single one. */
  readonly inOrder?: true;
  /**
   * How tiles are used. order: iterations run one after the other, tile by tile; groups: as the shape of a group.
   * Absent: not at all, since they cost more than they gain.
   */
  readonly tiles?: "order" | "groups";
  /** Tile sizes for nests of this depth, instead of the program's; none: no tiles. Absent: the program's sizes. */
  readonly tile?: readonly number[] | "none";
  /** Bytes of constants that a kernel of one work-item may contain, where compilers turn them into circuits or ROMs. */
  readonly constants?: number;
  /** Bytes of group memory for copies of arrays in which a group gathers its atomic updates. */
  readonly gather?: number;
  /** Most groups per compute unit of a region whose groups have partial results; absent: eight. */
  readonly partials?: number;
  /** Accesses of neighbouring items should be adjacent in memory: a team of items may share one item's work. */
  readonly teams?: true;
  /**
   * Iterations of a team's loop whose loads an item issues at once; absent: four. Compilers differ in how many loads
   * they keep together.
   */
  readonly loads?: number;
  /** `loads` is what a variant asks for, so that loops are unrolled as often whatever stands beside them. */
  readonly loadsAsked?: true;
  /** Loads of 16 bytes pay in rows of any length; absent: only where the length is constant. */
  readonly wideInAnyLength?: true;
  /** Lanes of teams are counted in 32 bits in all rows that are equally long, not only where the length is constant. */
  readonly narrowTeams?: true;
  /**
   * Lanes hold elements of their rows in registers from loop to loop. NVIDIA's OpenCL compiler took 0.040 ms for softmax
   * with it, and 0.023 without.
   */
  readonly holdsRows?: true;
  /** Neighbouring items can exchange values directly; absent: only through group memory. */
  readonly exchanges?: true;
  /** A launch may be several kernels, some repeated, since groups cannot wait for each other. */
  readonly stages?: true;
  /**
   * Groups see what others stored before fences of both, so the last one to end may go on with it: groups for each compute
   * unit up to which this takes less time than a launch.
   */
  readonly lastGroup?: Limits;
  /** The launch allocates arrays whose size is computed at run time, as the kernel language has none. */
  readonly launchArrays?: true;
  /** Bytes of group memory for data that neighbouring items share; absent: each item loads its own. */
  readonly reuse?: number;
  /** Iterations that an item interleaves to have several loads in flight; absent: one. */
  readonly perItem?: number;
}

/**
 * How work-items divide a loop's iterations. rounds: each takes several, so any geometry is right; guarded:
 * at most one; exact: exactly one, known before the launch.
 */
export type Coverage = "rounds" | "guarded" | "exact";

/** Who shares a loop's iterations. */
export type Sharers = "none" | "groups" | "items" | "groups+items";

export interface Geometry {
  readonly items: readonly [number, number];
  /** The launch gives the number of items, and `items` is the most. */
  readonly atLaunch?: true;
  readonly grid: readonly [string, string];
  readonly partition: ExecutionModel["partition"];
  readonly coverage: Coverage;
  sharers(loop: Loop): Sharers;
  /** Iterations that each item interleaves if there are plenty. */
  perItem(loop: Loop): number;
  /** Only `NARROW` items of each group work if the launch has that many groups, so that more compute units do. */
  narrows(loop: Loop): boolean;
}

/** Items of a group that work where iterations are few and long. */
export const NARROW = 64;

/** Work-items of a group. */
export const groupSize = ({ items: [x, y] }: Geometry): number => x * y;

/** Whether items of a group share the loop's iterations. */
export function isItemLoop(geometry: Geometry, loop: Loop): boolean {
  const kind = geometry.sharers(loop);
  return groupSize(geometry) > 1 && (kind === "items" || kind === "groups+items");
}

/** Items per compute unit that keep a device busy if each has several loads in flight. */
const BUSY = 1024;
/** Items adjacent along the innermost loop of a nest: one warp, or two if items interleave iterations (`perItem`). */
const WIDTH = 32;

const sharersOf =
  (spmd: Spmd, model: ExecutionModel) =>
  (loop: Loop): Sharers => {
    const { levels } = loop.parallel;
    const gang = levels.includes("gang");
    // Workers that contain vector loops take turns, so that vector lanes can use all items of the group.
    const lanes =
      levels.includes("vector") || (levels.includes("worker") && !containsLevel(loop.body, "vector"));
    const item = lanes && model.maxItems > 1 && !spmd.serial;
    return gang ? (item ? "groups+items" : "groups") : item ? "items" : "none";
  };

/** Whether the region's tile is the shape of its groups, with one element per item. */
export function isShapedByTile(spmd: Spmd, model: ExecutionModel): boolean {
  const loops = loopsOf(spmd.body);
  const kinds = loops.map(sharersOf(spmd, model));
  const [only, ...more] = loops.filter((_, i) => kinds[i] === "groups+items");
  const { lanes, workers } = askedSizes(spmd, loops);
  const isOpen = !lanes && !workers && !spmd.numTeams && !model.groups && !kinds.includes("groups");
  if (model.tiles !== "groups" || !only || more.length > 0 || !isOpen || hasNode(spmd.body, "threads"))
    return false;
  return only.headers.length >= 2 && groupShape(only, model.maxItems) !== undefined;
}

/** `most`: the most iterations of loops whose trip counts depend on an iteration that the launch repeats. */
export function chooseGeometry(
  spmd: Spmd,
  model: ExecutionModel,
  trips: ReadonlyMap<LoopHeader, Expr>,
  hasReductions: boolean,
  tiles: Tiled["headers"] = new Map(),
  teams?: Teams,
  most: ReadonlyMap<LoopHeader, Expr> = new Map(),
): Geometry {
  const loops = loopsOf(spmd.body);
  const sharers = sharersOf(spmd, model);
  const kinds = loops.map(sharers);
  const together = hasNode(spmd.body, "threads");
  const usesItems =
    kinds.some((k) => k === "items" || k === "groups+items") ||
    (together && !spmd.serial && model.maxItems > 1);
  const short =
    together || kinds.includes("groups+items") ? undefined : itemsOfShort(spmd, loops, kinds, model);
  const total = usesItems ? (short ?? itemsPerGroup(spmd, loops, model)) : 1;
  const both = loops.filter((_, i) => kinds[i] === "groups+items");
  const usual = model.width ?? (model.perItem && total % (2 * WIDTH) === 0 ? 2 * WIDTH : WIDTH);
  const width = model.width ?? widthFor(both, usual);
  const shaped = isShapedByTile(spmd, model);
  const shape = (loop: Loop) => (shaped ? groupShape(loop, model.maxItems) : undefined);
  const plane =
    both.length > 0 &&
    !together &&
    (total >= width || both.some((l) => shape(l))) &&
    !spmd.numTeams &&
    !model.groups &&
    both.every((l) => l.headers.length >= 2) &&
    !kinds.includes("groups");
  const [only] = both;
  const requested = plane && both.length === 1 && only ? shape(only) : undefined;
  const items = requested ?? (plane ? ([width, Math.floor(total / width)] as const) : ([total, 1] as const));
  const perItem = (loop: Loop) => {
    const counters = (plane ? loop.headers.slice(0, -1) : loop.headers).map((h) => h.var);
    const shares = ["items", "groups+items"].includes(sharers(loop));
    return model.perItem && shares && canInterleave(inOrder(loop.body), counters) ? model.perItem : 1;
  };
  const narrows = (loop: Loop) =>
    model.teams === true &&
    !plane &&
    !hasReductions &&
    both.length === 1 &&
    sharers(loop) === "groups+items" &&
    loop.headers.length === 1 &&
    total > NARROW &&
    isOpen(spmd, loops) &&
    hasLoop(loop.body);
  const coverage = model.once ? coverageOf(spmd, loops, kinds, items, plane, trips) : "rounds";
  return {
    items,
    ...(total > 1 && isSizedAtLaunch(spmd) && { atLaunch: true }),
    grid: grid(
      spmd,
      loops,
      kinds,
      items,
      plane,
      texts(new Map([...trips, ...most]), tiles, loops),
      model,
      hasReductions,
      coverage,
      perItem,
      narrows,
      teams,
    ),
    coverage,
    partition: model.partition,
    sharers,
    perItem,
    narrows,
  };
}

/** Neighbours that one memory access serves well. */
const ADJACENT = 8;
/** Items that a wider plane may have, as a multiple of the fewest that some width would do with. */
const IDLE = 4 / 3;

/** A plane's width for a last loop of constant, small length: the widest that leaves few items idle. */
function widthFor(nests: readonly Loop[], usual: number): number {
  const [only, ...more] = nests;
  const last = only?.headers.at(-1);
  const length = Number((last && more.length === 0 && evaluateInteger(tripCount(last))) || usual);
  if (length < 1 || length >= usual) return usual;
  const widths = Array.from({ length: Math.log2(usual) }, (_, k) => usual >> k).filter(
    (width) => width >= ADJACENT || width >= length,
  );
  const rounded = (width: number) => Math.ceil(length / width) * width;
  const fewest = Math.min(...widths.map(rounded));
  return widths.find((width) => rounded(width) <= IDLE * fewest) ?? usual;
}

/** Trip counts as the image file spells them. */
function texts(
  trips: ReadonlyMap<LoopHeader, Expr>,
  tiles: Tiled["headers"],
  loops: readonly Loop[],
): ReadonlyMap<LoopHeader, string> {
  const own = new Map([...trips.keys()].map((h, i) => [h, `t${i}`]));
  // Loops that became part of a nest have headers of their own.
  const counts = new Map([...trips].reverse().map(([h, count]) => [keyOf(count), entryOf(own, h)]));
  for (const h of loops.flatMap((loop) => loop.headers)) {
    const same = own.has(h) ? undefined : counts.get(keyOf(tripCount(h)));
    if (same) own.set(h, same);
  }
  const ofTiles = [...tiles].flatMap(([h, { of, size }]): [LoopHeader, string][] => {
    const trip = own.get(of);
    return trip ? [[h, `${trip} ${size} ceildiv`]] : [];
  });
  return new Map([...own, ...ofTiles]);
}

function loopsOf(body: Stmt): Loop[] {
  const found: Loop[] = [];
  const look = (s: Stmt): Stmt => {
    const loop = asNode(s, "loop");
    if (loop) found.push(loop);
    return mapChildren(s, look);
  };
  look(body);
  return found;
}

/** The number of threads in its blocks: all blocks of a region use the same number, or none. */
export function threadsAsked(s: Stmt): number | undefined {
  const size = findNode(s, "threads", (block) => block.size !== undefined)?.size;
  return size && Number(evaluateInteger(size) ?? 0n);
}

/** Whether the launch gives the number of the threads of its teams. */
export const isSizedAtLaunch = ({ body }: Spmd): boolean =>
  findNode(body, "threads", (block) => block.atLaunch === true) !== undefined;

/** The body with its inner loops run in order. */
function inOrder(s: Stmt): Stmt {
  const loop = asNode(s, "loop");
  if (!loop) return mapChildren(s, inOrder);
  const privates = loop.privates.map((p) => declare(p));
  return sequentialNest(loop.headers, compound([...privates, inOrder(loop.body)]));
}

function containsLevel(body: Stmt, level: "vector"): boolean {
  return loopsOf(body).some((l) => l.parallel.levels.includes(level));
}

function coverageOf(
  spmd: Spmd,
  loops: readonly Loop[],
  kinds: readonly Sharers[],
  items: readonly [number, number],
  plane: boolean,
  trips: ReadonlyMap<LoopHeader, Expr>,
): Coverage {
  const shared = loops.filter((_, i) => kinds[i] === "groups" || kinds[i] === "groups+items");
  const [loop] = shared;
  if (!loop || shared.length !== 1 || kinds[loops.indexOf(loop)] !== "groups+items" || spmd.serial)
    return "rounds";
  const counts = loop.headers.map((h) => trips.get(h));
  if (counts.includes(undefined)) return "rounds";
  const known = counts.map((n) => n && evaluateInteger(n));
  const product = (ns: readonly (bigint | undefined)[]) => ns.reduce<bigint>((a, n) => a * (n ?? 0n), 1n);
  const canBeExact = spmd.hints?.exact === true && !known.includes(undefined);
  if (spmd.numTeams) {
    // A number of groups chosen by the user fits only one iteration count.
    const groups = evaluateInteger(spmd.numTeams) ?? 0n;
    return canBeExact && groups * BigInt(items[0]) === product(known) ? "exact" : "rounds";
  }
  if (!canBeExact) return "guarded";
  const divides = (n: bigint, by: number) => n > 0n && n % BigInt(by) === 0n;
  const exact = plane
    ? divides(product(known.slice(-1)), items[0]) && divides(product(known.slice(0, -1)), items[1])
    : divides(product(known), items[0]);
  return exact ? "exact" : "guarded";
}

/** A block partition divides all loops of a nest but the innermost, which stays contiguous as tiles are anyway. */
export function blockDepth({ headers, parallel }: Loop): number {
  return parallel.tile ? headers.length : Math.max(1, headers.length - 1);
}

/** A loop whose iterations go to teams. */
export interface Teams {
  readonly headers: readonly LoopHeader[];
  /** Groups of a compute unit that start at once, and the lanes of a team while not all of them have work. */
  readonly atOnce?: { readonly groups: number; readonly lanes: number };
  /** Lanes of a team that holds its row; absent: 32. */
  readonly lanes?: number;
}

/** Groups for teams of one loop: enough for the lanes of each team, or enough to fill the device. */
function groupsOfTeams(trips: string, items: number, { atOnce, lanes = 32 }: Teams): string {
  const usual = `${trips} ${lanes} * ${items} ceildiv cu 32 * min`;
  if (!atOnce) return usual;
  return `${trips} ${atOnce.lanes} * ${items} ceildiv cu ${atOnce.groups} * min ${usual} max`;
}

/** Sizes that the user gives as constants. */
export function askedSizes(
  spmd: Spmd,
  loops: readonly Loop[],
): { readonly lanes: number | undefined; readonly workers: number | undefined } {
  const constant = (...es: (Expr | undefined)[]) => {
    for (const e of es) {
      const v = e && evaluateInteger(e);
      if (v !== undefined && v > 0n) return Number(v);
    }
    return undefined;
  };
  return {
    lanes: constant(spmd.numLanes, ...loops.map((l) => l.parallel.lanes)),
    workers: constant(spmd.numUnits, ...loops.map((l) => l.parallel.workers)),
  };
}

function isOpen(spmd: Spmd, loops: readonly Loop[]): boolean {
  const { lanes, workers } = askedSizes(spmd, loops);
  return !lanes && !workers && !spmd.numTeams && !spmd.numUnits && !spmd.numLanes;
}

/**
 * Groups as large as the loops that their items share, where these have constant lengths: items without an iteration
 * would take room that other groups could use.
 */
function itemsOfShort(
  spmd: Spmd,
  loops: readonly Loop[],
  kinds: readonly Sharers[],
  model: ExecutionModel,
): number | undefined {
  const { lanes, workers } = askedSizes(spmd, loops);
  if (!model.teams || lanes !== undefined || workers !== undefined || spmd.numUnits || spmd.numLanes)
    return undefined;
  const most = Math.min(model.maxItems, model.defaultItems);
  const fitting = loops.flatMap(({ headers }, k): number[] => {
    if (kinds[k] !== "items") return [];
    const trips = headers.reduce((n, h) => n * Number(evaluateInteger(tripCount(h)) ?? Number.NaN), 1);
    const rounds = Math.max(1, Math.ceil(trips / most));
    return [Math.ceil(Math.max(1, trips / rounds) / WIDTH) * WIDTH];
  });
  const items = Math.max(...fitting);
  return items < most ? items : undefined;
}

/** Limits sizes to what the device allows. */
function itemsPerGroup(spmd: Spmd, loops: readonly Loop[], model: ExecutionModel): number {
  if (isSizedAtLaunch(spmd)) return model.maxItems;
  const { lanes, workers } = askedSizes(spmd, loops);
  const requested =
    lanes === undefined && workers === undefined ? model.defaultItems : (lanes ?? 1) * (workers ?? 1);
  return Math.max(1, Math.min(model.maxItems, requested));
}

function grid(
  spmd: Spmd,
  loops: readonly Loop[],
  kinds: readonly Sharers[],
  items: readonly [number, number],
  plane: boolean,
  trips: ReadonlyMap<LoopHeader, string>,
  model: ExecutionModel,
  hasReductions: boolean,
  coverage: Coverage,
  perItem: (loop: Loop) => number,
  narrows: (loop: Loop) => boolean,
  teams: Teams | undefined,
): [string, string] {
  if (spmd.serial) return ["1", "1"];
  const ceil = (trip: string, by: number) => (by === 1 ? trip : `${trip} ${by} ceildiv`);
  const most = (exprs: string[]) => exprs.reduce((a, b) => `${a} ${b} max`, "1");
  const count = (headers: readonly LoopHeader[]) => {
    const known = headers.map((h) => trips.get(h));
    return known.includes(undefined)
      ? undefined
      : known.map((k) => `${k} 0 max`).join(" ") + " *".repeat(known.length - 1);
  };
  // Fewer groups if the items still keep the device busy.
  const spread = (groups: string, loop: Loop, beside = "1") => {
    const times = perItem(loop);
    if (times === 1 || hasReductions) return groups;
    const enough = Math.ceil((BUSY * times) / (items[0] * items[1]));
    return `${groups} ${beside} * cu ${enough} * / ${groups} ${times} ceildiv ${groups} ?`;
  };
  const wide: string[] = [];
  const high: string[] = [];
  let unknown = false;
  loops.forEach((loop, i) => {
    const kind = kinds[i];
    if (kind !== "groups" && kind !== "groups+items") return;
    if (plane) {
      const x = count(loop.headers.slice(-1));
      const y = count(loop.headers.slice(0, -1));
      if (!x || !y) {
        // Enough for any shape; groups without iterations end at once.
        wide.push("8");
        high.push("cu 2 *");
      } else {
        wide.push(ceil(x, items[0]));
        high.push(spread(ceil(y, items[1]), loop, ceil(x, items[0])));
      }
      return;
    }
    const shared = model.partition === "block" ? loop.headers.slice(0, blockDepth(loop)) : loop.headers;
    const n = count(shared);
    if (!n) unknown = true;
    else if (kind === "groups") wide.push(n);
    else {
      const groups = ceil(n, items[0]);
      // Too few groups for all compute units: more of them, in which fewer items work.
      const few = narrows(loop) ? (all: string) => `${groups} cu / ${all} ${ceil(n, NARROW)} ?` : undefined;
      const all = spread(groups, loop);
      wide.push(few?.(all) ?? all);
    }
  });
  const ofTeams = teams && count(teams.headers);
  if (ofTeams) wide.push(groupsOfTeams(ofTeams, items[0], teams));
  else if (teams) unknown = true;
  // Loops whose trip counts the host cannot know get a few groups per compute unit.
  if (unknown) wide.push("cu 8 *");
  if (coverage !== "rounds") return [most(wide), plane ? most(high) : "1"];
  // Reductions cost a partial result per group, so their groups take several rounds.
  if (plane)
    return [
      `${most(wide)} ${hasReductions ? "32" : "2147483647"} min`,
      `${most(high)} ${hasReductions ? "cu" : "65535"} min`,
    ];
  if (model.groups) return [`${model.groups}`, "1"];
  const limit =
    model.partition === "block"
      ? "cu"
      : hasReductions
        ? `cu ${model.partials ?? 8} *`
        : model.mostGroups
          ? `cu ${model.mostGroups} *`
          : "2147483647";
  const free = `${most(wide)} ${limit} min`;
  return [spmd.numTeams ? `ng ng ${free} ?` : free, "1"];
}
