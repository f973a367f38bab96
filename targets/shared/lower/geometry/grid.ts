/** How many groups a launch starts. */
import { entryOf } from "../../../../core/checked/access.ts";
import type { Loop, LoopHeader, Spmd } from "../../../../core/ir/model/ir.ts";
import type { Expr } from "../../../../core/lang/tree/ast.ts";
import type { Tiled } from "../../loops/tiles.ts";
import { tripCount } from "../../loops/trips.ts";
import { keyOf } from "../../mapping/same-expression.ts";
import type { ExecutionModel } from "./execution-model.ts";
import { blockDepth, type Geometry, NARROW, type Sharers, type Teams } from "./geometry.ts";

/** Items per compute unit that keep a device busy if each has several loads in flight. */
const BUSY = 1024;

/** Trip counts as the image file spells them. */
export function texts(
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

/**
 * Groups for teams of one loop: enough for the lanes of each team, or enough to fill the device. Where rows are few, teams
 * take up to a whole group each (lanes-per-team.ts), until they have twice the items that keep the device busy.
 */
function groupsOfTeams(trips: string, items: number, { atOnce, lanes }: Teams): string {
  const usual = `${trips} ${lanes ?? 32} * ${items} ceildiv cu 32 * min`;
  if (!atOnce) return lanes ? usual : `${usual} ${trips} cu ${Math.ceil((2 * BUSY) / items)} * min max`;
  return `${trips} ${atOnce.lanes} * ${items} ceildiv cu ${atOnce.groups} * min ${usual} max`;
}

interface Launched extends Pick<Geometry, "items" | "coverage" | "perItem" | "narrows"> {
  readonly spmd: Spmd;
  readonly loops: readonly Loop[];
  /** Who shares each of them. */
  readonly kinds: readonly Sharers[];
  /** Items form rows along the last loop of a nest. */
  readonly plane: boolean;
  /** Trip counts as the image file spells them. */
  readonly trips: ReadonlyMap<LoopHeader, string>;
  readonly model: ExecutionModel;
  readonly hasReductions: boolean;
  readonly teams: Teams | undefined;
}

/** The numbers of groups in both directions, as expressions of the image file. */
export function gridOf(launched: Launched): [string, string] {
  const { spmd, loops, kinds, items, plane, trips, model, hasReductions } = launched;
  const { coverage, perItem, narrows, teams } = launched;
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
