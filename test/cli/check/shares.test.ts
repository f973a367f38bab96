/** Which process reads which file. */
import { expect, it } from "vitest";
import { shares } from "../../../cli/check/shares.ts";

const files = (count: number) =>
  Array.from({ length: count }, (_, k) => ({ file: `${k}.c`, path: `${k}.c` }));
const sizes = (count: number, jobs: number) => shares(files(count), jobs).map((some) => some.length);

it("gives a process no fewer files than it takes to start", () => {
  expect(sizes(0, 4)).toEqual([0]);
  expect(sizes(23, 4)).toEqual([23]);
  expect(sizes(24, 4)).toEqual([12, 12]);
  expect(sizes(100, 2)).toEqual([50, 50]);
  expect(sizes(100, 1)).toEqual([100]);
});

it("gives each file to one process", () => {
  const all = files(41);
  expect(new Set(shares(all, 3).flat())).toEqual(new Set(all));
});
