/** A process as a modulo-scheduling problem: operations with their timing, and constraints on their order. */

import { itemAt } from "../../checked/access.ts";
import type { Event, OperatorUse } from "../binding/process.ts";
import type { Circuits } from "../binding/sharing.ts";
import type { Graph } from "../dfg/graph.ts";
import { ramOrders, sharedReadPorts } from "../dfg/rams.ts";
import { walkBack } from "../dfg/reach.ts";
import type { Pipeline } from "../dfg/region.ts";
import {
  type Ram,
  type RamWrite,
  readsVariable,
  type Store,
  type Value,
  type Variable,
} from "../dfg/value.ts";
import type { Widths } from "../dfg/widths.ts";
import type { Arc, Operation, Problem } from "../modulo/constraints.ts";
import {
  LONGEST_REGISTER_LINE,
  type LogicTiming,
  type OperatorTiming,
  timingOf,
} from "../operators/timing.ts";
import { type Draft, gapOf, isNeededAtStart, operandsOf } from "./access-execute.ts";

/** Inputs of a schedule besides the graph. */
export interface Target {
  readonly widths: Widths;
  readonly logic: LogicTiming;
  /** In nanoseconds. */
  readonly period: number;
  readonly circuits: Circuits;
  /** Local arrays of which any word is read. */
  readonly fetched: ReadonlySet<Ram>;
}

export interface DraftProblem {
  readonly problem: Problem;
  /** The operation that computes each value. */
  readonly result: ReadonlyMap<Value, number>;
  readonly when: ReadonlyMap<Event, number>;
  readonly operators: ReadonlyMap<Value, OperatorUse>;
  /** Fetches that take turns on one copy of their array. */
  readonly ports: readonly (readonly Value[])[];
}

/** `interval`: cycles in which fetches may take turns on one copy of their array. */
export function problemOf(draft: Draft, pipeline: Pipeline, target: Target, interval: number): DraftProblem {
  const fetches = draft.values.filter((v) => v.op === "fetch");
  const ports = sharedReadPorts(fetches, interval);
  const builder = new ProblemBuilder(draft, pipeline, target);
  builder.addInputs();
  builder.addValues(ports);
  builder.takeOperands();
  builder.addUpdates();
  builder.addRequestsAndSends();
  builder.addStores();
  builder.addRamWrites();
  builder.keepRamOrder(fetches, ports);
  const { operations, arcs, resources, result, when, operators } = builder;
  return { problem: { operations, arcs, period: target.period, resources }, result, when, operators, ports };
}

/** Collects operations and arcs, and maps events to operations. */
class ProblemBuilder {
  readonly operations: Operation[] = [];
  readonly arcs: Arc[] = [];
  readonly resources = new Map<string, number>();
  readonly result = new Map<Value, number>();
  readonly when = new Map<Event, number>();
  readonly operators = new Map<Value, OperatorUse>();
  private readonly draft: Draft;
  private readonly graph: Graph;
  /** Whether there is another iteration; absent: it runs once. */
  private readonly more: Value | undefined;
  private readonly target: Target;
  /** Delay before a word enters a queue: its guard decides the queue's enables and counters. */
  private readonly queued: number;

  constructor(draft: Draft, { graph, loop }: Pipeline, target: Target) {
    this.draft = draft;
    this.graph = graph;
    this.more = loop?.more;
    this.target = target;
    this.queued = target.logic.setup + 2 * target.logic.lut;
  }

  addInputs(): void {
    const { ram } = this.target.logic;
    for (const load of this.draft.inputs)
      this.result.set(load, this.add({ delay: 0, cycles: 0, registered: ram, at: 0 }));
  }

  /** `ports`: fetches that share one copy of their array. */
  addValues(ports: readonly (readonly Value[])[]): void {
    const { draft, target } = this;
    const { logic } = target;
    const condition = this.entryCondition();
    for (const value of draft.values) {
      const circuit = target.circuits.of(value, !draft.computes || condition.has(value));
      if (circuit) {
        const { operator, across } = circuit;
        const others = [...this.operators.values()].filter((u) => u.operator === operator).length;
        this.operators.set(value, { operator, ...(across && { unit: others }) });
      }
      const shared = circuit?.shared;
      if (shared) this.resources.set(shared.resource, shared.units);
      const carried = readsVariable(value) && draft.updates.has(value.variable);
      // A variable that does not change can be read in any cycle.
      if (readsVariable(value) && !carried) continue;
      const port = ports.findIndex((group) => group.length > 1 && group.includes(value));
      const op = this.add({
        ...(circuit?.timing ?? this.logicTiming(value)),
        ...(carried && { registered: logic.register }),
        ...(shared && { resource: shared.resource }),
        ...(condition.has(value) && { at: 0 }),
        ...(port >= 0 && { resource: `${value.fetch?.ram.name} read ${port}` }),
      });
      this.result.set(value, op);
    }
  }

  /**
   * Called after all values were added: a place of a delay line may depend on a value that comes later in the source.
   */
  takeOperands(): void {
    const { values, delayed, updates } = this.draft;
    for (const value of values) {
      const op = this.result.get(value);
      const before = delayed.get(value);
      if (op === undefined) continue;
      const source = before && this.result.get(before);
      if (before && source !== undefined && isEarly(value, before, updates)) {
        // The ring buffer must have stored the value before the preceding iteration fetches it.
        const { cycles } = itemAt(this.operations, source);
        this.arcs.push({ from: source, to: op, distance: gapOf(value, before) - 1, gap: cycles + 1 });
      } else for (const arg of before ? [before] : value.args) this.uses(op, arg);
    }
  }

  addUpdates(): void {
    const { values, updates, distances } = this.draft;
    const { setup, lut } = this.target.logic;
    for (const [variable, cases] of updates) {
      const operands = cases.flatMap(({ guard, value }) => (guard ? [guard, value] : [value]));
      // The selection whether a register takes a value is in parallel to the value, not before it.
      const choices = operands.length > 1 ? cases.length : 0;
      const op = this.event(variable, operands, setup + choices * lut);
      const read = values.find((v) => readsVariable(v) && v.variable === variable);
      const from = read && this.result.get(read);
      if (from === undefined) continue;
      // A later iteration, usually the next, reads what this one sets; this one reads before.
      this.arcs.push({ from, to: op, distance: 0, gap: 0 });
      if (this.more) this.arcs.push({ from: op, to: from, distance: distances.get(variable) ?? 1, gap: 1 });
    }
  }

  addRequestsAndSends(): void {
    for (const load of this.draft.requests) this.event(load, load.args, this.queued);
    for (const send of this.draft.sends) this.event(send, [send.data, send.guard], this.queued);
  }

  addStores(): void {
    this.draft.stores.forEach(({ stores }, k) => {
      const [lane] = stores;
      if (lane && this.graph.streams.get(lane)?.word) this.addWord(lane, stores);
      else this.addInOrder(stores, stores.length > 1 ? `store${k}` : undefined);
    });
  }

  addRamWrites(): void {
    const { writes } = this.draft;
    const { setup, lut } = this.target.logic;
    for (const write of writes) {
      const several = writes.filter(({ ram }) => ram === write.ram).length > 1;
      const port = several ? `${write.ram.name} write` : undefined;
      // Includes the selection between writers, and the array's own registers.
      this.event(write, [write.address, write.data, write.guard], setup + lut, port);
    }
  }

  keepRamOrder(fetches: readonly Value[], ports: readonly (readonly Value[])[]): void {
    const orders = ramOrders(this.graph, fetches, this.draft.writes, ports, this.more !== undefined);
    const op = (of: Value | RamWrite) => (this.result.get(of as Value) ?? this.when.get(of)) as number;
    for (const { from, to, distance } of orders)
      this.arcs.push({ from: op(from), to: op(to), distance, gap: 1 });
  }

  /** An iteration starts in cycle 0: its entry condition, with everything it depends on, must be known by then. */
  private entryCondition(): ReadonlySet<Value> {
    const condition = new Set<Value>();
    const early = (root: Value): void =>
      walkBack([root], (value) => {
        if (condition.has(value)) return undefined;
        condition.add(value);
        return value.args;
      });
    if (this.more) early(this.more);
    for (const input of this.draft.inputs) {
      const neededAtStart = isNeededAtStart(this.graph, input);
      if (neededAtStart) early(neededAtStart);
    }
    return condition;
  }

  private logicTiming(value: Value): OperatorTiming {
    const { widths, logic } = this.target;
    const before = this.draft.delayed.get(value);
    const placed = before ? { ...value, distance: gapOf(value, before) } : value;
    return timingOf(placed, (v) => widths.of(v), logic);
  }

  /** The lanes of a word are sent together. */
  private addWord(lane: Store, lanes: readonly Store[]): void {
    const operands = lanes.flatMap((store) => operandsOf(this.graph, store));
    const op = this.event(lane, operands, this.queued);
    for (const other of lanes) this.when.set(other, op);
  }

  /** Stores of one port are executed in order, and all before those of the next iteration. */
  private addInOrder(stores: readonly Store[], port: string | undefined): void {
    const ops = stores.map((store) => this.event(store, operandsOf(this.graph, store), this.queued, port));
    ops.slice(1).forEach((to, k) => {
      this.arcs.push({ from: itemAt(ops, k), to, distance: 0, gap: 1 });
    });
    const [first, last] = [ops[0], ops.at(-1)];
    if (port !== undefined && first !== undefined && last !== undefined)
      this.arcs.push({ from: last, to: first, distance: 1, gap: 1 });
  }

  private add(operation: Operation): number {
    return this.operations.push(operation) - 1;
  }

  /** Constants and unchanged variables are not operations: they are available in any cycle. */
  private uses(op: number, value: Value): void {
    const from = this.result.get(value);
    if (from !== undefined) this.arcs.push({ from, to: op, distance: 0 });
  }

  /** An event happens once `operands` are available; `delay`: nanoseconds from them to the next clock edge. */
  private event(what: Event, operands: readonly Value[], delay: number, resource?: string): number {
    const op = this.add({ delay, cycles: 0, ...(resource !== undefined && { resource }) });
    this.when.set(what, op);
    for (const value of operands) this.uses(op, value);
    return op;
  }
}

/**
 * A place far down a line of values that iterations pass on may be needed by later iterations long before they compute
 * their own value: it may be read in an earlier cycle than the one in which the line takes a value in.
 */
function isEarly(tap: Value, before: Value, updates: ReadonlyMap<Variable, unknown>): boolean {
  return readsVariable(before) && updates.has(before.variable) && gapOf(tap, before) > LONGEST_REGISTER_LINE;
}
