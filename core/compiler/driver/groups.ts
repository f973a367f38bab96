/**
 * Applies a variant to kernels whose items run in groups: the number of items and groups, the work per item, and
 * whether loops are mapped by their accesses. The lowering uses these. A region whose results might depend on these
 * numbers keeps those of the program.
 */
import type { Assignment } from "../../../schema/document/axis.ts";
import { type LoweredRegion, mapBodies } from "../../../targets/shared/device/device.ts";
import { unrollPragma } from "../../../targets/shared/device/pragmas.ts";
import { routinesIn } from "../../../targets/shared/lower/answers.ts";
import type { ExecutionModel } from "../../../targets/shared/lower/geometry/execution-model.ts";
import { askedSizes } from "../../../targets/shared/lower/geometry/sizes.ts";
import type { Spmd, Task } from "../../ir/model/ir.ts";
import { hasNode } from "../../ir/model/nodes.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { wholeLoop } from "../../ir/normalise/levels.ts";
import { findStatement, mapChildren } from "../../lang/index.ts";
import type { Diagnostic, Stmt } from "../../lang/tree/ast.ts";
import { loopStmt, loopsIn, mapLoops, withSpmd } from "../passes/rewrite/region.ts";

/** A region as input of the lowering. */
interface Shape {
  readonly task: Task;
  readonly model: ExecutionModel;
  /** Unroll factor of the kernel's innermost loops; absent: the kernel compiler decides. */
  readonly unroll?: number;
  readonly diagnostics: readonly Diagnostic[];
}

export const plain = (task: Task, model: ExecutionModel): Shape => ({ task, model, diagnostics: [] });

interface RequestedSizes {
  readonly lanes?: number;
  readonly workers?: number;
  readonly groups?: number;
  readonly perItem?: number;
}

/** `called`: bodies of the functions that the region calls. */
export function inGroups(
  task: Task,
  model: ExecutionModel,
  choice: Assignment,
  called: readonly Stmt[],
): Shape {
  const { unroll, mapping, tile } = choice;
  const requested = requestedBy(choice);
  const spmd = spmdOf(task);
  const { used, refused } = usable(spmd, requested, called);
  const { lanes, workers, groups, perItem } = used;
  const { teams, perItem: usual, reuse, gather, ...rest } = model;
  const width = lanes !== undefined && workers !== undefined ? { width: lanes } : {};
  const sized = lanes !== undefined || workers !== undefined;
  const items = sized ? itemsOf(spmd, model, lanes, workers) : model.defaultItems;
  const itemWork = perItem ?? usual;
  const tooMany = items > model.maxItems;
  return {
    task: sized ? withSpmd(task, withoutSizes) : task,
    model: {
      ...rest,
      ...(teams && mapping !== "as-written" && { teams }),
      ...(choice["group-memory"] !== "none" && { ...(reuse && { reuse }), ...(gather && { gather }) }),
      ...(typeof tile === "string" && tile !== "auto" && { tile: tileOf(tile) }),
      ...(itemWork !== undefined && itemWork > 1 && { perItem: itemWork }),
      ...(groups !== undefined && { groups }),
      ...width,
      defaultItems: tooMany ? model.defaultItems : items,
    },
    ...(typeof unroll === "number" && { unroll }),
    diagnostics: [
      ...(refused === undefined ? [] : [keptRemark(task, refused)]),
      ...(tooMany ? [groupTooLarge(task, requested, items, model.maxItems)] : []),
    ],
  };
}

const tileOf = (tile: string): NonNullable<ExecutionModel["tile"]> =>
  tile === "none" ? "none" : tile.split("x").map(Number);

function requestedBy(choice: Assignment): RequestedSizes {
  const number = (key: string) => (typeof choice[key] === "number" ? { value: choice[key] } : undefined);
  const [lanes, workers, perItem] = ["vector-length", "workers", "items-per-lane"].map(number);
  const groups = number("gangs");
  return {
    ...(lanes && { lanes: lanes.value }),
    ...(workers && { workers: workers.value }),
    ...(groups && groups.value > 0 && { groups: groups.value }),
    ...(perItem && { perItem: perItem.value }),
  };
}

interface Kept {
  readonly requested: RequestedSizes;
  readonly why: string;
}

/** Which of the requested numbers may replace the program's own. */
function usable(
  spmd: Spmd,
  requested: RequestedSizes,
  called: readonly Stmt[],
): { readonly used: RequestedSizes; readonly refused?: Kept } {
  const { perItem, groups, ...sizes } = requested;
  const open = perItem === undefined ? {} : { perItem };
  const why = reasonToKeep(spmd, called);
  if (why !== undefined && (groups !== undefined || Object.keys(sizes).length > 0))
    return { used: open, refused: { requested, why } };
  if (groups === undefined || wholeLoop(spmd.body) !== undefined) return { used: requested };
  return {
    used: { ...open, ...sizes },
    refused: { requested: { groups }, why: "each gang runs code of its own around the loops" },
  };
}

/** Why a region keeps all of its own numbers. */
function reasonToKeep(spmd: Spmd, called: readonly Stmt[]): string | undefined {
  if (spmd.serial) return "the region is serial";
  if (hasNode(spmd.body, "threads")) return "teams of threads run code together";
  const queries = [spmd.body, ...called].some((body) => routinesIn(body).length > 0);
  return queries ? "the program asks for the number of a team or a thread" : undefined;
}

/** Uses the program's own number if the variant leaves one open. */
function itemsOf(
  spmd: Spmd,
  model: ExecutionModel,
  lanes: number | undefined,
  workers: number | undefined,
): number {
  const written = askedSizes(spmd, loopsIn(spmd.body));
  const rows = workers ?? written.workers ?? 1;
  return rows * (lanes ?? written.lanes ?? Math.max(1, Math.floor(model.defaultItems / rows)));
}

/** Removes the directives' numbers of lanes and workers, which are replaced. */
function withoutSizes({ numLanes: _lanes, numUnits: _workers, ...spmd }: Spmd): Spmd {
  const body = mapLoops(spmd.body, (loop, at) => {
    const { lanes: _own, workers: _rows, ...parallel } = loop.parallel;
    return loopStmt({ ...loop, parallel }, at);
  });
  return { ...spmd, body };
}

const namesOf = ({ lanes, workers, groups }: RequestedSizes): string =>
  [
    ...(lanes === undefined ? [] : [`vector-length ${lanes}`]),
    ...(workers === undefined ? [] : [`workers ${workers}`]),
    ...(groups === undefined ? [] : [`gangs ${groups}`]),
  ].join(", ");

function keptRemark({ site }: Task, { requested, why }: Kept): Diagnostic {
  return {
    severity: "note",
    code: "variant-sizes-kept",
    loc: site.loc,
    message: `the variant's ${namesOf(requested)} is not used here: ${why}`,
    remedy: "give the kernel a name in `kernels:` and leave the axis out of its values",
  };
}

function groupTooLarge({ site }: Task, requested: RequestedSizes, items: number, most: number): Diagnostic {
  return {
    severity: "error",
    code: "group-size",
    loc: site.loc,
    message: `the variant asks for groups of ${items} items (${namesOf(requested)}), and the target's have ${most} at most`,
    remedy: "take the value out of `variants:`, or leave the combination out with `exclude`",
  };
}

/** Adds a pragma to each innermost loop that has none. */
export function unrolled(region: LoweredRegion, copies: number): LoweredRegion {
  const isLoop = (s: Stmt) => s.kind === "for" || s.kind === "while" || s.kind === "do";
  const visit = (s: Stmt): Stmt => {
    const inner = mapChildren(s, visit);
    if (s.kind !== "for" || (s.pragmas ?? []).length > 0) return inner;
    return findStatement(s.body, isLoop) ? inner : { ...inner, pragmas: [unrollPragma(copies)] };
  };
  return mapBodies(region, visit);
}
