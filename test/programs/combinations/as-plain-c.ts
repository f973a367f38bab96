/**
 * The judge of generated functions: each computes what plain C computes, on every kind that is asked for. Oclgrind is always asked, as it
 * finds races that come out right by luck; `ARC_SLOW_TESTS=1` asks PoCL too.
 */
import { afterAll, describe, expect, it } from "vitest";
import { differences } from "../../targets/fuzz/compare.ts";
import { Workshop } from "../../targets/runtime/harness.ts";

/** Declares the tests of `what`: `functions` are texts in C, the one at index k named `fk`. */
export function describeAsPlainC(what: string, functions: readonly string[]): void {
  const shop = new Workshop("gcc", ["-w"]);
  afterAll(() => shop.remove());
  const kinds = process.env.ARC_SLOW_TESTS ? (["opencl", "oclgrind"] as const) : (["oclgrind"] as const);
  describe.each(kinds)(`${what}, on %s`, (kind) => {
    it("are what plain C computes", { timeout: 300_000 }, () => {
      const found = differences(functions, [kind], shop.archive());
      expect(
        found.map((d) => `${functions[Number(d.function?.slice(1))] ?? ""}\n${d.what}`).join("\n"),
      ).toEqual("");
    });
  });
}
