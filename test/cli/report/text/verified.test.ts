import { expect, it } from "vitest";
import { verifiedTable } from "../../../../cli/report/text/verified.ts";

const run = {
  run: "small",
  variant: "cpu:default",
  result: "same",
  simulated: false,
  serial: 2,
  seconds: 0.5,
} as const;

it("reports what agreed, the worst error and its location, times and speed-up", () => {
  const table = verifiedTable(
    [
      { ...run, values: 12, worst: 2.5e-7, worstAt: "out.bin[17]" },
      { ...run, variant: "fpga:default", simulated: true, values: 1, worst: 0 },
      { ...run, variant: "gpu:default", result: "differs" },
      { run: "small", variant: "ocl:default", result: "not run", simulated: false },
    ],
    200,
  );
  expect(table).toMatch(
    /cpu:default +small +same +12 values +2\.5e-7 +out\.bin\[17\] +2\.0 s +0\.50 s +4\.00 x/,
  );
  // A simulation's time says nothing about the program.
  expect(table).toMatch(/fpga:default +small +same +1 value +none +2\.0 s +0\.50 s simulated *\n/);
  expect(table).toContain("2 of 3 runs agreed with the serial program; 1 not run");
  expect(verifiedTable([], 80)).toBe("");
  // Where the table goes on below, each line still says which variant it is of.
  const narrow = verifiedTable([{ ...run, values: 12, worst: 2.5e-7, worstAt: "out.bin[17]" }], 50);
  expect(narrow.match(/^cpu:default/gm)?.length).toBeGreaterThan(1);
});
