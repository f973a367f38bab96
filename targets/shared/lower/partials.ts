/**
 * Reductions of a whole region, in two stages: each group stores a partial result in memory of the launch, and one
 * group of a second kernel combines all of them.
 */
import { combine } from "../../../core/ir/model/combine.ts";
import { identity } from "../../../core/ir/model/identity.ts";
import { LONG, pointerTo, sizeOf } from "../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  declare,
  deref,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
} from "../../../core/lang/tree/build.ts";
import { counted } from "../device/counted-loop.ts";
import { groupReduce, isFirstItem, type Kernel, type KernelParam, workItemId } from "../device/device.ts";
import type { GangReduction } from "./own-of-gangs.ts";
import type { Parameters } from "./parameters.ts";

/** The partial results of all groups for one reduction. */
interface Partials {
  readonly reduction: GangReduction;
  readonly param: KernelParam;
  /** Size in bytes, as an image-file expression. */
  readonly bytes: string;
}

export function partialsOf(reductions: readonly GangReduction[]): readonly Partials[] {
  return reductions.map((reduction, k) => {
    const { name, type } = reduction.own;
    const sym = freshSymbol(`${name}_partial`, pointerTo(type));
    const source = { from: "scratch", index: k } as const;
    return {
      reduction,
      param: { sym, pointer: true, unaliased: true, source },
      bytes: `${sizeOf(type) ?? 8} gx gy * *`,
    };
  });
}

/** Stores the group's partial result. */
export const storePartial = ({ reduction, param }: Partials): Stmt =>
  exprStmt(assign(index(ident(param.sym), workItemId("group")), ident(reduction.own)));

/** The second stage, by up to `maxItems` items. */
export function finishKernel(
  region: string,
  partials: readonly Partials[],
  parameters: Parameters,
  maxItems: number,
): Kernel {
  const items = maxItems > 1 ? Math.min(256, maxItems) : 1;
  const count = freshSymbol("arc_count", LONG);
  const folds = partials.map((p) => folded(p, parameters.object(p.reduction.of), items, count));
  return {
    name: `${region}_finish`,
    params: [
      ...folds.flatMap((f) => f.params),
      { sym: count, pointer: false, source: { from: "launch", expr: "gx gy *" } },
    ],
    group: [items, 1],
    grid: ["1", "1"],
    shared: folds.flatMap((f) => f.shared),
    body: folds.flatMap((f) => f.body),
  };
}

/** `result`: the mapped variable. */
function folded(
  { reduction: { op, own: sym }, param }: Partials,
  result: KernelParam,
  items: number,
  count: Symbol,
): { params: KernelParam[]; shared: Symbol[]; body: Stmt[] } {
  const acc = freshSymbol(`${sym.name}_sum`, sym.type);
  const t = freshSymbol("arc_t", LONG);
  const first = items > 1 ? workItemId("item") : intLit(0, LONG);
  const add = exprStmt(assign(ident(acc), combine(op, ident(acc), index(ident(param.sym), ident(t)))));
  const target = deref(ident(result.sym));
  const store = exprStmt(assign(target, combine(op, target, ident(acc))));
  const stmts = [
    declare(acc, identity(op, sym.type)),
    counted(t, first, ident(count), intLit(items, LONG), add),
  ];
  const params = [result, param];
  if (items === 1) return { params, shared: [], body: [...stmts, store] };
  const scratch = freshSymbol(`${sym.name}_shared`, { kind: "array", of: sym.type, size: items });
  const reduce = groupReduce({ op, target: ident(acc), scratch: ident(scratch), items });
  return { params, shared: [scratch], body: [...stmts, reduce, ifStmt(isFirstItem(), store)] };
}
