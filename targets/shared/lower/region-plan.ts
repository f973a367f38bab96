/** What is decided for a region before its kernels are written: mapping, tiles, copies in group memory and geometry. */
import { hasLoop } from "../../../core/ir/analysis/control.ts";
import { asNode, type LoopHeader, type Spmd } from "../../../core/ir/model/ir.ts";
import { findNode } from "../../../core/ir/model/nodes.ts";
import { type Argument, spmdOf, stepCount } from "../../../core/ir/model/region.ts";
import { regionReductions } from "../../../core/ir/normalise/complete.ts";
import { findStatement } from "../../../core/lang/index.ts";
import type { Diagnostic, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import type { LoweredRegion } from "../device/device.ts";
import { isolate } from "../loops/alpha-rename.ts";
import { mostTrips } from "../loops/most-trips.ts";
import { type Tiled, tiled, tiledForGroups, untiled } from "../loops/tiles.ts";
import { launchTrips, tripCount } from "../loops/trips.ts";
import { withTile } from "../mapping/chosen-tile.ts";
import { keyOf } from "../mapping/same-expression.ts";
import { withWorkerRows } from "../mapping/worker-rows.ts";
import { chooseGeometry, isShapedByTile } from "./geometry/choose.ts";
import type { ExecutionModel } from "./geometry/execution-model.ts";
import { type Geometry, isItemLoop } from "./geometry/geometry.ts";
import { isSizedAtLaunch } from "./geometry/sizes.ts";
import { type Copy, gather } from "./group/array-privatisation.ts";
import { cached } from "./group/cached.ts";
import type { LowerInput } from "./input.ts";
import { lanesOf, type Mapped, mapping, reachOf } from "./mapping.ts";
import { type GangReduction, ownOfGangs } from "./own-of-gangs.ts";
import { type CopiedSections, copiedSections } from "./section-copies.ts";

/** A region's loops on a device. */
export interface Plan {
  readonly spmd: Spmd;
  readonly reductions: readonly GangReduction[];
  /** Arrays that each group has a copy of. */
  readonly copies: readonly Copy[];
  readonly trips: ReadonlyMap<LoopHeader, Expr>;
  /** The most iterations of loops whose trip counts depend on an iteration around them. */
  readonly most: ReadonlyMap<LoopHeader, Expr>;
  readonly geometry: Geometry;
  /** The loop that makes up the region, rewritten for this device. */
  readonly mapped: Mapped | undefined;
  /** Copies of sections that all lanes of a group read. */
  readonly near: CopiedSections | undefined;
  readonly remarks: readonly Diagnostic[];
  /** Time steps, if their number is passed by the launch. */
  readonly count: Symbol | undefined;
}

export function planOf(
  { task, functions, model, stage, rooms = [] }: LowerInput,
  args: readonly Argument[],
): Plan {
  const given = spmdOf(task);
  const steps = stepCount(given);
  const isolated = isolate(steps?.body ?? given.body);
  const spmd = { ...given, body: model.teams && !given.serial ? withWorkerRows(isolated) : isolated };
  const room = spmd.serial || isSizedAtLaunch(spmd) ? 0 : (model.gather ?? 0);
  const gathered = gather({ spmd, args, functions, room, sharedByItems: model.maxItems > 1 });
  const close = cached({
    spmd: { ...spmd, body: gathered.body },
    args,
    functions,
    capacity: model.teams ? Math.min(room, CACHE) : 0,
  });
  const copies = [...gathered.copies, ...close.copies];
  const chosen =
    model.tile && withTile({ ...spmd, body: close.body }, model.tile, reachOf(args), task.site.loc);
  const body = chosen?.body ?? close.body;
  const reductions = regionReductions(given);
  const known = launchTrips({ ...spmd, body });
  const trips = stage ? new Map([...known].filter(([, e]) => stage.trips.has(keyOf(e)))) : known;
  const most = stage ? mostOf(body, stage.most) : mostTrips({ ...spmd, body }, known);
  const inTiles = tilesOf({ ...spmd, body }, model);
  const combined = reductions.length + copies.length > 0;
  const asTiles = model.tiles === "groups" && inTiles !== undefined && inTiles.headers.size > 0;
  const mapped = combined || steps || asTiles ? undefined : mapping({ ...spmd, body }, model, args);
  const remarks = [
    ...untiled(body, spmd.serial === true, model.tiles),
    ...(model.teams ? gathered.remarks : []),
    ...close.remarks,
    ...(chosen?.remarks ?? []),
    ...(mapped?.remarks ?? []),
  ];
  const { numUnits: _units, numLanes: _lanes, ...unsized } = spmd;
  const planned = { ...(mapped?.items ? unsized : spmd), body: mapped?.body ?? inTiles?.body ?? body };
  const sized = {
    ...model,
    ...(mapped?.items && { defaultItems: mapped.items }),
    ...(mapped?.mostGroups && { mostGroups: mapped.mostGroups }),
  };
  const geometry = chooseGeometry(
    planned,
    gathered.copies.length > 0 ? forGathering(planned, gathered.copies, model) : sized,
    trips,
    combined || rooms.length > 0,
    inTiles?.headers,
    mapped?.teams,
    stage && most,
  );
  const near =
    model.reuse && !spmd.serial && !rooms.length ? copiedSections(planned.body, geometry, args) : undefined;
  // Counts for the launch use the program's variables, as host code does, so renaming comes after them.
  const ofGangs = ownOfGangs({ ...planned, body: near?.body ?? planned.body }, reductions);
  return {
    spmd: { ...planned, body: ofGangs.body },
    reductions: ofGangs.reductions,
    copies,
    trips,
    most,
    geometry,
    mapped,
    near,
    remarks: [...remarks, ...(near?.remarks ?? [])],
    count: steps?.count,
  };
}

/** The most iterations of a stage's loops, found by the texts of their trip counts. */
function mostOf(body: Stmt, known: ReadonlyMap<string, Expr>): ReadonlyMap<LoopHeader, Expr> {
  const found = new Map<LoopHeader, Expr>();
  findStatement(body, (s) => {
    for (const h of asNode(s, "loop")?.headers ?? []) {
      const most = known.get(keyOf(tripCount(h)));
      if (most) found.set(h, most);
    }
    return false;
  });
  return found;
}

/** Bytes of group memory for `cache`. */
const CACHE = 1 << 14;

/** Copies of more elements take groups long to fill and to add up, so fewer groups do more each. */
const MANY = 1024;

/**
 * Updates of a group's copies have to wait for each other. Iterations with a loop inside have several loads under way
 * anyway, so interleaving them only takes registers from other groups.
 */
function forGathering({ body }: Spmd, copies: readonly Copy[], given: ExecutionModel): ExecutionModel {
  const elements = copies.reduce((sum, copy) => sum + copy.elements, 0);
  const model = elements > MANY && given.maxItems > 1 ? { ...given, partials: 4 } : given;
  if (!findNode(body, "loop", (loop) => hasLoop(loop.body))) return model;
  const { perItem: _, ...alone } = model;
  return alone;
}

function tilesOf(spmd: Spmd, model: ExecutionModel): Tiled | undefined {
  if (spmd.serial || !model.tiles) return undefined;
  if (model.tiles === "order") return tiled(spmd.body);
  return isShapedByTile(spmd, model) ? undefined : tiledForGroups(spmd.body);
}

/** The first loop that items share. */
export function lanesOfPlan({ mapped, near, spmd, geometry }: Plan): Pick<LoweredRegion, "lanes"> {
  if (near && !mapped) return { lanes: near.lanes };
  if (mapped) return mapped.lanes ? { lanes: mapped.lanes } : {};
  const at = findStatement(spmd.body, (s) => {
    const loop = asNode(s, "loop");
    return loop !== undefined && isItemLoop(geometry, loop);
  });
  const loop = at && asNode(at, "loop");
  return loop ? { lanes: lanesOf(loop) } : {};
}
