/**
 * Gangs and workers that are what teams are, so that such a loop is shared as if it named no levels:
 * - workers that share a gang's iterations, each with its lanes. A team has as many lanes as its iterations need, and a
 *   group as many items as the program asks for;
 * - gangs with lanes, if the program gives no numbers: a team is then a gang, and a group has several.
 *
 *     #pragma acc parallel loop gang worker num_workers(4) vector_length(32)      groups of 128 items,
 *     for (i = 0; i < n; i++) {                                                   a team for each i
 *     #pragma acc loop vector reduction(+:s)
 *       for (k = row[i]; k < row[i + 1]; k++) s += v[k] * x[col[k]];
 */
import { asNode, type Loop, type Spmd } from "../../../core/ir/model/ir.ts";
import { findStatement, type Stmt } from "../../../core/lang/index.ts";
import type { Arguments } from "./accumulators.ts";
import { betterNest } from "./nests.ts";
import { opened } from "./open-levels.ts";
import { teamLoop } from "./teams.ts";

/** Items of a group: those that the program asks for as constants, and what there are otherwise. */
interface Sizes {
  readonly asked: { readonly lanes: number | undefined; readonly workers: number | undefined };
  readonly defaultItems: number;
  readonly maxItems: number;
}

export interface LevelTeams {
  readonly spmd: Spmd;
  readonly loop: Loop;
  /** Items of a group. */
  readonly items: number;
}

/** `loop`: all of the region's body. */
export function teamsOfLevels(spmd: Spmd, loop: Loop, of: Arguments, sizes: Sizes): LevelTeams | undefined {
  const { levels, free, independence, gangs, tile } = loop.parallel;
  if (free || levels[0] !== "gang" || levels.includes("vector") || levels.length > 2) return undefined;
  if (independence !== "independent" || gangs || tile || spmd.numTeams) return undefined;
  const items = itemsOf(spmd, loop, sizes);
  if (items === undefined || !findStatement(loop.body, isVectorLoop)) return undefined;
  const { numUnits: _units, numLanes: _lanes, ...open } = spmd;
  const other = opened(loop);
  // Lanes would rather follow the loop that gangs share.
  if (betterNest(open, other, of)?.last === loop.headers.at(-1)) return undefined;
  const team = teamLoop(open, other, of.isArgument, of.isBuffer);
  return team?.along === "inner" ? { spmd: open, loop: other, items } : undefined;
}

const isVectorLoop = (s: Stmt): boolean => asNode(s, "loop")?.parallel.levels.includes("vector") === true;

/** As many as the program asks for, if teams of any size fill them. */
function itemsOf({ numUnits, numLanes }: Spmd, rows: Loop, sizes: Sizes): number | undefined {
  const { lanes, workers } = sizes.asked;
  const varies = (numLanes && lanes === undefined) || (numUnits && workers === undefined);
  if (varies) return undefined;
  if (lanes === undefined && workers === undefined) return Math.min(sizes.defaultItems, sizes.maxItems);
  const items = (lanes ?? 1) * (workers ?? 1);
  const fills = Number.isInteger(Math.log2(items)) && items >= 32 && items <= sizes.maxItems;
  return fills && rows.parallel.levels.includes("worker") ? items : undefined;
}
