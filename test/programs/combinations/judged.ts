/** Compares functions of combinations with plain C, several functions per program. */
import { afterAll, describe, expect, it } from "vitest";
import { isSimulated, slow } from "../../sampled.ts";
import { differences } from "../../targets/fuzz/compare.ts";
import { Workshop } from "../../targets/runtime/harness.ts";
import { type Axes, pairwise, type Row, rowsOf } from "./covering.ts";

const PER_PROGRAM = 24;

/**
 * The host with separate memory, PoCL, and Oclgrind, which finds races even if results are correct by luck.
 */
const KINDS = ["host", "opencl", "oclgrind"] as const;

/** PoCL takes up to a second to compile a kernel with barriers: it gets each fourth program. */
const POCL_EACH = 4;

/** Limit on functions with `ARC_SLOW_TESTS=1`, spread over all combinations. */
const MOST = 2000;

/** Tests all pairs on the kinds in `often`, and some on PoCL; with `ARC_SLOW_TESTS=1` many combinations on every kind. */
export function judged<A extends Axes>(
  what: string,
  axes: A,
  isMeaningful: (row: Row<A>) => boolean,
  functionOf: (row: Row<A>, name: string) => string,
  often: readonly (typeof KINDS)[number][] = ["host", "oclgrind"],
): void {
  const shop = new Workshop("gcc", ["-w"]);
  afterAll(() => shop.remove());

  const every = rowsOf(axes, isMeaningful);
  const rows = slow ? every.filter((_, k) => k % Math.ceil(every.length / MOST) === 0) : pairwise<A>(every);
  const batches = Array.from({ length: Math.ceil(rows.length / PER_PROGRAM) }, (_, k) =>
    rows.slice(k * PER_PROGRAM, (k + 1) * PER_PROGRAM),
  );

  const runs = {
    host: () => often.includes("host"),
    opencl: (k: number) => often.includes("opencl") || k % POCL_EACH === 0,
    oclgrind: (k: number) => often.includes("oclgrind") && isSimulated(k, batches.length),
  };
  const programs = batches.map((batch, k) => ({
    k,
    batch,
    kinds: KINDS.filter((kind) => slow || runs[kind](k)),
  }));
  describe(what, () => {
    it.each(programs.filter(({ kinds }) => kinds.length > 0))(
      "mean what the clauses say: combinations of batch $k on $kinds",
      { timeout: 600_000 },
      ({ batch, kinds }) => {
        const functions = batch.map((row, k) => functionOf(row, `f${k}`));
        const found = differences(functions, kinds, shop.archive());
        const about = (name: string | undefined) => {
          const row = batch[Number(name?.slice(1))];
          return row ? `${Object.values(row).join(" ")}\n${functionOf(row, name as string)}` : "the program";
        };
        expect(found.map((d) => `${about(d.function)}\n${d.what}`).join("\n\n")).toBe("");
      },
    );

    it("are generated in all pairs of their properties", () => {
      expect(rows.length).toBeGreaterThan(20);
    });
  });
}
