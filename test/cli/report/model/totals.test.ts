import { expect, it } from "vitest";
import type { HardwareRow } from "../../../../cli/hardware/rows.ts";
import { totalsOf } from "../../../../cli/report/model/totals.ts";

const row = (rest: Partial<HardwareRow>): HardwareRow => ({
  variant: "f:default",
  kind: "rtl",
  region: "r",
  kernel: "r (a.c:1)",
  from: "layout",
  loops: [],
  resources: {},
  percent: {},
  ...rest,
});

const rows = [
  row({
    cycles: { value: 100, from: "run", launches: 3 },
    seconds: 1e-6,
    clock: 100,
    resources: { luts: 10, rams: 1 },
    percent: { luts: 5, rams: 30 },
    tools: 7,
  }),
  row({
    cycles: { value: 50, from: "predicted" },
    seconds: 1e-6,
    clock: 50,
    resources: { luts: 20 },
    percent: { luts: 10 },
    tools: 5,
  }),
];

it("adds up launches, areas and the tools' time, and takes the slowest clock", () => {
  expect(totalsOf(rows, undefined, [])).toEqual({
    seconds: 4e-6,
    from: "cycles",
    cycles: 350,
    clock: 50,
    resources: { luts: 30, rams: 1 },
    percent: { luts: 15, rams: 30 },
    area: 30,
    tools: 12,
  });
});

it("gives no total if one of the kernels lacks the figure", () => {
  const { seconds, cycles, clock, resources } = totalsOf(
    [...rows, row({ resources: { luts: 1 } })],
    undefined,
    [],
  );
  expect([seconds, cycles, clock]).toEqual([undefined, undefined, undefined]);
  expect(resources).toEqual({ luts: 31, rams: 1 });
});

it("a kernel that the estimated run never launches costs no time", () => {
  expect(totalsOf([row({ launches: 2, seconds: 3 }), row({ launches: 0 })], undefined, []).seconds).toBe(6);
});

it("without hardware the program's own time counts, beside the serial program's", () => {
  const runs = [
    { run: "first", result: "not run" as const },
    { run: "small", result: "same" as const, seconds: 2, serial: 5 },
  ];
  expect(totalsOf([], undefined, runs)).toMatchObject({ seconds: 2, from: "program", speedup: 2.5 });
});

it("joules of launches add up, and are those of a model; of a kernel without them nothing is known", () => {
  const twice = row({ energy: 2e-6, cycles: { value: 9, from: "run", launches: 2 } });
  const never = row({ launches: 0 });
  expect(totalsOf([twice, row({ energy: 1e-6 }), never], undefined, [])).toMatchObject({
    energy: expect.closeTo(5e-6, 12),
    energyFrom: "model",
  });
  expect(totalsOf([twice, row({})], undefined, []).energy).toBeUndefined();
});

it("of programs, measured joules count, and where nothing was compared the median of `arc bench`", () => {
  const benched = { seconds: 3, energy: { median: 7, by: "NVML" as const } };
  const compared = [{ run: "small", result: "same" as const, seconds: 2, serial: 5 }];
  expect(totalsOf([], undefined, compared, benched)).toMatchObject({
    ...{ seconds: 2, from: "program", speedup: 2.5 },
    ...{ energy: 7, energyFrom: "NVML" },
  });
  const { seconds, from, speedup } = totalsOf([], undefined, [{ run: "small", result: "not run" }], benched);
  expect([seconds, from, speedup]).toEqual([3, "bench", undefined]);
});
