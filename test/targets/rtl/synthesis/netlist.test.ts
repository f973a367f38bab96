import { describe, expect, it } from "vitest";
import { randomKernel } from "../random/random-kernel.ts";
import { serialArrays } from "../serial.ts";
import { designed, designsOf, simulate } from "../simulation.ts";

/** Seeds of small kernels; more on demand: ARC_RTL_NETLISTS=1-40. */
const wanted = process.env.ARC_RTL_NETLISTS;
const [from = 0, to = -1] = (wanted ?? "").split("-").map(Number);
const seeds = wanted === undefined ? [3, 2] : Array.from({ length: to - from + 1 }, (_, k) => from + k);

/** With a delay line in block RAM, a queue, and a comparison that an iteration just misses. */
const late = `void work(int n, const unsigned char *restrict a, unsigned char *restrict out) {
#pragma acc parallel loop copyin(a[0:200]) copyout(out[0:200])
#pragma openarc transform window(a, out)
  for (int i = 0; i < n; i++) out[i] = (i < 90 ? 7 : a[i - 90]) ^ (a[i] + 3);
}`;

describe("netlists of other families", () => {
  const given = {
    n: 180,
    a: { bytes: 1, values: Array.from({ length: 200 }, (_, k) => (k * 7919) % 251) },
    out: { bytes: 1, values: Array.from({ length: 200 }, () => 1) },
  };
  it.each(["gw1nr-9c", ...(process.env.ARC_SLOW_TESTS ? ["lifcl-40"] : [])])(
    "compute what gcc's program computes: %s",
    (part) => {
      const run = simulate(designed(late), given, { latency: 3, stalls: 2, seed: 5 }, "netlist", part);
      const [serial] = serialArrays([{ source: late, given }]);
      expect({ ...serial, ...run.arrays }).toEqual(serial);
    },
    120_000,
  );
});

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
