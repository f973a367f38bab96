/**
 * Loads of elements that other iterations load, too: they are kept in registers, so that each array has as many read ports
 * as it advances by elements, and all arrays are those of the serial program. Pairs of: how many elements, how far the
 * next iteration loads, how often, of what type, what for, and how a variant shapes the loop; then with what forbids it.
 */
import { describe, expect, it } from "vitest";
import { type Axes, allRows, pairwise, type Row } from "../../../programs/combinations/covering.ts";
import { sampled } from "../../../sampled.ts";
import { serialArrays } from "../serial.ts";
import { designed, type Given, ideal, simulate } from "../simulation.ts";

const plain = {
  taps: ["2", "3", "8"],
  advance: ["0", "1", "2", "3", "-1"],
  trips: ["60", "n = 60", "n = 1", "n = 0", "6"],
  type: ["signed char", "short", "unsigned", "double"],
  order: ["up", "down"],
  uses: ["sum", "as an index"],
  choice: ["plain", "unrolled"],
  /** Loops around it, and whether all its loads take turns at one port. */
  around: ["nothing", "a loop", "rows", "a triangle"],
  ports: ["separate", "one"],
} as const satisfies Axes;

/** What forbids to keep elements, or some of them. */
const besides = [
  "stores ahead",
  "stores behind",
  "stores somewhere",
  "stores if positive",
  "leaves early",
  "has gaps",
  "after a store",
  "stores the next row",
  "changes the number of iterations",
  "pointers may overlap",
] as const;
const axes = { ...plain, besides: ["nothing", ...besides] } as const satisfies Axes;
type Case = Row<typeof axes>;

const N = 520;
const middle = 60;
/** From row to row. */
const width = 50;

const bytesOf: Readonly<Record<Case["type"], number>> = {
  "signed char": 1,
  short: 2,
  unsigned: 4,
  double: 8,
};

const isMeaningful = ({ uses, type }: Case): boolean => !(uses === "as an index" && type === "double");

/** Offsets of the elements that an iteration loads. */
function offsetsOf({ taps, order, besides: what }: Case): readonly number[] {
  const up = Array.from({ length: Number(taps) }, (_, k) => (what === "has gaps" && k > 0 ? k + 1 : k));
  return order === "down" ? up.toReversed() : up;
}

function sourceOf(row: Case): string {
  const { advance, trips, type, uses, besides: what } = row;
  const start = row.around === "rows" ? `${middle} + ${width} * j` : `${middle}`;
  const at = (offset: number) => `x[${start} + ${advance} * i + ${offset}]`;
  const loaded = offsetsOf(row).map((offset, k) => `${k + 2} * ${at(offset)}`);
  const sum = uses === "sum" ? loaded.join(" + ") : `t[(${loaded.join(" + ")}) & 15]`;
  const ahead = at(Number(row.taps) + 4);
  const places: Partial<Record<Case["besides"], string>> = {
    "stores ahead": ahead,
    "stores behind": at(-3),
    "stores somewhere": `x[${middle} + i + z[i & 15]]`,
    "stores the next row": at(width),
  };
  const store = `${what === "stores if positive" ? "if (s > 0) " : ""}${places[what] ?? "y[i]"} = s;`;
  const all = trips.includes("=") ? "n" : trips;
  const end = row.around === "a triangle" ? `${all} - 5 * j` : all;
  const leaves = what === "leaves early" ? "if (s > 900) break;" : "";
  const loop = `for (int i = 0; i < ${end}; i++) { ${type} s = ${sum}; ${store} ${leaves} }`;
  const first = what === "after a store" ? `x[${middle} + 1] = 5;` : "";
  const changes = what === "changes the number of iterations" ? "n = n > 3 ? n - 2 : 5;" : "";
  const body = row.around === "nothing" ? loop : `for (int j = 0; j < 3; j++) { ${loop} ${changes} }`;
  const promise = what === "pointers may overlap" ? "" : "restrict";
  return `void work(${type} *${promise} x, ${type} *${promise} y, const ${type} *${promise} t, const unsigned char *${promise} z, int n) {
#pragma acc serial copy(x[0:${N}], y[0:${N}]) copyin(t[0:16], z[0:16])
  { ${first} ${body} }
}`;
}

function givenOf({ type, trips }: Case): Readonly<Record<string, Given>> {
  const bytes = bytesOf[type];
  const bitsOf = new BigUint64Array(new Float64Array([0, 1, 2.5, -3]).buffer);
  const value = (k: number) => (type === "double" ? (bitsOf[k % 4] as bigint) : BigInt((k * 37 + 11) % 23));
  const array = (count: number, from: number) => ({
    bytes,
    values: Array.from({ length: count }, (_, k) => value(k + from)),
  });
  const z = { bytes: 1, values: Array.from({ length: 16 }, (_, k) => (k * 5) % 9) };
  return { x: array(N, 1), y: array(N, 5), t: array(16, 9), z, n: Number(/n = (\d+)/.exec(trips)?.[1] ?? 0) };
}

const rows = [
  ...sampled(pairwise(allRows(axes, (row) => row.besides === "nothing" && isMeaningful(row))), 3),
  ...pairwise(allRows(axes, isMeaningful)),
];

describe("elements that several iterations load", () => {
  const cases = rows.map((row) => ({ row, source: sourceOf(row), given: givenOf(row) }));
  const want = serialArrays(cases);
  it.each(cases.map(({ row }, k) => [Object.values(row).join(", "), k] as const))("%s", (_, k) => {
    const { row, source, given } = cases[k] as (typeof cases)[number];
    const made = designed(source, row.choice === "unrolled" ? { unroll: 2 } : {}, row.ports);
    const { arrays } = simulate(made, given, { ...ideal, apart: true });
    expect(arrays, source).toEqual(want[k]);
  });
});

const filter = (
  count: string,
) => `void work(const short *restrict x, const short *restrict h, short *restrict y, int n) {
#pragma acc parallel loop copyin(x[0:100], h[0:8]) copyout(y[0:90])
  for (int i = 0; i < ${count}; i++) {
    int s = 0;
    for (int k = 0; k < 8; k++) s += h[k] * x[i + k];
    y[i] = s;
  }
}`;

const numbers = (count: number) => ({
  bytes: 2,
  values: Array.from({ length: count }, (_, k) => (k * 7) % 19),
});
const given = (n: number) => ({ x: numbers(100), h: numbers(8), y: numbers(90), n });

describe("a filter of eight coefficients", () => {
  it("has one port for the coefficients, one to fill its line of samples, and one for the next sample", () => {
    const { design } = designed(filter("64"));
    expect(design.kernel.reads.map(({ load }) => load.hint).toSorted()).toEqual(["h", "x", "x"]);
  });

  it("loads nothing if there is no sample", () => {
    const { pipelines } = simulate(designed(filter("n")), given(0));
    // A step, and twice a step and the loop that fills registers, before the loop itself.
    expect(pipelines.map(({ iterations }) => iterations)).toEqual([1, 1, 0, 1, 0, 0]);
  });

  it("takes a sample in each cycle", () => {
    const few = simulate(designed(filter("n")), given(30));
    const many = simulate(designed(filter("n")), given(90));
    expect(many.cycles - few.cycles).toBe(60);
    expect(many.arrays.y).toEqual(serialArrays([{ source: filter("n"), given: given(90) }])[0]?.y);
  });
});

const sweep = (
  width: number,
  from: string,
  to: string,
) => `void work(const short *restrict x, short *restrict y, int n) {
#pragma acc serial copyin(x[0:${8 * width}]) copy(y[0:${8 * width}])
  for (int i = 1; i < 7; i++)
    for (int j = ${from}; j < ${to}; j++) {
      int s = 0;
      for (int a = -1; a < 2; a++)
        for (int b = -1; b < 2; b++) s += (a * b + 3) * x[(i + a) * ${width} + j + b];
      y[i * ${width} + j] = s >> 3;
    }
}`;

describe("a sweep of nine points, whose inner loop is filled in each row", () => {
  const arrays = (width: number, n = 0) => {
    const values = Array.from({ length: 8 * width }, (_, k) => (k * 37) % 101);
    return { x: { bytes: 2, values }, y: { bytes: 2, values }, n };
  };
  it.each([
    ["rows of 80, ports apart: three fill, three go on", 80, "1", "79", "separate", 6],
    ["rows of 40, ports apart: filling takes too long", 40, "1", "39", "separate", 9],
    ["rows of 16, one port: each saved word is a cycle", 16, "1", "15", "one", 6],
    ["as many as the run says", 40, "1", "n", "separate", 6],
    ["a triangle, whose runs may be short", 40, "i", "n", "separate", 9],
  ] as const)("%s", (_, width, from, to, ports, reads) => {
    const source = sweep(width, from, to);
    const given = arrays(width, width - 1);
    const made = designed(source, {}, ports);
    expect(made.design.kernel.reads.length).toBe(reads);
    const { y } = simulate(made, given).arrays;
    expect(y).toEqual(serialArrays([{ source, given }])[0]?.y);
  });

  it("takes at one port little more than a cycle for each word that no iteration before has loaded", () => {
    const source = sweep(64, "1", "63");
    const { cycles } = simulate(designed(source, {}, "one"), arrays(64));
    const [rows, columns] = [6, 62];
    // Three new words and three that are stored or kept: it was 9 words and a store.
    expect(cycles).toBeLessThan(rows * columns * 3.5);
  });
});
