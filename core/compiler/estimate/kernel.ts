/**
 * Time and area of one kernel, from its pipelines and a device's table. Time = sum of trips x II / (unroll x fmax), or
 * the time that memory needs for the bytes, whichever is longer (spec: J. Lambert, 2021, sections 2.2 to 2.5; the form
 * of the model follows the rows of Tables 8 to 11).
 */
import type { Area } from "../../ir/model/device-profile.ts";
import { depth, type Interval, initiationInterval } from "../../ir/pipeline/interval.ts";
import { liveNodes } from "../../ir/pipeline/live.ts";
import type { Pipeline } from "../../ir/pipeline/pipeline.ts";
import { pipelinesIn } from "../../ir/pipeline/pipeline.ts";
import { streamsOf } from "../../ir/pipeline/traffic.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import type { Table } from "./table.ts";
import { tripCounter } from "./trip-counter.ts";

/** Copies of an NDRange kernel's data path. */
export interface Replication {
  readonly simd: number;
  readonly computeUnits: number;
  /** Work-items per group. */
  readonly items: number;
  /**
   * Each work-item has one iteration, so that every group combines its results once for as many iterations as it has
   * work-items.
   */
  readonly once: boolean;
}

export interface LoopFigures {
  readonly line: number;
  readonly trips: number;
  readonly ii: number;
  readonly limit?: Interval["limit"];
}

export interface Work {
  readonly cycles: number;
  readonly bytes: number;
  readonly loops: readonly LoopFigures[];
}

export type Resources = Omit<Required<Area>, "source">;

/** Cycles and bytes of one launch. */
export function workOf(
  top: Pipeline,
  { simd, computeUnits, items, once }: Replication,
  sizes: ReadonlyMap<Symbol, number>,
  table: Table,
  unknown: (what: string) => void,
): Work {
  const loops: LoopFigures[] = [];
  const tripsOf = tripCounter(sizes, unknown);
  const burst = table.figure("burst");

  const visit = (p: Pipeline, times: number, item: Symbol | undefined): { cycles: number; bytes: number } => {
    const trips = tripsOf(p);
    const own = p.shared ? (p.headers.at(-1)?.var ?? item) : item;
    // Work-items do not wait for each other's values: others fill the pipeline meanwhile.
    const interval: Interval = own === undefined ? initiationInterval(p, table) : { cycles: 1 };
    const steps = Math.ceil(trips / p.copies);
    if (p.headers.length > 0 || p.uncounted)
      loops.push({
        line: p.loc.line,
        trips,
        ii: interval.cycles,
        ...(interval.limit && { limit: interval.limit }),
      });
    const inside = p.inner.map((inner) => visit(inner, times * trips, own));
    const moved = streamsOf(p, burst, own).reduce((n, s) => n + s.moved, 0);
    const bytes = inside.reduce((n, i) => n + i.bytes, 0) + times * trips * moved;
    // A group combines its values in a tree: all its work-items pass through each level. Trees of several variables are
    // pipelined one behind the other and work at the same time.
    const tree = p.shared && once && p.reductions.length > 0 ? Math.ceil(Math.log2(items)) : 0;
    const within = Math.max(
      tree,
      inside.reduce((n, i) => n + i.cycles, 0),
    );
    if (trips === 0) return { cycles: 0, bytes: 0 };
    if (within === 0)
      return { cycles: steps * interval.cycles + (p.headers.length ? depth(p, table) : 0), bytes };
    // Dependent iterations of an outer loop wait until the inner loops have drained.
    const waits = !p.independent && !p.shared && p.headers.length > 0 ? depth(p, table) : 0;
    return { cycles: steps * (Math.max(interval.cycles, within) + waits), bytes };
  };

  const { cycles, bytes } = visit(top, 1, undefined);
  return { cycles: cycles / (simd * computeUnits), bytes, loops };
}

const none: Resources = { aluts: 0, ffs: 0, dsps: 0, rams: 0 };

export function plus(a: Resources, b: Partial<Resources>, times = 1): Resources {
  return {
    aluts: a.aluts + times * (b.aluts ?? 0),
    ffs: a.ffs + times * (b.ffs ?? 0),
    dsps: a.dsps + times * (b.dsps ?? 0),
    rams: a.rams + times * (b.rams ?? 0),
  };
}

/** Resources of a kernel, without the board's own logic. */
export function resourcesOf(top: Pipeline, { simd, computeUnits }: Replication, table: Table): Resources {
  const ramBits = table.figure("ramBits");
  let sum = none;
  for (const p of pipelinesIn(top)) {
    let body = none;
    for (const id of liveNodes(p)) {
      const node = p.graph.at(id);
      if (node.kind === "operator") body = plus(body, table.area(p.graph.built(id), node.type));
    }
    let once = none;
    for (const _ of p.headers) {
      // A counter and a comparison.
      once = plus(once, table.area("+", "int"));
      once = plus(once, table.area("<", "int"));
    }
    for (const { op, type, count } of p.combines) once = plus(once, table.area(op, type), count);
    for (const s of p.storage) {
      if (s.as === "registers") once = plus(once, { ffs: s.bits });
      else once = plus(once, { rams: Math.ceil(s.bits / ramBits) });
    }
    for (const s of streamsOf(p, table.figure("burst"))) {
      once = plus(once, table.areas("access"));
      once = plus(once, table.areas("accessByte"), s.bytes * p.copies * simd);
    }
    sum = plus(sum, plus(once, body, p.copies * simd));
  }
  return plus(none, sum, computeUnits);
}

/** The clock of a design, in MHz. */
export function clockOf(used: Resources, table: Table): number {
  return table.figure("clock") / (1 + table.figure("routing") * Math.min(1, shareOf(used, table)));
}

/** Share of the scarcest resource. */
export function shareOf(used: Resources, table: Table): number {
  const { aluts, ffs, dsps, rams } = table.areas("resources");
  return Math.max(used.aluts / aluts, used.ffs / ffs, used.dsps / dsps, used.rams / rams);
}

/** Seconds of one launch at a clock in MHz. */
export function secondsOf(
  work: Work,
  mhz: number,
  table: Table,
): { seconds: number; bound: "pipeline" | "memory" } {
  const pipeline = (work.cycles * table.figure("stalls")) / (mhz * 1e6);
  const memory = work.bytes / (table.figure("bandwidth") * 1e9 * table.figure("efficiency"));
  const bound = memory > pipeline ? "memory" : "pipeline";
  return { seconds: Math.max(pipeline, memory) + table.figure("launch"), bound };
}
