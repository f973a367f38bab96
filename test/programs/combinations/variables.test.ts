/**
 * Variables of regions, over all pairs of where they are declared, which clause copies them, at which level, their shape
 * and type, the operator that reduces them, and who reads them behind: as plain C on the host with memory of its own, on
 * PoCL, and under Oclgrind, which finds races that come out right by luck. `ARC_SLOW_TESTS=1` takes all combinations.
 */
import { afterAll, describe, expect, it } from "vitest";
import { differences } from "../../targets/fuzz/compare.ts";
import { Workshop } from "../../targets/runtime/harness.ts";
import { allRows, pairwise } from "./covering.ts";
import { axes, type Combination, functionOf, isMeaningful } from "./variables.ts";

const shop = new Workshop("gcc", ["-w"]);
afterAll(() => shop.remove());

const every = allRows(axes, isMeaningful);
const rows = process.env.ARC_SLOW_TESTS ? every : pairwise<typeof axes>(every);

const PER_PROGRAM = 24;
const batches = Array.from({ length: Math.ceil(rows.length / PER_PROGRAM) }, (_, k) =>
  rows.slice(k * PER_PROGRAM, (k + 1) * PER_PROGRAM),
);

const written = (c: Combination) => Object.values(c).join(" ");

describe.each(["host", "opencl", "oclgrind"] as const)("variables of regions on %s", (kind) => {
  it.each(batches.map((batch, k) => ({ k, batch })))(
    "mean what the clauses say: combinations of batch $k",
    { timeout: 600_000 },
    ({ batch }) => {
      const functions = batch.map((c, k) => functionOf(c, `f${k}`));
      const found = differences(functions, [kind], shop.archive());
      const about = (name: string | undefined) => {
        const k = Number(name?.slice(1));
        return batch[k] ? `${written(batch[k])}\n${functions[k]}` : "the program";
      };
      expect(found.map((d) => `${about(d.function)}\n${d.what}`).join("\n\n")).toBe("");
    },
  );

  it("are generated in all pairs of their properties", () => {
    expect(rows.length).toBeGreaterThan(60);
  });
});
