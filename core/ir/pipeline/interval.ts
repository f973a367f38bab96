/**
 * The initiation interval of a pipelined loop: the cycles between the starts of two iterations. A value that takes
 * `latency` cycles to compute and is needed `distance` iterations later keeps iterations latency/distance cycles apart,
 * along any cycle of such values (the recurrence bound of B. R. Rau, Iterative Modulo Scheduling, MICRO 1994).
 */
import { itemAt, lastOf } from "../../checked/access.ts";
import type { Loc } from "../../lang/tree/ast.ts";
import { type Graph, type LinearForm, type NodeId, sum } from "./graph.ts";
import type { Carried, MemoryAccess, Pipeline } from "./pipeline.ts";

/** Cycles, by operator and type. */
export interface Timing {
  /** From operands to result, if operations of several iterations overlap. */
  latency(op: string, type: string): number;
  /** The same on a path that the next iteration waits for: operators that fit share a cycle. */
  chained(op: string, type: string): number;
  /** The device accumulates in one cycle, in an innermost loop that starts at 0. */
  accumulates(op: string, type: string): boolean;
  /** From the start of a load to the next load that sees a store between them. */
  readonly throughMemory: number;
  /** Latency of a load from global memory. */
  readonly load: number;
  /** Latency of on-chip memory. */
  readonly ram: number;
}

interface Recurrence {
  /** The variables or elements that carry the value. */
  readonly through: readonly string[];
  readonly latency: number;
  /** Iterations until the value is needed. */
  readonly distance: number;
  readonly loc: Loc;
  /** The accesses may overlap, but do not certainly do so. */
  readonly possible?: true;
}

export interface Interval {
  readonly cycles: number;
  /** The limiting recurrence; absent if none needs more than one cycle. */
  readonly limit?: Recurrence;
}

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly latency: number;
  readonly carried: Link;
}

type Link = Carried & { readonly extra?: number; readonly possible?: true };

export function initiationInterval(p: Pipeline, timing: Timing): Interval {
  const links = [
    ...p.carried.filter((c) => !isCounter(p, c) && !isAccumulated(p, c, timing)),
    ...throughMemory(p),
  ];
  const found = worst(edges(p.graph, links, timing), links.length);
  if (!found) return { cycles: 1 };
  const cycles = Math.max(1, Math.ceil(p.copies * (found.latency / found.distance) - 1e-9));
  return cycles > 1 ? { cycles, limit: found } : { cycles };
}

// ---------------------------------------------------------------- links

/**
 * Counters that are stepped, compared and reset by constants can be computed ahead of the iterations that use them:
 * sixteen copies of the two counters of a nest ran at one cycle per step in the variants `sw16` of J. Lambert, 2021,
 * Tables 10 and 11.
 */
function isCounter(p: Pipeline, { from, to }: Carried): boolean {
  const { graph } = p;
  const seen = new Set<NodeId>();
  const ends = new Map(p.carried.map((c) => [c.from, c.to]));
  const visit = (id: NodeId): boolean => {
    if (seen.has(id)) return true;
    seen.add(id);
    const node = graph.at(id);
    if (node.kind === "constant" || node.kind === "counter" || node.kind === "invariant") return true;
    if (node.kind === "carried") {
      const end = ends.get(id);
      return end !== undefined && visit(end);
    }
    if (node.kind !== "operator" || node.type !== "int") return false;
    const steps = node.op === "+" || node.op === "?:" || /^([<>]=?|[!=]=|&&?|\|\|?|!)$/.test(node.op);
    const scaled = node.op === "*" && node.args.some((arg) => graph.at(arg).kind === "constant");
    return (steps || scaled) && node.args.every(visit);
  };
  return visit(from) && visit(to);
}

/** A sum that the device's accumulator can compute: innermost, starting at 0, and not otherwise used in the loop. */
function isAccumulated(p: Pipeline, { from, to, start, distance }: Carried, timing: Timing): boolean {
  const { op, type, args } = p.graph.at(to);
  if (p.inner.length > 0 || p.copies > 1 || distance !== 1 || start === undefined || Number(start) !== 0)
    return false;
  if (!timing.accumulates(op, type) || args.filter((arg) => arg === from).length !== 1) return false;
  return p.graph.nodes.every((node, id) => id === to || !node.args.includes(from));
}

/** Stores that may overlap loads of later iterations. */
function throughMemory(p: Pipeline): readonly Link[] {
  if (p.independent || p.shared) return [];
  const links: Link[] = [];
  for (const store of p.accesses.filter((a) => a.write))
    for (const load of p.accesses.filter(
      (a) => !a.write && !a.ahead && a.array === store.array && a.path === store.path,
    )) {
      const far = distance(p, store, load);
      if (far === "never") continue;
      links.push({
        from: load.node,
        to: store.node,
        distance: far ?? 1,
        name: load.text,
        loc: load.loc,
        extra: 1,
        ...(far === undefined && { possible: true }),
      });
    }
  return links;
}

/** Iterations from a store to the load of the same element; undefined: unknown. */
function distance(p: Pipeline, store: MemoryAccess, load: MemoryAccess): number | "never" | undefined {
  const apart: LinearForm = sum(p.graph.linear(store.index), p.graph.linear(load.index), -1n);
  const moving = [...p.graph.linear(load.index).terms].flatMap(([id, c]) => {
    const stride = p.strides.get(id);
    return stride === undefined ? [] : [c * stride];
  });
  // Both access a fixed element, or both move by the same stride.
  if (apart.terms.size > 0) return undefined;
  const [step] = moving.filter((m) => m !== 0n).sort((a, b) => Number(abs(a) - abs(b)));
  const changes = [...p.graph.linear(load.index).terms.keys()].some((id) => !isFixed(p, id));
  if (step === undefined) return changes ? undefined : apart.constant === 0n ? 1 : "never";
  const iterations = Number(apart.constant) / Number(step);
  return iterations > 0 && Number.isInteger(iterations) ? iterations : "never";
}

const abs = (x: bigint): bigint => (x < 0n ? -x : x);

function isFixed(p: Pipeline, id: NodeId): boolean {
  const node = p.graph.at(id);
  if (node.kind === "constant" || node.kind === "invariant") return true;
  if (node.kind === "counter") return !p.strides.has(id);
  return node.kind === "operator" && node.args.every((arg) => isFixed(p, arg));
}

// ---------------------------------------------------------------- cycles

/** Longest paths from each incoming value to the computation of its successor. */
function edges(graph: Graph, links: readonly Link[], timing: Timing): readonly Edge[] {
  const found: Edge[] = [];
  links.forEach((link, from) => {
    const reach = longest(graph, link.from, timing);
    links.forEach((next, to) => {
      const latency = reach.get(next.to);
      if (latency === undefined) return;
      const memory = next.extra === undefined ? 0 : timing.throughMemory;
      found.push({ from, to, latency: latency + memory, carried: next });
    });
  });
  return found;
}

/** Cycles from `start` to each node that needs it. */
function longest(graph: Graph, start: NodeId, timing: Timing): ReadonlyMap<NodeId, number> {
  const reach = new Map<NodeId, number>([[start, 0]]);
  for (let id = start + 1; id < graph.nodes.length; id++) {
    const node = graph.at(id);
    let most: number | undefined;
    for (const arg of node.args) {
      const at = reach.get(arg);
      if (at !== undefined && (most === undefined || at > most)) most = at;
    }
    if (most !== undefined) reach.set(id, most + cycles(node.kind, graph.built(id), node.type, timing));
  }
  return reach;
}

function cycles(kind: string, op: string, type: string, timing: Timing): number {
  if (kind === "operator") return timing.chained(op, type);
  return kind === "ram" ? timing.ram : kind === "load" ? timing.load : 0;
}

/**
 * The cycle with the largest latency per iteration: repeatedly finds a cycle above the best ratio until there is none.
 */
function worst(list: readonly Edge[], size: number): Recurrence | undefined {
  let best: Recurrence | undefined;
  for (;;) {
    const ratio = best === undefined ? 0 : best.latency / best.distance;
    const cycle = positiveCycle(list, size, ratio);
    if (!cycle) return best;
    const last = lastOf(cycle);
    best = {
      through: [...new Set(cycle.map((e) => e.carried.name))],
      latency: total(cycle, (e) => e.latency),
      distance: total(cycle, (e) => e.carried.distance),
      loc: last.carried.loc,
      ...(cycle.some((e) => e.carried.possible) && { possible: true }),
    };
  }
}

const total = (list: readonly Edge[], of: (e: Edge) => number): number => list.reduce((n, e) => n + of(e), 0);

/** Bellman-Ford: a cycle with positive latency - ratio * distance. */
function positiveCycle(list: readonly Edge[], size: number, ratio: number): readonly Edge[] | undefined {
  const gain = new Array<number>(size).fill(0);
  const by = new Array<Edge | undefined>(size);
  let changed: number | undefined;
  for (let round = 0; round <= size; round++) {
    changed = undefined;
    for (const e of list) {
      const value = itemAt(gain, e.from) + e.latency - ratio * e.carried.distance;
      if (value <= itemAt(gain, e.to) + 1e-7) continue;
      gain[e.to] = value;
      by[e.to] = e;
      changed = e.to;
    }
    if (changed === undefined) return undefined;
  }
  let at = changed as number;
  for (let k = 0; k < size; k++) at = (by[at] as Edge).from;
  const cycle: Edge[] = [];
  for (let k = at; cycle.length === 0 || k !== at; ) {
    const edge = by[k] as Edge;
    cycle.unshift(edge);
    k = edge.from;
  }
  return cycle;
}

/** Cycles from the start of an iteration to its last result. */
export function depth({ graph }: Pipeline, timing: Timing): number {
  const at: number[] = [];
  let deepest = 0;
  for (const [id, node] of graph.nodes.entries()) {
    const start = Math.max(0, ...node.args.map((arg) => itemAt(at, arg)));
    const own =
      node.kind === "operator"
        ? timing.latency(graph.built(id), node.type)
        : node.kind === "load"
          ? timing.load
          : node.kind === "ram"
            ? timing.ram
            : 0;
    at.push(start + own);
    deepest = Math.max(deepest, start + own);
  }
  return Math.ceil(deepest);
}
