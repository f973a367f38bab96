/**
 * Sums over a window of a delay line. If every row has the same combination of neighbours, the rows are combined first,
 * for the newest column only: the other columns need the same sum from a few iterations earlier. Sobel's [1 2 1; 0 0 0;
 * -1 -2 -1] is a difference of rows and three places of it: 3 adders instead of 5.
 */
import { entryOf, lastOf } from "../../checked/access.ts";
import { affineForm } from "../dfg/affine.ts";
import type { Graph } from "../dfg/graph.ts";
import { type HardwareRegion, pipelinesOf } from "../dfg/region.ts";
import { rewrite } from "../dfg/rewrite.ts";
import { sameShape, type Value } from "../dfg/value.ts";
import { LONGEST_REGISTER_LINE } from "../operators/timing.ts";

/** Changes the region's graphs. */
export function factorStencils(region: HardwareRegion): void {
  for (const { graph, loop } of pipelinesOf(region.control)) if (loop) factorSums(graph);
}

function factorSums(graph: Graph): void {
  const replaced = new Map<Value, Value>();
  for (const sum of sumsOf(graph)) {
    const factored = factor(graph, sum);
    if (factored) replaced.set(sum, factored);
  }
  if (replaced.size > 0) rewrite(graph, replaced);
}

const isLinear = ({ op, args }: Value): boolean =>
  op === "add" || op === "sub" || (op === "shl" && args[1]?.op === "const");

/** Sums that are used outside other sums and do not contain each other. */
function sumsOf(graph: Graph): readonly Value[] {
  const ends = new Set<Value>(graph.updates.values());
  for (const { address, data, guard } of graph.stores) for (const v of [address, data, guard]) ends.add(v);
  for (const { address, data, guard } of graph.writes) for (const v of [address, data, guard]) ends.add(v);
  for (const { data } of graph.sends) ends.add(data);
  for (const value of graph.values) if (!isLinear(value)) for (const arg of value.args) ends.add(arg);
  const sums: Value[] = [];
  for (const value of graph.values)
    if (
      (value.op === "add" || value.op === "sub") &&
      ends.has(value) &&
      !value.args.some((a) => sums.includes(a))
    )
      sums.push(value);
  return sums;
}

/** Factors of places of a delay line, by distance from the newest. */
type Taps = ReadonlyMap<number, bigint>;

interface Window {
  readonly source: Value;
  /** The value at a distance from the newest place in the sum. */
  readonly place: (distance: number) => Value;
  readonly taps: Taps;
}

function factor(graph: Graph, sum: Value): Value | undefined {
  const window = windowOf(graph, sum);
  if (!window) return undefined;
  const rows = rowsOf(window.taps);
  const row = rows[0]?.taps;
  if (!row) return undefined;
  const factors = rows.map(({ taps }) => multiple(taps, row));
  if (factors.some((f) => f === undefined)) return undefined;
  // A sum needs one adder less than it has terms.
  if (rows.length - 1 + row.size - 1 >= window.taps.size - 1) return undefined;
  const combined = total(
    graph,
    sum,
    rows.map(({ first }, k) => [window.place(first), factors[k] as bigint]),
  );
  return total(
    graph,
    sum,
    [...row].map(([distance, by]) => [graph.delay(combined, distance), by]),
  );
}

/** A sum as one over places of a single line; undefined for others. */
function windowOf(graph: Graph, sum: Value): Window | undefined {
  const { constant, terms } = affineForm(sum);
  if (constant !== 0n || terms.size < 4) return undefined;
  const taps = new Map<number, bigint>();
  let source: Value | undefined;
  let shape: Value["shape"] | undefined;
  for (const [term, by] of terms) {
    const tap = term.op === "resize" ? term.args[0] : term;
    const from = tap.op === "delay" ? tap.args[0] : tap;
    source ??= from;
    shape ??= term.shape;
    if (source !== from || !sameShape(shape, term.shape)) return undefined;
    taps.set(tap.op === "delay" ? tap.distance : 0, by);
  }
  if (!source || !shape || source.shape.float || source.op === "const") return undefined;
  const [line, to] = [source, shape];
  return { source: line, taps, place: (distance) => graph.resize(graph.delay(line, distance), to) };
}

/** Groups of nearby places; distances are from the newest of each group. */
function rowsOf(taps: Taps): readonly { readonly first: number; readonly taps: Taps }[] {
  const rows: { first: number; taps: Map<number, bigint> }[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const distance of [...taps.keys()].sort((a, b) => a - b)) {
    if (distance - last > LONGEST_REGISTER_LINE) rows.push({ first: distance, taps: new Map() });
    const row = lastOf(rows);
    row.taps.set(distance - row.first, entryOf(taps, distance));
    last = distance;
  }
  return rows;
}

/** The factor by which `of` gives `taps`. */
function multiple(taps: Taps, of: Taps): bigint | undefined {
  if (taps.size !== of.size) return undefined;
  let by: bigint | undefined;
  for (const [distance, coefficient] of of) {
    const tap = taps.get(distance);
    if (tap === undefined || tap % coefficient !== 0n) return undefined;
    by ??= tap / coefficient;
    if (tap !== coefficient * by) return undefined;
  }
  return by;
}

function total(graph: Graph, { shape }: Value, terms: readonly (readonly [Value, bigint])[]): Value {
  const size = (by: bigint) => (by < 0n ? -by : by);
  const term = ([value, by]: readonly [Value, bigint]) =>
    graph.make("mul", shape, [graph.resize(value, shape), graph.constant(size(by), shape)]);
  const added = terms.filter(([, by]) => by > 0n).map(term);
  const subtracted = terms.filter(([, by]) => by < 0n).map(term);
  const first = added.length > 0 ? added : [graph.constant(0, shape)];
  const sum = first.reduce((a, b) => graph.make("add", shape, [a, b]));
  return subtracted.reduce((a, b) => graph.make("sub", shape, [a, b]), sum);
}
