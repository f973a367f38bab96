/** A process as a problem of modulo scheduling: operations with their times, and what must come how long after what. */
import { type Draft, gapOf, operandsOf, wantedAtStart } from "./drafts.ts";
import type { Ram, RamWrite, Value, Variable } from "./graph.ts";
import type { Event, OperatorUse } from "./process.ts";
import { ramOrders, turnsAt } from "./rams.ts";
import type { Pipeline } from "./region.ts";
import type { Arc, Operation, Problem } from "./schedule.ts";
import type { Circuits } from "./sharing.ts";
import { LONGEST_REGISTER_LINE, type LogicTiming, type OperatorTiming, timingOf } from "./timing.ts";
import type { Widths } from "./widths.ts";

/** What schedules depend on besides the graph. */
export interface Target {
  readonly widths: Widths;
  readonly logic: LogicTiming;
  /** Nanoseconds. */
  readonly period: number;
  readonly circuits: Circuits;
  /** Local arrays of which anyone reads a word. */
  readonly fetched: ReadonlySet<Ram>;
}

export interface DraftProblem {
  readonly problem: Problem;
  /** The operation that gives each value. */
  readonly result: ReadonlyMap<Value, number>;
  readonly when: ReadonlyMap<Event, number>;
  readonly operators: ReadonlyMap<Value, OperatorUse>;
  /** Fetches that take turns at one copy of their array. */
  readonly ports: readonly (readonly Value[])[];
}

/** `interval`: cycles in which fetches may take turns at one copy of their array. */
export function problemOf(
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
