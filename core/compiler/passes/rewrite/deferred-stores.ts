/**
 * Stores of a loop that runs several iterations per step: lanes compute into an array of values, and their stores
 * follow side by side after the computation, so that the vendor's compiler makes one wide access of them.
 *
 *     lanes: out[x] = f(x)   =>   lanes: values[lane] = f(x)      lanes: out[x] = values[lane]
 */
import { lastOf } from "../../../checked/access.ts";
import { usesOf } from "../../../ir/analysis/access.ts";
import { isRefusal, neighbourhood } from "../../../ir/analysis/loops/neighbourhood.ts";
import type { Loop } from "../../../ir/model/ir.ts";
import {
  arrayOf,
  elementType,
  evaluateInteger,
  INT,
  LONG,
  mapStmt,
  unqualified,
  walkStmt,
} from "../../../lang/index.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  assign,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
  stripImplicit,
} from "../../../lang/tree/build.ts";
import { distinct } from "./aliasing.ts";
import { add, constant, times } from "./folding.ts";
import { firstElement, type Walk } from "./walk.ts";

/** An array that the body writes and whose stores are moved after the computation of a step. */
export interface DeferredStore {
  readonly array: Symbol;
  /** Declarations for `first`. */
  readonly before: readonly Stmt[];
  /** Index of the first iteration's element, and the direction in which iterations advance. */
  readonly first: Expr;
  readonly direction: bigint;
  readonly values: Symbol;
  /** Whether a lane's value must be stored; absent if every iteration stores. */
  readonly set?: Symbol;
}

/** For all arrays that the body writes except `windowed`; `note` receives reasons why stores of others stay. */
export function deferredStores(
  loop: Loop,
  windowed: ReadonlySet<Symbol>,
  walk: Walk,
  lanes: number,
  note: (message: string, loc: Loc) => void,
): readonly DeferredStore[] {
  const uses = usesOf(loop.body);
  return [...uses.of].flatMap(([array, use]) => {
    if (!use.elementsWritten || uses.declared.has(array) || windowed.has(array)) return [];
    const store = use.elementsRead ? "the loop reads it too" : deferrable(loop, array, walk, lanes);
    if (typeof store !== "string") return [store];
    note(`stores to '${array.name}' stay among the computation: ${store}`, use.at.span.start);
    return [];
  });
}

function deferrable(loop: Loop, array: Symbol, walk: Walk, lanes: number): DeferredStore | string {
  const uses = usesOf(loop.body);
  for (const [sym, use] of uses.of)
    if (
      sym !== array &&
      use.elementsRead &&
      !uses.declared.has(sym) &&
      !distinct(array, sym) &&
      loop.parallel.independence !== "independent"
    )
      return `'${sym.name}' may be the same memory`;
  const n = neighbourhood(loop, array);
  if (isRefusal(n)) return n.reason;
  const [one] = n.accesses;
  const element = elementType(array.type);
  if (
    !one ||
    !element ||
    n.accesses.some((a) => a.range.min !== one.range.min || a.range.max !== one.range.min)
  )
    return "an iteration stores to several elements";
  if (!n.accesses.every((a) => isStatement(loop.body, a.expr))) return "a store is part of an expression";
  const steps = loop.headers.map((h) => (n.base.loop.get(h.var) ?? 0n) * (evaluateInteger(h.step) ?? 0n));
  const direction = lastOf(steps);
  if (direction !== 1n && direction !== -1n)
    return "neighbouring iterations do not store to neighbouring elements";
  if (!steps.every((s, k) => s * direction === walk.strides[k]))
    return "its rows have another length than those of the input";
  const first = add(firstElement(n, loop.headers), constant(one.range.min));
  const always = walk.inside.length === 0 && n.accesses.some((a) => !a.conditional);
  const name = freshSymbol(`arc_${array.name}_first`, LONG);
  const known = evaluateInteger(first) !== undefined;
  return {
    array,
    before: known ? [] : [declare(name, first)],
    first: known ? first : ident(name),
    direction,
    values: freshSymbol(`arc_${array.name}_values`, arrayOf(unqualified(element), lanes)),
    ...(!always && { set: freshSymbol(`arc_${array.name}_set`, arrayOf(INT, lanes)) }),
  };
}

function isStatement(body: Stmt, e: Expr): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      if (s.kind !== "expr" || s.expr?.kind !== "assign") return;
      found ||= s.expr.op === "=" && stripImplicit(s.expr.left) === e;
    },
  });
  return found;
}

/** The body with stores replaced by assignments to the lane's values. */
export function storingToLanes(body: Stmt, stores: readonly DeferredStore[], lane: Symbol): Stmt {
  if (stores.length === 0) return body;
  const by = new Map(stores.map((s) => [s.array, s]));
  return mapStmt(body, {
    stmt: (s) => {
      if (s.kind !== "expr" || s.expr?.kind !== "assign") return s;
      const left = stripImplicit(s.expr.left);
      const root = left.kind === "index" ? stripImplicit(left.base) : undefined;
      const store = root?.kind === "ident" ? by.get(root.sym) : undefined;
      if (!store) return s;
      const value = { ...s, expr: assign(index(ident(store.values), ident(lane)), s.expr.right) };
      return store.set ? [value, exprStmt(assign(index(ident(store.set), ident(lane)), intLit(1)))] : value;
    },
  });
}

/** The stores of one lane at a position of the walk. */
export function laneStores(stores: readonly DeferredStore[], position: Expr, lane: Expr): Stmt {
  return compound(
    stores.map((s): Stmt => {
      const target = index(ident(s.array), add(s.first, times(position, s.direction)));
      const write = exprStmt(assign(target, index(ident(s.values), lane)));
      return s.set ? ifStmt(index(ident(s.set), lane), write) : write;
    }),
  );
}
