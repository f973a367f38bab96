/** The instances of an access in a run: by which iterations and threads, and of which element. */
import { type Directive, numberOf } from "../read/directive.ts";
import type { Access, Context, MemoryLocation } from "./access.ts";
import { isChosen, isOfThread } from "./chosen.ts";
import type { Point, World } from "./evaluate.ts";
import { guarded } from "./guards.ts";
import { locator, type Where } from "./locator.ts";
import { rangeOf } from "./ranges.ts";

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
  readonly where: Where;
  /** The first and the last subscript of the location. */
  readonly first: number;
  readonly last: number;
}

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
  const locate = locator(location, context.loops, world);
  const list: Instance[] = [];
  const lost: Instance[] = [];
  // Their fields are written out: there are a thousand of them, and spreading takes ten times as long.
  for (const { point, turns, counts, threads } of runs) {
    const found = locate.at(point);
    if (found) {
      const { where, first, last } = found;
      list.push({ values: point.values, turns, counts, threads, where, first, last });
    } else if (lost.length < someLost)
      lost.push({
        values: point.values,
        turns,
        counts,
        threads,
        where: "",
        first: Number.NaN,
        last: Number.NaN,
      });
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
  const ranges = loops.map((loop, k) => rangeOf(loop, loops.slice(0, k), world).at);
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
