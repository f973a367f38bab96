/** Whether two accesses are made concurrently by different threads to the same memory. */
import { firstOf, itemAt } from "../../checked/access.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Access, Around, Exec, Frame, Level, Step, Task, Term } from "../memory/access.ts";
import { isConstantPlace } from "../memory/constant-place.ts";
import type { World } from "../memory/evaluate.ts";
import type { Facts } from "../memory/facts.ts";
import { type Accessed, type Instance, type Instances, indexed, instancesOf } from "../memory/instances.ts";
import type { Sampled } from "../memory/samples.ts";
import { clausesOf } from "../read/directive.ts";
import { chainsOf } from "./chains.ts";
import { inOrder } from "./doacross.ts";
import { handedOver } from "./handed-over.ts";
import { tasksOverlap } from "./tasks.ts";

interface Region {
  readonly accesses: readonly Access[];
  readonly tasks: readonly Task[];
  /** Threads synchronise in ways that the analysis does not model. */
  readonly synchronised: boolean;
  readonly waitsOnce?: true;
  readonly flushes?: true;
  readonly facts: Facts;
}

export interface Conflict {
  readonly write: Access;
  readonly other: Access;
  readonly certainty: "proved" | "maybe";
  /** The level whose threads, teams or lanes conflict; absent: tasks do. */
  readonly level?: Level;
}

type InstancesFor = (access: Accessed, sample: number) => Instances;

/** Whether two instances may run concurrently. */
type Meets = (a: Instance, b: Instance) => boolean;

interface Way {
  readonly meets: (a: Instance, b: Instance, sample: number) => boolean;
  readonly level?: Level;
}

export function instancesCache(world: Omit<World, "sample">, { samples }: Sampled): InstancesFor {
  const known = samples.map(() => new Map<Accessed, Instances>());
  const worlds = samples.map((sample): World => ({ ...world, sample }));
  return (access, s) => {
    const row = itemAt(known, s);
    const found = row.get(access) ?? instancesOf(access, itemAt(worlds, s));
    row.set(access, found);
    return found;
  };
}

export function conflictOf(
  a: Access,
  b: Access,
  region: Region,
  instances: InstancesFor,
  sampled: Sampled,
  doubts: boolean,
): Conflict | undefined {
  if (a.atomic && b.atomic) return undefined;
  if (a.location.root !== b.location.root) return undefined;
  const [write, other] = a.mode === "write" && !(a.atomic && b.mode === "write") ? [a, b] : [b, a];
  for (const way of waysOf(a, b, region, instances)) {
    if (way.level && ownElements(a, b, way.level)) continue;
    let met = 0;
    let missed = 0;
    let near = false;
    let uncertain = false;
    for (const s of sampled.samples.keys()) {
      const [one, two] = [instances(a, s), instances(b, s)];
      if (one.list.length === 0 || two.list.length === 0) continue;
      if (meet(one, two, (x, y) => way.meets(x, y, s))) {
        met++;
        near ||= sampled.isNear(s);
      }
      // Of loops that are longer than what is looked at, others may meet.
      else if (!sampled.isLarge(s) || (one.complete && two.complete)) missed++;
      uncertain ||= doubted(write, other, instances(write, s), instances(other, s));
      // If the first sizes show no overlap, other sizes would at most give a doubtful finding.
      if (!sampled.used.yet || (met === 0 && !sampled.used.forOffsets && !doubts)) break;
    }
    if (met === 0) {
      if (!doubts || !mayMeet(a, b, way, instances)) continue;
      return { write, other, certainty: "maybe", ...(way.level && { level: way.level }) };
    }
    const ordered = region.synchronised && !isFlagItself(a, b, region);
    near ||= missed === 0 && isConstantPlace(a) && isConstantPlace(b);
    const open = near && missed === 0 && !uncertain && !ordered && !redundant(a, b, way.level);
    const sure = open && !handedOver(a, b, region, region.facts);
    return { write, other, certainty: sure ? "proved" : "maybe", ...(way.level && { level: way.level }) };
  }
  return undefined;
}

/** The flag that the only waiting loop looks at: nothing orders the look and the store, and one of them is not atomic. */
const isFlagItself = (a: Access, b: Access, { waitsOnce }: Region): boolean =>
  waitsOnce === true &&
  a.atomic !== b.atomic &&
  [a, b].some(({ mode, context }) => mode === "read" && context.loops.some((loop) => loop.waits));

/** Each iteration accesses the element with its own number: `a[i]`. Most loops do, so they need no sampling. */
function ownElements(a: Access, b: Access, { exec }: Level): boolean {
  const [loop, ...more] = exec.is === "loop" ? exec.around : [];
  if (!loop?.header || more.length > 0) return false;
  // Loops that share a counter are different loops.
  if (![a, b].every(({ context }) => context.loops.includes(loop))) return false;
  return (
    a.location.steps.some((step, k) => {
      const [x, y] = [counterAt(step), counterAt(b.location.steps[k])];
      return (
        x?.sym === loop.header?.var && x?.sym === y?.sym && x?.frame === loop.frame && y?.frame === loop.frame
      );
    }) &&
    [a, b].every(({ location }) =>
      location.steps.every(
        (step) => step.is !== "index" || counterAt(step) !== undefined || isFirst(location, step),
      ),
    )
  );
}

/** An element that a table or a call chooses may be any other's. */
function mayMeet(a: Access, b: Access, { meets, level }: Way, instances: InstancesFor): boolean {
  if (level && ownRows(a, b, level)) return false;
  const [one, two] = [instances(a, 0), instances(b, 0)];
  const some = (all: Instances): readonly Instance[] => [...all.anywhere, ...all.list.slice(0, 12)];
  const meet = (from: readonly Instance[], to: readonly Instance[]): boolean =>
    from.some((x) => to.some((y) => meets(x, y, 0)));
  return meet(one.anywhere, some(two)) || meet(some(one), two.anywhere);
}

/** `a[i][at[k]]`: each iteration has a row of its own. */
function ownRows(a: Access, b: Access, { exec }: Level): boolean {
  const loop = exec.is === "loop" && exec.around.length === 1 ? exec.around[0] : undefined;
  return a.location.steps.some((step, k) => {
    const [x, y] = [counterAt(step), counterAt(b.location.steps[k])];
    return (
      loop?.header !== undefined &&
      [x, y].every((c) => c?.sym === loop.header?.var && c?.frame === loop.frame)
    );
  });
}

const isFirst = ({ steps }: Access["location"], step: Step): boolean =>
  steps.find((s) => s.is === "index") === step;

/** The loop variable that a subscript consists of. */
function counterAt(step: Step | undefined): { readonly sym: Symbol; readonly frame: Frame } | undefined {
  if (step?.is !== "index" || step.terms.length !== 1) return undefined;
  const [{ expr, frame, negative, of }] = step.terms as [Term];
  const e = stripImplicit(expr);
  return e.kind === "ident" && !negative && !of ? { sym: e.sym, frame } : undefined;
}

/** An unknown condition may admit only one iteration, and flags that all threads set alike are a common idiom. */
function doubted(write: Access, other: Access, w: Instances, o: Instances): boolean {
  // All of it may run on one thread.
  if (w.byThread && o.byThread) return true;
  if (write.update) return false;
  return w.selected || (w.uncertain && o.uncertain && write.constant && other.mode === "write");
}

function meet({ list: one }: Instances, two: Instances, meets: Meets): boolean {
  const at = indexed(two);
  let tests = 0;
  for (const a of one)
    for (const b of at.get(a.where) ?? []) {
      if (meets(a, b)) return true;
      if (++tests > 20_000) return false;
    }
  return false;
}

/** Ways in which the two may run concurrently. */
function* waysOf(a: Access, b: Access, { tasks }: Region, instances: InstancesFor): Generator<Way> {
  const [x, y] = [a.context.levels, b.context.levels];
  for (let k = 0; k < Math.min(x.length, y.length); k++) {
    const [p, q] = [itemAt(x, k), itemAt(y, k)];
    if (p.id !== q.id) return;
    if (k >= Math.max(a.owner, b.owner) && a.taskOwner === 0 && b.taskOwner === 0) {
      const meets = locked(a, b, p) ? undefined : atLevel(a, b, k, p, q);
      if (meets) yield { meets, level: p };
    }
    if (!sameExec(p.exec, q.exec) || p.phase !== q.phase) break;
  }
  const meets = byTasks(a, b, tasks, instances);
  if (meets) yield { meets };
}

/** Gangs that all store the same value, as OpenACC's code outside of loops always does. */
const redundant = (a: Access, b: Access, level: Level | undefined): boolean =>
  level?.kind === "gangs" && level.exec.is === "all" && !(a.update && b.update);

/** Critical sections and locks exclude the threads of one team, but not teams (OpenMP 5.2, sections 15.2 and 18.9). */
const locked = (a: Access, b: Access, level: Level): boolean =>
  level.kind !== "teams" && [...a.context.locks].some((lock) => b.context.locks.has(lock));

/** The same iterations of the loops at these indexes of both contexts. */
const same =
  (places: readonly number[]): Meets =>
  (a, b) =>
    places.every((k) => a.values[k] === b.values[k]);

const placesOf = (loops: readonly Around[], { context }: Access): readonly number[] =>
  loops.map((l) => context.loops.indexOf(l));

const sameExec = (p: Exec, q: Exec): boolean =>
  p.is === q.is && ("id" in p ? "id" in q && p.id === q.id : true);

function atLevel(a: Access, b: Access, k: number, p: Level, q: Level): Meets | undefined {
  if (p.phase !== q.phase) return betweenTurns(a, b, k, p, q);
  if (a.context.ordered && b.context.ordered && p.exec.is === "loop") return undefined;
  const differ = apart(p.exec, q.exec, k, a, b);
  if (!differ) return undefined;
  const common = a.context.loops.flatMap((l, i) => {
    if (b.context.loops[i] !== l) return [];
    const outside = i < p.loopsOutside || (l.barrier && !counts(p.exec, l) && isTeamLoop(p, l, a));
    return outside ? [i] : [];
  });
  const fixed = same(common);
  const waits = waitsOf(a, b);
  return (one, two) => {
    for (let j = 0; j < k; j++) if (one.threads[j] !== two.threads[j]) return false;
    return fixed(one, two) && differ(one, two) && !waits?.(one, two);
  };
}

/** The end of one iteration of a loop with barriers and the beginning of the next, without a barrier in between. */
function betweenTurns(a: Access, b: Access, k: number, p: Level, q: Level): Meets | undefined {
  const at = a.context.loops.findIndex((l, i) => {
    const { level, first, last } = l.phases ?? {};
    return (
      b.context.loops[i] === l &&
      level === p.id &&
      ((p.phase === first && q.phase === last) || (p.phase === last && q.phase === first))
    );
  });
  const loop = a.context.loops[at];
  if (!loop || [a, b].some(({ context }) => context.loops.slice(at + 1).some((l) => l.barrier)))
    return undefined;
  const differ = apart(p.exec, q.exec, k, a, b);
  if (!differ) return undefined;
  const ahead = p.phase === loop.phases?.first ? 1 : -1;
  const fixed = same(a.context.loops.slice(0, at).map((_, i) => i));
  return (one, two) => {
    for (let j = 0; j < k; j++) if (one.threads[j] !== two.threads[j]) return false;
    const [t, u] = [one.turns[at], two.turns[at]];
    const next = !loop.header || (t !== undefined && u !== undefined && t - u === ahead);
    return next && fixed(one, two) && differ(one, two);
  };
}

/** Whether one of two iterations has waited for the other. */
function waitsOf(a: Access, b: Access): Meets | undefined {
  const [x, y] = [a.context.doacross, b.context.doacross];
  if (!x || x.loops !== y?.loops) return undefined;
  const places = x.loops.map((l) => a.context.loops.indexOf(l));
  const { all } = x;
  return (one, two) => {
    const distance = places.map((l) => (two.values[l] ?? Number.NaN) - (one.values[l] ?? Number.NaN));
    if (distance.some((d) => Number.isNaN(d))) return true;
    const back = distance.map((d) => -d);
    return (!x.posted && inOrder(distance, y.waited, all)) || (!y.posted && inOrder(back, x.waited, all));
  };
}

type Shared = Exec & { readonly is: "loop" };

/**
 * Whether two loops give two of their iterations to one thread: those with equal numbers, if the loops have equally many
 * iterations or chunks of one size (OpenMP 5.2, section 11.5.3). The first thread has the first ones in any case, and
 * the last thread the last.
 */
function sameThread(p: Shared, q: Shared, x: readonly number[], y: readonly number[]): Meets {
  if (x.length !== y.length) return () => false;
  const [chunk, other] = [chunkOf(p), chunkOf(q)];
  return (one, two) => {
    const pairs = x.map((l, i) => [l, itemAt(y, i)] as const);
    const isOne = pairs.every(([l, m]) => one.turns[l] === two.turns[m]);
    const asMany = pairs.every(([l, m]) => one.counts[l] === two.counts[m]);
    if (chunk === other && (chunk !== "" || asMany)) return isOne;
    const isFirst = pairs.every(([l, m]) => one.turns[l] === 0 && two.turns[m] === 0);
    const isLast = pairs.every(([l, m]) => isEnd(one, l) && isEnd(two, m));
    return isFirst || (isLast && chunk === other);
  };
}

const isEnd = ({ turns, counts }: Instance, l: number): boolean =>
  turns[l] === undefined || counts[l] === undefined || turns[l] === counts[l] - 1;

/** The size of the pieces that a schedule gives to threads in turn; empty: one piece for each thread. */
const chunkOf = (exec: Shared): string =>
  clausesOf(exec.by.directive, "schedule")
    .map(({ tokens }) => tokens.map((t) => t.text).join(""))
    .map((text) => (text.includes(",") ? text.slice(text.indexOf(",") + 1) : ""))
    .join("");

const isDynamic = (exec: Exec & { readonly is: "loop" }): boolean =>
  clausesOf(exec.by.directive, "schedule").some(({ tokens }) =>
    tokens.some((t) => t.text === "dynamic" || t.text === "guided"),
  );

const counts = (exec: Exec, loop: Around): boolean => "around" in exec && exec.around.includes(loop);

/** The loop is inside the construct of the level. */
const isTeamLoop = (level: Level, loop: Around, a: Access): boolean =>
  a.context.loops.indexOf(loop) >= level.loopsOutside;

/** When different threads of a level run the two accesses; undefined: never. */
function apart(p: Exec, q: Exec, k: number, a: Access, b: Access): Meets | undefined {
  if (p.is === "lanes" && q.is === "lanes") return p.id === q.id ? lanes(p, a, b) : undefined;
  if (p.is === "loop" && q.is === "loop") {
    const [x, y] = [placesOf(p.around, a), placesOf(q.around, b)];
    const together: Meets = (one, two) => one.threads[k] !== undefined && one.threads[k] === two.threads[k];
    if (p.id === q.id)
      return (one, two) =>
        !together(one, two) && x.some((l, i) => one.values[l] !== two.values[itemAt(y, i)]);
    // A dynamic schedule may give a thread any iterations.
    if (isDynamic(p) || isDynamic(q)) return (one, two) => !together(one, two);
    const likely = sameThread(p, q, x, y);
    return (one, two) => !together(one, two) && !likely(one, two);
  }
  if (p.is === "all" && q.is === "all") return (one, two) => one.threads[k] !== two.threads[k];
  if (p.is === "section" && q.is === "section" && p.id === q.id)
    return p.index === q.index ? undefined : () => true;
  if (p.is === "single" && q.is === "single" && p.id === q.id) return undefined;
  if (p.is === "master" && q.is === "master") return undefined;
  const [one, two] = [p.is, q.is];
  if (one === "master" && two === "all") return (_, i) => i.threads[k] !== 0;
  if (two === "master" && one === "all") return (i) => i.threads[k] !== 0;
  return () => true;
}

/**
 * Lanes execute each statement in lane order: a later iteration that reads what an earlier one stores reads too soon,
 * unless the store comes before the read.
 */
function lanes(exec: Exec & { readonly is: "lanes" }, a: Access, b: Access): Meets | undefined {
  const [write, read] = a.mode === "write" ? [a, b] : [b, a];
  const [loop] = exec.around;
  // `ordered simd` runs one lane after the other.
  if (a.context.ordered && b.context.ordered) return undefined;
  if (read.mode !== "read" || read.order > write.order || exec.around.length !== 1 || !loop) return undefined;
  const step = Number(loop.header?.step.kind === "int" ? loop.header.step.value : 1n);
  const [at, there] = [firstOf(placesOf([loop], write)), firstOf(placesOf([loop], read))];
  return (one, two) => {
    const [w, r] = write === a ? [one, two] : [two, one];
    const [from, to] = [w.values[at], r.values[there]];
    if (from === undefined || to === undefined) return false;
    const distance = (to - from) / step;
    return distance > 0 && distance < exec.reach;
  };
}

/** Tasks of one thread, and the thread itself. */
function byTasks(
  a: Access,
  b: Access,
  all: readonly Task[],
  instances: InstancesFor,
): Way["meets"] | undefined {
  const [x, y] = [a.context, b.context];
  if (x.tasks.length + y.tasks.length === 0) return undefined;
  if ([...x.locks].some((lock) => y.locks.has(lock))) return undefined;
  let common = 0;
  while (common < x.tasks.length && x.tasks[common] === y.tasks[common]) common++;
  // Levels inside of a task are not shared with the other access.
  const outerOf = ({ levels, tasks }: Access["context"]) =>
    levels.slice(0, tasks[common]?.levels ?? levels.length);
  const [outer, too] = [outerOf(x), outerOf(y)];
  if (outer.length !== too.length) return undefined;
  if (outer.some((p, k) => p.id !== too[k]?.id || !sameExec(p.exec, itemAt(too, k).exec))) return undefined;
  const overlap = tasksOverlap(x.tasks, a.order, y.tasks, b.order, all);
  if (overlap === "never") return undefined;
  const team = (one: Instance, two: Instance) => outer.every((_, k) => one.threads[k] === two.threads[k]);
  if (overlap === "yes") {
    if (Math.max(a.taskOwner, b.taskOwner) > common) return undefined;
    const around = x.loops.flatMap((l, i) => (y.loops[i] === l ? [i] : []));
    const fixed = same(around);
    return (one, two) => team(one, two) && fixed(one, two);
  }
  const task = x.tasks.findLast((t) => t.outlives < t.loops);
  if (!task || Math.max(a.taskOwner, b.taskOwner) > x.tasks.indexOf(task)) return undefined;
  const places = x.loops.map((_, i) => i);
  const first = Math.max(task.loopsOutside, task.outlives);
  const outside = same(places.slice(0, first));
  const chained = task.depends.length > 0 ? chainsOf(task, all, instances) : () => false;
  const turns = places.slice(first, task.loops);
  return (one, two, s) =>
    team(one, two) &&
    outside(one, two) &&
    !chained(one, two, s) &&
    (turns.every((i) => !x.loops[i]?.header) || turns.some((i) => one.values[i] !== two.values[i]));
}
