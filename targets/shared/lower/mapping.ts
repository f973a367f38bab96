/** The loop that makes up a region, transformed for GPU memory access. */
import { lastOf } from "../../../core/checked/access.ts";
import { asNode, extStmt, type Loop, type Spmd } from "../../../core/ir/model/ir.ts";
import type { Argument } from "../../../core/ir/model/region.ts";
import { wholeLoop } from "../../../core/ir/normalise/levels.ts";
import { LONG, mapChildren, printExpr } from "../../../core/lang/index.ts";
import type { Diagnostic, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { binary, freshSymbol, ident, ifStmt, intLit } from "../../../core/lang/tree/build.ts";
import type { KernelParam, Lanes } from "../device/device.ts";
import { isolate } from "../loops/alpha-rename.ts";
import { type Accumulated, type Arguments, withAccumulators } from "../mapping/accumulators.ts";
import { crossedNest } from "../mapping/crossed.ts";
import { betterNest, type Nest, unless } from "../mapping/nests.ts";
import { opened } from "../mapping/open-levels.ts";
import { productLoop } from "../mapping/products/product-loop.ts";
import { leadingLoop } from "../mapping/team-steps.ts";
import { type TeamLoop, teamLoop } from "../mapping/teams.ts";
import { teamsOfLevels } from "../mapping/teams-of-levels.ts";
import type { ExecutionModel } from "./geometry/execution-model.ts";
import type { Teams } from "./geometry/geometry.ts";
import { askedSizes, loopsOf } from "./geometry/sizes.ts";
import { crossedCode } from "./group/crossed-tiles.ts";
import { productCode } from "./products/product-code.ts";
import { CAPACITY, capacity, mostLanesDown } from "./teams/lanes-per-team.ts";
import { heldBy, type TeamCode, teamCode } from "./teams/team-code.ts";

/** Loads at once, by a lane of a team, where the device does not say. */
const LOADS = 4;
/** Beside a loop of wide loads, which takes over if it can: eight would take registers from it. */
const LOADS_BESIDE_WIDE = 4;

export interface Mapped {
  readonly body: Stmt;
  readonly teams?: Teams;
  /** Most groups for each compute unit. */
  readonly mostGroups?: number;
  readonly groupMemory: readonly Symbol[];
  /** Items of a group that the body is for; sizes that the program asks for are in it. */
  readonly items?: number;
  /** Groups that should fit into a compute unit's registers at a time. */
  readonly resident?: number;
  readonly params: readonly KernelParam[];
  readonly remarks: readonly Diagnostic[];
  readonly lanes?: Lanes;
}

/**
 * Groups for each compute unit that compute blocks of products: 16 384 products of 32 x 32 took an H200's OpenCL 0.107 ms
 * with so many, and 0.128 with a group for each.
 */
const MOST_BLOCKS = 16;

export function mapping(spmd: Spmd, model: ExecutionModel, args: readonly Argument[]): Mapped | undefined {
  const loop = model.teams && model.maxItems > 1 && !spmd.serial ? wholeLoop(spmd.body) : undefined;
  if (!loop) return undefined;
  const asked = teamsOfLevels(spmd, loop, reachOf(args), {
    ...model,
    asked: askedSizes(spmd, loopsOf(spmd.body)),
  });
  if (!asked) return mapped(spmd, loop, model, args, betterNest(spmd, loop, reachOf(args)));
  // Whatever else would do, the program's levels stay.
  const { reuse: _, ...rest } = model;
  const body = replaced(spmd.body, loop, extStmt(asked.loop, loop.body.span));
  return mapped({ ...asked.spmd, body }, asked.loop, { ...rest, defaultItems: asked.items }, args);
}

function mapped(
  spmd: Spmd,
  loop: Loop,
  model: ExecutionModel,
  args: readonly Argument[],
  nest?: Nest,
): Mapped | undefined {
  const { isArgument, isBuffer } = reachOf(args);
  const inMemory = (sym: Symbol) =>
    args.some((a) => a.sym === sym && (a.how === "buffer" || a.how === "object"));
  const nested = nest?.loop ?? loop;
  const kept = withAccumulators(nested.body, { isArgument: inMemory, isBuffer });
  const better: Loop = kept ? { ...nested, body: kept.body } : nested;
  const product = model.reuse ? productLoop(spmd, better, { isArgument, isBuffer }) : undefined;
  const items = Math.min(model.maxItems, model.defaultItems);
  const tiles = product && productCode(product, items, model.reuse ?? 0, capacity, model.matrixUnits ?? []);
  const team = tiles ? undefined : teamLoop(spmd, better, isArgument, isBuffer);
  const crossed =
    model.reuse && !tiles && !team ? crossedNest(spmd, better, { isArgument, isBuffer }) : undefined;
  const across = crossed && crossedCode(crossed, items, model.reuse ?? 0);
  const left = leftAsWritten(spmd, loop, isArgument, isBuffer);
  if (!team && !kept && !nest && !tiles && !across)
    return left && { body: spmd.body, groupMemory: [], params: [], lanes: lanesOf(loop), remarks: [left] };
  const { maxItems: most, loads = LOADS, loadsAsked } = model;
  const room = {
    usual: items,
    most,
    loads,
    besideWide: loadsAsked ? loads : Math.min(loads, LOADS_BESIDE_WIDE),
    inAnyLength: model.wideInAnyLength === true,
    narrow: model.narrowTeams === true,
  };
  const holding = team && heldBy(team, items, isBuffer);
  const apart = overlaps(holding?.of.pairs ?? [], args);
  const teams = team && teamCode(team, room, holding, apart.clear);
  const made = tiles ?? across ?? teams;
  const resident = tiles?.resident ?? teams?.resident;
  const { span } = loop.body;
  const fast = made?.body ?? extStmt(better, span);
  const pairs = [
    ...(nest?.pairs ?? []),
    ...(kept?.pairs ?? []),
    ...(tiles ? (product?.pairs ?? []) : []),
    ...(team?.pairs ?? []),
    ...(across ? (crossed?.pairs ?? []) : []),
  ];
  const { flags, clear } = overlaps(pairs, args);
  return {
    body: replaced(
      spmd.body,
      loop,
      // Items may hold a variable in one form that groups hold in the other.
      clear ? ifStmt(clear, fast, isolate(extStmt(loop, span))) : fast,
    ),
    ...(team && teams && { items: teams.items, teams: teamsOf(team, teams) }),
    ...(tiles && { mostGroups: MOST_BLOCKS }),
    groupMemory: made?.groupMemory ?? [],
    ...(resident && { resident }),
    params: [
      ...flags,
      ...apart.flags,
      ...(tiles || teams
        ? [{ sym: capacity, pointer: false, source: { from: "launch", expr: CAPACITY } } as const]
        : []),
    ],
    ...(!tiles && !across && { lanes: lanesOf(better, team) }),
    remarks: [
      ...(left ? [left] : []),
      ...(nest && !across ? [nestRemark(loop, nest)] : []),
      ...(kept ? [keptRemark(loop, kept)] : []),
      ...(tiles ? [tiles.remark] : across ? [across.remark] : (teams?.remarks ?? [])),
    ],
  };
}

function teamsOf({ loop: { headers } }: TeamLoop, { items, groupsAtOnce: groups, lanes }: TeamCode): Teams {
  return {
    headers,
    ...(lanes && { lanes }),
    ...(groups && { atOnce: { groups, lanes: mostLanesDown(items) } }),
  };
}

/** Lanes of a team follow the inner loop if its accesses are contiguous. */
export function lanesOf(loop: Loop, team?: TeamLoop): Lanes {
  const { headers, body } = loop;
  const inner = team?.along === "inner" ? leadingLoop(team.steps).header : undefined;
  return { headers, body, along: inner ?? lastOf(headers) };
}

/** Which variables a region shares with its surroundings. */
export const reachOf = (args: readonly Argument[]): Arguments => ({
  isArgument: (sym) => args.some((a) => a.sym === sym),
  isBuffer: (sym) => args.some((a) => a.sym === sym && a.how === "buffer"),
});

/** A remark on a better mapping that the user's levels and sizes prevent. */
function leftAsWritten(
  spmd: Spmd,
  loop: Loop,
  isArgument: (sym: Symbol) => boolean,
  isBuffer: (sym: Symbol) => boolean,
): Diagnostic | undefined {
  const { numTeams, numUnits, numLanes, ...open } = spmd;
  const other = opened(loop);
  const asked = !loop.parallel.free || (numTeams ?? numUnits ?? numLanes) !== undefined;
  if (!asked || !loop.parallel.levels.includes("gang")) return undefined;
  const nest = betterNest(open, other, { isArgument, isBuffer });
  const team = teamLoop(open, nest?.loop ?? other, isArgument, isBuffer);
  if (!nest && team?.along !== "inner") return undefined;
  const how = !nest
    ? "as many lanes for each iteration as its inner loop is long would read memory side by side"
    : loop.headers.includes(nest.last)
      ? `lanes along '${nest.last.var.name}' would read memory side by side`
      : `as one nest the loops would leave no lanes idle where the one over '${nest.last.var.name}' is short`;
  return {
    severity: "note",
    code: "levels-kept",
    loc: loop.site.loc,
    message: `levels and sizes are kept as written, though ${how}`,
    remedy: "leave out gang, worker, vector and their sizes, here and on the loops inside",
  };
}

/** Parameters that say whether pointers overlap, and the condition that none do. */
export function overlaps(
  pairs: readonly (readonly [Symbol, Symbol])[],
  args: readonly Argument[],
): { readonly flags: readonly KernelParam[]; readonly clear?: Expr | undefined } {
  const flags = pairs
    .filter((p, k) => pairs.findIndex((q) => isPair(p, q)) === k)
    .map((pair) => overlap(pair, args));
  const clear = flags
    .map((f): Expr => binary("==", ident(f.sym), intLit(0, LONG)))
    .reduce<Expr | undefined>((a, b) => (a ? binary("&&", a, b) : b), undefined);
  return { flags, clear };
}

function overlap([a, b]: readonly [Symbol, Symbol], args: readonly Argument[]): KernelParam {
  const place = (sym: Symbol) => args.findIndex((arg) => arg.sym === sym && arg.how === "buffer");
  const sym = freshSymbol(`arc_${a.name}_meets_${b.name}`, LONG);
  return { sym, pointer: false, source: { from: "overlap", index: place(a), other: place(b) } };
}

const isPair = ([a, b]: readonly [Symbol, Symbol], [c, d]: readonly [Symbol, Symbol]): boolean =>
  (a === c && b === d) || (a === d && b === c);

function nestRemark({ site }: Loop, { last, pairs }: Nest): Diagnostic {
  return {
    severity: "note",
    code: "lanes-along",
    loc: site.loc,
    message: `lanes go along '${last.var.name}', over which neighbours lie side by side in memory${unless(pairs)}`,
    remedy: "name levels (gang, vector) to have the loops shared out as written",
  };
}

function keptRemark({ site }: Loop, { elements, pairs }: Accumulated): Diagnostic {
  const names = [...new Set(elements.map((e) => `'${printExpr(e)}'`))].join(", ");
  return {
    severity: "note",
    code: "kept-in-register",
    loc: elements[0]?.span.start ?? site.loc,
    message: `${names} is kept in a register while the loop around it runs${unless(pairs)}`,
    ...(pairs.length > 0 && { remedy: "declare pointers that never overlap 'restrict'" }),
  };
}

/** `s` with `by` in place of a loop. */
function replaced(s: Stmt, loop: Loop, by: Stmt): Stmt {
  return asNode(s, "loop") === loop ? by : mapChildren(s, (child) => replaced(child, loop, by));
}
