/**
 * Workers that share a gang's iterations, each with its lanes: they are what teams are, so such a loop is shared as if
 * it named no levels. A team has as many lanes as its iterations need and a group as many items as the program asks for.
 *
 *     #pragma acc parallel loop gang worker num_workers(4) vector_length(32)      groups of 128 items,
 *     for (i = 0; i < n; i++) {                                                   a team for each i
 *     #pragma acc loop vector reduction(+:s)
 *       for (k = row[i]; k < row[i + 1]; k++) s += v[k] * x[col[k]];
 */
import { asNode, type Loop, type Spmd } from "../../../core/ir/model/ir.ts";
import { evaluateInteger, findStatement, type Stmt } from "../../../core/lang/index.ts";
import type { Arguments } from "./accumulators.ts";
import { betterNest } from "./nests.ts";
import { opened } from "./open-levels.ts";
import { teamLoop } from "./teams.ts";

interface Sizes {
  /** Items of a group if the program does not say. */
  readonly defaultItems: number;
  readonly maxItems: number;
}

export interface WorkerTeams {
  readonly spmd: Spmd;
  readonly loop: Loop;
  /** Items of a group. */
  readonly items: number;
}

/** `loop`: all of the region's body. */
export function workerTeams(spmd: Spmd, loop: Loop, of: Arguments, model: Sizes): WorkerTeams | undefined {
  const { levels, independence, gangs, tile } = loop.parallel;
  const workers = levels.length === 2 && levels[0] === "gang" && levels[1] === "worker";
  if (!workers || independence !== "independent" || gangs || tile || spmd.numTeams) return undefined;
  const lanes = findStatement(loop.body, isVectorLoop);
  const items = itemsOf(spmd, loop, lanes && asNode(lanes, "loop"), model);
  if (!lanes || items === undefined) return undefined;
  const { numUnits: _units, numLanes: _lanes, ...open } = spmd;
  const other = opened(loop);
  if (betterNest(open, other, of)) return undefined;
  const team = teamLoop(open, other, of.isArgument, of.isBuffer);
  return team?.along === "inner" ? { spmd: open, loop: other, items } : undefined;
}

const isVectorLoop = (s: Stmt): boolean => asNode(s, "loop")?.parallel.levels.includes("vector") === true;

/** As many as the program asks for, if teams of any size fill them. */
function itemsOf(spmd: Spmd, rows: Loop, lanes: Loop | undefined, model: Sizes): number | undefined {
  const asked = [rows.parallel.workers ?? spmd.numUnits, lanes?.parallel.lanes ?? spmd.numLanes];
  if (!asked.some((size) => size)) return Math.min(model.defaultItems, model.maxItems);
  const items = asked.reduce((n, size) => n * (size ? Number(evaluateInteger(size) ?? Number.NaN) : 1), 1);
  return Number.isInteger(Math.log2(items)) && items >= 32 && items <= model.maxItems ? items : undefined;
}
