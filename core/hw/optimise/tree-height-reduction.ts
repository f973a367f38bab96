/**
 * Tree-height reduction: shortens the path from a variable's old value to the new one in an iteration of several steps.
 * Tests that steps make one after the other are made on the old values, in parallel:
 *
 *     j = j == 9 ? 0 : j + 1, twice   =>   j = j == 9 ? 1 : j == 8 ? 0 : j + 2
 *
 * and conditional summands are added before they are added to the variable:
 *
 *     s = a ? s + x : s;  s = b ? s + y : s   =>   s = s + ((a ? x : 0) + (b ? y : 0))
 */
import type { AffineForm } from "../dfg/affine.ts";
import { Case, isValue } from "../dfg/cases.ts";
import type { Graph } from "../dfg/graph.ts";
import type { Ranges } from "../dfg/ranges.ts";
import { type HardwareRegion, pipelinesOf } from "../dfg/region.ts";
import { BIT, interpret, type Value, type Variable } from "../dfg/value.ts";

/** Limit of paths through an iteration among which a variable's new value is selected. */
const MOST_WAYS = 12;

/** Changes the updates of integer variables in the region's loops. */
export function shortenRecurrences(region: HardwareRegion, ranges: Ranges): void {
  for (const { graph, loop } of pipelinesOf(region.control)) {
    if (!loop) continue;
    const reduced = [...graph.updates].flatMap(([variable, value]) => {
      if (variable.shape.float) return [];
      const shorter = new Choices(graph, ranges).of(value) ?? new Sums(graph, variable).of(value);
      return shorter && shorter !== value ? [[variable, shorter] as const] : [];
    });
    for (const [variable, value] of reduced) graph.updates.set(variable, value);
  }
}

// ---------------------------------------------------------------- tests side by side

/** Thrown for too many paths, or a test that does not compare a variable with a constant. */
class TooMuch extends Error {}

class Choices {
  private readonly graph: Graph;
  private readonly ranges: Ranges;
  private splits = 0;
  /** A test was found to depend only on old values. */
  private earlier = false;

  constructor(graph: Graph, ranges: Ranges) {
    this.graph = graph;
    this.ranges = ranges;
  }

  of(value: Value): Value | undefined {
    if (value.op !== "mux") return undefined;
    try {
      const rebuilt = this.onPath(value, new Case(this.ranges));
      return this.earlier ? rebuilt : undefined;
    } catch (problem) {
      if (!(problem instanceof TooMuch)) throw problem;
      return undefined;
    }
  }

  private onPath(value: Value, path: Case): Value {
    const form = path.form(value);
    if (isValue(form)) return this.decided(form, path, (next) => this.onPath(value, next));
    if (++this.splits > MOST_WAYS) throw new TooMuch();
    return this.sum(form, value.shape);
  }

  /** The result for both outcomes of a test that depends on old values. */
  private decided(bit: Value, path: Case, go: (way: Case) => Value): Value {
    const [a, b] = bit.args;
    if ((bit.op !== "eq" && bit.op !== "lt") || !a || b?.op !== "const" || a.shape.float)
      return this.either(bit, bit, path, go);
    const form = path.form(a);
    // Its operand depends on another test.
    if (isValue(form)) return this.decided(form, path, (next) => this.decided(bit, next, go));
    const [[term, factor] = [], ...others] = form.terms;
    const bound = interpret(b.constant, b.shape) - form.constant;
    if (!term) return this.known(bit, bit.op === "eq" ? bound === 0n : 0n < bound, path, go);
    const isRepresentable = interpret(BigInt.asUintN(b.shape.bits, bound), b.shape) === bound;
    if (others.length > 0 || factor !== 1n || !isRepresentable) throw new TooMuch();
    const old = [this.graph.resize(term, a.shape), this.graph.constant(bound, b.shape)];
    const test = this.graph.make(bit.op, BIT, old);
    if (test === bit) return this.either(bit, bit, path, go);
    this.earlier = true;
    const holds = path.decide(test);
    return typeof holds === "boolean" ? this.known(bit, holds, path, go) : this.either(test, bit, path, go);
  }

  private known(bit: Value, holds: boolean, path: Case, go: (way: Case) => Value): Value {
    const next = path.assume(bit, holds);
    if (!next) throw new TooMuch();
    return go(next);
  }

  /** Selects by `test`, which decides `bit`. */
  private either(test: Value, bit: Value, path: Case, go: (way: Case) => Value): Value {
    const [then, otherwise] = [true, false].map((holds) => {
      const next = path.assume(test, holds);
      const both = test === bit ? next : next?.assume(bit, holds);
      return both && go(both);
    });
    if (then && otherwise) {
      const [other, same, rest] = otherwise.op === "mux" ? otherwise.args : [];
      if (other && rest && same === then) return this.graph.mux(this.graph.or(test, other), then, rest);
      return this.graph.mux(test, then, otherwise);
    }
    const only = then ?? otherwise;
    if (!only) throw new TooMuch();
    return only;
  }

  private sum({ constant, terms }: AffineForm, shape: Value["shape"]): Value {
    const { graph } = this;
    const parts = [...terms].map(([term, factor]) =>
      graph.make("mul", shape, [graph.resize(term, shape), graph.constant(factor, shape)]),
    );
    const rest = graph.constant(constant, shape);
    return parts.length === 0 ? rest : [...parts, rest].reduce((x, y) => graph.make("add", shape, [x, y]));
  }
}

// ---------------------------------------------------------------- sums beside the variable

/** A variable that grows by several conditional summands. */
class Sums {
  private readonly graph: Graph;
  private readonly variable: Variable;
  private readonly carried = new Map<Value, boolean>();
  /** Paths through an iteration meet again and again: each value is looked at once. */
  private readonly exceeding = new Map<Value, readonly Value[] | undefined>();
  /** Number of conditional summands. */
  private choices = 0;

  constructor(graph: Graph, variable: Variable) {
    this.graph = graph;
    this.variable = variable;
  }

  of(value: Value): Value | undefined {
    const { shape } = this.variable;
    const summands = this.beyond(value);
    if (!summands || this.choices < 2) return undefined;
    return this.graph.make("add", shape, [this.graph.read(this.variable), this.total(summands)]);
  }

  /** The summands by which a value exceeds the variable; undefined if it has another form. */
  private beyond(value: Value): readonly Value[] | undefined {
    if (!this.exceeding.has(value)) this.exceeding.set(value, this.summandsOf(value));
    return this.exceeding.get(value);
  }

  private summandsOf(value: Value): readonly Value[] | undefined {
    const { shape } = this.variable;
    if (value.op === "read" && value.variable === this.variable) return [];
    if (value.shape.bits !== shape.bits || value.shape.float) return undefined;
    const [a, b, c] = value.args as [Value, Value, Value];
    if (value.op === "add") {
      const [inner, by] = this.isCarried(a) ? [a, b] : [b, a];
      const summands = this.isCarried(by) ? undefined : this.beyond(inner);
      return summands && [...summands, by];
    }
    if (value.op !== "mux" || this.isCarried(a)) return undefined;
    const [then, otherwise] = [this.beyond(b), this.beyond(c)];
    if (!then || !otherwise) return undefined;
    const common = then.filter((v) => otherwise.includes(v));
    const [more, less] = [then, otherwise].map((all) => this.total(all.filter((v) => !common.includes(v))));
    this.choices++;
    return [...common, this.graph.mux(a, more as Value, less as Value)];
  }

  private isCarried(value: Value): boolean {
    const known = this.carried.get(value);
    if (known !== undefined) return known;
    const isCarried =
      (value.op === "read" && value.variable === this.variable) || value.args.some((a) => this.isCarried(a));
    this.carried.set(value, isCarried);
    return isCarried;
  }

  /** A balanced tree of sums. */
  private total(summands: readonly Value[]): Value {
    const { shape } = this.variable;
    const [only] = summands;
    if (!only) return this.graph.constant(0, shape);
    if (summands.length === 1) return this.graph.resize(only, shape);
    const half = Math.ceil(summands.length / 2);
    return this.graph.make("add", shape, [
      this.total(summands.slice(0, half)),
      this.total(summands.slice(half)),
    ]);
  }
}
