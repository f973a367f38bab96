/**
 * Cheaper comparisons of counters. A counter passes a bound only once: whether it has done so is a bit that is set when
 * it is equal to the bound, and testing for equality is cheaper than testing for less. All such tests of a loop use one
 * counter, so that counters needed only for tests can be removed. A value that is never above a bound is below it if it
 * is not equal.
 */
import type { Graph } from "../dfg/graph.ts";
import { type Line, Lines } from "../dfg/induction-variables.ts";
import { bitsOf, type Ranges } from "../dfg/ranges.ts";
import { type HardwareRegion, type PipelinedLoop, pipelinesOf } from "../dfg/region.ts";
import { rewrite } from "../dfg/rewrite.ts";
import type { Value, Variable } from "../dfg/value.ts";
import { BIT, isOperand } from "../dfg/value.ts";
import { analyseWidths } from "../dfg/widths.ts";

/** Narrower comparisons are left unchanged. */
const NARROW = 6;

/** Changes the graphs of the region's counted loops. */
export function simplifyComparisons(region: HardwareRegion, ranges: Ranges): void {
  const { isNeeded } = analyseWidths(region, ranges);
  for (const { graph, loop } of pipelinesOf(region.control))
    if (loop?.counter && loop.more.op === "read") new Tests(graph, loop, ranges, isNeeded).run();
}

class Tests {
  private readonly graph: Graph;
  private readonly loop: PipelinedLoop;
  private readonly ranges: Ranges;
  private readonly lines: Lines;
  private readonly needed: readonly Value[];

  constructor(graph: Graph, loop: PipelinedLoop, ranges: Ranges, isNeeded: (value: Value) => boolean) {
    this.graph = graph;
    this.loop = loop;
    this.ranges = ranges;
    this.lines = new Lines(graph, loop, ranges);
    this.needed = graph.values.filter(isNeeded);
  }

  run(): void {
    const replaced = new Map<Value, Value>();
    for (const value of this.needed) {
      const comparison = this.passes(value) ?? this.meets(value);
      if (comparison && comparison !== value) replaced.set(value, comparison);
    }
    // Testing a sign costs nothing, but a bit shared with other tests says more about them.
    for (const value of this.needed) {
      const flag = value.op === "lt" && this.isCheap(value) ? this.flagged(value) : undefined;
      if (flag) replaced.set(value, flag);
    }
    rewrite(this.graph, replaced);
  }

  /** A counter that other values need anyway, otherwise the one that ends the loop. */
  private counter(): { readonly read: Value; readonly line: Line } | undefined {
    const lines = [...this.graph.updates.keys()].flatMap((variable) => {
      const line = this.lines.ofVariable(variable);
      const moves = line && line.step !== 0n && this.lines.of(this.graph.read(variable));
      return moves ? [{ variable, line, read: this.graph.read(variable) }] : [];
    });
    const isUsed = (variable: Variable, read: Value) =>
      this.needed.some(
        (v) => isOperand(read, v) && v !== this.graph.updates.get(variable) && !this.isTest(v),
      );
    const left = this.loop.counter?.left;
    return (
      lines.find(({ variable, read }) => isUsed(variable, read)) ??
      lines.find(({ variable }) => variable === left) ??
      lines[0]
    );
  }

  private known: ReturnType<Tests["counter"]> | "unknown" = "unknown";

  /** One bit: whether this is iteration `k`. */
  private isIteration(k: bigint): Value | undefined {
    if (this.known === "unknown") this.known = this.counter();
    if (!this.known) return undefined;
    const { read, line } = this.known;
    return this.graph.make("eq", BIT, [read, this.graph.constant(line.start + line.step * k, read.shape)]);
  }

  private lineOf(test: Value): Line | undefined {
    const [a, b] = test.args;
    const line = a && b && this.lines.difference(a, b);
    return line && line.step !== 0n ? line : undefined;
  }

  /** Whether `run` replaces the test by one of the counter. */
  private isTest(value: Value): boolean {
    if (value.op !== "lt" && value.op !== "eq") return false;
    return !this.isCheap(value) && this.lineOf(value) !== undefined;
  }

  /** Whether the test needs only a sign, or few bits. */
  private isCheap({ op, args }: Value): boolean {
    const [a, b] = args as [Value, Value];
    if (op === "lt" && a.op === "read" && b.op === "const" && b.constant === 0n) return true;
    return args.every((v) => bitsOf(this.ranges.of(v)) < NARROW);
  }

  /** Comparisons of values that are linear in the iteration number. */
  private passes(test: Value): Value | undefined {
    if (!this.isTest(test)) return undefined;
    const { start, step } = this.lineOf(test) as Line;
    const { trips } = this.lines;
    const constant = (bit: boolean) => this.graph.constant(bit ? 1 : 0, BIT);
    if (test.op === "eq") {
      const at = -start / step;
      return at < 0n || at > trips || at * step !== -start ? constant(false) : this.isIteration(at);
    }
    const change = this.changeOf({ start, step });
    if (typeof change === "boolean") return constant(change);
    if (!change) return undefined;
    const now = this.graph.read(this.flagAfter(change));
    return step > 0n ? this.graph.not(now) : now;
  }

  /** Whether a line is below 0, if that is constant; else the bit of the last iteration before it changes. */
  private changeOf({ start, step }: Line): boolean | Value | undefined {
    const last = step > 0n ? (-start - 1n) / step : start / -step;
    const isSame = start < 0n === step < 0n || last >= this.lines.trips - 1n;
    return isSame ? start < 0n : this.isIteration(last);
  }

  /** The same, by a flag shared with other tests. */
  private flagged(test: Value): Value | undefined {
    const line = this.lineOf(test);
    const change = line && this.changeOf(line);
    const flag = typeof change === "object" ? this.flags.get(change) : undefined;
    if (!line || !flag) return undefined;
    const now = this.graph.read(flag);
    return line.step > 0n ? this.graph.not(now) : now;
  }

  private readonly flags = new Map<Value, Variable>();

  /** A bit that is set from the iteration after `change` on. */
  private flagAfter(change: Value): Variable {
    const known = this.flags.get(change);
    if (known) return known;
    const flag: Variable = { name: "passed", shape: BIT };
    this.flags.set(change, flag);
    this.loop.before.updates.set(flag, this.loop.before.constant(0, BIT));
    this.graph.updates.set(flag, this.graph.or(this.graph.read(flag), change));
    return flag;
  }

  /** Comparisons with the limit of a value's range. */
  private meets(test: Value): Value | undefined {
    if (test.op !== "lt" || this.isCheap(test)) return undefined;
    const [a, b] = test.args;
    const { graph } = this;
    const [x, y] = [this.ranges.of(a), this.ranges.of(b)];
    if (x.min >= y.max) return graph.constant(0, BIT);
    if (x.max < y.min) return graph.constant(1, BIT);
    const is = (value: Value, constant: bigint) => this.equals(value, constant);
    if (b.op === "const") {
      if (x.max === y.min) return graph.not(is(a, x.max));
      if (x.min === y.min - 1n) return is(a, x.min);
      if (x.min >= 0n) return this.fitsBelow(a, y.min);
    } else if (a.op === "const") {
      if (y.min === x.max) return graph.not(is(b, y.min));
      if (y.max === x.max + 1n) return is(b, y.max);
      const isRepresentable = y.min >= 0n && this.fitsBelow(b, x.min + 1n);
      if (isRepresentable) return graph.not(isRepresentable);
    }
    return undefined;
  }

  /** x < 2^n as: no bit from n on is set. */
  private fitsBelow(value: Value, bound: bigint): Value | undefined {
    const { graph } = this;
    if (bound <= 0n || (bound & (bound - 1n)) !== 0n) return undefined;
    const by = graph.constant(bound.toString(2).length - 1, value.shape);
    const high = graph.make("shr", value.shape, [value, by]);
    return graph.make("eq", BIT, [high, graph.constant(0, value.shape)]);
  }

  /** x + 1 == 5 as x == 4. */
  private equals(value: Value, constant: bigint): Value {
    const [inner, by] = value.args;
    if (value.op === "add" && inner && by?.op === "const") return this.equals(inner, constant - by.constant);
    return this.graph.make("eq", BIT, [value, this.graph.constant(constant, value.shape)]);
  }
}
