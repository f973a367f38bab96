/** How many items a group has. */
import type { Loop, Spmd } from "../../../../core/ir/model/ir.ts";
import { findNode, nodesIn } from "../../../../core/ir/model/nodes.ts";
import { evaluateInteger } from "../../../../core/lang/index.ts";
import type { Expr, Stmt } from "../../../../core/lang/tree/ast.ts";
import { tripCount } from "../../loops/trips.ts";
import type { ExecutionModel } from "./execution-model.ts";
import type { Sharers } from "./geometry.ts";

/** Items adjacent along the innermost loop of a nest: one warp, or two if items interleave iterations (`perItem`). */
export const WIDTH = 32;

/** In source order. */
export const loopsOf = (body: Stmt): readonly Loop[] => [...nodesIn(body, "loop")];

/** The number of threads in its blocks: all blocks of a region use the same number, or none. */
export function threadsAsked(s: Stmt): number | undefined {
  const size = findNode(s, "threads", (block) => block.size !== undefined)?.size;
  return size && Number(evaluateInteger(size) ?? 0n);
}

/** Whether the launch gives the number of the threads of its teams. */
export const isSizedAtLaunch = ({ body }: Spmd): boolean =>
  findNode(body, "threads", (block) => block.atLaunch === true) !== undefined;

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

export function isOpen(spmd: Spmd, loops: readonly Loop[]): boolean {
  const { lanes, workers } = askedSizes(spmd, loops);
  return !lanes && !workers && !spmd.numTeams && !spmd.numUnits && !spmd.numLanes;
}

/**
 * Groups as large as the loops that their items share, where these have constant lengths: items without an iteration
 * would take room that other groups could use.
 */
export function itemsOfShort(
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
export function itemsPerGroup(spmd: Spmd, loops: readonly Loop[], model: ExecutionModel): number {
  if (isSizedAtLaunch(spmd)) return model.maxItems;
  const { lanes, workers } = askedSizes(spmd, loops);
  const requested =
    lanes === undefined && workers === undefined ? model.defaultItems : (lanes ?? 1) * (workers ?? 1);
  return Math.max(1, Math.min(model.maxItems, requested));
}
