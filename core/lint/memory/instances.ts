/** The instances of an access in a run: by which iterations and threads, and of which element. */
import { mapTuple } from "../../checked/tuples.ts";
import { canonical, walkExpr } from "../../lang/index.ts";
import type { CType, Expr } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { type Directive, numberOf } from "../read/directive.ts";
import type { Access, Around, Context, MemoryLocation, Term } from "./access.ts";
import { isChosen, isOfThread } from "./chosen.ts";
import { type Point, type Prepared, prepare, type World } from "./evaluate.ts";
import type { Facts } from "./facts.ts";
import { anyOfUnion } from "./memory-locations.ts";

/** A place and where it is evaluated. */
export type Accessed = Pick<Access, "location" | "context">;

export interface Instance {
  /** Values of the context's loop variables; undefined: unknown. */
  readonly values: readonly (number | undefined)[];
  /** Iteration numbers of those loops, from 0. */
  readonly turns: readonly (number | undefined)[];
  /** How many iterations those loops have. */
  readonly counts: readonly (number | undefined)[];
  /** For each level, the thread's number if all threads run the code. */
  readonly threads: readonly (number | undefined)[];
  /** Equal if the memory is the same. */
  readonly where: Where;
  /** The last subscript of the location. */
  readonly last: number;
}

type Where = string | number;

export interface Instances {
  readonly list: readonly Instance[];
  /** The list contains all instances. */
  readonly complete: boolean;
  /** An enclosing condition depends on unknown values. */
  readonly uncertain: boolean;
  /** It depends on an unknown condition with `==`, which only one iteration may satisfy. */
  readonly selected: boolean;
  /** It depends on the thread's number, while the iterations of a thread are unknown. */
  readonly byThread: boolean;
  /** Some whose element is chosen by a table or a call: it may be any. */
  readonly anywhere: readonly Instance[];
  /** Instances by location, computed at first use. */
  locations?: ReadonlyMap<Where, readonly Instance[]>;
}

export function indexed(instances: Instances): ReadonlyMap<Where, readonly Instance[]> {
  if (instances.locations) return instances.locations;
  const locations = new Map<Where, Instance[]>();
  for (const i of instances.list) {
    const same = locations.get(i.where);
    if (same) same.push(i);
    else locations.set(i.where, [i]);
  }
  instances.locations = locations;
  return locations;
}

/** How many iterations per loop are enumerated, by number of loops. */
const looked = [1, 1024, 12, 5, 4, 3];
const most = 1024;
/**
 * Threads of a team that are enumerated: a team of unknown size has at least two, and a program cannot rely on more.
 */
const someThreads = [0, 1];
const mostThreads = 3;

/** `edges`: only the first and last iterations of each loop, where subscripts are extreme. */
export function instancesOf({ location, context }: Accessed, world: World, edges?: number): Instances {
  const { list: runs, cut, ...seen } = runsOf(context, world, edges, asOneThread(location, context, world));
  const locate = locator(location, context, world);
  const list: Instance[] = [];
  const lost: Instance[] = [];
  // Their fields are written out: there are a thousand of them, and spreading takes ten times as long.
  for (const { point, turns, counts, threads } of runs) {
    const found = locate(point);
    if (found)
      list.push({ values: point.values, turns, counts, threads, where: found.where, last: found.last });
    else if (lost.length < someLost)
      lost.push({ values: point.values, turns, counts, threads, where: "", last: Number.NaN });
  }
  const complete = !cut && !seen.uncertain && list.length === runs.length;
  return {
    list,
    complete,
    anywhere: lost.length > 0 && isChosen(location, world.facts) ? lost : [],
    ...seen,
  };
}

/** How many runs are remembered whose element is unknown. */
const someLost = 12;

/** The level whose loop's iterations are looked at for each thread, as their element depends on nothing else. */
function asOneThread(location: MemoryLocation, { levels }: Context, { facts }: World): number {
  const k = levels.findLastIndex((l) => l.kind === "threads");
  const exec = levels[k]?.exec;
  return exec?.is === "loop" && isOfThread({ location }, exec.around, facts) ? k : -1;
}

/** One execution of a context's code. */
interface Run extends Pick<Instance, "turns" | "counts" | "threads"> {
  readonly point: Point;
}

interface Runs extends Pick<Instances, "uncertain" | "selected" | "byThread"> {
  readonly list: readonly Run[];
  /** The list is incomplete. */
  readonly cut: boolean;
}

/** Accesses of one statement, and of neighbouring ones, have the same runs. */
const runsByWorld = new WeakMap<World, WeakMap<Context, Map<string, Runs>>>();

/** `byThread`: the level whose threads run each iteration, one after the other. */
function runsOf(context: Context, world: World, edges: number | undefined, byThread: number): Runs {
  const ofWorld = runsByWorld.get(world) ?? new WeakMap<Context, Map<string, Runs>>();
  runsByWorld.set(world, ofWorld);
  const ofContext = ofWorld.get(context) ?? new Map<string, Runs>();
  ofWorld.set(context, ofContext);
  const key = `${edges} ${byThread}`;
  const runs = ofContext.get(key) ?? findRuns(context, world, edges, byThread);
  ofContext.set(key, runs);
  return runs;
}

function findRuns(context: Context, world: World, edges: number | undefined, byThread: number): Runs {
  const list: Run[] = [];
  const seen = { uncertain: false, selected: false, byThread: false };
  const { loops } = context;
  let cut = false;
  const numbers = threadsOf(context, byThread);
  const size = teamSizeOf(context);
  const budget = Math.floor(most / numbers.length);
  const some = edges ?? (loops.length === 1 ? budget : (looked[loops.length] ?? 2));
  const ranges = loops.map((loop, k) => rangeOf(loop, loops.slice(0, k), world));
  const happens = guarded(context, world, seen);
  for (const threads of numbers) {
    const end = list.length + budget;
    const values: (number | undefined)[] = [];
    const turns: (number | undefined)[] = [];
    const counts: (number | undefined)[] = [];
    const member = { thread: threadAt(context, threads), ...(size !== undefined && { threads: size }) };
    const here: Point = { loops, values, ...member };
    /** False: the limit is reached. */
    const from = (k: number): boolean => {
      const range = ranges[k];
      if (!range) {
        if (list.length >= end) {
          cut = true;
          return false;
        }
        if (happens(here))
          list.push({
            point: { loops, values: values.slice(), ...member },
            turns: turns.slice(),
            counts: counts.slice(),
            threads,
          });
        return true;
      }
      const extent = range(here);
      if (!extent) {
        cut = true;
        [values[k], turns[k], counts[k]] = [undefined, undefined, undefined];
        return from(k + 1);
      }
      const { first, step, count } = extent;
      counts[k] = count;
      if (count > some) cut = true;
      for (let i = 0; i < count; i++) {
        if (i === Math.floor(some / 2) && count > some) i = count - Math.ceil(some / 2);
        values[k] = first + i * step;
        turns[k] = i;
        if (!from(k + 1)) return false;
      }
      return true;
    };
    from(0);
  }
  return { list, cut, ...seen };
}

/** Whether the conditions admit an access; records unknown ones. */
function guarded(
  { guards, loops }: Context,
  world: World,
  seen: { uncertain: boolean; selected: boolean; byThread: boolean },
): (point: Point) => boolean {
  const tests = guards.map((guard) => ({
    ...guard,
    value: guard.opaque ? undefined : prepare(guard.test, guard.frame, loops, world),
    recorded: false,
  }));
  return (point) => {
    for (const guard of tests) {
      const value = guard.value?.at(point);
      if (value !== undefined && (value !== 0) !== guard.holds) return false;
      if (value !== undefined || !guard.inside || guard.recorded) continue;
      guard.recorded = true;
      seen.uncertain = true;
      if (guard.opaque || selects(guard.test, guard.holds)) seen.selected = true;
      if (asksForThread(guard.test, world)) seen.byThread = true;
    }
    return true;
  };
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

/** An equation, or a value used as a condition: it may hold for a single iteration only. */
function selects(test: Expr, holds: boolean): boolean {
  const e = stripImplicit(test);
  if (e.kind === "unary" && e.op === "!") return selects(e.arg, !holds);
  if (e.kind !== "binary") return holds;
  if (e.op === "&&" || e.op === "||") return selects(e.left, holds) || selects(e.right, holds);
  if (e.op === "==" || e.op === "!=") return (e.op === "==") === holds;
  return !["<", ">", "<=", ">="].includes(e.op);
}

/** The iterations of a loop; undefined: unknown. */
function rangeOf({ header, frame }: Around, outer: readonly Around[], world: World) {
  if (!header) return () => undefined;
  const [lower, end, by] = mapTuple([header.lower, header.bound, header.step], (e) =>
    prepare(e, frame, outer, world),
  );
  const closed = header.relation === "<=" || header.relation === ">=";
  return (point: Point) => {
    const [first, bound, step] = [lower.at(point), end.at(point), by.at(point)];
    if (first === undefined || bound === undefined || step === undefined || step === 0) return undefined;
    const distance = (bound - first) / step;
    const count = closed ? Math.floor(distance) + 1 : Math.ceil(distance);
    return { first, step, count: Math.max(0, count) };
  };
}

/** The thread numbers that run it, for each level. */
function threadsOf({ levels }: Context, byThread: number): readonly (readonly (number | undefined)[])[] {
  let lists: (number | undefined)[][] = [[]];
  for (const [k, { exec, directive }] of levels.entries()) {
    const numbers =
      exec.is === "all" || k === byThread ? membersOf(directive) : exec.is === "master" ? [0] : [undefined];
    lists = lists.flatMap((list) => numbers.map((n) => [...list, n]));
  }
  return lists;
}

function membersOf(directive: Directive): readonly number[] {
  const size = numberOf(directive, "num_threads");
  return size === undefined ? someThreads : Array.from({ length: Math.min(size, mostThreads) }, (_, k) => k);
}

/** The size of the innermost team, if its directive gives it. */
function teamSizeOf({ levels }: Context): number | undefined {
  const team = levels.findLast((l) => l.kind === "threads");
  return team && numberOf(team.directive, "num_threads");
}

function threadAt({ levels }: Context, threads: readonly (number | undefined)[]): number | undefined {
  const k = levels.findLastIndex((l) => l.kind === "threads");
  return k < 0 ? 0 : threads[k];
}

type Located = Pick<Instance, "where" | "last">;

type Move =
  /** `size`: of the array's dimension; absent: the object is not an array, and the subscript is 0. */
  | { readonly is: "index"; readonly terms: readonly Summand[]; readonly size?: Prepared | undefined }
  | { readonly is: "part"; readonly text: string }
  | { readonly is: "lost" };

interface Summand {
  readonly value: Prepared;
  readonly negative: boolean;
}

/** Computes the location of a place; undefined if a subscript is unknown. */
function locator(
  location: MemoryLocation,
  { loops }: Context,
  world: World,
): (point: Point) => Located | undefined {
  if (location.relies.some((pointer) => world.changed.has(pointer))) return () => undefined;
  const moves = movesOf(location, loops, world);
  const first = moves.findIndex(({ is }) => is !== "part");
  const start = [location.root.id, ...moves.slice(0, first < 0 ? moves.length : first).map(textOf)].join(" ");
  const rest = first < 0 ? [] : moves.slice(first);
  const keys = keysOf(world.facts);
  const startKey = keyOf(start, keys);
  return (point) => {
    let text = start;
    let linear: number | undefined;
    for (const move of rest) {
      if (move.is === "lost") return undefined;
      if (move.is === "part") {
        text = `${linear === undefined ? text : `${text} ${linear}`} ${move.text}`;
        linear = undefined;
        continue;
      }
      let at = 0;
      for (const { value, negative } of move.terms) {
        const found = value.at(point);
        if (found === undefined) return undefined;
        at += negative ? -found : found;
      }
      if (!("size" in move)) {
        if (at !== 0) return undefined;
        continue;
      }
      const size = move.size?.at(point);
      if (linear !== undefined && size !== undefined) linear = linear * size + at;
      else {
        if (linear !== undefined) text = `${text} ${linear}`;
        linear = at;
      }
    }
    if (linear === undefined) return { where: text, last: Number.NaN };
    if (!Number.isInteger(linear) || Math.abs(linear) >= half)
      return { where: `${text} ${linear}`, last: linear };
    const key = text === start ? startKey : keyOf(text, keys);
    return { where: key * 2 * half + half + linear, last: linear };
  };
}

const half = 2 ** 31;

const textOf = (move: Move): string => (move.is === "part" ? move.text : "");

/** Numbers for the paths to arrays, so that elements can be identified by numbers instead of text. */
const keysOf = (facts: Facts): Map<string, number> => {
  const known = keysByFacts.get(facts) ?? new Map<string, number>();
  keysByFacts.set(facts, known);
  return known;
};
const keysByFacts = new WeakMap<Facts, Map<string, number>>();

function keyOf(text: string, keys: Map<string, number>): number {
  const known = keys.get(text);
  if (known !== undefined) return known;
  keys.set(text, keys.size);
  return keys.size - 1;
}

function movesOf({ root, steps }: MemoryLocation, loops: readonly Around[], world: World): readonly Move[] {
  const moves: Move[] = [];
  let type: CType = canonical(root.type);
  for (const step of steps) {
    if (step.is === "index") {
      const terms = step.terms.map(({ expr, frame, negative, of }) => ({
        value: chosenOf(of, prepare(expr, frame, loops, world)),
        negative: negative === true,
      }));
      if (type.kind !== "array") {
        moves.push({ is: "index", terms });
        continue;
      }
      moves.push({ is: "index", terms, size: extentOf(type, loops, world) });
      type = canonical(type.of);
    } else if (step.is === "deref") {
      moves.push({ is: "part", text: "*" });
      if (type.kind !== "pointer") return [...moves, { is: "lost" }];
      type = { kind: "array", of: type.to };
    } else {
      moves.push({ is: "part", text: `.${step.name}` });
      if (step.name === anyOfUnion) return moves;
      const field: CType | undefined =
        type.kind === "record" ? type.decl.fields?.find((f) => f.name === step.name)?.type : undefined;
      if (!field) return [...moves, { is: "lost" }];
      type = canonical(field);
    }
  }
  return moves;
}

/** One of several numbers, chosen by a value. */
function chosenOf(numbers: Term["of"], { fixed, at }: Prepared): Prepared {
  if (!numbers) return { fixed, at };
  return {
    fixed,
    at(point) {
      const value = at(point);
      return value === undefined ? undefined : numbers.get(value);
    },
  };
}

function extentOf(
  type: CType & { readonly kind: "array" },
  loops: readonly Around[],
  world: World,
): Prepared | undefined {
  const { size } = type;
  if (typeof size === "number") return { fixed: true, at: () => size };
  return typeof size === "object" ? prepare(size, { arguments: new Map() }, loops, world) : undefined;
}
