/** Device code beyond C and the IR: position in the launch, barriers, group reductions. */

import { entryOf, firstOf, lastOf } from "../../../core/checked/access.ts";
import type { LoopHeader, ReductionOp, ShuffleWay, SpmdHints } from "../../../core/ir/model/ir.ts";
import type { Argument } from "../../../core/ir/model/region.ts";
import { LONG, NOWHERE } from "../../../core/lang/index.ts";
import type {
  Diagnostic,
  Expr,
  ExtNode,
  ExtShape,
  FunctionDef,
  Loc,
  Stmt,
  Symbol,
} from "../../../core/lang/tree/ast.ts";
import { binary, compound, freshSymbol, ident, intLit } from "../../../core/lang/tree/build.ts";
import { flat } from "./control.ts";

/**
 * A work-item's position. item, items: within its group, linear; group, groups: within the launch, linear; the suffixed
 * forms are per dimension. Kernels declare the ones they use as constants.
 */
export const workItemIds = [
  "item",
  "items",
  "group",
  "groups",
  "item_x",
  "item_y",
  "group_x",
  "group_y",
  "groups_x",
  "groups_y",
] as const;
export type WorkItemId = (typeof workItemIds)[number];

const idSymbols = new Map(workItemIds.map((p) => [p, freshSymbol(`arc_${p}`, LONG)]));
const idsOfSymbols: ReadonlyMap<object, WorkItemId> = new Map([...idSymbols].map(([p, s]) => [s, p]));

export function workItemId(p: WorkItemId): Expr {
  return ident(entryOf(idSymbols, p));
}

/** Whether a work-item is the first of its group. */
export const isFirstItem = (): Expr => binary("==", workItemId("item"), intLit(0));

export function workItemIdOf(sym: object): WorkItemId | undefined {
  return idsOfSymbols.get(sym);
}

/** A barrier of all work-items of the group, which also makes their memory writes visible to each other. */
interface Barrier extends ExtNode {
  readonly kind: "barrier";
}

/**
 * Replaces `target`, one value per work-item, by the combination of all values of the group, in every work-item.
 * `scratch` is group memory with one element per item. Ends with a barrier.
 */
export interface GroupReduce extends ExtNode {
  readonly kind: "group-reduce";
  readonly op: ReductionOp;
  readonly target: Expr;
  readonly scratch: Expr;
  readonly items: number;
}

/**
 * Replaces `target`, one value per work-item, by the combination of its team's values, in every work-item. A group has
 * `items / lanes` teams of `lanes` items; `lanes` is a power of two and the same throughout the group. A team's items
 * are adjacent (`beside`), or as far apart as there are teams. `scratch` as for a group.
 */
export interface TeamReduce extends ExtNode {
  readonly kind: "team-reduce";
  readonly op: ReductionOp;
  readonly target: Expr;
  readonly scratch: Expr;
  readonly lanes: Expr;
  readonly items: number;
  readonly beside: boolean;
}

/**
 * `into` becomes the `value` of another of 32 neighbouring work-items: the one at place `lane`, the one `lane` places
 * before or behind, or the one whose place differs in the bits of `lane`. Where there is none, it becomes the item's own
 * value. All of the 32 that `active` names execute this.
 */
export interface Exchange extends ExtNode {
  readonly kind: "exchange";
  readonly way: ShuffleWay;
  readonly into: Expr;
  readonly value: Expr;
  readonly lane: Expr;
  readonly active: Expr;
}

/** `into` become neighbouring elements, of which `from` is the first: 16 bytes at a multiple of 16, loaded at once. */
export interface WideLoad extends ExtNode {
  readonly kind: "wide-load";
  readonly into: readonly Expr[];
  readonly from: Expr;
}

/** `from`, 16 bytes of values, go into neighbouring elements at once. `to` is the first, at a multiple of 16. */
export interface WideStore extends ExtNode {
  readonly kind: "wide-store";
  readonly to: Expr;
  readonly from: readonly Expr[];
}

/**
 * Scans a tile of values of each team, `values.length` of them per item. Those of an item are `consecutive`, or item `m`
 * of a team has as its k-th value the one at place `m / w * w * values.length + k * w + m % w` of the tile, where `w` is
 * the number of lanes, 32 at most: lanes that are neighbours have neighbouring values. Afterwards `prefixes` are the
 * combinations of all values in front of an item's own, and `total` that of the whole tile. `scratch` is group memory of
 * `scratchOfScan` elements. May end without a barrier, and begins with one where it uses `scratch`.
 */
export interface TeamScan extends ExtNode {
  readonly kind: "team-scan";
  readonly op: ReductionOp;
  readonly consecutive: boolean;
  readonly values: readonly Expr[];
  readonly prefixes: readonly Expr[];
  readonly total: Expr;
  readonly scratch: Expr;
  readonly lanes: Expr;
  readonly items: number;
}

/** A fence of all memory of the device, between groups. */
interface DeviceFence extends ExtNode {
  readonly kind: "device-fence";
}

/** What the last group of a launch does, and how groups learn which one it is: languages may have it on some devices. */
export interface LastGroup extends ExtNode {
  readonly kind: "last-group";
  readonly body: Stmt;
}

/** Elements of group memory for a tile of `per` values for each of `items`. */
export const scratchOfScan = (items: number, per: number): number => items * (per + 2);

const leaf: ExtShape<Barrier> = { parts: () => ({ stmts: [], exprs: [] }), withParts: (n) => n };
const reduceShape: ExtShape<GroupReduce> = {
  parts: (n) => ({ stmts: [], exprs: [n.target, n.scratch] }),
  withParts: (n, _, [target, scratch]) => ({ ...n, target: target as Expr, scratch: scratch as Expr }),
};

export const barrier = (): Stmt => ({ kind: "ext", ext: { kind: "barrier", shape: leaf }, span: NOWHERE });

const fenceShape: ExtShape<DeviceFence> = {
  parts: () => ({ stmts: [], exprs: [] }),
  withParts: (n) => n,
};
export const deviceFence = (): Stmt => ({
  kind: "ext",
  ext: { kind: "device-fence", shape: fenceShape },
  span: NOWHERE,
});

const lastShape: ExtShape<LastGroup> = {
  parts: (n) => ({ stmts: [n.body], exprs: [] }),
  withParts: (n, [body]) => ({ ...n, body: body as Stmt }),
};
export function lastGroup(body: Stmt): Stmt {
  const ext: LastGroup = { kind: "last-group", shape: lastShape, body };
  return { kind: "ext", ext, span: NOWHERE };
}

export function groupReduce(fields: Omit<GroupReduce, "kind" | "shape">): Stmt {
  const ext: GroupReduce = { kind: "group-reduce", shape: reduceShape, ...fields };
  return { kind: "ext", ext, span: NOWHERE };
}

const teamShape: ExtShape<TeamReduce> = {
  parts: (n) => ({ stmts: [], exprs: [n.target, n.scratch, n.lanes] }),
  withParts: (n, _, [target, scratch, lanes]) => ({
    ...n,
    target: target as Expr,
    scratch: scratch as Expr,
    lanes: lanes as Expr,
  }),
};
export function teamReduce(fields: Omit<TeamReduce, "kind" | "shape">): Stmt {
  const ext: TeamReduce = { kind: "team-reduce", shape: teamShape, ...fields };
  return { kind: "ext", ext, span: NOWHERE };
}

const exchangeShape: ExtShape<Exchange> = {
  parts: (n) => ({ stmts: [], exprs: [n.into, n.value, n.lane, n.active] }),
  withParts: (n, _, [into, value, lane, active]) => ({
    ...n,
    into: into as Expr,
    value: value as Expr,
    lane: lane as Expr,
    active: active as Expr,
  }),
};
export function exchange(fields: Omit<Exchange, "kind" | "shape">): Stmt {
  const ext: Exchange = { kind: "exchange", shape: exchangeShape, ...fields };
  return { kind: "ext", ext, span: NOWHERE };
}

const wideShape: ExtShape<WideLoad> = {
  parts: (n) => ({ stmts: [], exprs: [...n.into, n.from] }),
  withParts: (n, _, exprs) => ({ ...n, into: exprs.slice(0, -1), from: lastOf(exprs) }),
};
export function wideLoad(fields: Omit<WideLoad, "kind" | "shape">): Stmt {
  const ext: WideLoad = { kind: "wide-load", shape: wideShape, ...fields };
  return { kind: "ext", ext, span: NOWHERE };
}

const storeShape: ExtShape<WideStore> = {
  parts: (n) => ({ stmts: [], exprs: [n.to, ...n.from] }),
  withParts: (n, _, exprs) => ({ ...n, to: firstOf(exprs), from: exprs.slice(1) }),
};
export function wideStore(fields: Omit<WideStore, "kind" | "shape">): Stmt {
  const ext: WideStore = { kind: "wide-store", shape: storeShape, ...fields };
  return { kind: "ext", ext, span: NOWHERE };
}

const scanShape: ExtShape<TeamScan> = {
  parts: (n) => ({ stmts: [], exprs: [...n.values, ...n.prefixes, n.total, n.scratch, n.lanes] }),
  withParts(n, _, exprs) {
    const per = n.values.length;
    const [total, scratch, lanes] = exprs.slice(2 * per) as [Expr, Expr, Expr];
    return { ...n, values: exprs.slice(0, per), prefixes: exprs.slice(per, 2 * per), total, scratch, lanes };
  },
};
export function teamScan(fields: Omit<TeamScan, "kind" | "shape">): Stmt {
  const ext: TeamScan = { kind: "team-scan", shape: scanShape, ...fields };
  return { kind: "ext", ext, span: NOWHERE };
}

/** How a kernel parameter gets its value at launch. */
export type ParamSource =
  | { readonly from: "argument"; readonly index: number; readonly argument: Argument }
  /** One of the region's variables from other units. */
  | { readonly from: "global"; readonly index: number; readonly argument: Argument }
  | { readonly from: "scratch"; readonly index: number }
  /** Whether two of the region's arguments may point to the same memory. */
  | { readonly from: "overlap"; readonly index: number; readonly other: number }
  /** An expression in the language of the image file. */
  | { readonly from: "launch"; readonly expr: string };

export interface KernelParam {
  readonly sym: Symbol;
  /** Points to global memory (else passed by value). */
  readonly pointer: boolean;
  /** The kernel accesses its target through this parameter only. */
  readonly unaliased?: boolean;
  readonly source: ParamSource;
}

export interface Kernel {
  readonly name: string;
  readonly params: readonly KernelParam[];
  /** Work-items per group: x, y. At most as many, if the launch gives their number. */
  readonly group: readonly [number, number];
  readonly atLaunch?: true;
  /** Numbers of groups: expressions of the image file. */
  readonly grid: readonly [string, string];
  /** Variables in group memory. */
  readonly shared: readonly Symbol[];
  /** Floating-point operations of a launch, on 32-bit and 64-bit numbers: expressions of the image file. */
  readonly operations?: readonly [string, string];
  /** Number of groups that should fit a compute unit's registers at once. */
  readonly resident?: number;
  /** Requests for an FPGA: copies of the data path, smaller operators. */
  readonly hints?: SpmdHints;
  readonly body: readonly Stmt[];
}

export interface KernelFunction {
  readonly sym: Symbol;
  readonly params: readonly { readonly sym: Symbol; readonly pointer: boolean }[];
  readonly def: FunctionDef;
  readonly body: Stmt;
}

/** Loops whose iterations run on lanes, with neighbouring lanes along the last one, and the code of an iteration. */
export interface Lanes {
  readonly headers: readonly LoopHeader[];
  readonly along: LoopHeader;
  readonly body: Stmt;
}

/** Their places, and the region's scratch in which kernels leave the number of one that led to no function, from 1. */
export interface StrayCalls {
  readonly scratch: number;
  readonly calls: readonly Loc[];
}

/** A region in device form: what an emitter prints and the launch follows. */
export interface LoweredRegion {
  /** Decisions for the device that the program leaves open. */
  readonly remarks?: readonly Diagnostic[];
  /** For estimates of memory access patterns; absent if no loop has lanes. */
  readonly lanes?: Lanes;
  readonly region: string;
  readonly site: { readonly file: string; readonly line: number; readonly what: string };
  /** Callees first. */
  readonly functions: readonly KernelFunction[];
  readonly kernels: readonly Kernel[];
  /** Kernels from `first` to `end` that the launch repeats; inner loops follow the enclosing one. */
  readonly loops?: readonly { readonly count: string; readonly first: number; readonly end: number }[];
  readonly arguments: readonly Argument[];
  /** Variables of other units, which the runtime looks up by name. */
  readonly globals: readonly Argument[];
  /** Bytes of temporary device memory: expressions of the image file. */
  readonly scratch: readonly string[];
  /** The one of these that is zero before the first launch, and that launches leave so. */
  readonly zeroed?: number;
  /**
   * A launch of its only kernel may take up to `most` time steps. The other fields are indexes of kernel parameters:
   * the array that the steps start from, the array that receives the last step, and the number of steps.
   */
  readonly steps?: {
    readonly most: number;
    readonly input: number;
    readonly output: number;
    readonly count: number;
  };
  /** Calls through pointers that may lead to functions which the device does not have: the runtime ends the program. */
  readonly strays?: StrayCalls;
  /** The source forbids to make one operation of a product and a sum, which rounds once. */
  readonly apart?: true;
  /** Options of the C compiler that change what the source means, as far as kernels can follow them. */
  readonly dialect?: readonly string[];
  /** Why the device cannot run the region as written. */
  readonly refused?: readonly Diagnostic[];
  /** Trip counts that the host must pass, as expressions of the program. */
  readonly trips: readonly Expr[];
}

/** The region with a function applied to the bodies of its functions and kernels, each of them one block. */
export function mapBodies(region: LoweredRegion, map: (body: Stmt) => Stmt): LoweredRegion {
  return {
    ...region,
    functions: region.functions.map((f) => ({ ...f, body: map(f.body) })),
    kernels: region.kernels.map((k) => ({ ...k, body: flat(map(compound(k.body))) })),
  };
}
