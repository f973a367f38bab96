/**
 * Possible values of each value of a graph, by abstract interpretation with intervals over all pipelines of a region
 * (P. and R. Cousot, POPL 1977): joined until nothing changes, widened to constants of the program.
 */
import type { Graph } from "./graph.ts";
import type { Counter, HardwareRegion, Pipeline } from "./region.ts";
import { pipelinesOf } from "./region.ts";
import { interpret, type Shape, type Value, type Variable } from "./value.ts";

export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

/** Rounds of joining before growing ranges are widened. */
const ROUNDS = 12;
/** Rounds of widening to constants of the program: ranges that they bound stay there. */
const STEPS = 60;

export const length = (magnitude: bigint): number =>
  magnitude <= 0xffffffffn ? 32 - Math.clz32(Number(magnitude)) : magnitude.toString(2).length;

/** Number of bits for all values of a range. */
export function bitsOf({ min, max }: Range): number {
  if (min >= 0n) return Math.max(1, length(max));
  return Math.max(max < 0n ? 0 : length(max), length(-min - 1n)) + 1;
}

/** Full ranges by bits, negative for signed shapes; cached, as they are needed for every value in every round. */
const fullRanges = new Map<number, Range>();

export function fullRange({ bits, signed }: Shape): Range {
  const key = signed ? -bits : bits;
  const known = fullRanges.get(key);
  if (known !== undefined) return known;
  const size = 1n << BigInt(bits);
  const range = signed ? { min: -size / 2n, max: size / 2n - 1n } : { min: 0n, max: size - 1n };
  fullRanges.set(key, range);
  return range;
}

const join = (a: Range | undefined, b: Range): Range =>
  a ? { min: a.min < b.min ? a.min : b.min, max: a.max > b.max ? a.max : b.max } : b;
export const within = (a: Range, b: Range): boolean => a.min >= b.min && a.max <= b.max;
/** The part of `a` that is in `b`; `a` if there is none. */
function intersection(a: Range, b: Range): Range {
  const [min, max] = [a.min > b.min ? a.min : b.min, a.max < b.max ? a.max : b.max];
  return min > max ? a : { min, max };
}

/** What variables and words of local arrays are set to. */
const settingsOf = (graph: Graph): readonly (readonly [Variable, Value])[] => [
  ...graph.updates,
  ...graph.writes.map(({ ram, data }) => [ram.cell, data] as const),
];

/** Constants of the program and their neighbours, in order. */
function thresholdsOf(pipelines: readonly Pipeline[]): readonly bigint[] {
  const constants = pipelines.flatMap(({ graph }) =>
    graph.values.flatMap((v) => {
      if (v.op !== "const" || v.shape.float) return [];
      const c = interpret(v.constant, v.shape);
      return [c - 1n, c, c + 1n];
    }),
  );
  return [...new Set(constants)].sort((x, y) => (x < y ? -1 : 1));
}

/**
 * Whether a value must be computed again: variables may have changed, and multiplexers depend on more than their
 * operands.
 */
function dependsOn({ op, args }: Value, changed: ReadonlySet<Value>): boolean {
  if (op === "read" || op === "fetch") return true;
  if (changed.size === 0) return false;
  return op === "mux" || args.some((a) => changed.has(a));
}

/** Ranges of the values and variables of a region. */
export class Ranges {
  private readonly values = new Map<Value, Range>();
  private readonly variables = new Map<Variable, Range>();
  private readonly counters = new Map<Graph, Counter>();
  private readonly fixed = new Set<Variable>();
  private readonly pipelines: readonly Pipeline[];
  private readonly known: (variable: Variable) => Range | undefined;

  /** `known`: ranges of variables found by other means. */
  constructor(region: HardwareRegion, known: (variable: Variable) => Range | undefined = () => undefined) {
    this.known = known;
    const pipelines = pipelinesOf(region.control);
    this.pipelines = pipelines;
    for (const argument of region.arguments) this.variables.set(argument, fullRange(argument.shape));
    for (const { graph, loop } of pipelines) {
      if (!loop?.counter) continue;
      this.counters.set(graph, loop.counter);
      this.fixed.add(loop.counter.left);
    }
    for (const { graph } of pipelines)
      for (const { fetch } of graph.values) {
        const { contents, cell } = fetch?.ram ?? {};
        if (contents && cell) this.variables.set(cell, hull(contents.map((w) => interpret(w, cell.shape))));
      }
    const parts = pipelines.map(({ graph }) => ({ graph, settings: settingsOf(graph) }));
    for (let round = 0; ; round++) {
      let changed = false;
      for (const { graph, settings } of parts) {
        this.sweep(graph);
        for (const [variable, value] of settings) {
          if (this.fixed.has(variable) && this.counters.get(graph)?.left === variable) continue;
          const before = this.variables.get(variable);
          const widened = this.limited(join(before, this.of(value)), variable);
          if (before && within(widened, before)) continue;
          const wider = round < ROUNDS ? widened : this.widened(widened, variable, round);
          this.variables.set(variable, this.limited(wider, variable));
          changed = true;
        }
      }
      if (!changed) break;
    }
  }

  /** Computes again everything that depends on values changed since the last time. */
  private sweep(graph: Graph): void {
    const changed = new Set<Value>();
    for (const value of graph.values) {
      const before = this.values.get(value);
      if (before !== undefined && !dependsOn(value, changed)) continue;
      const now = this.computed(value, graph);
      if (before !== undefined && now.min === before.min && now.max === before.max) continue;
      this.values.set(value, now);
      changed.add(value);
    }
  }

  private limited(range: Range, variable: Variable): Range {
    const known = this.known(variable);
    return known ? intersection(range, known) : range;
  }

  /** Widens to the next constants in the program, and finally to the variable's full range. */
  private widened({ min, max }: Range, { shape }: Variable, round: number): Range {
    const all = fullRange(shape);
    if (round > ROUNDS + STEPS) return all;
    this.thresholds ??= thresholdsOf(this.pipelines);
    return intersection(all, {
      min: this.thresholds.findLast((t) => t <= min) ?? all.min,
      max: this.thresholds.find((t) => t >= max) ?? all.max,
    });
  }

  private thresholds: readonly bigint[] | undefined;

  of(value: Value): Range {
    return this.values.get(value) ?? fullRange(value.shape);
  }

  ofVariable(variable: Variable): Range {
    // A variable that is never set may hold any value.
    const range = this.variables.get(variable) ?? fullRange(variable.shape);
    return this.fixed.has(variable) ? join(range, { min: 0n, max: 0n }) : range;
  }

  private computed(value: Value, graph: Graph): Range {
    const { op, shape } = value;
    const all = fullRange(shape);
    if (shape.float) return all;
    const [a, b, c] = value.args as [Value, Value, Value];
    const clamped = (range: Range): Range => (within(range, all) ? range : all);
    const x = a && this.of(a);
    const y = b && this.of(b);
    switch (op) {
      case "const": {
        const constant = interpret(value.constant, shape);
        return { min: constant, max: constant };
      }
      case "read":
        return this.read(value.variable, graph);
      case "add":
        // x + (2^n - 1) is x - 1.
        if (b.op === "const" && !shape.signed && x.min + y.min > all.max) {
          const down = y.min - all.max - 1n;
          return clamped({ min: x.min + down, max: x.max + down });
        }
        return clamped({ min: x.min + y.min, max: x.max + y.max });
      case "sub":
        return clamped({ min: x.min - y.max, max: x.max - y.min });
      case "mul": {
        const products = [x.min * y.min, x.min * y.max, x.max * y.min, x.max * y.max];
        return clamped(hull(products));
      }
      case "not":
        return clamped({ min: -x.max - 1n, max: -x.min - 1n });
      case "and":
        if (x.min >= 0n || y.min >= 0n) {
          const bound = x.min < 0n ? y.max : y.min < 0n ? x.max : x.max < y.max ? x.max : y.max;
          return clamped({ min: 0n, max: bound });
        }
        return all;
      case "or":
      case "xor":
        if (x.min < 0n || y.min < 0n) return all;
        return clamped({ min: 0n, max: (1n << BigInt(Math.max(length(x.max), length(y.max)))) - 1n });
      case "shl":
        // A shift by more than C defines may be a constant of code that never runs.
        if (b.op !== "const" || y.min < 0n || y.min >= BigInt(shape.bits)) return all;
        return clamped({ min: x.min << y.min, max: x.max << y.min });
      case "shr":
        if (b.op === "const" && y.min >= 0n) return clamped({ min: x.min >> y.min, max: x.max >> y.min });
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
      case "concat": {
        const low = BigInt(b.shape.bits);
        return clamped({ min: x.min << low, max: (x.max << low) + (1n << low) - 1n });
      }
      case "resize":
        if (a.shape.float) return all;
        return clamped(x);
      case "table":
        return hull((value.entries ?? []).map((entry) => interpret(entry, shape)).concat(0n));
      case "fetch":
        return this.ofVariable(value.fetch.ram.cell);
      case "delay":
        // Initially a delay line holds 0.
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
    return intersection(fullRange(variable.shape), during);
  }

  /** The range of a multiplexer's input, given what the condition implies for it. */
  private arm(test: Value, arm: Value, holds: boolean): Range {
    const range = this.of(arm);
    if (test.op === "xor" && test.args[1]?.op === "const" && test.args[0])
      return this.arm(test.args[0], arm, !holds);
    const inner = arm.op === "resize" ? arm.args[0] : undefined;
    if (inner && !inner.shape.float) {
      // Changing the shape of a value that fits into the new one changes nothing.
      const armRange = this.arm(test, inner, holds);
      if (within(armRange, fullRange(arm.shape))) return intersection(range, armRange);
    }
    if (arm.op === "not" && arm.args[0]) {
      const armRange = this.arm(test, arm.args[0], holds);
      const turned = { min: -armRange.max - 1n, max: -armRange.min - 1n };
      if (within(turned, fullRange(arm.shape))) return intersection(range, turned);
    }
    const [a, b] = test.args;
    if (test.op !== "lt" || !a || !b) return range;
    const [x, y] = [this.of(a), this.of(b)];
    // The magnitude of a negative number.
    const negated = arm.op === "sub" && arm.args[0]?.constant === 0n ? arm.args[1] : undefined;
    if (negated === a && holds && y.max <= 0n)
      return intersection(range, { min: 1n - y.max, max: range.max });
    if (arm === a)
      return intersection(
        range,
        holds ? { min: range.min, max: y.max - 1n } : { min: y.min, max: range.max },
      );
    if (arm === b)
      return intersection(
        range,
        holds ? { min: x.min + 1n, max: range.max } : { min: range.min, max: x.max },
      );
    return range;
  }
}

function hull(values: readonly bigint[]): Range {
  return values.map((v): Range => ({ min: v, max: v })).reduce((a, b) => join(a, b));
}
