/**
 * Accesses to consecutive elements. A load or store whose address advances by one element whenever it is executed, and
 * not otherwise, needs no address in the pipeline: the port gets the first address and, for a load, the number of
 * elements, and counts itself.
 */

import { firstOf, lastOf } from "../../checked/access.ts";
import { mapTuple } from "../../checked/tuples.ts";
import { addressOf, guardOf, type Lanes, sideBySide } from "../dfg/access-coalescing.ts";
import { type AffineForm, affineForm, constantForm } from "../dfg/affine.ts";
import { type Case, casesOf, isNot, isValue } from "../dfg/cases.ts";
import type { Graph } from "../dfg/graph.ts";
import { Lines } from "../dfg/induction-variables.ts";
import type { Ranges } from "../dfg/ranges.ts";
import { behind, isInvariant, within } from "../dfg/reach.ts";
import { type Counter, type HardwareRegion, type PipelinedLoop, pipelinesOf } from "../dfg/region.ts";
import {
  BIT,
  comesIn,
  interpret,
  isLiteral,
  isRead,
  readsVariable,
  type Shape,
  type Store,
  type Stream,
  type Value,
  type Variable,
} from "../dfg/value.ts";
import { plus, scaled } from "../linear/form.ts";

/** Marks such accesses in the region's graphs; what the ports need is computed before each loop. */
export function findStreams(region: HardwareRegion, ranges: Ranges): void {
  for (const { graph, loop } of pipelinesOf(region.control))
    if (loop && !loop.memory) new Finder(graph, loop, ranges).run();
}

/** Iterations [first, first + count) of a loop. */
interface Interval {
  readonly first: bigint;
  readonly count: bigint;
}

/** What a word's lanes load. */
interface Covered {
  /** The first iteration that loads, and the number of lanes below its first element. */
  readonly first: number;
  readonly lead: number;
  /** One bit: whether an iteration loads. */
  readonly takesWord: Value;
  /** The number of elements, valid until the first word is taken. */
  beats(): Value;
}

class Finder {
  private readonly graph: Graph;
  private readonly loop: PipelinedLoop;
  private readonly ranges: Ranges;
  private readonly lines: Lines;

  constructor(graph: Graph, loop: PipelinedLoop, ranges: Ranges) {
    this.graph = graph;
    this.loop = loop;
    this.ranges = ranges;
    this.lines = new Lines(graph, loop, ranges);
  }

  run(): void {
    const feeding = this.feeding();
    const loads = this.graph.values.filter((v) => v.op === "load" && !feeding.has(v));
    for (const lanes of sideBySide(loads, (address) => this.stride(address))) this.loadedWord(lanes);
    for (const lanes of sideBySide(this.graph.stores, (address) => this.stride(address)))
      this.storedWord(lanes);
    for (const load of loads) if (!this.graph.streams.has(load)) this.load(load);
    for (const store of this.graph.stores) if (!this.graph.streams.has(store)) this.store(store);
  }

  // ---------------------------------------------------------------- words

  /** Bytes by which an address advances with each iteration. */
  private stride(address: Value): bigint | undefined {
    const { counter, more } = this.loop;
    const update = readsVariable(more) ? this.graph.updates.get(more.variable) : undefined;
    if (!counter?.complete || !update) return undefined;
    const now = affineForm(address);
    const cases = casesOf<{ step: AffineForm | undefined }>(this.ranges, (path) => {
      const goesOn = path.decide(update);
      if (typeof goesOn !== "boolean") return { first: goesOn };
      // There is no iteration after the last.
      if (!goesOn) return { step: undefined };
      const next = this.after(now, path);
      if (!next) return { step: affineForm(address) };
      return isValue(next) ? { first: next } : { step: plus(next, now, -1n) };
    });
    const steps = cases?.flatMap(({ answer: { step } }) => (step ? [step] : []));
    const strides = steps?.map((step) => (step.terms.size === 0 ? step.constant : undefined));
    return strides?.every((s) => s === strides[0]) ? strides[0] : undefined;
  }

  private loadedWord({ lanes, stride }: Lanes<Value>): void {
    const counter = this.loop.counter as Counter;
    const covered = this.coveredBy(lanes, counter);
    if (!covered) return;
    const [lowest] = lanes as [Value];
    const { first, lead } = covered;
    const from = this.start(addressOf(lowest), stride * BigInt(first));
    if (!from) return;
    const stream: Stream = {
      address: this.carried(`${lowest.hint}_from`, from),
      beats: covered.beats(),
      first,
      word: { lanes: [...lanes], lead, takesWord: covered.takesWord },
    };
    for (const lane of lanes) this.graph.streams.set(lane, stream);
  }

  /** Which of the lanes' elements are loaded: one interval; undefined if that is not known. */
  private coveredBy(lanes: readonly Value[], counter: Counter): Covered | undefined {
    const { before } = this.loop;
    const { trips, copies } = counter;
    const wide: Shape = { bits: trips.shape.bits + 6, signed: false };
    const count = (elements: bigint) => () => this.graph.constant(elements, wide);
    const always = this.graph.constant(1, BIT);
    const perIteration = BigInt(lanes.length);
    // The lowest lanes, as many as there are iterations of the source.
    const copyOf = (lane: number) => Math.floor((lane * copies) / lanes.length);
    const byCopy = lanes.every((lane, k) => this.firstCopy(guardOf(lane)) === copyOf(k));
    if (lanes.every((lane) => guardOf(lane).op === "const") || (byCopy && lanes.length % copies === 0)) {
      const each = perIteration / BigInt(copies);
      const product = () =>
        before.make("mul", wide, [before.resize(trips, wide), before.constant(each, wide)]);
      const beats = isLiteral(trips)
        ? count(trips.constant * each)
        : () => (each === 1n ? this.graph.read(counter.left) : this.carried("count", product()));
      return { first: 0, lead: 0, takesWord: always, beats };
    }
    const intervals = lanes.map((lane) => this.interval(guardOf(lane)));
    const ends = intervals.flatMap((i, k) =>
      i ? [i.first * perIteration + BigInt(k), (i.first + i.count - 1n) * perIteration + BigInt(k)] : [],
    );
    if (intervals.includes(undefined)) return undefined;
    const [low, high] = [ends.reduce(least), ends.reduce(most) + 1n];
    const isContiguous = intervals.every((i, k) => {
      const [from, to] = mapTuple([low, high], (end) => ceil(end - BigInt(k), perIteration));
      return i?.first === from && i.first + i.count === to;
    });
    // An iteration that takes part of at least a word takes the lowest or the highest lane.
    if (!isContiguous || high - low < perIteration) return undefined;
    const takesWord = this.graph.or(guardOf(firstOf(lanes)), guardOf(lastOf(lanes)));
    const first = low / perIteration;
    return { first: Number(first), lead: Number(low % perIteration), takesWord, beats: count(high - low) };
  }

  /** If a guard means that an iteration has more than k copies: k. */
  private firstCopy(guard: Value): number | undefined {
    if (isLiteral(guard)) return 0;
    const [copy, left] = guard.args;
    const counts = guard.op === "lt" && copy?.op === "const" && left?.op === "read";
    return counts && left.variable === this.loop.counter?.left ? Number(copy.constant) : undefined;
  }

  private storedWord({ lanes }: Lanes<Store>): void {
    const [lowest] = lanes as [Store];
    const alone = this.graph.stores.every(
      (s) => lanes.includes(s) || !this.graph.mayTouch(s.memory, lowest.memory),
    );
    const from = alone ? this.start(lowest.address, 0n) : undefined;
    if (!from) return;
    const address = this.carried(`${lowest.memory.name}_to`, from);
    const stream: Stream = { address, word: { lanes: [...lanes] } };
    for (const lane of lanes) this.graph.streams.set(lane, stream);
  }

  // ---------------------------------------------------------------- single elements

  private load(load: Value): void {
    const [address, guard] = load.args as [Value, Value];
    const bytes = BigInt(load.memory?.bytes as number);
    const { counter } = this.loop;
    if (!counter?.complete || counter.copies > 1 || within(guard).some(isRead)) return;
    if (!this.advances(address, undefined, bytes)) return;
    const interval = isLiteral(guard) ? { first: 0n, count: undefined } : this.interval(guard);
    if (!interval) return;
    const from = this.start(address, bytes * interval.first);
    if (!from) return;
    // No iteration counts down before the port was asked for its element.
    const beats =
      interval.count !== undefined
        ? this.graph.constant(interval.count, counter.trips.shape)
        : isLiteral(counter.trips)
          ? this.graph.constant(counter.trips.constant, counter.trips.shape)
          : this.graph.read(counter.left);
    this.graph.streams.set(load, {
      address: this.carried(`${load.hint}_from`, from),
      beats,
      first: Number(interval.first),
    });
  }

  private store(store: Store): void {
    const alone = this.graph.stores.every((s) => s === store || !this.graph.mayTouch(s.memory, store.memory));
    if (!alone || comesIn(store.guard)) return;
    const bytes = BigInt(store.memory.bytes);
    const always = isLiteral(store.guard);
    let first = 0n;
    if (!this.advances(store.address, always ? undefined : store.guard, bytes)) {
      const interval = always ? undefined : this.interval(store.guard);
      if (!interval || !this.advances(store.address, undefined, bytes)) return;
      first = interval.first;
    }
    const from = this.start(store.address, bytes * first);
    if (!from) return;
    this.graph.streams.set(store, { address: this.carried(`${store.memory.name}_to`, from) });
  }

  /** A value of the graph before the loop, carried into the loop. */
  private carried(name: string, value: Value): Value {
    const { before } = this.loop;
    if (isLiteral(value)) return this.graph.constant(value.constant, value.shape);
    const variable = readsVariable(value) ? value.variable : undefined;
    if (variable && !before.updates.has(variable) && !this.graph.updates.has(variable))
      return this.graph.read(variable);
    const counter: Variable = { name, shape: value.shape };
    before.updates.set(counter, value);
    return this.graph.read(counter);
  }

  /** Whether an address advances by `bytes` in exactly those iterations in which `guard` holds. */
  private advances(address: Value, guard: Value | undefined, bytes: bigint): boolean {
    const now = affineForm(address);
    const cases = casesOf<{ rest: AffineForm }>(this.ranges, (path) => {
      const happens = guard ? path.decide(guard) : true;
      if (typeof happens !== "boolean") return { first: happens };
      const next = this.after(now, path);
      if (!next) return { rest: constantForm(1n) };
      if (isValue(next)) return { first: next };
      const step = plus(next, now, -1n);
      return { rest: plus(step, constantForm(happens ? bytes : 0n), -1n) };
    });
    return cases?.every(({ path, answer }) => path.isZero(answer.rest)) ?? false;
  }

  /** A linear form after an iteration; undefined if the result is not linear. */
  private after(form: AffineForm, path: Case): AffineForm | Value | undefined {
    let sum = constantForm(form.constant);
    for (const [term, factor] of form.terms) {
      const next = this.termAfter(term, path);
      if (!next || isValue(next)) return next;
      sum = plus(sum, scaled(next, factor));
    }
    return sum;
  }

  private termAfter(term: Value, path: Case): AffineForm | Value | undefined {
    const update = readsVariable(term) && this.graph.updates.get(term.variable);
    if (update) return path.form(update);
    return isInvariant(this.graph, term) ? { constant: 0n, terms: new Map([[term, 1n]]) } : undefined;
  }

  /** The value of an expression when the loop starts, plus a constant. */
  private start(address: Value, offset: bigint): Value | undefined {
    const { before } = this.loop;
    const { constant, terms } = affineForm(address);
    const { shape } = address;
    let sum: Value | undefined;
    let known = constant + offset;
    for (const [term, factor] of terms) {
      const at = this.initial(term);
      if (!at) return undefined;
      if (isLiteral(at)) {
        known += interpret(at.constant, at.shape) * factor;
        continue;
      }
      const part = before.make("mul", shape, [before.resize(at, shape), before.constant(factor, shape)]);
      sum = sum ? before.make("add", shape, [sum, part]) : part;
    }
    const rest = before.constant(known, shape);
    return sum ? before.make("add", shape, [sum, rest]) : rest;
  }

  /** A term's value when the loop starts, in the graph before it. */
  private initial(term: Value): Value | undefined {
    const { before } = this.loop;
    if (isLiteral(term)) return before.constant(term.constant, term.shape);
    if (readsVariable(term)) {
      const variable = term.variable;
      return before.updates.get(variable) ?? before.read(variable);
    }
    if (isRead(term) || term.op === "delay" || term.shape.float) return undefined;
    const args = term.args.map((a) => this.initial(a));
    if (args.some((a) => a === undefined)) return undefined;
    return term.op === "resize"
      ? before.resize(args[0] as Value, term.shape)
      : before.make(term.op, term.shape, args as Value[]);
  }

  /** The iterations in which a bit holds, if these are one known interval. */
  private interval(guard: Value): Interval | undefined {
    const { counter } = this.loop;
    if (!counter?.complete || counter.copies > 1 || !isLiteral(counter.trips)) return undefined;
    let [low, high] = [0n, counter.trips.constant];
    for (const bit of conjuncts(guard)) {
      const holds = !isNot(bit);
      const test = holds ? bit : firstOf(bit.args);
      if (test.op !== "lt") return undefined;
      const [a, b] = test.args;
      const line = this.lines.difference(a, b);
      if (!line || line.step === 0n) return undefined;
      // start + step * k < 0, or its negation.
      const { start, step } = line;
      if (step > 0n) {
        const passed = ceil(-start, step);
        if (holds) high = least(high, passed);
        else low = most(low, passed);
      } else {
        const passed = floor(start, -step) + 1n;
        if (holds) low = most(low, passed);
        else high = least(high, passed);
      }
    }
    return high > low ? { first: low, count: high - low } : undefined;
  }

  /** Everything that addresses and guards of loads depend on, over all iterations. */
  private feeding(): ReadonlySet<Value> {
    const loads = this.graph.values.filter((v) => v.op === "load");
    return behind(this.graph, [...loads.flatMap((l) => l.args), this.loop.more]);
  }
}

const floor = (a: bigint, by: bigint): bigint => (a >= 0n ? a / by : -((by - 1n - a) / by));
const ceil = (a: bigint, by: bigint): bigint => -floor(-a, by);
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

function conjuncts(bit: Value): readonly Value[] {
  return bit.op === "and" && bit.shape.bits === 1 ? bit.args.flatMap(conjuncts) : [bit];
}
