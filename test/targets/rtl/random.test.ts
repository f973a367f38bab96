import { describe, expect, it } from "vitest";
import { randomKernel } from "./random-kernel.ts";
import { serialArrays } from "./serial.ts";
import { designsOf, simulate } from "./simulation.ts";

/** More on demand: ARC_RTL_SEEDS=100-400. */
const [from = 1, to = 24] = (process.env.ARC_RTL_SEEDS ?? "1-24").split("-").map(Number);
const seeds = Array.from({ length: to - from + 1 }, (_, k) => from + k);

describe("designs of random kernels", () => {
  it.each([
    ["integers", seeds, false, false],
    ["floating-point numbers", seeds.slice(0, Math.ceil(seeds.length / 6)), true, false],
    ["local arrays", seeds.slice(0, Math.ceil(seeds.length / 3)), false, true],
  ] as const)(
    "compute with %s what gcc's program computes, whatever memory does, however many ports lead to it and whether operations take turns",
    (_, seeds, reals, tables) => {
      const kernels = seeds.map((seed) => randomKernel(seed, reals, tables));
      const serial = serialArrays(kernels);
      const refused: string[] = [];
      kernels.forEach(({ source, given }, k) => {
        const turns = {
          "share-fadd": 1,
          "share-fmul": (k % 3) + 1,
          "share-fdiv": 1,
          "share-mul": 1,
          "share-div": 1,
        };
        const [made] = designsOf(source, k % 2 === 0 ? {} : turns, k % 2 === 0 ? "one" : "separate");
        if (!made || "diagnostics" in made) {
          refused.push(`${seeds[k]}: ${made?.diagnostics[0]?.message}`);
          return;
        }
        const run = simulate(made, given, { latency: 3, stalls: k % 3 === 0 ? 0 : 6, seed: k });
        expect({ ...serial[k], ...run.arrays }, `seed ${seeds[k]}\n${source}`).toEqual(serial[k]);
      });
      // A tenth; of few programs one says nothing of the others.
      expect(refused.length, refused.join("\n")).toBeLessThanOrEqual(Math.max(1, seeds.length / 10));
    },
  );
});
