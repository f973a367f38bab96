/** How a region's loops map onto groups and items of a device. */
import { hasLoop } from "../../../../core/ir/analysis/control.ts";
import { asNode, type Loop, type LoopHeader, type Spmd } from "../../../../core/ir/model/ir.ts";
import { hasNode, nodesIn } from "../../../../core/ir/model/nodes.ts";
import { evaluateInteger, mapChildren } from "../../../../core/lang/index.ts";
import type { Expr, Stmt } from "../../../../core/lang/tree/ast.ts";
import { compound, declare } from "../../../../core/lang/tree/build.ts";
import { canInterleave } from "../../loops/interleave.ts";
import { sequentialNest } from "../../loops/sequential.ts";
import { groupShape, type Tiled } from "../../loops/tiles.ts";
import { tripCount } from "../../loops/trips.ts";
import { loadsApart } from "../../mapping/strides.ts";
import type { ExecutionModel } from "./execution-model.ts";
import { type Coverage, type Geometry, NARROW, type Sharers, type Teams } from "./geometry.ts";
import { gridOf, texts } from "./grid.ts";
import { askedSizes, isOpen, isSizedAtLaunch, itemsOfShort, itemsPerGroup, loopsOf, WIDTH } from "./sizes.ts";

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
  const blocks = [...nodesIn(spmd.body, "threads")];
  const together = blocks.length > 0;
  const inBlocks = new Set(
    blocks.flatMap((b) => loopsOf(b.body)).flatMap((l) => l.headers.map((h) => h.var)),
  );
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
    // Threads of a block have variables of their own, by which they may find what they change iteration by iteration.
    const body = inOrder(loop.body);
    const isInBlock = loop.headers.some((h) => inBlocks.has(h.var));
    if (isInBlock || !model.perItem || !shares || !canInterleave(body, counters)) return 1;
    // Such an iteration has several loads under way by itself, and shares their cache lines with its neighbours: they
    // should read them soon (products of complex numbers, a gather by rows on an H200: 0.86 and 0.74 of the time).
    const innermost = loop.headers.at(-1)?.var;
    return !plane && innermost && loadsApart(loop.headers, body, innermost) ? 1 : model.perItem;
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
    grid: gridOf({
      spmd,
      loops,
      kinds,
      items,
      plane,
      trips: texts(new Map([...trips, ...most]), tiles, loops),
      model,
      hasReductions,
      coverage,
      perItem,
      narrows,
      teams,
    }),
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
