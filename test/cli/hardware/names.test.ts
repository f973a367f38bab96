import { expect, it } from "vitest";
import { kernelNames } from "../../../cli/hardware/names.ts";

const kernel = (region: string, line: number, file = "a.c") => ({ region, site: { file, line, what: "" } });

it("kernels have arc.yaml's names, by the place of their region in the function", () => {
  const kernels = [kernel("f_00000002", 20), kernel("f_00000001", 10), kernel("g_00000003", 30)];
  const names = [
    { name: "first", source: "a.c", function: "f", region: 1 },
    { name: "second", source: "a.c", function: "f", region: 2 },
    { name: "only", source: "a.c", function: "g" },
    { name: "elsewhere", source: "b.c", function: "g" },
  ];
  expect([...kernelNames(kernels, names)].sort()).toEqual([
    ["f_00000001", "first"],
    ["f_00000002", "second"],
    ["g_00000003", "only"],
  ]);
});

it("where regions became one kernel, none is named rather than a wrong one", () => {
  const names = [1, 2].map((region) => ({ name: `n${region}`, source: "a.c", function: "f", region }));
  expect(kernelNames([kernel("f_00000001", 10)], names).size).toBe(0);
});
