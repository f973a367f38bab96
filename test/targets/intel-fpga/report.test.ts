import { describe, expect, it } from "vitest";
import { readReport } from "../../../targets/intel-fpga/report.ts";

const loops = {
  columns: ["", "Pipelined", "II", "Bottleneck"],
  children: [
    {
      name: "Kernel: work",
      data: ["", "", ""],
      children: [
        {
          name: "work.B1",
          data: ["Yes", "~1", "n/a"],
          debug: [[{ filename: "kernel.cl", line: 9 }]],
          children: [{ name: "Fully unrolled loop", data: ["n/a", "n/a", "n/a"] }],
        },
        {
          name: "work.B2",
          data: ["Yes", "8", "Data dependency"],
          debug: [[{ filename: "kernel.cl", line: 12 }]],
        },
      ],
    },
  ],
};
const area = {
  columns: ["", "ALUTs", "FFs", "RAMs", "DSPs", "Details"],
  total: [1200, 3400, 56, 7],
  total_percent: [1.5, 2.5, 3, 4],
  children: [],
};
const quartus = {
  quartusFitClockSummary: {
    columns: ["", "Kernel fmax"],
    children: [{ name: "Kernel fmax", data: ["241.7"] }],
  },
  quartusFitResourceUsageSummary: {
    columns: ["", "ALMs", "FFs", "RAMs", "DSPs", "MLABs"],
    children: [{ name: "Full design (all kernels)", data: ["1,100", 3300, 50, 7, 2] }],
  },
};
const files = (of: Record<string, unknown>) =>
  new Map(
    Object.entries(of).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );

describe("the report reader", () => {
  it("finds the loops with their initiation intervals and places", () => {
    const { loops: found } = readReport(files({ "loops.json": loops }));
    expect(found.filter((l) => l.ii !== undefined)).toEqual([
      { name: "work.B1", line: 9, pipelined: true, ii: 1 },
      { name: "work.B2", line: 12, pipelined: true, ii: 8, details: "Data dependency" },
    ]);
  });

  it("reads the estimate before place and route, and the fitted design after it", () => {
    expect(readReport(files({ "area.json": area }))).toMatchObject({
      resources: { aluts: 1200, ffs: 3400, rams: 56, dsps: 7 },
      percent: { aluts: 1.5, dsps: 4 },
    });
    const after = readReport(files({ "area.json": area, "quartus.json": quartus }));
    expect(after).toMatchObject({ fmax: 241.7, resources: { aluts: 1100, ffs: 3300, mlabs: 2 } });
  });

  it("takes the scripts of older versions for the same", () => {
    const script = `var loopsJSON=${JSON.stringify(loops)};`;
    expect(readReport(files({ "loops.js": script })).loops).toEqual(
      readReport(files({ "loops.json": loops })).loops,
    );
  });

  it("finds columns in any order and omits missing ones", () => {
    const moved = {
      columns: ["", "Source", "II", "Speculated", "Pipelined"],
      children: [{ name: "B3", data: ["x", ">=2", 4, "Yes"] }],
    };
    expect(readReport(files({ "loops.json": moved })).loops).toEqual([
      { name: "B3", pipelined: true, ii: 2 },
    ]);
    expect(readReport(new Map())).toEqual({ loops: [], resources: {}, percent: {}, problems: [] });
  });

  it("names files that are no JSON and reads the others", () => {
    const report = readReport(files({ "loops.json": "{ cut o", "area.json": area }));
    expect(report.problems[0]).toMatch(/^loops\.json: /);
    expect(report.resources.aluts).toBe(1200);
  });

  it.each(["null", "3", '"x"', "[]", '{"columns":3}', '{"children":[null,{"data":[]}]}', '{"total":"x"}'])(
    "takes %s without harm",
    (text) => {
      for (const name of ["loops.json", "area.json", "quartus.json"])
        expect(readReport(new Map([[name, text]])).problems).toEqual([]);
    },
  );
});
