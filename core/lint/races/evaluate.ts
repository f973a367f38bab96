/**
 * Integer expressions at one point of a program's run: which iteration, which thread, which sizes. What the
 * program does not say (`n` read from a file) is given by a sample.
 */
import { canonical, evaluateInteger, isInteger, printExpr } from "../../lang/index.ts";
import type { Expr, Init, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { binaryOperation } from "../../lang/tree/number-operations.ts";
import type { Around, Frame } from "./access.ts";
import { isBehind } from "./contents.ts";
import type { Facts } from "./facts.ts";

/** Values for what is not known, by its name. */
export interface Sample {
  valueOf(name: string): number;
}

export interface World {
  readonly facts: Facts;
  /** What parallel code sets or declares. */
  readonly changed: ReadonlySet<Symbol>;
  readonly sample: Sample;
}

export interface Point {
  readonly loops: readonly Around[];
  /** Of each loop's variable. */
  readonly values: readonly (number | undefined)[];
  /** The number of the thread in the innermost team, where it is known. */
  readonly thread: number | undefined;
  /** How many threads that team has, where it is known. */
  readonly threads?: number;
}

const deepest = 12;
/** Threads of a team whose size the program does not say. */
const someThreads = 4;

export function evaluateAt(e: Expr, frame: Frame, point: Point, world: World, depth = 0): number | undefined {
  const again = (part: Expr, in_ = frame) => evaluateAt(part, in_, point, world, depth + 1);
  if (depth > deepest) return undefined;
  switch (e.kind) {
    case "int":
    case "char":
      return Number(e.value);
    case "ident":
      return identifier(e.sym, frame, point, world, depth);
    case "cast":
      return isInteger(e.to) ? converted(again(e.arg), e) : undefined;
    case "unary": {
      const value = e.op === "&" || e.op === "*" ? undefined : again(e.arg);
      if (value === undefined) return undefined;
      if (e.op === "-") return -value;
      if (e.op === "!") return value === 0 ? 1 : 0;
      return e.op === "~" ? ~value : e.op === "+" ? value : undefined;
    }
    case "binary":
      return isInteger(e.type) ? binaryOperation(e.op, again(e.left), () => again(e.right), true) : undefined;
    case "cond": {
      const test = again(e.test);
      if (test === undefined) return undefined;
      return test === 0 ? again(e.else) : e.then ? again(e.then) : test;
    }
    case "call": {
      const callee = stripImplicit(e.callee);
      if (callee.kind !== "ident") return undefined;
      if (callee.sym.name === "omp_get_thread_num") return point.thread;
      return callee.sym.name === "omp_get_num_threads" ? (point.threads ?? someThreads) : undefined;
    }
    case "index":
      return element(e, again, world, depth);
    case "member":
      return member(e, world);
    default: {
      const value = evaluateInteger(e);
      return value === undefined ? undefined : Number(value);
    }
  }
}

function converted(value: number | undefined, e: Expr): number | undefined {
  const type = canonical(e.type);
  const unsigned = type.kind === "int" && type.name.startsWith("u");
  return value !== undefined && unsigned && value < 0 ? undefined : value;
}

function identifier(
  sym: Symbol,
  frame: Frame,
  point: Point,
  world: World,
  depth: number,
): number | undefined {
  if (sym.kind === "enumerator") return sym.value === undefined ? undefined : Number(sym.value);
  const loop = point.loops.findLastIndex((l) => l.header?.var === sym && l.frame === frame);
  if (loop >= 0) return point.values[loop];
  if (!isInteger(sym.type) || canonical(sym.type).quals?.volatile) return undefined;
  const { facts } = world;
  const settings = facts.settings.get(sym) ?? [];
  const fixed = !facts.addressed.has(sym);
  const given = frame.arguments.get(sym);
  if (given)
    return settings.length === 0 && fixed
      ? evaluateAt(given.expr, given.frame, point, world, depth + 1)
      : undefined;
  const [only, ...more] = settings;
  const own = sym.scope === "block" || sym.storage === "static" || canonical(sym.type).quals?.const === true;
  if (only?.value && more.length === 0 && fixed && own && sym.kind !== "param") {
    const value = evaluateAt(only.value, frame, point, world, depth + 1);
    if (value !== undefined) return value;
  }
  return world.changed.has(sym) ? undefined : world.sample.valueOf(`${sym.name}#${sym.id}`);
}

/** An element of a table of constants. */
function element(
  e: Expr & { readonly kind: "index" },
  again: (e: Expr) => number | undefined,
  world: World,
  depth: number,
): number | undefined {
  const base = stripImplicit(e.base);
  if (base.kind !== "ident") return undefined;
  const { facts } = world;
  const filled = facts.filled.get(base.sym);
  if (filled && !facts.addressed.has(base.sym) && isBehind(e, filled)) {
    const at = again(e.index);
    const { header, value } = filled;
    const frame: Frame = { arguments: new Map() };
    const point = (v?: number): Point => ({
      loops: [{ header, frame, barrier: false }],
      values: [v],
      thread: undefined,
    });
    const [from, to] = [header.lower, header.bound].map((b) =>
      evaluateAt(b, frame, point(), world, depth + 1),
    );
    const last = to === undefined ? undefined : header.relation === "<=" ? to : to - 1;
    if (at === undefined || from === undefined || last === undefined || at < from || at > last)
      return undefined;
    return evaluateAt(value, frame, point(at), world, depth + 1);
  }
  const table = facts.tables.get(base.sym);
  if (!table || facts.elementsSet.has(base.sym) || facts.addressed.has(base.sym)) return undefined;
  const at = again(e.index);
  const item = at === undefined ? undefined : itemAt(table, at);
  return item && again(item);
}

function itemAt(table: Init, at: number): Expr | undefined {
  if (table.kind !== "list" || table.items.some((i) => i.designators.length > 0)) return undefined;
  const init = table.items[at]?.init;
  return init?.kind === "expr" ? init.expr : undefined;
}

/** `s.n`, `p->n`: the same for all where nothing sets members of `s`. */
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
