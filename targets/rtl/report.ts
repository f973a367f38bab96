/**
 * Combines what the tools leave into one report: nextpnr's (`--report`, JSON: cells, clocks, paths), else only the
 * netlist's cells, and arc's facts about the design, which lead back to source lines.
 */

import type { Rescheduled } from "../shared/kind/report.ts";
import {
  availableFile,
  type CriticalPath,
  type DesignFacts,
  factsFile,
  noFacts,
  type Report,
  type Resources,
  type SourceLine,
} from "../shared/kind/report.ts";
import { rescheduledFile } from "../shared/kind/rescheduled.ts";
import { type Utilization, utilization } from "../shared/tool-log/nextpnr.ts";
import { amountsOf, type NetlistCell } from "./cells.ts";
import { isOfKernel, signalLines } from "./signals.ts";

/** nextpnr's report. */
export interface Timing {
  readonly fmax?: Readonly<Record<string, { readonly achieved: number }>>;
  readonly utilization?: Readonly<Record<string, Utilization>>;
  readonly critical_paths?: readonly TimingPath[];
}

export interface TimingPath {
  readonly from: string;
  readonly to: string;
  readonly path: readonly PathStep[];
}

/** A step through a cell, or along the wires of a net. */
interface PathStep {
  /** In nanoseconds. */
  readonly delay: number;
  readonly type?: "clk-to-q" | "logic" | "routing" | "setup";
  readonly net?: string;
  readonly from?: { readonly port: string };
  readonly to: { readonly cell: string; readonly port?: string };
}

interface Netlist {
  readonly modules?: Readonly<Record<string, NetlistModule>>;
}

/** Bits of nets are numbers, constants are strings. */
type Bits = readonly (number | string)[];

interface NetlistModule {
  readonly cells?: Readonly<Record<string, CellOfNetlist>>;
  readonly netnames?: Readonly<Record<string, { readonly hide_name?: number; readonly bits: Bits }>>;
}

interface CellOfNetlist {
  readonly type: string;
  readonly port_directions?: Readonly<Record<string, string>>;
  readonly connections?: Readonly<Record<string, Bits>>;
}

/**
 * Reads `timing.json`, `netlist.json`, `facts.json`, `rescheduled.json` and `available.json` if they exist. Never
 * throws.
 */
export function readReport(files: ReadonlyMap<string, string>): Report {
  const problems: string[] = [];
  const parsed = <T>(name: string): T | undefined => {
    try {
      return JSON.parse(files.get(name) ?? "null") ?? undefined;
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : error}`);
      return undefined;
    }
  };
  const timing = parsed<Timing>("timing.json");
  const facts = parsed<DesignFacts>(factsFile) ?? noFacts;
  const rescheduled = parsed<Rescheduled>(rescheduledFile);
  const netlist = cellsOf(parsed<Netlist>("netlist.json"));
  const sourceLineOf = signalLines(facts.signals);
  const netlistCounts = amountsOf(netlist);
  const placed = Object.entries(utilization(timing?.utilization ?? {}));
  const amounts = { ...netlistCounts, ...Object.fromEntries(placed.map(([word, { used }]) => [word, used])) };
  const all = {
    ...parsed<Resources>(availableFile),
    ...Object.fromEntries(placed.map(([word, { available }]) => [word, available])),
  };
  const fmax = slowestClock(timing);
  const critical = criticalPath(slowestPath(timing), sourceLineOf);
  return {
    loops: facts.loops,
    resources: amounts,
    percent: Object.fromEntries(
      Object.entries(all).flatMap(([what, n]) =>
        n > 0 && amounts[what] !== undefined ? [[what, (100 * amounts[what]) / n]] : [],
      ),
    ),
    ...(fmax !== undefined && { fmax }),
    ...(timing === undefined && { only: "synthesis" as const }),
    ...(netlist.length > 0 && {
      wrapper: amountsOf(netlist.filter(({ name }) => /^\w/.test(name) && !isOfKernel(name))),
      lines: byLine(netlist, sourceLineOf),
    }),
    ...(critical && { critical }),
    ...(facts.cycles !== undefined && { cycles: facts.cycles }),
    ...(rescheduled && { rescheduled }),
    problems,
  };
}

/** Synthesis leaves one flat module. If a cell is not named after a net, the net that it drives gives its position. */
function cellsOf(netlist: Netlist | undefined): readonly NetlistCell[] {
  return Object.values(netlist?.modules ?? {}).flatMap(({ cells = {}, netnames = {} }) => {
    const nets = new Map<number | string, string>();
    for (const [name, { hide_name: hidden, bits }] of Object.entries(netnames))
      if (!hidden) for (const bit of bits) nets.set(bit, nets.get(bit) ?? name);
    return Object.entries(cells).map(([name, cell]) => ({
      name: name.startsWith("$") ? (driven(cell, nets) ?? name) : name,
      type: cell.type,
    }));
  });
}

function driven(
  { port_directions: directions = {}, connections = {} }: CellOfNetlist,
  nets: ReadonlyMap<number | string, string>,
): string | undefined {
  const bits = Object.entries(connections).flatMap(([port, b]) => (directions[port] === "output" ? b : []));
  return bits.map((bit) => nets.get(bit)).find((name) => name !== undefined);
}

type SourceLineOf = (name: string) => SourceLine | undefined;

function byLine(netlist: readonly NetlistCell[], sourceLineOf: SourceLineOf): NonNullable<Report["lines"]> {
  const lines = new Map<string, { sourceLine: SourceLine; cells: NetlistCell[] }>();
  for (const cell of netlist) {
    const sourceLine = sourceLineOf(cell.name);
    if (sourceLine === undefined) continue;
    const key = `${sourceLine.file}:${sourceLine.line}`;
    const line = lines.get(key) ?? { sourceLine, cells: [] };
    line.cells.push(cell);
    lines.set(key, line);
  }
  return [...lines.values()]
    .sort((a, b) => b.cells.length - a.cells.length)
    .map(({ sourceLine, cells }) => ({ ...sourceLine, resources: amountsOf(cells) }));
}

/** In MHz. */
export function slowestClock(timing: Timing | undefined): number | undefined {
  const clocks = Object.values(timing?.fmax ?? {}).map((c) => c.achieved);
  return clocks.length > 0 ? Math.min(...clocks) : undefined;
}

/** In nanoseconds. */
export const lengthOf = ({ path }: TimingPath): number => path.reduce((sum, { delay }) => sum + delay, 0);

/** The longest path between registers. */
export function slowestPath(timing: Timing | undefined): TimingPath | undefined {
  return (timing?.critical_paths ?? [])
    .filter(({ from, to }) => from.startsWith("posedge") && to.startsWith("posedge"))
    .sort((a, b) => lengthOf(b) - lengthOf(a))[0];
}

function criticalPath(slowest: TimingPath | undefined, sourceLineOf: SourceLineOf): CriticalPath | undefined {
  if (slowest === undefined) return undefined;
  const steps: { source?: SourceLine; signal: string; nanoseconds: number }[] = [];
  for (const { delay, net, to } of slowest.path) {
    const name = net ?? to.cell;
    const source = sourceLineOf(name);
    const last = steps.at(-1);
    const same =
      last !== undefined && last.source?.line === source?.line && last.source?.file === source?.file;
    // A delay inside a cell belongs to the wire before it.
    if (last !== undefined && last.source === undefined && source !== undefined) {
      // The part that leads to the first signal with a position.
      steps[steps.length - 1] = { source, signal: name, nanoseconds: last.nanoseconds + delay };
    } else if (last !== undefined && (same || source === undefined)) {
      last.nanoseconds += delay;
      if (net !== undefined && same) last.signal = net;
    } else steps.push({ ...(source && { source }), signal: name, nanoseconds: delay });
  }
  const rounded = steps.map((step) => ({ ...step, nanoseconds: Math.round(100 * step.nanoseconds) / 100 }));
  return { nanoseconds: Math.round(100 * lengthOf(slowest)) / 100, steps: rounded };
}
