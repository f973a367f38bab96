/**
 * Runs generated functions and compares with plain C: under Oclgrind, which finds races even where results are correct
 * by luck, and as CUDA's text with fibers as threads, which has what OpenCL has not, such as shuffles. `ARC_SLOW_TESTS=1`
 * adds PoCL.
 */
import { afterAll, describe, expect, it } from "vitest";
import { differences } from "../../targets/fuzz/compare.ts";
import { Workshop } from "../../targets/runtime/harness.ts";

/** Declares the tests of `what`: `functions` are C texts; the one at index k is named `fk`. */
export function describeAsPlainC(what: string, functions: readonly string[]): void {
  const shop = new Workshop("gcc", ["-w"]);
  afterAll(() => shop.remove());
  const slow = process.env.ARC_SLOW_TESTS !== undefined;
  const kinds = slow ? (["opencl", "oclgrind", "lanes"] as const) : (["oclgrind", "lanes"] as const);
  describe.each(kinds)(`${what}, on %s`, (kind) => {
    it("are what plain C computes", { timeout: 300_000 }, () => {
      const found = differences(functions, [kind], shop.archive());
      expect(
        found.map((d) => `${functions[Number(d.function?.slice(1))] ?? ""}\n${d.what}`).join("\n"),
      ).toEqual("");
    });
  });
}
