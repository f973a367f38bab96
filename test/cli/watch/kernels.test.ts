import { expect, test } from "vitest";
import { kernelDiffs } from "../../../cli/watch/kernels.ts";

test("an edit is shown without the names it changed, whether they are of the region or of its text", () => {
  const text = (name: string, factor: number): string => `module ${name} (\n  input x\n);\ny = ${factor};\n`;
  const before = new Map([["ice:default/scale_00000001", text("scale_0000000a", 2)]]);
  const after = new Map([["ice:default/scale_00000002", text("scale_0000000b", 3)]]);
  const [only, ...others] = kernelDiffs(before, after);
  expect(others).toEqual([]);
  expect(only?.kernel).toBe("ice:default/scale_00000002");
  expect(only?.diff).toMatch(/y = 3/);
  expect(only?.diff).not.toMatch(/^[-+].*module/m);
});
