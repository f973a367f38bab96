/** Reports by the lines of the source, from what Yosys and nextpnr call things. */
import { describe, expect, it } from "vitest";
import { readReport } from "../../../targets/rtl/report.ts";
import { signalLines } from "../../../targets/rtl/signals.ts";

const signals = [
  ["loop2", "a.c", 10],
  ["loop2_sum", "a.c", 12],
  ["loop2_t7", "a.c", 13],
  ["kernel1.loop0", "a.c", 20],
] as const;

describe("names of tools", () => {
  const lineOf = (name: string) => signalLines(signals)(name)?.line;
  it.each([
    ["kernel.loop2_sum", 12],
    ["kernel.loop2_sum[3]", 12],
    ["kernel.loop2_sum_at4_SB_DFFE_Q_DFFLC", 12],
    ["kernel.loop2_t7_SB_LUT4_O_I0_SB_LUT4_O_I2[1]", 13],
    ["kernel.kernel.loop2_t7", 13],
    ["manager.kernel.kernel.loop2_t7", 13],
    ["registers.manager.kernel.kernel.loop2_t7", 13],
    ["kernel.loop2_image_fifo.valid_SB_LUT4_I1_O", 10],
    ["kernel.kernel1.loop0_enter", 20],
  ])("%s leads to line %i", (name, line) => expect(lineOf(name)).toBe(line));
  it.each([
    "held_SB_DFFSR_Q",
    "registers.write_data",
    "registers.manager.beat",
    "$nextpnr_ICESTORM_LC_22$O",
    "kernel.state",
    "loop2_sum",
  ])("%s leads nowhere", (name) => expect(lineOf(name)).toBeUndefined());
});

const step = (delay: number, net: string) => ({ delay, net, to: { cell: `${net}_LC` } });
const timing = {
  fmax: { clk: { achieved: 91 } },
  utilization: { ICESTORM_LC: { used: 768, available: 7680 }, ICESTORM_RAM: { used: 8, available: 32 } },
  critical_paths: [
    { from: "<async>", to: "posedge clk", path: [step(99, "take")] },
    { from: "posedge clk", to: "<async>", path: [step(98, "held")] },
    {
      from: "posedge clk",
      to: "posedge clk",
      path: [
        step(0.5, "$auto$1"),
        step(1.25, "kernel.loop2_sum[0]"),
        { delay: 0.25, to: { cell: "$nextpnr_1" } },
        step(1, "kernel.loop2_sum_SB_CARRY_CI_CO[1]"),
        step(2, "kernel.loop2_t7"),
      ],
    },
  ],
};
const cell = (type: string) => ({ type });
const netlist = {
  modules: {
    arc_board: {
      cells: {
        "kernel.loop2_sum_SB_LUT4_O": cell("SB_LUT4"),
        "kernel.loop2_sum_SB_DFF_Q": cell("SB_DFF"),
        "kernel.loop2_line.memory": cell("SB_RAM40_4K"),
        "kernel.state_SB_DFF_Q": cell("SB_DFFESR"),
        in_SB_DFF_Q: cell("SB_DFF"),
        held_SB_DFF_Q: cell("SB_DFFSR"),
      },
    },
  },
};
const facts = { loops: [{ name: "loop2", ii: 1 }], signals, cycles: 1234 };
const read = (files: Readonly<Record<string, unknown>>) =>
  readReport(new Map(Object.entries(files).map(([name, value]) => [`${name}.json`, JSON.stringify(value)])));

describe("a report", () => {
  const placed = read({ timing, netlist, facts });
  it("has the cells and the clock of place and route", () => {
    expect(placed).toMatchObject({
      resources: { lcs: 768, rams: 8 },
      percent: { lcs: 10, rams: 25 },
      fmax: 91,
      cycles: 1234,
      problems: [],
    });
    expect(placed).not.toHaveProperty("only");
  });
  it("reports the slowest path between registers by lines, merging neighbours of one line", () => {
    expect(placed.critical).toEqual({
      nanoseconds: 5,
      steps: [
        { source: { file: "a.c", line: 12 }, signal: "kernel.loop2_sum_SB_CARRY_CI_CO[1]", nanoseconds: 3 },
        { source: { file: "a.c", line: 13 }, signal: "kernel.loop2_t7", nanoseconds: 2 },
      ],
    });
  });
  it("reports the area of lines, and of the frame around the kernel", () => {
    expect(placed.lines).toEqual([
      { file: "a.c", line: 12, resources: { luts: 1, ffs: 1 } },
      { file: "a.c", line: 10, resources: { rams: 1 } },
    ]);
    expect(placed.wrapper).toEqual({ ffs: 2 });
  });
  it("counts an AXI4 manager and its registers as wrapper", () => {
    const cells = {
      "registers.manager.kernel.kernel.loop2_t7_SB_DFF_Q": cell("SB_DFF"),
      "registers.manager.beat_SB_DFF_Q": cell("SB_DFF"),
      "registers.write_data_SB_DFF_Q": cell("SB_DFF"),
      held_SB_DFF_Q: cell("SB_DFF"),
    };
    expect(read({ netlist: { modules: { arc_board: { cells } } }, facts })).toMatchObject({
      resources: { ffs: 4 },
      wrapper: { ffs: 3 },
      lines: [{ line: 13, resources: { ffs: 1 } }],
    });
  });
  it("marks a netlist that was not placed, with shares of the part", () => {
    expect(read({ netlist, facts, available: { luts: 10, rams: 4 } })).toMatchObject({
      only: "synthesis",
      resources: { luts: 1, ffs: 4, rams: 1 },
      percent: { luts: 10, rams: 25 },
    });
  });
  it("names unreadable files, and continues", () => {
    const report = readReport(new Map([["timing.json", "{"]]));
    expect(report.problems).toHaveLength(1);
    expect(report.loops).toEqual([]);
  });
});
