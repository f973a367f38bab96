import { describe, expect, it } from "vitest";
import { serialArrays } from "../serial.ts";
import { designedTogether, designsOf, simulate } from "../simulation.ts";
import { randomKernel } from "./random-kernel.ts";
import { randomChannels, randomProgram } from "./random-program.ts";

/** More on demand: ARC_RTL_SEEDS=100-400. */
const [from = 1, to = 24] = (process.env.ARC_RTL_SEEDS ?? "1-24").split("-").map(Number);
const seeds = Array.from({ length: to - from + 1 }, (_, k) => from + k);

/** The first ones: a fraction of all. */
const some = (share: number) => seeds.slice(0, Math.ceil(seeds.length / share));

describe("designs of random kernels", () => {
  it.each([
    ["integers", seeds, (seed: number) => randomKernel(seed), 10],
    ["floating-point numbers", some(6), (seed: number) => randomKernel(seed, true), 10],
    ["local arrays", some(3), (seed: number) => randomKernel(seed, false, true), 10],
    ["structs, unions, functions, nests and switches", some(4), randomProgram, 4],
  ] as const)(
    "compute with %s what gcc's program computes, whatever memory does, however many ports lead to it and whether operations take turns",
    (_, seeds, make, oneRefusedIn) => {
      const kernels = seeds.map((seed) => make(seed));
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
        const latency = k % 5 === 4 ? 30 : 3;
        const run = simulate(made, given, { latency, stalls: k % 3 === 0 ? 0 : 6, seed: k });
        expect({ ...serial[k], ...run.arrays }, `seed ${seeds[k]}\n${source}`).toEqual(serial[k]);
      });
      // With few programs, one says nothing about the others.
      expect(refused.length, refused.join("\n")).toBeLessThanOrEqual(
        Math.max(1, seeds.length / oneRefusedIn),
      );
    },
  );

  it("compute together what gcc's program computes one after the other, through channels", () => {
    const kernels = some(6).map((seed) => randomChannels(seed));
    const serial = serialArrays(kernels);
    kernels.forEach(({ source, given }, k) => {
      const made = designedTogether(source, k % 2 === 0 ? "separate" : "one");
      const run = simulate(made, given, { latency: 3, stalls: k % 3 === 0 ? 6 : 0, seed: k });
      expect({ ...serial[k], ...run.arrays }, `seed ${seeds[k]}\n${source}`).toEqual(serial[k]);
    });
  });
});
