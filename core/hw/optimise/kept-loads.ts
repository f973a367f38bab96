/**
 * Elements that several iterations of a loop load are kept in registers. A short loop before it loads the first ones,
 * through one port, and shifts them in; then an iteration loads what none before it did:
 *
 *     loop: y[i] = h[0] * x[i] + h[1] * x[i + 1]
 *     =>
 *     twice: (a, b) = (b, h[k++])    once: c = x[i]    loop: d = x[i + 1]  y[i] = a * c + b * d  c = d
 *
 * Each load that remains has a port of its own, with queues for addresses and words. A loop inside a loop is left as it
 * is: it would wait for the first elements in each of its runs. Windows (core/ir) keep whole rows, in memory.
 */
import { firstOf, itemAt, lastOf } from "../../checked/access.ts";
import { affineForm, constantDifference } from "../dfg/affine.ts";
import { Graph } from "../dfg/graph.ts";
import { loadsOf } from "../dfg/memory.ts";
import { behind, fold, isInvariant } from "../dfg/reach.ts";
import type { Control, Counter, HardwareRegion, Pipeline, PipelinedLoop } from "../dfg/region.ts";
import { rewrite } from "../dfg/rewrite.ts";
import {
  BIT,
  isLiteral,
  type Load,
  readsVariable,
  type Shape,
  sameShape,
  type Value,
  type Variable,
} from "../dfg/value.ts";

/** How many elements are kept for a row; as many as a local array in registers has at most. */
const MOST = 64;

/** A loop with a known number of iterations must have this many for each element that is kept. */
const ITERATIONS_EACH = 4;

/** Signed and as wide as an int: affine forms see through its sums. */
const COUNT: Shape = { bits: 32, signed: true };

/** Neighbouring elements that an iteration loads, in the order of their addresses. */
interface Row {
  readonly loads: readonly Load[];
  /** How many elements further the next iteration loads. */
  readonly advance: number;
}

/** The region with such loops; the graphs of their iterations are changed in place. */
export const keepLoads = (region: HardwareRegion): HardwareRegion => ({
  ...region,
  control: kept(region.control),
});

function kept(control: Control): Control {
  switch (control.kind) {
    case "loop":
      return control;
    case "if":
      return { ...control, then: kept(control.then), ...(control.else && { else: kept(control.else) }) };
    case "sequence":
      return {
        ...control,
        body: control.body.flatMap((one) => (one.kind === "pipeline" ? keptIn(one) : [kept(one)])),
      };
    case "pipeline": {
      const body = keptIn(control);
      return body.length === 1 ? control : { kind: "sequence", body };
    }
  }
}

/** A loop behind the loops that load its first elements. */
function keptIn(pipeline: Pipeline): readonly Control[] {
  const { graph, loop } = pipeline;
  const { counter, more } = loop ?? {};
  // Iterations that communicate through memory read what others wrote.
  if (!loop || loop.memory || !counter?.complete || !more || !readsVariable(more)) return [pipeline];
  const rows = rowsOf(graph).filter(({ loads, advance }) => isWorthIt(loads.length - advance, counter));
  const replaced = new Map<Value, Value>();
  const before = rows.flatMap((row, k): Control[] => {
    const registers = keptRow(graph, row, replaced);
    const { graph: filling, loop: fills } = fillLoop(firstOf(row.loads), registers, counter, more.variable);
    const { name, loc } = pipeline;
    return [
      { kind: "pipeline", name: `${name}_first${k}`, graph: fills.before, loc },
      { kind: "pipeline", name: `${name}_fill${k}`, graph: filling, loop: fills, loc, fills: true },
    ];
  });
  if (replaced.size > 0) rewrite(graph, replaced);
  return [...before, pipeline];
}

const isWorthIt = (count: number, { trips, copies }: Counter): boolean =>
  count <= MOST && !(isLiteral(trips) && trips.constant < BigInt(ITERATIONS_EACH * copies * count));

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

/** Loads as many elements as there are registers, from the first load's place on, and shifts them in. */
function fillLoop(
  { args: [from], memory, shape }: Load,
  registers: readonly Variable[],
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
  const all = before.constant(registers.length, COUNT);
  // If the loop has no iteration there may be no such memory.
  const any = isLiteral(trips) ? before.constant(1, BIT) : before.read(more);
  const count = before.mux(any, all, none);
  before.updates.set(left, count);
  before.updates.set(index, none);
  before.updates.set(goesOn, any);

  const graph = new Graph();
  const one = graph.constant(1, COUNT);
  const [now, at] = [graph.read(left), graph.read(index)];
  const bytes = graph.constant(memory.bytes, from.shape);
  const offset = graph.make("mul", from.shape, [graph.resize(at, from.shape), bytes]);
  const address = graph.make("add", from.shape, [copied(from, graph), offset]);
  const loaded = graph.load(memory, shape, address, graph.constant(1, BIT));
  for (const [k, register] of registers.entries()) {
    const next = registers[k + 1];
    graph.updates.set(register, next ? graph.read(next) : loaded);
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
