/** What compilers are told about loops whose iterations access different memory, and that nothing else is claimed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { vitisEmitter } from "../../../../targets/vitis/emit.ts";
import { cases } from "../../../cases.ts";
import { emit, stratixV, translate } from "./harness.ts";
import { ones, stencil } from "./stencils.ts";

const source = (loop: string, params = "float *restrict y, const float *restrict x, int n", more = "") => `
void work(${params}) {
#pragma acc parallel loop ${ones} ${more}
  ${loop}
}`;

interface Independence {
  /** Lines for aoc and for Vitis, and the story's remark. */
  readonly intel: readonly string[];
  readonly vitis: readonly string[];
  readonly story: readonly string[];
}

function independence(text: string, choice = {}): Independence {
  const lines = (kernel: string, of: RegExp) =>
    kernel.split("\n").flatMap((l) => (of.test(l) ? [l.trim()] : []));
  const intel = emit(text, choice);
  const vitis = emit(text, choice, stratixV, vitisEmitter);
  return {
    intel: lines(intel.text, /ivdep/),
    vitis: lines(vitis.text, /DEPENDENCE variable=\w+_memory/),
    story: intel.remarks.filter((r) => r.pass === "independence").map((r) => r.message),
  };
}

const never: Omit<Independence, "story"> = {
  intel: ["#pragma ivdep array(y)"],
  vitis: ["#pragma HLS DEPENDENCE variable=y_memory type=inter dependent=false"],
};
const far = (n: number): Omit<Independence, "story"> => ({
  intel: [`#pragma ivdep array(y) safelen(${n})`],
  vitis: [`#pragma HLS DEPENDENCE variable=y_memory type=inter direction=RAW distance=${n} dependent=true`],
});
const nothing: Omit<Independence, "story"> = { intel: [], vitis: [] };

/** Iterations between any two that touch an element, one of them writing it. */
function meetings(
  trips: number,
  accesses: readonly { readonly by: number; readonly at: number; readonly written: boolean }[],
): readonly number[] {
  const found: number[] = [];
  for (let i = 0; i < trips; i++)
    for (let j = i + 1; j < trips; j++)
      for (const a of accesses)
        for (const b of accesses)
          if ((a.written || b.written) && a.by * i + a.at === b.by * j + b.at) found.push(j - i);
  return found;
}

const sections = "copy(y[0:1000]) copyin(x[0:1000])";

describe("a loop that updates an array", () => {
  it.each([
    ["its own element", "y[i] += x[i];", never],
    // Vitis gets the information for the loops that it pipelines.
    ["elements of its own row", "for (int k = 0; k < 4; k++) y[4 * i + k] *= x[k];", { ...never, vitis: [] }],
    ["even elements from odd ones", "y[2 * i] = y[2 * i + 1];", never],
    ["halves that lie apart", "if (i < 100) y[i] = y[i + 500];", never, "i < 100"],
    ["what was written four iterations ago", "y[i + 4] = y[i] * 0.5f;", far(4)],
    ["what will be written three iterations later", "y[i] = y[i + 3] + x[i];", far(3)],
    ["the nearest of several", "y[i + 6] = y[i] + y[i + 4];", far(2)],
    ["what the last iteration wrote", "y[i + 1] = y[i] + x[i];", far(1)],
    ["elements that data chooses", "y[(int)x[i]] += 1;", nothing],
    ["one element", "y[3] += x[i];", nothing],
    ["rows that overlap", "for (int k = 0; k < 5; k++) y[4 * i + k] *= x[k];", nothing],
  ])("%s", (_name, body, expected, bound = "i < n") => {
    const loop = `for (int i = 0; ${bound}; i++) { ${body} }`;
    const { story, ...lines } = independence(source(loop, undefined, sections));
    expect(lines).toEqual(expected);
    expect(story).toHaveLength(1);
  });

  it("agrees with counted accesses of random loops", () => {
    const access = fc.record({
      by: fc.integer({ min: -3, max: 3 }),
      at: fc.integer({ min: 0, max: 12 }),
      written: fc.boolean(),
    });
    const loops = fc.record({
      first: fc.integer({ min: 0, max: 4 }),
      step: fc.constantFrom(1, 2, 3),
      trips: fc.integer({ min: 1, max: 9 }),
      accesses: fc.array(access, { minLength: 2, maxLength: 4 }),
    });
    let [claims, silent] = [0, 0];
    fc.assert(
      fc.property(loops, ({ first, step, trips, accesses }) => {
        const element = ({ by, at }: (typeof accesses)[number]) => `y[${by} * i + ${at + 40}]`;
        const body = accesses
          .map((a) => (a.written ? `${element(a)} = i;` : `s += ${element(a)};`))
          .join(" ");
        const loop = `for (int i = ${first}; i < ${first + step * trips}; i += ${step}) { int s = 0; ${body} }`;
        const { regions } = translate(source(loop, "int *restrict y", "copy(y[0:100])"));
        const claim = /ivdep array\(y\)(?: safelen\((\d+)\))?/.exec(regions[0]?.text ?? "");
        const distances = meetings(
          trips,
          accesses.map(({ by, at, written }) => ({ by: by * step, at: at + by * first, written })),
        );
        const nearest = Math.min(...distances);
        if (claim) claims++;
        else silent++;
        if (claim?.[1]) expect(nearest).toBeGreaterThanOrEqual(Number(claim[1]));
        else if (claim) expect(distances).toEqual([]);
      }),
      cases(120),
    );
    expect(Math.min(claims, silent)).toBeGreaterThan(20);
  });

  it("is not claimed if pointers may alias, and the story says which", () => {
    const loop = "for (int i = 0; i < n; i++) y[i] += x[i];";
    const { intel, vitis, story } = independence(source(loop, "float *y, const float *x, int n", sections));
    expect([intel, vitis]).toEqual([[], []]);
    expect(story[0]).toBe("iterations may meet in 'y': 'x[i]' and 'y[i]' may be the same memory");
    // Of another type it cannot be.
    expect(independence(source(loop, "float *y, const int *x, int n", sections)).intel).toEqual(never.intel);
  });

  it("needs no word where it only writes, or only reads", () => {
    expect(
      independence(source("for (int i = 0; i < n; i++) y[i] = x[i] + x[i + 1];", undefined, sections)),
    ).toEqual({
      ...nothing,
      story: [],
    });
  });

  it("gives the distance in steps, and none for copies of a body", () => {
    const loop = "for (int i = 0; i < n; i++) y[i + 4] = y[i] * 0.5f;";
    expect(independence(source(loop, undefined, sections), { unroll: 2 }).intel).toEqual([]);
    const apart = "for (int i = 0; i < n; i++) y[i] += x[i];";
    expect(independence(source(apart, undefined, sections), { unroll: 2 }).intel).toEqual(never.intel);
  });

  it("keeps what is proved about each loop of a nest, and about the nest as one loop", () => {
    const nest = "for (int i = 0; i < 9; i++) for (int j = 0; j < 10; j++) y[10 * i + j] += x[j];";
    const rows =
      "for (int i = 0; i < 9; i++) for (int j = 0; j < 10; j++) y[10 * i + j + 10] = y[10 * i + j];";
    expect(independence(source(nest, undefined, `${sections} collapse(2)`)).intel).toEqual(never.intel);
    expect(independence(source(rows, undefined, `${sections} collapse(2)`)).intel).toEqual([]);
  });
});

describe("a windowed loop", () => {
  const inPlace = (body: string, unroll = 1, directive = "serial loop") =>
    stencil({
      params: "float *restrict a",
      clauses: "copy(a[0:SIZE])",
      window: "a, a",
      loops: "for (int x = 9; x < SIZE - 9; x++)",
      body,
      unroll,
      directive,
    });

  it("that updates its array in place loads an element where it stores it, though iterations depend on each other", () => {
    const { intel, vitis, story } = independence(inPlace("a[x] = a[x - 9] + a[x - 1];"));
    expect(story).toEqual(["iterations that meet in 'a' are at least 1 apart"]);
    expect(intel).toEqual(["#pragma ivdep array(a)"]);
    expect(vitis).toEqual(["#pragma HLS DEPENDENCE variable=a_memory type=inter dependent=false"]);
  });

  it("that reads ahead of what it updates keeps that distance, in steps", () => {
    const body = "a[x] = a[x - 9] + a[x + 5];";
    expect(independence(inPlace(body)).intel).toEqual(["#pragma ivdep array(a) safelen(5)"]);
    expect(independence(inPlace(body, 2)).intel).toEqual(["#pragma ivdep array(a) safelen(2)"]);
    expect(independence(inPlace(body, 8)).intel).toEqual([]);
    expect(independence(inPlace(body)).vitis).toEqual([
      "#pragma HLS DEPENDENCE variable=a_memory type=inter direction=RAW dependent=false",
    ]);
  });

  it("claims nothing about an array that may have an alias", () => {
    const source = stencil({
      params: "float *a, const float *b",
      clauses: "copy(a[0:SIZE]) copyin(b[0:SIZE])",
      window: "a, a",
      directive: "serial loop",
      loops: "for (int x = 9; x < SIZE - 9; x++)",
      body: "a[x] = a[x - 9] + b[x];",
    });
    expect(independence(source).intel).toEqual([]);
  });

  it("keeps what is proved about its other arrays", () => {
    const s = stencil({
      loops: "for (int x = 1; x < SIZE - 1; x++)",
      body: "out[x] += in[x - 1] + in[x + 1];",
    });
    expect(independence(s, { window: 2 }).intel).toEqual(["#pragma ivdep array(out)"]);
  });
});
