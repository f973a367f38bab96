/**
 * How many bits each value really needs. Forward: the range of values that it can have; backward: the low
 * bits that anything looks at. C semantics stay as they are: a value keeps its low bits, and where more are
 * needed the rest follows from its range.
 */
import { type Graph, interpret, type Shape, type Value, type Variable } from "./graph.ts";
import type { Counter, HardwareRegion, Pipeline } from "./region.ts";
import { pipelinesOf, testsOf } from "./region.ts";

export interface Widths {
  /** Bits of the wire, and how it extends to what C sees. */
  of(value: Value): Shape;
  ofVariable(variable: Variable): Shape;
  /** Whether anything depends on it in the end. */
  isNeeded(value: Value): boolean;
}

interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

/** Rounds of joining before what still grows is widened. */
const ROUNDS = 12;
/** Rounds of widening to constants of the program: what they bound stays there. */
const STEPS = 60;

export function analyseWidths(region: HardwareRegion): Widths {
  const pipelines = pipelinesOf(region.control);
  const ranges = new Ranges(region, pipelines);
  const demands = new Demands(pipelines, testsOf(region.control), ranges);
  return {
    isNeeded: (value) => demands.of(value) > 0,
    of: (value) => wire(value.shape, ranges.of(value), demands.of(value)),
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

const length = (magnitude: bigint): number => (magnitude === 0n ? 0 : magnitude.toString(2).length);

/** Bits that hold every value of a range. */
function bitsOf({ min, max }: Range): number {
  if (min >= 0n) return Math.max(1, length(max));
  return Math.max(max < 0n ? 0 : length(max), length(-min - 1n)) + 1;
}

function whole({ bits, signed }: Shape): Range {
  const size = 1n << BigInt(bits);
  return signed ? { min: -size / 2n, max: size / 2n - 1n } : { min: 0n, max: size - 1n };
}

const join = (a: Range | undefined, b: Range): Range =>
  a ? { min: a.min < b.min ? a.min : b.min, max: a.max > b.max ? a.max : b.max } : b;
const within = (a: Range, b: Range): boolean => a.min >= b.min && a.max <= b.max;
/** The part of `a` that is in `b`; `a` where nothing is. */
function meet(a: Range, b: Range): Range {
  const [min, max] = [a.min > b.min ? a.min : b.min, a.max < b.max ? a.max : b.max];
  return min > max ? a : { min, max };
}

// ---------------------------------------------------------------- forward

class Ranges {
  private readonly values = new Map<Value, Range>();
  private readonly variables = new Map<Variable, Range>();
  private readonly counters = new Map<Graph, Counter>();
  private readonly fixed = new Set<Variable>();
  private readonly thresholds: readonly bigint[];

  constructor(region: HardwareRegion, pipelines: readonly Pipeline[]) {
    for (const argument of region.arguments) this.variables.set(argument, whole(argument.shape));
    for (const { graph, loop } of pipelines) {
      if (!loop?.counter) continue;
      this.counters.set(graph, loop.counter);
      this.fixed.add(loop.counter.left);
    }
    const constants = pipelines.flatMap(({ graph }) =>
      graph.values.flatMap((v) => {
        if (v.op !== "const" || v.shape.float) return [];
        const c = interpret(v.constant as bigint, v.shape);
        return [c - 1n, c, c + 1n];
      }),
    );
    this.thresholds = [...new Set(constants)].sort((x, y) => (x < y ? -1 : 1));
    for (let round = 0; ; round++) {
      let changed = false;
      for (const { graph } of pipelines) {
        for (const value of graph.values) this.values.set(value, this.computed(value, graph));
        for (const [variable, value] of graph.updates) {
          if (this.fixed.has(variable) && this.counters.get(graph)?.left === variable) continue;
          const before = this.variables.get(variable);
          const joined = join(before, this.of(value));
          if (before && within(joined, before)) continue;
          this.variables.set(variable, round < ROUNDS ? joined : this.widened(joined, variable, round));
          changed = true;
        }
      }
      if (!changed) break;
    }
  }

  /** To the next constants that the program knows, and in the end to all that the variable holds. */
  private widened({ min, max }: Range, { shape }: Variable, round: number): Range {
    const all = whole(shape);
    if (round > ROUNDS + STEPS) return all;
    return meet(all, {
      min: this.thresholds.findLast((t) => t <= min) ?? all.min,
      max: this.thresholds.find((t) => t >= max) ?? all.max,
    });
  }

  of(value: Value): Range {
    return this.values.get(value) ?? whole(value.shape);
  }

  ofVariable(variable: Variable): Range {
    // What no one sets holds anything that fits.
    const range = this.variables.get(variable) ?? whole(variable.shape);
    return this.fixed.has(variable) ? join(range, { min: 0n, max: 0n }) : range;
  }

  private computed(value: Value, graph: Graph): Range {
    const { op, shape } = value;
    const all = whole(shape);
    if (shape.float) return all;
    const [a, b, c] = value.args as [Value, Value, Value];
    const fit = (range: Range): Range => (within(range, all) ? range : all);
    const x = a && this.of(a);
    const y = b && this.of(b);
    switch (op) {
      case "const": {
        const constant = interpret(value.constant as bigint, shape);
        return { min: constant, max: constant };
      }
      case "read":
        return this.read(value.variable as Variable, graph);
      case "add":
        // x + (2^n - 1) is x - 1.
        if (b.op === "const" && !shape.signed && x.min + y.min > all.max) {
          const down = y.min - all.max - 1n;
          return fit({ min: x.min + down, max: x.max + down });
        }
        return fit({ min: x.min + y.min, max: x.max + y.max });
      case "sub":
        return fit({ min: x.min - y.max, max: x.max - y.min });
      case "mul": {
        const products = [x.min * y.min, x.min * y.max, x.max * y.min, x.max * y.max];
        return fit(hull(products));
      }
      case "not":
        return fit({ min: -x.max - 1n, max: -x.min - 1n });
      case "and":
        if (x.min >= 0n || y.min >= 0n) {
          const bound = x.min < 0n ? y.max : y.min < 0n ? x.max : x.max < y.max ? x.max : y.max;
          return fit({ min: 0n, max: bound });
        }
        return all;
      case "or":
      case "xor":
        if (x.min < 0n || y.min < 0n) return all;
        return fit({ min: 0n, max: (1n << BigInt(Math.max(length(x.max), length(y.max)))) - 1n });
      case "shl":
        if (b.op !== "const" || y.min < 0n) return all;
        return fit({ min: x.min << y.min, max: x.max << y.min });
      case "shr":
        if (b.op === "const" && y.min >= 0n) return fit({ min: x.min >> y.min, max: x.max >> y.min });
        return join(x, { min: 0n, max: 0n });
      case "div":
        if (y.min <= 0n)
          return x.min === all.min && shape.signed
            ? all
            : hull([x.min, x.max, -x.min, -x.max].filter((v) => v >= all.min && v <= all.max));
        return hull([x.min / y.min, x.min / y.max, x.max / y.min, x.max / y.max]);
      case "rem": {
        const most = (y.max > -y.min ? y.max : -y.min) - 1n;
        const bound = most < 0n ? 0n : most;
        return { min: x.min < 0n ? -bound : 0n, max: x.max > 0n ? bound : 0n };
      }
      case "mux":
        return join(this.arm(a, b, true), this.arm(a, c, false));
      case "resize":
        if (a.shape.float) return all;
        return fit(x);
      case "delay":
        // A line holds anything at first.
        return join(x, { min: 0n, max: 0n });
      default:
        return all;
    }
  }

  private read(variable: Variable, graph: Graph): Range {
    const range = this.ofVariable(variable);
    const counter = this.counters.get(graph);
    if (!counter) return range;
    if (variable === counter.left) {
      const trips = this.of(counter.trips);
      return { min: 1n, max: trips.max < 1n ? 1n : trips.max };
    }
    if (variable !== counter.index) return range;
    const [lower, bound] = [this.of(counter.lower), this.of(counter.bound)];
    const during = counter.up
      ? { min: lower.min, max: lower.max > bound.max ? lower.max : bound.max }
      : { min: lower.min < bound.min ? lower.min : bound.min, max: lower.max };
    return meet(whole(variable.shape), during);
  }

  /** The range of a multiplexer's arm, given what its condition says about it. */
  private arm(test: Value, arm: Value, holds: boolean): Range {
    const range = this.of(arm);
    if (test.op === "xor" && test.args[1]?.op === "const" && test.args[0])
      return this.arm(test.args[0], arm, !holds);
    const [a, b] = test.args;
    if (test.op !== "lt" || !a || !b) return range;
    const [x, y] = [this.of(a), this.of(b)];
    // The magnitude of a negative number.
    const negated = arm.op === "sub" && arm.args[0]?.constant === 0n ? arm.args[1] : undefined;
    if (negated === a && holds && y.max <= 0n) return meet(range, { min: 1n - y.max, max: range.max });
    if (arm === a)
      return meet(range, holds ? { min: range.min, max: y.max - 1n } : { min: y.min, max: range.max });
    if (arm === b)
      return meet(range, holds ? { min: x.min + 1n, max: range.max } : { min: range.min, max: x.max });
    return range;
  }
}

function hull(values: readonly bigint[]): Range {
  return values.map((v): Range => ({ min: v, max: v })).reduce((a, b) => join(a, b));
}

// ---------------------------------------------------------------- backward

class Demands {
  private readonly values = new Map<Value, number>();
  private readonly variables = new Map<Variable, number>();
  private readonly ranges: Ranges;

  constructor(pipelines: readonly Pipeline[], tests: readonly Variable[], ranges: Ranges) {
    this.ranges = ranges;
    for (const test of tests) this.variables.set(test, 1);
    for (let changed = true; changed; ) {
      const before = this.total();
      for (const { graph, loop } of pipelines) {
        if (loop) this.need(loop.more, 1);
        for (const store of graph.stores) {
          this.need(store.address, store.address.shape.bits);
          this.need(store.data, store.memory.bytes * 8);
          this.need(store.guard, 1);
        }
        for (const [variable, value] of graph.updates) {
          const bits = this.variables.get(variable);
          if (bits !== undefined) this.need(value, bits);
        }
        for (const value of [...graph.values].reverse()) this.pass(value);
      }
      changed = this.total() !== before;
    }
  }

  /** 0: no one needs it. */
  of(value: Value): number {
    return this.values.get(value) ?? 0;
  }

  ofVariable(variable: Variable): number {
    return this.variables.get(variable) ?? 0;
  }

  private total(): number {
    let sum = 0;
    for (const bits of this.values.values()) sum += bits;
    for (const bits of this.variables.values()) sum += bits;
    return sum;
  }

  private need(value: Value, bits: number): void {
    const most = Math.min(bits, value.shape.bits);
    if (most > (this.values.get(value) ?? 0)) this.values.set(value, most);
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
      case "read": {
        const variable = value.variable as Variable;
        this.variables.set(variable, Math.max(demanded, this.variables.get(variable) ?? 0));
        return;
      }
      case "and": {
        const cut = (v: Value, other: Value) =>
          this.need(
            v,
            other.op === "const" && !value.shape.float
              ? Math.min(n, Math.max(1, length(other.constant as bigint)))
              : n,
          );
        cut(a, b);
        cut(b, a);
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
      case "resize":
        this.need(a, Math.min(n, a.shape.bits));
        return;
      case "delay":
        this.need(a, n);
        return;
      default:
        all(...value.args);
    }
  }
}
