/** An access as the program makes it: in which iterations, by which threads, of which element. */
import { canonical, walkExpr } from "../../lang/index.ts";
import type { CType, Expr } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { type Directive, numberOf } from "../read/directive.ts";
import type { Access, Around, Context, Place } from "./access.ts";
import { evaluateAt, type Point, type World } from "./evaluate.ts";

export interface Instance {
  /** Of the variables of the context's loops; undefined: not known. */
  readonly values: readonly (number | undefined)[];
  /** The numbers of their iterations, from 0. */
  readonly turns: readonly (number | undefined)[];
  /** For each level the number of the thread, where all threads run the code. */
  readonly threads: readonly (number | undefined)[];
  /** Equal: the same memory. */
  readonly where: string;
}

export interface Instances {
  readonly list: readonly Instance[];
  /** All of them are in the list. */
  readonly complete: boolean;
  /** A condition around it depends on what is not known. */
  readonly uncertain: boolean;
  /** It depends on such a condition with `==` in it, as only one iteration may satisfy. */
  readonly selected: boolean;
  /** It depends on the number of the thread, where it is not known which iterations a thread has. */
  readonly byThread: boolean;
  /** Those of the list by where they are, once somebody asked. */
  places?: ReadonlyMap<string, readonly Instance[]>;
}

export function indexed(instances: Instances): ReadonlyMap<string, readonly Instance[]> {
  if (instances.places) return instances.places;
  const places = new Map<string, Instance[]>();
  for (const i of instances.list) {
    const same = places.get(i.where);
    if (same) same.push(i);
    else places.set(i.where, [i]);
  }
  instances.places = places;
  return places;
}

/** Iterations of a loop that are looked at, by how many loops there are. */
const looked = [1, 1024, 12, 5, 4, 3];
const most = 1024;
/** Threads of a team that are looked at: a team of unknown size has two at least, and a program may count on no more. */
const someThreads = [0, 1];
const mostThreads = 3;

/** `edges`: only so many of the first and last iterations of each loop, where subscripts are greatest and least. */
export function instancesOf(
  { place, context }: Pick<Access, "place" | "context">,
  world: World,
  edges?: number,
): Instances {
  const list: Instance[] = [];
  const seen = { uncertain: false, selected: false, byThread: false };
  const cut = { yet: false };
  const numbers = threadsOf(context);
  const size = teamSizeOf(context);
  for (const threads of numbers) {
    const room = list.length + Math.floor(most / numbers.length);
    const member = { thread: threadAt(context, threads), ...(size !== undefined && { threads: size }) };
    for (const { values, turns } of iterations(context.loops, world, cut, member, edges, numbers.length)) {
      if (list.length >= room) {
        cut.yet = true;
        break;
      }
      const point: Point = { loops: context.loops, values, ...member };
      if (!happens(context, point, world, seen)) continue;
      const where = whereIs(place, point, world);
      if (where === undefined) cut.yet = true;
      else list.push({ values, turns, threads, where });
    }
  }
  return { list, complete: !cut.yet && !seen.uncertain, ...seen };
}

function happens(
  { guards }: Context,
  point: Point,
  world: World,
  seen: { uncertain: boolean; selected: boolean; byThread: boolean },
): boolean {
  for (const { test, holds, frame, inside, opaque } of guards) {
    const value = opaque ? undefined : evaluateAt(test, frame, point, world);
    if (value !== undefined && (value !== 0) !== holds) return false;
    if (value !== undefined || !inside) continue;
    seen.uncertain = true;
    if (opaque || selects(test, holds)) seen.selected = true;
    if (asksForThread(test, world)) seen.byThread = true;
  }
  return true;
}

function asksForThread(test: Expr, { facts }: World): boolean {
  let found = false;
  walkExpr(test, {
    expr(e) {
      if (e.kind !== "ident") return;
      if (e.sym.name === "omp_get_thread_num") found = true;
      for (const { value } of facts.settings.get(e.sym) ?? []) {
        const call = value && stripImplicit(value);
        const callee = call?.kind === "call" ? stripImplicit(call.callee) : undefined;
        if (callee?.kind === "ident" && callee.sym.name === "omp_get_thread_num") found = true;
      }
    },
  });
  return found;
}

/** An equation, or a value used as it is: what holds for one iteration may hold for no other. */
function selects(test: Expr, holds: boolean): boolean {
  const e = stripImplicit(test);
  if (e.kind === "unary" && e.op === "!") return selects(e.arg, !holds);
  if (e.kind !== "binary") return holds;
  if (e.op === "&&" || e.op === "||") return selects(e.left, holds) || selects(e.right, holds);
  if (e.op === "==" || e.op === "!=") return (e.op === "==") === holds;
  return !["<", ">", "<=", ">="].includes(e.op);
}

type Turn = Pick<Instance, "values" | "turns">;

function* iterations(
  loops: readonly Around[],
  world: World,
  cut: { yet: boolean },
  member: Pick<Point, "thread" | "threads">,
  edges: number | undefined,
  sharers: number,
): Generator<Turn> {
  const some = edges ?? (loops.length === 1 ? Math.floor(most / sharers) : (looked[loops.length] ?? 2));
  const outer = loops.map((_, k) => loops.slice(0, k));
  function* from(k: number, values: readonly (number | undefined)[], turns: Turn["turns"]): Generator<Turn> {
    const loop = loops[k];
    if (!loop) {
      yield { values, turns };
      return;
    }
    const range = rangeOf(loop, { loops: outer[k] ?? [], values, ...member }, world);
    if (!range) {
      cut.yet = true;
      yield* from(k + 1, [...values, undefined], [...turns, undefined]);
      return;
    }
    const { first, step, count } = range;
    if (count > some) cut.yet = true;
    for (let i = 0; i < count; i++) {
      if (i === Math.floor(some / 2) && count > some) i = count - Math.ceil(some / 2);
      const [v, t] = [
        [...values, first + i * step],
        [...turns, i],
      ];
      if (k + 1 === loops.length) yield { values: v, turns: t };
      else yield* from(k + 1, v, t);
    }
  }
  yield* from(0, [], []);
}

function rangeOf({ header, frame }: Around, point: Point, world: World) {
  if (!header) return undefined;
  const [first, bound, step] = [header.lower, header.bound, header.step].map((e) =>
    evaluateAt(e, frame, point, world),
  );
  if (first === undefined || bound === undefined || step === undefined || step === 0) return undefined;
  const distance = (bound - first) / step;
  const closed = header.relation === "<=" || header.relation === ">=";
  const count = closed ? Math.floor(distance) + 1 : Math.ceil(distance);
  return { first, step, count: Math.max(0, count) };
}

/** The numbers of threads that run it, level by level. */
function threadsOf({ levels }: Context): readonly (readonly (number | undefined)[])[] {
  let lists: (number | undefined)[][] = [[]];
  for (const { exec, directive } of levels) {
    const numbers = exec.is === "all" ? membersOf(directive) : exec.is === "master" ? [0] : [undefined];
    lists = lists.flatMap((list) => numbers.map((n) => [...list, n]));
  }
  return lists;
}

function membersOf(directive: Directive): readonly number[] {
  const size = numberOf(directive, "num_threads");
  return size === undefined ? someThreads : Array.from({ length: Math.min(size, mostThreads) }, (_, k) => k);
}

/** How many threads the innermost team has, where its directive says so. */
function teamSizeOf({ levels }: Context): number | undefined {
  const team = levels.findLast((l) => l.kind === "threads");
  return team && numberOf(team.directive, "num_threads");
}

function threadAt({ levels }: Context, threads: readonly (number | undefined)[]): number | undefined {
  const k = levels.findLastIndex((l) => l.kind === "threads");
  return k < 0 ? 0 : threads[k];
}

/** Undefined where a subscript is not known. */
function whereIs(place: Place, point: Point, world: World): string | undefined {
  if (place.relies.some((pointer) => world.changed.has(pointer))) return undefined;
  let type: CType = canonical(place.root.type);
  let linear: number | undefined;
  const parts: (string | number)[] = [place.root.id];
  const flush = () => {
    if (linear !== undefined) parts.push(linear);
    linear = undefined;
  };
  for (const step of place.steps) {
    if (step.is === "index") {
      let at = 0;
      for (const { expr, frame, negative } of step.terms) {
        const value = evaluateAt(expr, frame, point, world);
        if (value === undefined) return undefined;
        at += negative ? -value : value;
      }
      if (type.kind !== "array") {
        if (at !== 0) return undefined;
        continue;
      }
      const size = extentOf(type, point, world);
      if (linear !== undefined && size !== undefined) linear = linear * size + at;
      else {
        flush();
        linear = at;
      }
      type = canonical(type.of);
    } else if (step.is === "deref") {
      flush();
      parts.push("*");
      if (type.kind !== "pointer") return undefined;
      type = { kind: "array", of: type.to };
    } else {
      flush();
      parts.push(`.${step.name}`);
      const field: CType | undefined =
        type.kind === "record" ? type.decl.fields?.find((f) => f.name === step.name)?.type : undefined;
      if (!field) return undefined;
      type = canonical(field);
    }
  }
  flush();
  return parts.join(" ");
}

function extentOf(type: CType & { readonly kind: "array" }, point: Point, world: World): number | undefined {
  if (typeof type.size === "number") return type.size;
  return typeof type.size === "object"
    ? evaluateAt(type.size, { arguments: new Map() }, point, world)
    : undefined;
}
