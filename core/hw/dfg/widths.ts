/**
 * How many bits each value really needs. Forward: the range of its possible values; backward: the low bits that are
 * used. C semantics are preserved: a value keeps its low bits, and where more are needed, the rest follows from its
 * range.
 */

import { firstOf, itemAt } from "../../checked/access.ts";
import { bitsOf, length, type Range, type Ranges } from "./ranges.ts";
import type { HardwareRegion, Pipeline } from "./region.ts";
import { pipelinesOf, testsOf } from "./region.ts";
import { type Shape, takesElement, type Value, type Variable } from "./value.ts";

export interface Widths {
  /** Bits of the wire, and how it is extended to the C value. */
  of(value: Value): Shape;
  ofVariable(variable: Variable): Shape;
  /** Whether any result depends on it. */
  isNeeded(value: Value): boolean;
  /** The ranges from which the wires' bits follow, with their uses. */
  readonly ranges: Ranges;
}

/** `results`: variables all of whose bits are used afterwards. */
export function analyseWidths(
  region: HardwareRegion,
  ranges: Ranges,
  results: readonly Variable[] = [],
): Widths {
  const pipelines = pipelinesOf(region.control);
  const looked = new Map(results.map((variable) => [variable, variable.shape.bits] as const));
  for (const test of testsOf(region.control)) looked.set(test, 1);
  const demands = new Demands(pipelines, looked, ranges);
  const wires = new Map<Value, Shape>();
  return {
    ranges,
    isNeeded: (value) => demands.of(value) > 0,
    of: (value) => {
      const known = wires.get(value);
      if (known) return known;
      const shape = wire(value.shape, ranges.of(value), demands.of(value));
      wires.set(value, shape);
      return shape;
    },
    ofVariable: (variable) =>
      variable.argument
        ? variable.shape
        : wire(variable.shape, ranges.ofVariable(variable), demands.ofVariable(variable)),
  };
}

function wire(shape: Shape, range: Range, demanded: number): Shape {
  if (shape.float) return shape;
  const needed = Math.min(shape.bits, bitsOf(range));
  const bits = Math.max(1, Math.min(needed, demanded));
  return { bits, signed: bits === needed && range.min < 0n };
}

// ---------------------------------------------------------------- backward

class Demands {
  private readonly values = new Map<Value, number>();
  private readonly variables = new Map<Variable, number>();
  private readonly ranges: Ranges;
  /** Variables that a pipeline sets: bits needed of them are needed of the values that they are set to. */
  private readonly set: ReadonlySet<Variable>;
  /** Position of the value whose operands are being processed; the graph is walked backwards. */
  private at = Number.POSITIVE_INFINITY;
  /** More bits became needed of a value that was processed before. */
  private late = true;

  constructor(pipelines: readonly Pipeline[], looked: ReadonlyMap<Variable, number>, ranges: Ranges) {
    this.ranges = ranges;
    this.set = new Set(
      pipelines.flatMap(({ graph }) => [...graph.updates.keys(), ...graph.writes.map(({ ram }) => ram.cell)]),
    );
    for (const [variable, bits] of looked) this.variables.set(variable, bits);
    while (this.late) {
      this.late = false;
      for (const { graph, loop } of pipelines) {
        this.at = Number.POSITIVE_INFINITY;
        if (loop) this.need(loop.more, 1);
        for (const { address, beats } of graph.streams.values())
          for (const v of beats ? [address, beats] : [address]) this.need(v, v.shape.bits);
        for (const store of graph.stores) {
          if (!graph.streams.has(store)) this.need(store.address, store.address.shape.bits);
          this.need(store.data, store.memory.bytes * 8);
          this.need(store.guard, 1);
        }
        for (const { ram, address, data, guard } of graph.writes) {
          const bits = this.variables.get(ram.cell);
          if (bits === undefined) continue;
          this.need(data, wire(ram.cell.shape, ranges.ofVariable(ram.cell), bits).bits);
          this.need(address, address.shape.bits);
          this.need(guard, 1);
        }
        for (const { args } of graph.receives) this.need(firstOf(args), 1);
        for (const { data, guard } of graph.sends) {
          this.need(data, data.shape.bits);
          this.need(guard, 1);
        }
        for (const [variable, value] of graph.updates) {
          const bits = this.variables.get(variable);
          if (bits !== undefined)
            this.need(value, wire(variable.shape, ranges.ofVariable(variable), bits).bits);
        }
        for (let k = graph.values.length - 1; k >= 0; k--) {
          const value = itemAt(graph.values, k);
          this.at = value.id;
          const stream = graph.streams.get(value);
          if (!stream) this.pass(value);
          else if (this.of(value) > 0) this.need(takesElement(value, stream), 1);
        }
      }
    }
  }

  /** 0: not needed. */
  of(value: Value): number {
    return this.values.get(value) ?? 0;
  }

  ofVariable(variable: Variable): number {
    return this.variables.get(variable) ?? 0;
  }

  private need(value: Value, bits: number): void {
    const most = Math.min(bits, value.shape.bits);
    if (most <= (this.values.get(value) ?? 0)) return;
    this.values.set(value, most);
    if (value.id >= this.at) this.late = true;
  }

  private needVariable(variable: Variable, bits: number): void {
    if (bits <= (this.variables.get(variable) ?? 0)) return;
    this.variables.set(variable, bits);
    if (this.set.has(variable)) this.late = true;
  }

  private pass(value: Value): void {
    const demanded = this.of(value);
    if (demanded === 0) return;
    const [a, b, c] = value.args as [Value, Value, Value];
    const n = wire(value.shape, this.ranges.of(value), demanded).bits;
    const all = (...of: Value[]) => {
      for (const v of of) this.need(v, v.shape.bits);
    };
    switch (value.op) {
      case "read":
        this.needVariable(value.variable, demanded);
        return;
      case "and": {
        const truncated = (v: Value, other: Value) =>
          this.need(
            v,
            other.op === "const" && !value.shape.float ? Math.min(n, Math.max(1, length(other.constant))) : n,
          );
        truncated(a, b);
        truncated(b, a);
        return;
      }
      case "add":
      case "sub":
      case "mul":
      case "or":
      case "xor":
      case "not":
        for (const v of value.args) this.need(v, value.shape.float ? v.shape.bits : n);
        return;
      case "shl":
        if (b.op === "const") this.need(a, Math.max(1, n - Number(b.constant)));
        else this.need(a, n);
        all(b);
        return;
      case "shr":
        if (b.op === "const") this.need(a, n + Number(b.constant));
        else all(a);
        all(b);
        return;
      case "mux":
        this.need(a, 1);
        this.need(b, value.shape.float ? value.shape.bits : n);
        this.need(c, value.shape.float ? value.shape.bits : n);
        return;
      case "concat":
        this.need(b, n);
        if (n > b.shape.bits) this.need(a, n - b.shape.bits);
        return;
      case "resize":
        this.need(a, Math.min(n, a.shape.bits));
        return;
      case "delay":
        this.need(a, n);
        return;
      case "fetch":
        this.needVariable(value.fetch.ram.cell, demanded);
        all(a);
        return;
      default:
        all(...value.args);
    }
  }
}
