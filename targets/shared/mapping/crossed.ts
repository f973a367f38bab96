/**
 * Nests whose accesses are contiguous along different loops, such as a transposition: lanes follow the stores, and loads
 * that are contiguous along another loop come through a tile in group memory.
 *
 *     for (i...) for (j...)            lanes along i store b, lanes along j load a
 *       b[j][i] = a[i][j];
 */
import { lastOf } from "../../../core/checked/access.ts";
import { rootOf, usesOf } from "../../../core/ir/analysis/access.ts";
import { hasLoop } from "../../../core/ir/analysis/control.ts";
import { isVolatile } from "../../../core/ir/analysis/purity.ts";
import { type Reference, referencesOf } from "../../../core/ir/dependence/references.ts";
import { strideOf } from "../../../core/ir/dependence/strides.ts";
import type { Loop, LoopHeader, Spmd } from "../../../core/ir/model/ir.ts";
import { canonical, findStatement, isPointer, sizeOf, walkExpr } from "../../../core/lang/index.ts";
import type { CType, Expr, Symbol } from "../../../core/lang/tree/ast.ts";
import { containsAtomic, escapes } from "../device/control.ts";
import { type Arguments, distinct, isSpine } from "./accumulators.ts";
import { areFixed, plainNest } from "./nests.ts";
import { leavesOpen } from "./open-levels.ts";
import { keyOf } from "./same-expression.ts";
import { sectors } from "./strides.ts";
import { asksItsPlace } from "./teams.ts";

/** An element that a tile holds for each iteration. */
interface Crossing {
  /** The expressions that load it. */
  readonly loads: readonly Expr[];
  readonly type: CType;
}

export interface Crossed {
  readonly loop: Loop;
  /** The loop that lanes follow. */
  readonly along: LoopHeader;
  /** The loop that lanes follow while they fill the tiles. */
  readonly across: LoopHeader;
  readonly others: readonly LoopHeader[];
  readonly crossings: readonly Crossing[];
  /** Pointers that must not point to the same memory. */
  readonly pairs: readonly (readonly [Symbol, Symbol])[];
}

/** Tiles must reduce memory traffic to this fraction. */
const WORTH = 0.6;
const MOST_TILES = 4;

/** The loop that makes up a region, if it is such a nest. */
export function crossedNest(spmd: Spmd, given: Loop, args: Arguments): Crossed | undefined {
  if (!leavesOpen(spmd, given) || given.reductions.length > 0) return undefined;
  const nest = given.headers.length === 1 ? plainNest(given, args) : undefined;
  const loop = nest?.loop ?? given;
  const { headers, body } = loop;
  if (headers.length < 2 || headers.some((h) => isPointer(h.var.type)) || !areFixed(headers, body))
    return undefined;
  if (escapes(body) || containsAtomic(body) || hasLoop(body) || asksItsPlace(body)) return undefined;
  if (findStatement(body, (s) => s.kind === "ext")) return undefined;
  const uses = usesOf(body);
  const own = new Set([...uses.declared, ...loop.privates, ...headers.map((h) => h.var)]);
  const { list, obstacle } = referencesOf(headers, body, uses, own);
  if (obstacle) return undefined;
  const accesses = list.filter((r) => r.location.steps.length > 0);
  const last = lastOf(headers);
  const now = accesses.reduce((sum, r) => sum + sectors(r, last.var), 0);
  const search = { loop, accesses, args };
  const [best] = headers
    .flatMap((along) =>
      headers.flatMap((across) => (along === across ? [] : [choice(search, along, across)])),
    )
    .sort((a, b) => a.cost - b.cost);
  if (!best || best.crossings.length === 0 || !(best.cost < WORTH * now)) return undefined;
  const { along, across, crossings } = best;
  return {
    loop,
    along,
    across,
    others: headers.filter((h) => h !== along && h !== across),
    crossings,
    pairs: [...(nest?.pairs ?? []), ...best.pairs],
  };
}

interface Search {
  readonly loop: Loop;
  readonly accesses: readonly Reference[];
  readonly args: Arguments;
}

interface Choice extends Pick<Crossed, "along" | "across" | "crossings" | "pairs"> {
  readonly cost: number;
}

/** What lanes along a loop cost if tiles are filled by lanes along another one. */
function choice(search: Search, along: LoopHeader, across: LoopHeader): Choice {
  const found = new Map<string, { readonly loads: Expr[]; readonly type: CType }>();
  const pairs: (readonly [Symbol, Symbol])[] = [];
  let cost = 0;
  for (const r of search.accesses) {
    const [direct, turned] = [sectors(r, along.var), sectors(r, across.var)];
    const apart =
      2 * turned <= direct && strideOf(r, across.var).is === "elements" ? held(search, r) : undefined;
    const key = apart && keyOf(r.expr);
    const known = key === undefined ? undefined : found.get(key);
    if (known) known.loads.push(r.expr);
    else if (apart && key !== undefined && found.size < MOST_TILES) {
      found.set(key, { loads: [r.expr], type: r.type });
      pairs.push(...apart);
      // Storing to a tile and reading it costs about a load that a cache serves.
      cost += turned + 1;
    } else cost += direct;
  }
  return { along, across, crossings: [...found.values()], pairs, cost };
}

/**
 * The pointers that must differ so that an element can be loaded before all stores of its tile's iterations; undefined: it
 * cannot.
 */
function held(
  { loop, accesses, args }: Search,
  { mode, always, expr, type, location, loops }: Reference,
): readonly (readonly [Symbol, Symbol])[] | undefined {
  const root = rootOf(expr)?.sym;
  const { kind } = canonical(type);
  if (mode !== "read" || !always || !root || loops.length > 0 || isVolatile(type)) return undefined;
  if ((kind !== "int" && kind !== "float") || (sizeOf(type) ?? 16) > 8) return undefined;
  if (location.base.is !== "variable" && location.base.is !== "pointee") return undefined;
  if (!isSpine(expr) || !isComputedFrom(expr, loop)) return undefined;
  const pairs: (readonly [Symbol, Symbol])[] = [];
  for (const other of accesses) {
    if (other.mode === "read") continue;
    const { base } = other.location;
    if (base.is !== "variable" && base.is !== "pointee") return undefined;
    if (base.sym === root) return undefined;
    if (usesOf(loop.body).declared.has(base.sym) && base.is === "variable") continue;
    if (distinct(root, base.sym)) continue;
    if (!args.isBuffer(root) || !args.isBuffer(base.sym)) return undefined;
    pairs.push([root, base.sym]);
  }
  return pairs;
}

/** Only from the loops' variables and from what no iteration changes, without effects. */
function isComputedFrom(e: Expr, { headers, body, privates }: Loop): boolean {
  const counters = new Set(headers.map((h) => h.var));
  const { of, declared } = usesOf(body);
  let fixed = true;
  walkExpr(e, {
    expr(x) {
      if (["call", "assign", "incdec", "stmt-expr"].includes(x.kind)) fixed = false;
      if (x.kind !== "ident") return;
      const use = of.get(x.sym);
      if (use?.written || use?.addressTaken || isVolatile(x.sym.type)) fixed = false;
      if (!counters.has(x.sym) && (declared.has(x.sym) || privates.includes(x.sym))) fixed = false;
    },
  });
  return fixed;
}
