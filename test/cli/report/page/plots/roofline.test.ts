/** The roof over measured kernels: memory's slope up to what the device computes. */
import { expect, it } from "vitest";
import { operationsOf, roofOf } from "../../../../../cli/report/page/plots/roofline.tsx";

it("is flat from where memory no longer holds kernels up", () => {
  expect(roofOf(1, 100, 10, 200).map(({ intensity, operations }) => [intensity, operations])).toEqual([
    [1, 10],
    [20, 200],
    [100, 200],
  ]);
});

it("is one slope where kernels stay below the ridge, or nobody knows what the device computes", () => {
  const ends = [
    { intensity: 1, operations: 10 },
    { intensity: 8, operations: 80 },
  ];
  expect(roofOf(1, 8, 10, 200)).toEqual(ends);
  expect(roofOf(1, 8, 10, 0)).toEqual(ends);
  expect(roofOf(1, 8, 0, 200)).toEqual([]);
});

it("what launches counted goes before what the source says", () => {
  const row = { kind: "launch", device: "", region: "f_1", kernel: "f_1", count: 1, seconds: 2 } as const;
  expect(operationsOf({ ...row, operations: 7 }, { f_1: 9 }, [row])).toBe(7);
  expect(operationsOf(row, { f_1: 9 }, [row])).toBe(9);
});
