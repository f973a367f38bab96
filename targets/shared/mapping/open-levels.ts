import type { Loop, Spmd } from "../../../core/ir/model/ir.ts";

/** Whether the program leaves it open how gangs and lanes share a loop: it names no levels, sizes or tiles. */
export function leavesOpen({ numTeams, numUnits, numLanes }: Spmd, { parallel }: Loop): boolean {
  const sized = numTeams || numUnits || numLanes || parallel.lanes || parallel.workers || parallel.tile;
  return !sized && parallel.free === true && parallel.levels.includes("gang");
}
