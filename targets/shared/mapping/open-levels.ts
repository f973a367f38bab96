/** What the program leaves open about who runs a loop's iterations. */
import { asNode, type Loop, type Spmd } from "../../../core/ir/model/ir.ts";
import { mapChildren, type Stmt } from "../../../core/lang/index.ts";

/** Whether the program leaves it open how gangs and lanes share a loop: it names no levels, sizes or tiles. */
export function leavesOpen({ numTeams, numUnits, numLanes }: Spmd, { parallel }: Loop): boolean {
  const sized = numTeams || numUnits || numLanes || parallel.lanes || parallel.workers || parallel.tile;
  return !sized && parallel.free === true && parallel.levels.includes("gang");
}

/** A loop and its inner loops as if no levels had been named; sequential loops stay so. */
export function opened(loop: Loop): Loop {
  const { independence, tile, levels } = loop.parallel;
  const free = independence === "independent" && { free: true as const };
  const inside = (s: Stmt): Stmt => {
    const inner = s.kind === "ext" ? asNode(s, "loop") : undefined;
    return inner && s.kind === "ext" ? { ...s, ext: opened(inner) } : mapChildren(s, inside);
  };
  return {
    ...loop,
    parallel: { levels, independence, ...(tile && { tile }), ...free },
    body: inside(loop.body),
  };
}
