import { describe, expect, it } from "vitest";
import { randomKernel } from "./random-kernel.ts";
import { serialArrays } from "./serial.ts";
import { designsOf, simulate } from "./simulation.ts";

/** Seeds of small kernels; more on demand: ARC_RTL_NETLISTS=1-40. */
const wanted = process.env.ARC_RTL_NETLISTS;
const [from = 0, to = -1] = (wanted ?? "").split("-").map(Number);
const seeds = wanted === undefined ? [3, 2] : Array.from({ length: to - from + 1 }, (_, k) => from + k);

describe("netlists of random integer kernels, half of them with local arrays", () => {
  const kernels = seeds.map((seed) => randomKernel(seed, false, seed % 2 === 0));
  const serial = serialArrays(kernels);
  it.each(seeds.map((seed, k) => [seed, k] as const))(
    "compute what gcc's program computes: seed %i",
    (_, k) => {
      const { source, given } = kernels[k] as (typeof kernels)[number];
      const [made] = designsOf(source, {}, k % 2 === 0 ? "one" : "separate");
      if (!made || "diagnostics" in made) return expect(wanted, "a kernel that is refused").toBeDefined();
      const run = simulate(made, given, { latency: 3, stalls: 4, seed: k }, "netlist");
      expect({ ...serial[k], ...run.arrays }, source).toEqual(serial[k]);
    },
    120_000,
  );
});
