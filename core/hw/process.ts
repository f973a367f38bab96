/**
 * The processes of a pipeline. Loads are decoupled from the computation: address processes run ahead and ask
 * memory, the data wait in FIFOs, and the last process computes, stores and updates the kernel's variables.
 * Each process is a pipeline of its own that never stalls inside: an iteration enters it when all it will need
 * is there. It has its own copies of the variables that it steps.
 */
import { widened } from "./float/notes.ts";
import type { OperatorPipeline } from "./float/pipeline.ts";
import { withFreeTurns } from "./free-turns.ts";
import {
  comesIn,
  type Graph,
  type Ram,
  type RamWrite,
  type Send,
  type Store,
  type Value,
  type Variable,
  wantedBy,
} from "./graph.ts";
import type { IntegerOperator } from "./integer.ts";
import { lateDelays, type Use } from "./late.ts";
import { loadLevels } from "./levels.ts";
import { recurrenceAgainst } from "./limits.ts";
import { copiesOf, ramOrders, turnsAt } from "./rams.ts";
import type { HardwareRegion, Pipeline } from "./region.ts";
import { pipelinesOf, testsOf } from "./region.ts";
import { type Arc, binding, type Operation, type Problem, type Schedule, schedule } from "./schedule.ts";
import { Circuits, type Units } from "./sharing.ts";
import { LONGEST_REGISTER_LINE, type LogicTiming, type OperatorTiming, timingOf } from "./timing.ts";
import type { Widths } from "./widths.ts";

export interface Process {
  /** Counts address processes by their level; the last one computes. */
  readonly level: number;
  readonly computes: boolean;
  /** What it evaluates, operands first: no constants, no loads. */
  readonly values: readonly Value[];
  /** Loads whose data, and channels whose values it takes from a FIFO in cycle 0. */
  readonly inputs: readonly Value[];
  /** Loads whose addresses it sends. */
  readonly requests: readonly Value[];
  readonly stores: readonly StorePort[];
  /** Of local arrays. */
  readonly writes: readonly RamWrite[];
  /** The copy of its array that a fetch reads. */
  readonly copies: ReadonlyMap<Value, number>;
  readonly sends: readonly Send[];
  /** Variables that it steps: those of the kernel where it computes, else copies. */
  readonly updates: ReadonlyMap<Variable, readonly UpdateCase[]>;
  /** The circuits of floating-point values, and those that values take turns on. */
  readonly operators: ReadonlyMap<Value, OperatorUse>;
  /** Cycle in which each value takes its operands, and in which it is there. */
  readonly start: ReadonlyMap<Value, number>;
  readonly ready: ReadonlyMap<Value, number>;
  /** Cycle in which an update, a request, a store, a write or a send happens. */
  readonly when: ReadonlyMap<Event, number>;
  /** What the delay lines take in: the next newer place of the same line. */
  readonly delayed: ReadonlyMap<Value, Value>;
  /** The last cycle in which anything happens. */
  readonly depth: number;
  /**
   * Operations take turns with others of the same loop: iterations enter whole intervals after one that is under way.
   * Absent: as far apart as they like.
   */
  readonly aligned?: true;
}

/** What happens in some cycle and has no value. */
export type Event = Variable | Value | Store | RamWrite | Send;

/** A value's circuit. */
export interface OperatorUse {
  readonly operator: OperatorPipeline | IntegerOperator;
  /**
   * Values with equal numbers use one circuit: in pipelines of which only one runs at a time, or by turns, starting in
   * different cycles of the interval. Absent: one of its own.
   */
  readonly unit?: number;
}

/**
 * What a variable becomes: the first case that applies decides, without any it keeps what it has. So what it has
 * need not travel through the pipeline.
 */
export interface UpdateCase {
  /** One bit; absent: always. */
  readonly guard?: Value;
  /** The case applies where the guard has this value. */
  readonly holds: boolean;
  readonly value: Value;
}

/** Stores that must arrive in order, through one port. */
export interface StorePort {
  readonly stores: readonly Store[];
}

export interface ScheduledPipeline {
  readonly pipeline: Pipeline;
  readonly ii: number;
  /** What the interval would be without anything but this. */
  readonly bounds: { readonly recurrence: number; readonly resource: number };
  /** Where the larger bound comes from; absent: an iteration may start in every cycle. */
  readonly limit?: Limit;
  readonly processes: readonly Process[];
}

/** Operations that wait for each other from one iteration to the next, or for the same port. */
export interface Limit {
  readonly kind: "recurrence" | "port" | "operators";
  readonly through: readonly Event[];
  /** Circuits on which operators take turns. */
  readonly units?: number;
}

export interface HardwarePlan {
  readonly region: HardwareRegion;
  readonly widths: Widths;
  readonly pipelines: readonly ScheduledPipeline[];
  /** Nanoseconds. */
  readonly period: number;
}

/** `units`: on how many circuits the operations of a loop take turns. */
export function planHardware(
  region: HardwareRegion,
  widths: Widths,
  logic: LogicTiming,
  megahertz: number,
  units: Units = {},
): HardwarePlan {
  const period = 1000 / megahertz;
  const pipelines = pipelinesOf(region.control);
  const tests = new Set(testsOf(region.control));
  const { flush = false } = region;
  const fetches = pipelines.flatMap((p) => p.graph.values.filter((v) => v.fetch && widths.isNeeded(v)));
  const fetched = new Set(fetches.flatMap(({ fetch }) => (fetch ? [fetch.ram] : [])));
  const scheduled = withFreeTurns((turns) => {
    const circuits = new Circuits(pipelines, { widths, logic, period, flush }, units, turns);
    return pipelines.map((pipeline) => {
      const elsewhere = (variable: Variable) =>
        tests.has(variable) ||
        pipelines.some(
          (other) =>
            // A step may run again and read what it has set.
            (other !== pipeline || !pipeline.loop) &&
            other.graph.values.some((v) => v.op === "read" && v.variable === variable && widths.isNeeded(v)),
        );
      return schedulePipeline(pipeline, elsewhere, { widths, logic, period, circuits, fetched });
    });
  });
  const notes = [...region.notes, ...widened(scheduled.flatMap((p) => p.processes))];
  return { region: { ...region, notes }, widths, pipelines: scheduled, period };
}

/** What schedules depend on besides the graph. */
interface Target {
  readonly widths: Widths;
  readonly logic: LogicTiming;
  /** Nanoseconds. */
  readonly period: number;
  readonly circuits: Circuits;
  /** Local arrays of which anyone reads a word. */
  readonly fetched: ReadonlySet<Ram>;
}

/** What a process is before it is scheduled. */
interface Draft {
  readonly level: number;
  readonly computes: boolean;
  readonly values: readonly Value[];
  readonly inputs: readonly Value[];
  readonly requests: readonly Value[];
  readonly stores: readonly StorePort[];
  readonly writes: readonly RamWrite[];
  readonly sends: readonly Send[];
  readonly updates: ReadonlyMap<Variable, readonly UpdateCase[]>;
  readonly delayed: ReadonlyMap<Value, Value>;
  readonly distances: ReadonlyMap<Variable, number>;
}

function schedulePipeline(
  pipeline: Pipeline,
  elsewhere: (variable: Variable) => boolean,
  target: Target,
): ScheduledPipeline {
  const drafts = draftsOf(pipeline, elsewhere, target.fetched);
  const problems = drafts.map((draft) => problemOf(draft, pipeline, target, pipeline.loop ? 1 : ONCE));
  const first = problems.map(({ problem }) => scheduleOf(pipeline, problem));
  const bounds = {
    recurrence: Math.max(...first.map((s) => s.bounds.recurrence)),
    resource: Math.max(...first.map((s) => s.bounds.resource)),
  };
  let found = first;
  const slowest = () => Math.max(...found.map((s) => s.ii));
  // All processes start iterations in the same interval; what runs once has none.
  while (pipeline.loop && found.some((s) => s.ii !== slowest())) {
    const ii = slowest();
    found = problems.map(({ problem }) => scheduleOf(pipeline, problem, ii));
  }
  const ii = pipeline.loop ? slowest() : 1;
  // Processes run at the same time: each reads copies of its own.
  const taken = new Map<Ram, number>();
  const processes = drafts.map((draft, k): Process => {
    const fewer = ii > 1 ? problemOf(draft, pipeline, target, ii) : undefined;
    const saving = fewer && schedule(fewer.problem, ii, ii);
    const problem = (saving ? fewer : problems[k]) as DraftProblem;
    const process = placed(draft, problem, saving ?? (found[k] as Schedule));
    const cycle = (v: Value) => process.start.get(v) as number;
    const copies = copiesOf(problem.ports, cycle, pipeline.loop ? ii : ONCE, (ram) => taken.get(ram) ?? 0);
    for (const [{ fetch }, copy] of copies)
      if (fetch) taken.set(fetch.ram, Math.max(taken.get(fetch.ram) ?? 0, copy + 1));
    return { ...process, copies };
  });
  const limit = limitOf(bounds, problems);
  return { pipeline, ii, bounds, ...(limit && { limit }), processes };
}

/** The interval of what runs once, and takes its time. */
const ONCE = Number.POSITIVE_INFINITY;

function scheduleOf({ name, loop }: Pipeline, problem: Problem, least = 1): Schedule {
  // What runs once may take its time, so that no two of its operations start in the same cycle of an interval.
  const apart = problem.operations.reduce((sum, { cycles }) => sum + cycles + 1, 1);
  const found = loop ? schedule(problem, least) : schedule(problem, apart, apart);
  if (!found) throw new Error(`no schedule for ${name}`);
  return found;
}

/** A process in the cycles of its schedule. */
function placed(
  draft: Draft,
  { problem, result, when, operators }: DraftProblem,
  found: Schedule,
): Omit<Process, "copies"> {
  const cycle = (op: number) => found.cycles[op] as number;
  const start = new Map<Value, number>([...result].map(([value, op]) => [value, cycle(op)]));
  for (const [place, later] of lateDelays(draft.delayed, start, usesOf(draft, result, problem.arcs, cycle)))
    start.set(place, later);
  const ready = new Map<Value, number>(
    [...result].map(([value, op]) => [
      value,
      (start.get(value) as number) + (problem.operations[op] as Operation).cycles,
    ]),
  );
  const times = new Map([...when].map(([what, op]) => [what, cycle(op)] as const));
  const depth = Math.max(0, ...times.values(), ...start.values());
  const units = binding(problem, found);
  const bound = new Map(
    [...operators].map(([value, use]): [Value, OperatorUse] => {
      const unit = units[result.get(value) as number];
      return [value, unit === undefined ? use : { ...use, unit }];
    }),
  );
  return {
    ...draft,
    operators: bound,
    start,
    ready,
    when: times,
    depth,
    ...(takeTurns(bound) && { aligned: true }),
  };
}

/** Whether several operations use one circuit. */
function takeTurns(operators: ReadonlyMap<Value, OperatorUse>): boolean {
  const shared = [...operators.values()].flatMap(({ operator, unit }) =>
    unit === undefined ? [] : [`${operator.name} ${unit}`],
  );
  return new Set(shared).size < shared.length;
}

/** In which cycles values are used by others than places of delay lines. */
function usesOf(
  { delayed }: Draft,
  result: ReadonlyMap<Value, number>,
  arcs: readonly Arc[],
  cycle: (op: number) => number,
): readonly Use[] {
  const values = new Map([...result].map(([value, op]) => [op, value]));
  return arcs.flatMap(({ from, to, gap }) => {
    const [value, by] = [values.get(from), values.get(to)];
    return gap === undefined && value && !(by && delayed.has(by)) ? [{ value, cycle: cycle(to) }] : [];
  });
}

/** What the larger bound comes from; undefined: an iteration may start in every cycle. */
function limitOf(
  { recurrence, resource }: ScheduledPipeline["bounds"],
  problems: readonly DraftProblem[],
): Limit | undefined {
  if (recurrence === 1 && resource === 1) return undefined;
  for (const { problem, result, when } of problems) {
    const what = new Map<number, Limit["through"][number]>([...result, ...when].map(([of, op]) => [op, of]));
    const named = (ops: readonly number[]) => ops.flatMap((op) => what.get(op) ?? []);
    // Stores of one port keep their order, which is a recurrence too.
    if (recurrence > resource) {
      const through = named(recurrenceAgainst(problem, recurrence - 1));
      if (through.length > 0) return { kind: "recurrence", through };
    } else {
      const shared = new Map<string, number[]>();
      problem.operations.forEach((o, op) => {
        if (o.resource !== undefined) shared.set(o.resource, [...(shared.get(o.resource) ?? []), op]);
      });
      for (const [name, ops] of shared) {
        const units = problem.resources?.get(name);
        if (Math.ceil(ops.length / (units ?? 1)) < resource) continue;
        if (units === undefined) return { kind: "port", through: named(ops) };
        return { kind: "operators", through: named(ops), units };
      }
    }
  }
  return undefined;
}

function draftsOf(
  { graph, loop, loc }: Pipeline,
  elsewhere: (variable: Variable) => boolean,
  fetched: ReadonlySet<Ram>,
): Draft[] {
  const levels = loadLevels(graph, loop?.more, loc);
  const drafts: Draft[] = [];
  const highest = Math.max(-1, ...levels.values());
  // What computes decides which loads anyone needs.
  const computing = draft(graph, loop?.more, {
    level: highest + 1,
    computes: true,
    requests: [],
    stores: portsOf(graph),
    writes: graph.writes.filter(({ ram, guard }) => fetched.has(ram) && guard.constant !== 0n),
    sends: graph.sends,
    roots: [...graph.updates.keys()].filter(elsewhere),
  });
  drafts.push(computing);
  const needed = new Set(computing.inputs);
  for (let level = highest; level >= 0; level--) {
    const requests = [...needed].filter((load) => levels.get(load) === level && !graph.streams.has(load));
    if (requests.length === 0) continue;
    const made = draft(graph, loop?.more, {
      level,
      computes: false,
      requests,
      stores: [],
      writes: [],
      sends: [],
      roots: [],
    });
    for (const load of made.inputs) needed.add(load);
    drafts.unshift(made);
  }
  return drafts;
}

/** One port for stores that may touch the same memory. */
function portsOf(graph: Graph): StorePort[] {
  const { stores } = graph;
  const ports: Store[][] = [];
  for (const store of stores) {
    const joined = ports.filter((port) => port.some((s) => graph.mayTouch(s.memory, store.memory)));
    const rest = ports.filter((port) => !joined.includes(port));
    ports.splice(0, ports.length, ...rest, [...joined.flat(), store]);
  }
  return ports.map((port) => ({ stores: stores.filter((s) => port.includes(s)) }));
}

function draft(
  graph: Graph,
  more: Value | undefined,
  what: {
    readonly level: number;
    readonly computes: boolean;
    readonly requests: readonly Value[];
    readonly stores: readonly StorePort[];
    readonly writes: readonly RamWrite[];
    readonly sends: readonly Send[];
    readonly roots: readonly Variable[];
  },
): Draft {
  const used = new Set<Value>();
  const inputs = new Set<Value>();
  const updates = new Map<Variable, readonly UpdateCase[]>();
  const step = (variable: Variable): void => {
    const value = graph.updates.get(variable);
    if (!value || updates.has(variable)) return;
    const cases = casesOf(variable, value) ?? [{ holds: true, value }];
    updates.set(variable, cases);
    for (const { guard, value: next } of cases) {
      if (guard) need(guard);
      need(next);
    }
  };
  const need = (value: Value): void => {
    if (value.op === "const" || used.has(value)) return;
    if (comesIn(value)) {
      inputs.add(value);
      const wanted = wantedAtStart(graph, value);
      if (wanted) need(wanted);
      return;
    }
    used.add(value);
    value.args.forEach(need);
    if (value.op === "read" && more) step(value.variable as Variable);
  };
  if (more) need(more);
  for (const load of what.requests) load.args.forEach(need);
  for (const port of what.stores) for (const s of port.stores) for (const v of operandsOf(graph, s)) need(v);
  for (const { address, data, guard } of what.writes) for (const v of [address, data, guard]) need(v);
  for (const { data, guard } of what.sends) for (const v of [data, guard]) need(v);
  if (what.computes) graph.receives.forEach(need);
  what.roots.forEach(step);
  const values = graph.values.filter((v) => used.has(v));
  return {
    level: what.level,
    computes: what.computes,
    values,
    inputs: graph.values.filter((v) => inputs.has(v)),
    requests: what.requests,
    stores: what.stores,
    writes: what.writes,
    sends: what.sends,
    updates,
    delayed: chains(values),
    distances: graph.distances,
  };
}

/** An update by choices between new values and what the variable has; undefined: it always takes a new one. */
function casesOf(variable: Variable, value: Value): readonly UpdateCase[] | undefined {
  if (value.op === "read" && value.variable === variable) return [];
  if (value.op !== "mux") return undefined;
  const [guard, then, otherwise] = value.args as [Value, Value, Value];
  const after = casesOf(variable, otherwise);
  if (after) return [{ guard, holds: true, value: then }, ...after];
  const before = casesOf(variable, then);
  return before && [{ guard, holds: false, value: otherwise }, ...before];
}

/** What must be known to store. */
const operandsOf = (graph: Graph, store: Store): readonly Value[] =>
  graph.streams.has(store) ? [store.data, store.guard] : [store.address, store.data, store.guard];

/** Whether an iteration takes an element of a stream or a channel: it must know that when it starts. */
function wantedAtStart(graph: Graph, input: Value): Value | undefined {
  if (input.op === "receive") return input.args[0];
  const stream = graph.streams.get(input);
  return stream && wantedBy(input, stream);
}

/** Delays of one value follow each other: each takes in the place before. */
function chains(values: readonly Value[]): ReadonlyMap<Value, Value> {
  const bySource = new Map<Value, Value[]>();
  for (const v of values)
    if (v.op === "delay") bySource.set(v.args[0] as Value, [...(bySource.get(v.args[0] as Value) ?? []), v]);
  const before = new Map<Value, Value>();
  for (const [source, taps] of bySource) {
    taps.sort((a, b) => (a.distance as number) - (b.distance as number));
    taps.forEach((tap, k) => {
      before.set(tap, taps[k - 1] ?? source);
    });
  }
  return before;
}

/** Iterations between a place of a delay line and the one that it takes in. */
export function gapOf(tap: Value, before: Value): number {
  const newer = before.op === "delay" && before.args[0] === tap.args[0] ? (before.distance as number) : 0;
  return (tap.distance as number) - newer;
}

/**
 * A place far down a line of what iterations hand on, which later ones may need long before they make their own: it is
 * looked at in a cycle that may be earlier than the one in which the line takes a value in.
 */
function isEarly(tap: Value, before: Value, updates: ReadonlyMap<Variable, unknown>): boolean {
  return (
    before.op === "read" &&
    updates.has(before.variable as Variable) &&
    gapOf(tap, before) > LONGEST_REGISTER_LINE
  );
}

interface DraftProblem {
  readonly problem: Problem;
  /** The operation that gives each value. */
  readonly result: ReadonlyMap<Value, number>;
  readonly when: ReadonlyMap<Event, number>;
  readonly operators: ReadonlyMap<Value, OperatorUse>;
  /** Fetches that take turns at one copy of their array. */
  readonly ports: readonly (readonly Value[])[];
}

/** `interval`: cycles in which fetches may take turns at one copy of their array. */
function problemOf(
  { values, inputs, requests, stores, writes, sends, updates, delayed, distances, computes }: Draft,
  { graph, loop }: Pipeline,
  { widths, logic, period, circuits }: Target,
  interval: number,
): DraftProblem {
  const more = loop?.more;
  const operations: Operation[] = [];
  const arcs: Arc[] = [];
  const result = new Map<Value, number>();
  const when = new Map<Event, number>();
  const operators = new Map<Value, OperatorUse>();
  const resources = new Map<string, number>();
  const add = (operation: Operation): number => operations.push(operation) - 1;
  const uses = (op: number, value: Value) => {
    const from = result.get(value);
    if (from !== undefined) arcs.push({ from, to: op, distance: 0 });
  };
  // An iteration starts in cycle 0: what it hangs on must be known by then.
  const condition = new Set<Value>();
  const early = (value: Value): void => {
    if (condition.has(value)) return;
    condition.add(value);
    value.args.forEach(early);
  };
  if (more) early(more);
  for (const input of inputs) {
    const wanted = wantedAtStart(graph, input);
    if (wanted) early(wanted);
  }
  const fetches = values.filter((v) => v.op === "fetch");
  const ports = turnsAt(fetches, interval);
  for (const load of inputs) result.set(load, add({ delay: 0, cycles: 0, registered: logic.ram, at: 0 }));
  for (const value of values) {
    const before = delayed.get(value);
    const circuit = circuits.of(value, !computes || condition.has(value));
    if (circuit) {
      const { operator, across } = circuit;
      const others = [...operators.values()].filter((u) => u.operator === operator).length;
      operators.set(value, { operator, ...(across && { unit: others }) });
    }
    const turns = circuit?.turns;
    if (turns) resources.set(turns.resource, turns.units);
    const timing: OperatorTiming =
      circuit?.timing ??
      timingOf(before ? { ...value, distance: gapOf(value, before) } : value, (v) => widths.of(v), logic);
    const carried = value.op === "read" && updates.has(value.variable as Variable);
    // A variable that stays as it is can be read in any cycle.
    if (value.op === "read" && !carried) continue;
    const port = ports.findIndex((group) => group.length > 1 && group.includes(value));
    const op = add({
      ...timing,
      ...(carried && { registered: logic.register }),
      ...(turns && { resource: turns.resource }),
      ...(condition.has(value) && { at: 0 }),
      ...(port >= 0 && { resource: `${value.fetch?.ram.name} read ${port}` }),
    });
    result.set(value, op);
  }
  // A place of a delay line may take in one that the source names later.
  for (const value of values) {
    const op = result.get(value);
    const before = delayed.get(value);
    if (op === undefined) continue;
    const source = before && result.get(before);
    if (before && source !== undefined && isEarly(value, before, updates)) {
      // The ring has taken the value in before the iteration in front of the one that looks at it fetches it.
      const { cycles } = operations[source] as Operation;
      arcs.push({ from: source, to: op, distance: gapOf(value, before) - 1, gap: cycles + 1 });
    } else for (const arg of before ? [before] : value.args) uses(op, arg);
  }
  const event = (what: Event, of: readonly Value[], delay: number, resource?: string): number => {
    const op = add({ delay, cycles: 0, ...(resource !== undefined && { resource }) });
    when.set(what, op);
    for (const value of of) uses(op, value);
    return op;
  };
  // A word goes into a queue if its guard holds: that decides the queue's enables and counters.
  const queued = logic.setup + 2 * logic.lut;
  for (const [variable, cases] of updates) {
    const operands = cases.flatMap(({ guard, value }) => (guard ? [guard, value] : [value]));
    // What decides whether a register takes a value is beside the value, not before it.
    const choices = operands.length > 1 ? cases.length : 0;
    const op = event(variable, operands, logic.setup + choices * logic.lut);
    const read = values.find((v) => v.op === "read" && v.variable === variable);
    const from = read && result.get(read);
    if (from === undefined) continue;
    // A later iteration, mostly the next, reads what this one has set; this one reads before.
    arcs.push({ from, to: op, distance: 0, gap: 0 });
    if (more) arcs.push({ from: op, to: from, distance: distances.get(variable) ?? 1, gap: 1 });
  }
  for (const load of requests) event(load, load.args, queued);
  for (const send of sends) event(send, [send.data, send.guard], queued);
  stores.forEach((port, k) => {
    const [lane] = port.stores;
    if (lane && graph.streams.get(lane)?.word) {
      // The lanes of a word leave together.
      const op = event(
        lane,
        port.stores.flatMap((s) => operandsOf(graph, s)),
        queued,
      );
      for (const other of port.stores) when.set(other, op);
      return;
    }
    let last: number | undefined;
    const shared = port.stores.length > 1 ? `store${k}` : undefined;
    const ops = port.stores.map((s) => {
      const op = event(s, operandsOf(graph, s), queued, shared);
      if (last !== undefined) arcs.push({ from: last, to: op, distance: 0, gap: 1 });
      last = op;
      return op;
    });
    const [first] = ops;
    if (shared !== undefined && first !== undefined && last !== undefined)
      arcs.push({ from: last, to: first, distance: 1, gap: 1 });
  });
  // The choice between those who write, and the array's own registers.
  for (const write of writes)
    event(
      write,
      [write.address, write.data, write.guard],
      logic.setup + logic.lut,
      writes.filter(({ ram }) => ram === write.ram).length > 1 ? `${write.ram.name} write` : undefined,
    );
  for (const { from, to, distance } of ramOrders(graph, fetches, writes, ports, more !== undefined)) {
    const op = (of: Value | RamWrite) => (result.get(of as Value) ?? when.get(of)) as number;
    arcs.push({ from: op(from), to: op(to), distance, gap: 1 });
  }
  return { problem: { operations, arcs, period, resources }, result, when, operators, ports };
}
