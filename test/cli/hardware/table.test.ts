import { expect, it } from "vitest";
import type { HardwareRow } from "../../../cli/hardware/rows.ts";
import { hardwareTable } from "../../../cli/hardware/table.ts";

const row: HardwareRow = {
  variant: "ice:default",
  kind: "rtl",
  region: "work",
  kernel: "work (a.c:7)",
  from: "layout",
  loops: [],
  resources: { ffs: 841, luts: 1435, rams: 5, sprams: 4, lcs: 1735, dsps: 0 },
  percent: { lcs: 32.9, rams: 16.7, sprams: 100, dsps: 0 },
  wrapper: { ffs: 383, luts: 650, sprams: 4 },
};

it("a kernel's area has all kinds of memory that it takes, and the wrapper's share of it stands below", () => {
  const table = hardwareTable([row]);
  expect(table).toContain(" 1735 LC (33 %), 5 RAM (17 %), 4 SPRAM (100 %)  ");
  expect(table).toContain("work (a.c:7): of its area the wrapper has 383 FF, 650 LUT, 4 SPRAM");
});
