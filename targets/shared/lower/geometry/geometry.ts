/** Groups and items of a region, and who shares its loops. */
import type { Loop, LoopHeader } from "../../../../core/ir/model/ir.ts";
import type { ExecutionModel } from "./execution-model.ts";

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
