/**
 * Runs generated functions and compares with plain C: under Oclgrind, which finds races even where results are correct
 * by luck, and as CUDA's text with fibers as threads (`lanes`), which has what OpenCL has not, such as shuffles.
 * `ARC_SLOW_TESTS=1` adds PoCL.
 */
import { afterAll, describe, expect, it } from "vitest";
import { differences } from "../../targets/fuzz/compare.ts";
import { Workshop } from "../../targets/runtime/harness.ts";

type Kind = "host" | "oclgrind" | "lanes" | "opencl";

/** Declares the test of `what`: `functions` are C texts; the one at index k is named `fk`. */
export function describeAsPlainC(
  what: string,
  functions: readonly string[],
  usual: readonly Kind[] = ["oclgrind", "lanes"],
): void {
  const shop = new Workshop("gcc", ["-w"]);
  afterAll(() => shop.remove());
  const kinds = process.env.ARC_SLOW_TESTS ? [...new Set([...usual, "opencl" as const])] : usual;
  describe(what, () => {
    it(`are what plain C computes, on ${kinds.join(" and ")}`, { timeout: 600_000 }, () => {
      const found = differences(functions, kinds, shop.archive());
      expect(
        found.map((d) => `${functions[Number(d.function?.slice(1))] ?? ""}\n${d.what}`).join("\n"),
      ).toEqual("");
    });
  });
}
