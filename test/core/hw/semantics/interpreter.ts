/**
 * Runs hardware regions as they are built, before anything is scheduled or made faster: one iteration after the other.
 * What a graph computes can so be compared with C, by hundreds of programs at once.
 */

import { compute } from "../../../../core/hw/dfg/compute.ts";
import type { Graph } from "../../../../core/hw/dfg/graph.ts";
import type { Control, HardwareRegion } from "../../../../core/hw/dfg/region.ts";
import { interpret, type Ram, type Value, type Variable } from "../../../../core/hw/dfg/value.ts";

/** Changes the memory's bytes; `given`: the argument values by name. */
export function run(
  region: HardwareRegion,
  given: (argument: Variable) => bigint,
  memory: Uint8Array<ArrayBuffer>,
): void {
  const machine = new Machine(memory);
  for (const argument of region.arguments)
    machine.variables.set(argument, BigInt.asUintN(argument.shape.bits, given(argument)));
  machine.control(region.control);
}

/** Far more than any case takes. */
const MOST_ITERATIONS = 10_000;

class Machine {
  readonly variables = new Map<Variable, bigint>();
  private readonly rams = new Map<Ram, bigint[]>();
  private readonly memory: Uint8Array<ArrayBuffer>;

  constructor(memory: Uint8Array<ArrayBuffer>) {
    this.memory = memory;
  }

  control(control: Control): void {
    switch (control.kind) {
      case "sequence":
        for (const part of control.body) this.control(part);
        return;
      case "if":
        if (this.holds(control.test)) this.control(control.then);
        else if (control.else) this.control(control.else);
        return;
      case "loop":
        for (let k = 0; ; k++) {
          if (control.before) this.control(control.before);
          if (!this.holds(control.test)) return;
          this.control(control.body);
          bounded(k);
        }
      case "pipeline": {
        const { graph, loop } = control;
        if (!loop) this.iteration(graph);
        else
          for (let k = 0; this.valueIn(graph)(loop.more) === 1n; k++) {
            this.iteration(graph);
            bounded(k);
          }
      }
    }
  }

  private holds(test: Variable): boolean {
    return this.variables.get(test) === 1n;
  }

  /** All reads see the old values; changes happen afterwards, in program order. */
  private iteration(graph: Graph): void {
    const of = this.valueIn(graph);
    const updates = [...graph.updates].map(([variable, value]) => [variable, of(value)] as const);
    const stores = graph.stores.map((s) => ({ s, at: of(s.address), data: of(s.data), on: of(s.guard) }));
    const writes = graph.writes.map((w) => ({ w, at: of(w.address), data: of(w.data), on: of(w.guard) }));
    for (const [variable, value] of updates) this.variables.set(variable, value);
    for (const { s, at, data, on } of stores)
      for (let b = 0; on === 1n && b < s.memory.bytes; b++)
        this.memory[Number(at) + b] = Number((data >> BigInt(8 * b)) & 255n);
    for (const { w, at, data, on } of writes) if (on === 1n) this.words(w.ram)[Number(at)] = data;
  }

  private words(ram: Ram): bigint[] {
    const known = this.rams.get(ram) ?? [...(ram.contents ?? Array<bigint>(ram.words).fill(0n))];
    this.rams.set(ram, known);
    return known;
  }

  /** Values of one iteration. */
  private valueIn(graph: Graph): (value: Value) => bigint {
    const known = new Map<Value, bigint>();
    const of = (value: Value): bigint => {
      const before = known.get(value);
      if (before !== undefined) return before;
      const made = this.computed(graph, value, of);
      known.set(value, made);
      return made;
    };
    return of;
  }

  private computed(graph: Graph, value: Value, of: (value: Value) => bigint): bigint {
    const { op, shape, args, entries, fetch, memory } = value;
    switch (op) {
      case "const":
        return value.constant as bigint;
      case "read":
        return this.variables.get(value.variable as Variable) ?? 0n;
      case "table":
        return entries?.[Number(of(args[0] as Value))] ?? 0n;
      case "fetch": {
        if (!fetch) break;
        const at = of(args[0] as Value);
        const last = graph.writes
          .slice(0, fetch.after)
          .findLast((w) => w.ram === fetch.ram && of(w.guard) === 1n && of(w.address) === at);
        return last ? of(last.data) : (this.words(fetch.ram)[Number(at)] ?? 0n);
      }
      case "load": {
        const [address, guard] = args.map(of) as [bigint, bigint];
        let word = 0n;
        for (let b = (memory?.bytes ?? 0) - 1; guard === 1n && b >= 0; b--)
          word = (word << 8n) | BigInt(this.memory[Number(address) + b] ?? 0);
        return BigInt.asUintN(shape.bits, word);
      }
      case "mux": {
        const [test, then, otherwise] = args as [Value, Value, Value];
        const chosen = of(test) === 1n ? then : otherwise;
        return BigInt.asUintN(shape.bits, interpret(of(chosen), chosen.shape));
      }
      case "delay":
      case "receive":
        throw new Error(`${op} is not interpreted`);
    }
    // Where C defines no result none is needed: the path taken does not lead there.
    return (
      compute(
        op,
        shape,
        args.map((a) => [of(a), a.shape] as const),
      ) ?? 0n
    );
  }
}

function bounded(iteration: number): void {
  if (iteration > MOST_ITERATIONS) throw new Error("a loop does not end");
}
