/**
 * Elements that several iterations of a loop load are kept in registers. A short loop before it loads the first ones,
 * through one port, and shifts them in; then an iteration loads what none before it did:
 *
 *     loop: y[i] = h[0] * x[i] + h[1] * x[i + 1]
 *     =>
 *     twice: (a, b) = (b, h[k++])    once: c = x[i]    loop: d = x[i + 1]  y[i] = a * c + b * d  c = d
 *
 * Each load that remains has a port of its own, with queues for addresses and words. A loop inside a loop waits for the
 * first elements in each of its runs; whether that is worth it is decided below. Windows (core/ir) keep whole rows, in
 * memory.
 */
import { firstOf, itemAt, lastOf } from "../../checked/access.ts";
import { affineForm, constantDifference } from "../dfg/affine.ts";
import { Graph } from "../dfg/graph.ts";
import { loadsOf } from "../dfg/memory.ts";
import { behind, fold, isInvariant, within } from "../dfg/reach.ts";
import {
  type Control,
  type Counter,
  type HardwareRegion,
  type Pipeline,
  type PipelinedLoop,
  pipelinesOf,
} from "../dfg/region.ts";
import { rewrite } from "../dfg/rewrite.ts";
import {
  BIT,
  isLiteral,
  isRead,
  type Load,
  readsVariable,
  type Shape,
  sameShape,
  type Value,
  type Variable,
} from "../dfg/value.ts";

/** How many elements are kept for a row; as many as a local array in registers has at most. */
const MOST = 64;

/** A loop with a known number of iterations must have this many for each cycle that its fill takes, about. */
const ITERATIONS_EACH = 4;

/**
 * Cycles in which a loop that fills registers starts and waits for a memory of latency 4, besides one for each element;
 * measured with ports of its loads' own, and where all take turns at one.
 */
const STARTS = { apart: 14, oneAtATime: 30 } as const;

/** Signed and as wide as an int: affine forms see through its sums. */
const COUNT: Shape = { bits: 32, signed: true };

/** Neighbouring elements that an iteration loads, in the order of their addresses. */
interface Row {
  readonly loads: readonly Load[];
  /** How many elements further the next iteration loads. */
  readonly advance: number;
}

/**
 * The region with such loops; the graphs of their iterations are changed in place. `oneAtATime`: all its loads take turns
 * at one port.
 */
export const keepLoads = (region: HardwareRegion, oneAtATime = false): HardwareRegion => ({
  ...region,
  control: kept(region.control, oneAtATime),
});

/** What is around a loop inside loops. */
interface Around {
  /** Variables that those change. */
  readonly changing: ReadonlySet<Variable>;
  readonly oneAtATime: boolean;
}

function kept(control: Control, oneAtATime: boolean, around?: Around): Control {
  const inner = (part: Control) => kept(part, oneAtATime, around);
  switch (control.kind) {
    case "loop":
      return {
        ...control,
        body: kept(control.body, oneAtATime, around ?? { changing: changedIn(control), oneAtATime }),
      };
    case "if":
      return {
        ...control,
        then: inner(control.then),
        ...(control.else && { else: inner(control.else) }),
      };
    case "sequence":
      return {
        ...control,
        body: control.body.flatMap((one) => (one.kind === "pipeline" ? keptIn(one, around) : [inner(one)])),
      };
    case "pipeline": {
      const body = keptIn(control, around);
      return body.length === 1 ? control : { kind: "sequence", body };
    }
  }
}

const changedIn = (control: Control): ReadonlySet<Variable> =>
  new Set(pipelinesOf(control).flatMap(({ graph }) => [...graph.updates.keys()]));

/** A loop behind the loops that load its first elements: rows of as many are loaded together. */
function keptIn(pipeline: Pipeline, around: Around | undefined): readonly Control[] {
  const { graph, loop } = pipeline;
  const { counter, more } = loop ?? {};
  // Iterations that communicate through memory read what others wrote.
  if (!loop || loop.memory || !counter?.complete || !more || !readsVariable(more)) return [pipeline];
  const found = rowsOf(graph).filter((row) => around || isWorthIt(keptOf(row), counter));
  const rows = found.filter((row) => {
    const together = found.filter((other) => keptOf(other) === keptOf(row)).length;
    return !around || isWorthEachRun(keptOf(row), together, counter, around);
  });
  const replaced = new Map<Value, Value>();
  const lengths = [...new Set(rows.map(keptOf))];
  const before = lengths.flatMap((length, k): Control[] => {
    const filled = rows
      .filter((row) => keptOf(row) === length)
      .map((row) => ({ first: firstOf(row.loads), registers: keptRow(graph, row, replaced) }));
    const { graph: filling, loop: fills } = fillLoop(filled, length, counter, more.variable);
    const { name, loc } = pipeline;
    return [
      { kind: "pipeline", name: `${name}_first${k}`, graph: fills.before, loc },
      { kind: "pipeline", name: `${name}_fill${k}`, graph: filling, loop: fills, loc, fills: true },
    ];
  });
  if (replaced.size > 0) rewrite(graph, replaced);
  return [...before, pipeline];
}

const keptOf = ({ loads, advance }: Row): number => loads.length - advance;

const isWorthIt = (count: number, { trips, copies }: Counter): boolean =>
  count <= MOST && !(isLiteral(trips) && trips.constant < BigInt(ITERATIONS_EACH * copies * count));

/**
 * Whether registers are worth to be filled in each run of a loop inside others, `count` for each of some rows that are
 * filled together. The fill takes the time in which its loop starts and loads as many elements.
 *
 * - Where loads take turns at one port, each kept element saves an iteration a word, and so a cycle: in a run, these must
 *   be more than the fill takes.
 * - Else each kept element saves a port, and no time. The fill takes a port itself, so that one element saves nothing; and
 *   a run must be several times as long as its fill.
 *
 * A number of iterations that only arguments decide is taken to be large, as of a loop that is in no other; one that other
 * loops decide (triangles) is often small.
 */
function isWorthEachRun(
  count: number,
  rows: number,
  { trips, copies }: Counter,
  { changing, oneAtATime }: Around,
): boolean {
  if (count > MOST) return false;
  if (!isLiteral(trips)) return (oneAtATime || count > 1) && !dependsOn(trips, changing);
  const iterations = Number(trips.constant) / copies;
  return oneAtATime
    ? iterations * count * rows > count * rows + STARTS.oneAtATime
    : count > 1 && iterations >= ITERATIONS_EACH * (count + STARTS.apart);
}

/** Whether a value depends on memory, or on any of the variables. */
const dependsOn = (root: Value, variables: ReadonlySet<Variable>): boolean =>
  within(root).some((value) => isRead(value) || (readsVariable(value) && variables.has(value.variable)));

// ---------------------------------------------------------------- which loads

function rowsOf(graph: Graph): readonly Row[] {
  const feeding = behind(
    graph,
    loadsOf(graph).flatMap((load) => load.args),
  );
  const loads = loadsOf(graph).filter(
    ({ args: [, guard], forwarded }) => isLiteral(guard) && forwarded === undefined,
  );
  return neighbours(loads).flatMap((row): Row[] => {
    const { args, memory } = firstOf(row);
    const bytes = advanceOf(args[0], graph);
    const advance = bytes === undefined ? row.length : Number(bytes) / memory.bytes;
    if (!Number.isInteger(advance) || advance < 0 || row.length - advance < (advance === 0 ? 2 : 1))
      return [];
    // Addresses are computed ahead of the iterations, where what these carry is not known.
    if (advance > 0 && row.some((load) => feeding.has(load))) return [];
    return [{ loads: row, advance }];
  });
}

/** Loads of neighbouring elements. */
function neighbours(loads: readonly Load[]): readonly (readonly Load[])[] {
  const placed = loads.map((load) => ({ load, at: affineForm(load.args[0]).constant }));
  const rows: Load[][] = [];
  for (const { load } of placed.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))) {
    const row = rows.find((one) => isNext(load, lastOf(one)));
    if (row) row.push(load);
    else rows.push([load]);
  }
  return rows;
}

const isNext = (load: Load, last: Load): boolean =>
  load.memory.bytes === last.memory.bytes &&
  sameShape(load.shape, last.shape) &&
  constantDifference(affineForm(load.args[0]), affineForm(last.args[0])) === BigInt(last.memory.bytes);

/** By how many bytes an address advances with each iteration; undefined if that is not known. */
function advanceOf(address: Value, graph: Graph): bigint | undefined {
  let sum = 0n;
  for (const [term, factor] of affineForm(address).terms) {
    const update = readsVariable(term) ? graph.updates.get(term.variable) : undefined;
    const step = update
      ? constantDifference(affineForm(update), affineForm(term))
      : isInvariant(graph, term)
        ? 0n
        : undefined;
    if (step === undefined) return undefined;
    sum += step * factor;
  }
  return sum;
}

// ---------------------------------------------------------------- what becomes of them

/** The registers of a row's first elements, which move on by as many elements as the row does. */
function keptRow(graph: Graph, { loads, advance }: Row, replaced: Map<Value, Value>): readonly Variable[] {
  const registers = loads
    .slice(0, loads.length - advance)
    .map(({ hint, shape }): Variable => ({ name: `${hint ?? "word"}_kept`, shape }));
  for (const [k, register] of registers.entries()) {
    replaced.set(itemAt(loads, k), graph.read(register));
    if (advance === 0) continue;
    const next = registers[k + advance];
    graph.updates.set(register, next ? graph.read(next) : itemAt(loads, k + advance));
  }
  return registers;
}

/** Registers, and the load that gives the first of them its element. */
interface Filled {
  readonly first: Load;
  readonly registers: readonly Variable[];
}

/** Loads as many elements as there are registers, of all rows, from the first load's place on, and shifts them in. */
function fillLoop(
  rows: readonly Filled[],
  length: number,
  { trips }: Counter,
  more: Variable,
): { readonly graph: Graph; readonly loop: PipelinedLoop } {
  const [left, index, goesOn]: readonly [Variable, Variable, Variable] = [
    { name: "left", shape: COUNT },
    { name: "index", shape: COUNT },
    { name: "more", shape: BIT },
  ];
  const before = new Graph();
  const none = before.constant(0, COUNT);
  const all = before.constant(length, COUNT);
  // If the loop has no iteration there may be no such memory.
  const any = isLiteral(trips) ? before.constant(1, BIT) : before.read(more);
  const count = before.mux(any, all, none);
  before.updates.set(left, count);
  before.updates.set(index, none);
  before.updates.set(goesOn, any);

  const graph = new Graph();
  const one = graph.constant(1, COUNT);
  const [now, at] = [graph.read(left), graph.read(index)];
  for (const { first, registers } of rows) {
    const { args, memory, shape } = first;
    const [from] = args;
    const bytes = graph.constant(memory.bytes, from.shape);
    const offset = graph.make("mul", from.shape, [graph.resize(at, from.shape), bytes]);
    const address = graph.make("add", from.shape, [copied(from, graph), offset]);
    const loaded = graph.load(memory, shape, address, graph.constant(1, BIT));
    for (const [k, register] of registers.entries()) {
      const next = registers[k + 1];
      graph.updates.set(register, next ? graph.read(next) : loaded);
    }
  }
  graph.updates.set(left, graph.make("sub", COUNT, [now, one]));
  graph.updates.set(index, graph.make("add", COUNT, [at, one]));
  graph.updates.set(goesOn, graph.not(graph.make("eq", BIT, [now, one])));
  const counter = { left, index, trips: count, lower: none, bound: all, up: true, copies: 1, complete: true };
  return { graph, loop: { more: graph.read(goesOn), before, counter } };
}

/** A copy of a value in another graph, where variables are what they are before the loop. */
const copied = (root: Value, graph: Graph): Value =>
  fold(root, new Map(), (value, args: readonly Value[]): Value => {
    if (isLiteral(value)) return graph.constant(value.constant, value.shape);
    return value.variable ? graph.read(value.variable) : graph.with(value, args);
  });
