/**
 * Evaluates integer expressions at one point of a run: for an iteration, a thread and given sizes. Values that the
 * program does not determine (`n` read from a file) come from a sample.
 */
import { mapTuple } from "../../checked/tuples.ts";
import { canonical, evaluateInteger, isInteger, printExpr } from "../../lang/index.ts";
import type { Expr, Init, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { binaryOperation } from "../../lang/tree/number-operations.ts";
import type { Around, Frame } from "./access.ts";
import { isBehind } from "./contents.ts";
import type { Facts } from "./facts.ts";

/** Values for unknown variables, by name. */
export interface Sample {
  valueOf(name: string): number;
}

export interface World {
  readonly facts: Facts;
  /** Variables that parallel code sets or declares. */
  readonly changed: ReadonlySet<Symbol>;
  readonly sample: Sample;
}

export interface Point {
  readonly loops: readonly Around[];
  /** Values of the loop variables. */
  readonly values: readonly (number | undefined)[];
  /** The thread's number in the innermost team, if known. */
  readonly thread: number | undefined;
  /** The size of that team, if known. */
  readonly threads?: number;
}

const deepest = 12;
/** Assumed size of a team of unknown size. */
const someThreads = 4;

/**
 * An expression prepared for evaluation at many points; parts independent of the point are evaluated once, at first
 * use.
 */
export interface Prepared {
  readonly fixed: boolean;
  /** The loops of whose variables it is a sum, each times something fixed; absent: it is no such sum. */
  readonly sumOf?: readonly number[];
  at(point: Point): number | undefined;
}

/** Evaluates at a single point. */
export const evaluateAt = (e: Expr, frame: Frame, point: Point, world: World): number | undefined =>
  prepare(e, frame, point.loops, world).at(point);

const none: readonly number[] = [];
const unknown: Prepared = { fixed: true, sumOf: none, at: () => undefined };

/** For points of these loops. */
export function prepare(e: Expr, frame: Frame, loops: readonly Around[], world: World, depth = 0): Prepared {
  const again = (part: Expr, in_ = frame) => prepare(part, in_, loops, world, depth + 1);
  if (depth > deepest) return unknown;
  switch (e.kind) {
    case "int":
    case "char":
      return constant(Number(e.value));
    case "ident":
      return identifier(e.sym, frame, loops, world, depth);
    case "cast": {
      if (!isInteger(e.to)) return unknown;
      const arg = again(e.arg);
      return isUnsigned(e) ? scaled(arg, (value) => (value < 0 ? undefined : value)) : arg;
    }
    case "unary":
      if (e.op === "&" || e.op === "*") return unknown;
      return (e.op === "-" || e.op === "+" ? scaled : of)(again(e.arg), unaryOperation(e.op));
    case "binary": {
      if (!isInteger(e.type)) return unknown;
      const [left, right] = [again(e.left), again(e.right)];
      const { op } = e;
      if (op === "+" || op === "-") return sum(left, right, op === "-" ? -1 : 1);
      const value = together([left, right], (point) =>
        binaryOperation(op, left.at(point), () => right.at(point), true),
      );
      return op === "*" && (left.fixed || right.fixed) ? sumsOf(value, [left, right]) : value;
    }
    case "cond": {
      const [test, other] = [again(e.test), again(e.else)];
      const then = e.then ? again(e.then) : test;
      return together([test, then, other], (point) => {
        const value = test.at(point);
        return value === undefined ? undefined : value === 0 ? other.at(point) : then.at(point);
      });
    }
    case "call": {
      const callee = stripImplicit(e.callee);
      if (callee.kind !== "ident") return unknown;
      if (callee.sym.name === "omp_get_thread_num") return { fixed: false, at: ({ thread }) => thread };
      if (callee.sym.name !== "omp_get_num_threads") return unknown;
      return { fixed: false, at: ({ threads }) => threads ?? someThreads };
    }
    case "index":
      return element(e, again, world, depth);
    case "member":
      return once(() => member(e, world));
    default: {
      const value = evaluateInteger(e);
      return value === undefined ? unknown : constant(Number(value));
    }
  }
}

const constant = (value: number): Prepared => ({ fixed: true, sumOf: none, at: () => value });

function once(find: (point: Point) => number | undefined): Prepared {
  let known: { readonly value: number | undefined } | undefined;
  return {
    fixed: true,
    sumOf: none,
    at(point) {
      known ??= { value: find(point) };
      return known.value;
    },
  };
}

/** Constant if all parts are. */
function together(parts: readonly Prepared[], find: (point: Point) => number | undefined): Prepared {
  return parts.every(({ fixed }) => fixed) ? once(find) : { fixed: false, at: find };
}

const of = (part: Prepared, operation: (value: number) => number | undefined): Prepared =>
  together([part], (point) => {
    const value = part.at(point);
    return value === undefined ? undefined : operation(value);
  });

/** A multiple of the part. */
const scaled = (part: Prepared, operation: (value: number) => number | undefined): Prepared =>
  sumsOf(of(part, operation), [part]);

const sum = (left: Prepared, right: Prepared, sign: number): Prepared =>
  sumsOf(
    together([left, right], (point) => {
      const a = left.at(point);
      const b = right.at(point);
      return a === undefined || b === undefined ? undefined : a + sign * b;
    }),
    [left, right],
  );

/** A value that is a sum of what the parts are sums of. */
function sumsOf({ fixed, at }: Prepared, parts: readonly Prepared[]): Prepared {
  if (fixed) return { fixed, sumOf: none, at };
  const sumOf = loopsOfSums(parts);
  return sumOf ? { fixed, sumOf, at } : { fixed, at };
}

/** The loops of whose variables a sum of these is one. */
export function loopsOfSums(parts: readonly Pick<Prepared, "sumOf">[]): readonly number[] | undefined {
  let all: readonly number[] = none;
  for (const { sumOf } of parts) {
    if (!sumOf) return undefined;
    if (sumOf.length > 0) all = all.length === 0 ? sumOf : [...new Set([...all, ...sumOf])];
  }
  return all;
}

function unaryOperation(op: string): (value: number) => number | undefined {
  if (op === "-") return (value) => -value;
  if (op === "!") return (value) => (value === 0 ? 1 : 0);
  if (op === "~") return (value) => ~value;
  return (value) => (op === "+" ? value : undefined);
}

function isUnsigned(e: Expr): boolean {
  const type = canonical(e.type);
  return type.kind === "int" && type.name.startsWith("u");
}

function identifier(
  sym: Symbol,
  frame: Frame,
  loops: readonly Around[],
  world: World,
  depth: number,
): Prepared {
  if (sym.kind === "enumerator") return sym.value === undefined ? unknown : constant(Number(sym.value));
  const loop = loops.findLastIndex((l) => l.header?.var === sym && l.frame === frame);
  if (loop >= 0) return { fixed: false, sumOf: [loop], at: ({ values }) => values[loop] };
  if (!isInteger(sym.type) || canonical(sym.type).quals?.volatile) return unknown;
  const { facts } = world;
  const settings = facts.settings.get(sym) ?? [];
  const fixed = !facts.addressed.has(sym);
  const argument = frame.arguments.get(sym);
  if (argument)
    return argument.exact || (settings.length === 0 && fixed)
      ? prepare(argument.expr, argument.frame, loops, world, depth + 1)
      : unknown;
  const sampled = once(() =>
    world.changed.has(sym) ? undefined : world.sample.valueOf(`${sym.name}#${sym.id}`),
  );
  const [only, ...more] = settings;
  const own = sym.scope === "block" || sym.storage === "static" || canonical(sym.type).quals?.const === true;
  if (!only?.value || more.length > 0 || !fixed || !own || sym.kind === "param") return sampled;
  const set = prepare(only.value, frame, loops, world, depth + 1);
  return sumsOf(
    together([set], (point) => set.at(point) ?? sampled.at(point)),
    [set],
  );
}

/** An element of a constant table. */
function element(
  e: Expr & { readonly kind: "index" },
  again: (e: Expr) => Prepared,
  world: World,
  depth: number,
): Prepared {
  const base = stripImplicit(e.base);
  if (base.kind !== "ident") return unknown;
  const { facts } = world;
  const filled = facts.filled.get(base.sym);
  if (filled && !facts.addressed.has(base.sym) && isBehind(e, filled)) {
    const { header, value } = filled;
    const frame: Frame = { arguments: new Map() };
    const loops = [{ header, frame, barrier: false }];
    const point = (v?: number): Point => ({ loops, values: [v], thread: undefined });
    const [first, bound, held] = mapTuple([header.lower, header.bound, value], (b) =>
      prepare(b, frame, loops, world, depth + 1),
    );
    return of(again(e.index), (at) => {
      const [from, to] = [first.at(point()), bound.at(point())];
      const last = to === undefined ? undefined : header.relation === "<=" ? to : to - 1;
      if (from === undefined || last === undefined || at < from || at > last) return undefined;
      return held.at(point(at));
    });
  }
  const table = facts.tables.get(base.sym);
  if (!table || facts.elementsSet.has(base.sym) || facts.addressed.has(base.sym)) return unknown;
  const index = again(e.index);
  return together([index], (point) => {
    const at = index.at(point);
    const item = at === undefined ? undefined : itemAt(table, at);
    return item && again(item).at(point);
  });
}

function itemAt(table: Init, at: number): Expr | undefined {
  if (table.kind !== "list" || table.items.some((i) => i.designators.length > 0)) return undefined;
  const init = table.items[at]?.init;
  return init?.kind === "expr" ? init.expr : undefined;
}

/** `s.n`, `p->n`: constant if no member of `s` is set. */
function member(
  e: Expr & { readonly kind: "member" },
  { facts, changed, sample }: World,
): number | undefined {
  let root: Expr = e;
  while (root.kind === "member" || (root.kind === "cast" && root.implicit))
    root = root.kind === "member" ? root.base : root.arg;
  if (!isInteger(e.type) || root.kind !== "ident") return undefined;
  if (changed.has(root.sym) || facts.elementsSet.has(root.sym)) return undefined;
  return sample.valueOf(printExpr(e));
}
