/**
 * The measured variants of J. Lambert, dissertation, University of Oregon 2021, Tables 8 to 11, as variants of arc's own
 * programs. Entered by hand: the problem sizes (SRAD 4096 x 4096, 100 steps; Jacobi 8192 x 8192, 10 steps, which the
 * text does not state), what the tables' names mean in arc's axes, and the host's part where the host reduces.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { frontEnd } from "../../../../core/compiler/driver/front-end.ts";
import { type Design, designsOf } from "../../../../core/compiler/estimate/estimate.ts";
import {
  clockOf,
  plus,
  type Resources,
  resourcesOf,
  secondsOf,
  type Work,
  workOf,
} from "../../../../core/compiler/estimate/kernel.ts";
import { launchesOf } from "../../../../core/compiler/estimate/launches.ts";
import { Table } from "../../../../core/compiler/estimate/table.ts";
import type { DesignTable, DeviceProfile, Figure } from "../../../../core/ir/model/device-profile.ts";
import type { Assignment } from "../../../../schema/document/axis.ts";

interface Row {
  readonly name: string;
  readonly dsps: number;
  readonly rams: number;
  /** MHz. */
  readonly clock: number;
  readonly seconds: number;
}

export interface PublishedTable {
  readonly number: number;
  readonly device: "arria-10" | "stratix-10";
  readonly program: "srad" | "jacobi";
  readonly rows: readonly Row[];
}

const rows = (text: string): readonly Row[] =>
  text
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", ...numbers] = line.trim().split(/\s+/);
      const [dsps = 0, rams = 0, clock = 0, seconds = 0] = numbers.map(Number);
      return { name, dsps, rams, clock, seconds };
    });

export const tables: readonly PublishedTable[] = [
  {
    number: 8,
    device: "arria-10",
    program: "srad",
    rows: rows(`
      nd_reduce 88 594 247 61.13
      nd_reduce_simd4 271 1025 229 24.70
      nd_update 58 537 258 27.09
      nd_update_simd4 193 898 227 20.76
      nd_update_simd8 373 1441 214 30.73
      swi_sw 59 545 257 39.44
      swi_r4_sw 129 516 252 15.20
      swi_r4_sw4x4 264 601 285 6.94
      swi_r4_sw4x8 284 643 257 7.83
      swi_r4_sw8x4 424 695 287 6.67
      swi_r4_sw8x8 444 737 270 7.51
      swi_r4_sw16x16 804 1064 245 7.98`),
  },
  {
    number: 9,
    device: "stratix-10",
    program: "srad",
    rows: rows(`
      nd_reduce 68 1151 264 55.81
      nd_reduce_numc4 272 2147 205 25.24
      nd_reduce_numc8 544 3475 172 16.21
      nd_reduce_simd4 217 1565 221 16.42
      nd_reduce_simd8 415 1923 216 9.58
      nd_update 46 1062 256 22.28
      nd_update_numc4 184 1791 234 17.11
      nd_update_numc8 368 2763 183 13.26
      nd_update_simd4 153 1310 250 9.73
      nd_update_simd8 295 1469 234 8.27
      swi_sw 51 984 282 42.67
      swi_sw4x4 158 1200 258 37.41
      swi_sw4x8 178 1196 240 39.11
      swi_sw8x4 284 1404 224 44.29
      swi_sw8x8 304 1400 227 42.79
      swi_r4_sw 121 1110 256 15.56
      swi_r4_sw4x4 228 1426 231 6.56
      swi_r4_sw4x8 248 1429 237 5.58
      swi_r4_sw8x4 354 1689 255 6.35
      swi_r4_sw8x8 374 1692 241 5.64
      swi_r4_sw16x16 666 2244 222 7.83`),
  },
  {
    number: 10,
    device: "arria-10",
    program: "jacobi",
    rows: rows(`
      nd 3 416 290 16.32
      nd_coll 3 409 279 16.07
      nd_coll_elim 3 403 285 4.85
      nd_coll_elim_numc4 12 634 262 1.58
      nd_coll_elim_numc16 48 1558 210 1.44
      swi_x_swi 3 544 267 5.17
      swi_coll_x_swi_coll 3 407 311 4.48
      swi_sw_x_swi_coll 3 421 287 5.02
      swi_sw16_x_swi_coll 768 852 208 3.55
      swi_sw16_x_nd_coll_elim_numc4 768 914 217 1.49
      swi_sw16_x_nd_coll_elim_numc16 768 1154 212 0.77
      swi_sw16_x_nd_coll_elim_numc32 768 1474 196 0.72
      swi_sw16_x_nd_coll_elim_simd16 768 854 220 4.07`),
  },
  {
    number: 11,
    device: "stratix-10",
    program: "jacobi",
    rows: rows(`
      nd 3 754 298 14.34
      nd_coll 3 790 297 4.60
      nd_coll_elim 3 789 285 4.79
      nd_coll_elim_numc4 12 1323 271 1.32
      nd_coll_elim_numc16 48 2835 211 0.65
      nd_coll_elim_numc24 72 3843 226 0.58
      nd_coll_elim_simd4 12 1276 257 1.50
      nd_coll_elim_simd16 48 2834 213 1.02
      swi_x_swi 3 790 299 4.61
      swi_coll_x_swi_coll 3 788 309 4.44
      swi_sw_x_swi_coll 3 645 329 4.18
      swi_sw16_x_swi_coll 768 1479 278 2.65
      swi_sw16_x_nd_coll_elim_numc4 768 1218 269 0.98
      swi_sw16_x_nd_coll_elim_numc16 768 1638 231 0.54`),
  },
];

/** Values of arc's axes for one kernel, from its part of a published name. */
function choice(words: readonly string[], window: number): Assignment {
  const number = (word: string): number | undefined => {
    const found = words.find((w) => w.startsWith(word) && /\d$/.test(w));
    return found === undefined ? undefined : Number(found.slice(word.length));
  };
  const [simd, units] = [number("simd"), number("numc")];
  return {
    model: words.includes("nd") ? "nd" : "swi",
    collapse: words.includes("coll"),
    // Their compiler omits the check wherever possible; the name says so where it makes a difference.
    elim: words.includes("elim") || words.includes("update") || words.includes("reduce"),
    reduction: number("r") ?? 0,
    // They keep twice the partial results that the latency requires, on every device: 8 per iteration of a step.
    "reduction-depth": 8 * (number("r") ?? 0),
    window,
    ...(simd !== undefined && { simd }),
    ...(units !== undefined && { "compute-units": units }),
  };
}

/** For each function with a region. */
export function choicesOf({ program }: PublishedTable, { name }: Row): Readonly<Record<string, Assignment>> {
  const parts = name.split("_x_").map((part) => part.split("_"));
  const [first = [], second = first] = parts;
  const [, a = "0", b = a] = /_sw(?=[\d_]|$)(\d*)x?(\d*)/.exec(name) ?? [];
  const windows = name.includes("_sw") ? [Number(a || 1), Number(b || a || 1)] : [0, 0];
  return program === "jacobi"
    ? { sweep: choice(first, windows[0] as number), copy: choice(second, 0) }
    : {
        statistics: choice(first, 0),
        coefficients: choice(first, windows[0] as number),
        update: choice(first, windows[1] as number),
      };
}

/** NDRange kernels have no window, and the host reduces if the name says `update`. */
function sourceOf(program: PublishedTable["program"], name: string): string {
  const file = program === "srad" ? "../../../programs/fpga/srad.c" : "jacobi.c";
  let text = readFileSync(path.join(import.meta.dirname, file), "utf8");
  if (name.startsWith("nd")) text = text.replace(/^#pragma openarc transform window.*$/gm, "");
  if (name.includes("update"))
    text = text.replace(/^#pragma acc parallel loop reduction.*$/m, "#pragma acc update self(J)");
  return text;
}

const sizes = { srad: ["-DROWS=4096", "-DCOLS=4096", "-DSTEPS=100"], jacobi: [] };

/** The transfer of the picture over PCI Express (generation 3, 8 lanes, 80 %) and two sums at one addition in 3 ns. */
const hostSeconds = 100 * 4096 * 4096 * (4 / 6.3e9 + 1.5e-9);

export interface Predicted {
  readonly row: Row;
  readonly designs: readonly Design[];
  readonly works: readonly { readonly work: Work; readonly launches: number }[];
  readonly resources: Resources;
  readonly host: number;
}

const programs = new Map<string, ReturnType<typeof frontEnd>>();

function read({ program }: PublishedTable, { name }: Row): ReturnType<typeof frontEnd> {
  const source = sourceOf(program, name);
  const known = programs.get(source);
  if (known) return known;
  const text = execFileSync("gcc", ["-E", "-dD", ...sizes[program], "-x", "c", "-"], {
    input: source,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  const made = frontEnd({ file: `${program}.c`, text });
  programs.set(source, made);
  return made;
}

/** What a row's kernels do and take, from arc's IR of the program; times follow from it and the device's figures. */
export function predict(table: PublishedTable, row: Row, device: DeviceProfile): Predicted {
  const { program, linkage } = read(table, row);
  const choices = choicesOf(table, row);
  const designs = designsOf(program, linkage, (name) => choices[name] as Assignment, device);
  const figures = new Table(device);
  const launches = launchesOf([program], []);
  const works = designs.map((design) => {
    const own = launches.filter((l) => l.region === design.region);
    const work = workOf(design.pipeline, design.replication, own[0]?.values ?? new Map(), figures, () => {});
    return { work, launches: own.reduce((n, l) => n + l.count, 0) };
  });
  const resources = designs.reduce<Resources>(
    (sum, d) => plus(sum, resourcesOf(d.pipeline, d.replication, figures)),
    plus(figures.areas("shell"), {}),
  );
  return { row, designs, works, resources, host: row.name.includes("update") ? hostSeconds : 0 };
}

/** The figures that fitting to measurements gives. */
export interface Fitted {
  readonly routing: number;
  readonly efficiency: number;
  readonly stalls: number;
}

/**
 * A device of which nothing was measured: clock, board logic, accesses to memory and what a plain sum took are those of
 * another. What handbooks say of it stays: its size, and the bandwidth of its board.
 */
export function unmeasured(device: DeviceProfile, other: DeviceProfile): DeviceProfile {
  const [own, theirs] = [device, other].map((d) => d.design) as [DesignTable, DesignTable];
  const measured = (source: string): boolean => source.includes("dissertation");
  const operators = device.operators.map((o) =>
    measured(o.source) ? (other.operators.find((x) => x.op === o.op && x.type === o.type) ?? o) : o,
  );
  const { clock, shell, access, accessByte } = theirs;
  return { ...device, operators, design: { ...own, clock, shell, access, accessByte } };
}

export function withFitted(device: DeviceProfile, fitted: Fitted): DeviceProfile {
  const figures = Object.fromEntries(
    Object.entries(fitted).map(([key, value]): [string, Figure] => [key, { value, source: "fitted" }]),
  );
  return { ...device, design: { ...(device.design as NonNullable<DeviceProfile["design"]>), ...figures } };
}

/** Seconds of the whole program. `clock` in MHz, where it is known. */
export function secondsFor(p: Predicted, device: DeviceProfile, clock?: number): number {
  const table = new Table(device);
  const mhz = clock ?? clockOf(p.resources, table);
  return p.works.reduce(
    (sum, { work, launches }) => sum + launches * secondsOf(work, mhz, table).seconds,
    p.host,
  );
}

const range = (from: number, to: number, by: number): readonly number[] =>
  Array.from({ length: Math.round((to - from) / by) + 1 }, (_, k) => from + k * by);

/** The candidate with the least sum of what `error` gives: a row that nothing explains does not decide. */
function least(candidates: readonly number[], error: (candidate: number) => readonly number[]): number {
  const sums = candidates.map((c) => error(c).reduce((sum, e) => sum + Math.abs(e), 0));
  return candidates[sums.indexOf(Math.min(...sums))] as number;
}

/** Single work-items whose time is that of their pipelines: the rows of the spec's Appendix C. */
export const isPipelineBound = ({ name }: Row): boolean =>
  name.startsWith("swi") && !name.includes("nd") && (name.includes("_x_") || name === "swi_r4_sw");

/**
 * Each figure from what it decides: the routing from the clocks, the stalls from the pipeline-bound variants at their
 * measured clocks, the share of the bandwidth from the times of all.
 */
export function fit(predicted: readonly Predicted[], device: DeviceProfile): Fitted {
  const logs = (a: number, b: number): number => Math.log(a / b);
  const start: Fitted = { routing: 0, efficiency: 1, stalls: 1 };
  const routing = least(range(0, 2, 0.05), (routing) => {
    const table = new Table(withFitted(device, { ...start, routing }));
    return predicted.map((p) => logs(clockOf(p.resources, table), p.row.clock));
  });
  const stalls = least(range(1, 1.15, 0.01), (stalls) => {
    const fitted = withFitted(device, { ...start, routing, stalls });
    return predicted
      .filter((p) => isPipelineBound(p.row))
      .map((p) => logs(secondsFor(p, fitted, p.row.clock), p.row.seconds));
  });
  const efficiency = least(range(0.1, 0.9, 0.01), (efficiency) => {
    const fitted = withFitted(device, { routing, stalls, efficiency });
    return predicted.map((p) => logs(secondsFor(p, fitted), p.row.seconds));
  });
  return { routing, efficiency, stalls };
}

/** Spearman's rank correlation; equal values share their ranks. */
export function spearman(a: readonly number[], b: readonly number[]): number {
  const ranks = (list: readonly number[]): readonly number[] =>
    list.map((x) => list.filter((y) => y < x).length + (list.filter((y) => y === x).length + 1) / 2);
  const [x, y] = [ranks(a), ranks(b)];
  const mean = (a.length + 1) / 2;
  const product = (p: readonly number[], q: readonly number[]): number =>
    p.reduce((sum, value, i) => sum + (value - mean) * ((q[i] as number) - mean), 0);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}
