/**
 * Runs generated functions and compares with plain C: under Oclgrind, which finds races even where results are correct
 * by luck, and as CUDA's text with fibers as threads (`lanes`), which has what OpenCL has not, such as shuffles.
 * `ARC_SLOW_TESTS=1` adds PoCL.
 */
import { afterAll, describe, expect, it } from "vitest";
import { isSimulated, slow } from "../../sampled.ts";
import { differences } from "../../targets/fuzz/compare.ts";
import { Workshop } from "../../targets/runtime/harness.ts";

type Kind = "shared" | "host" | "oclgrind" | "lanes" | "opencl";

/**
 * Declares the test of `what`: `functions` are C texts; the one at index k is named `fk`. Each takes long under Oclgrind
 * and on fibers: it runs in one of the two ways, in turn.
 */
export function describeAsPlainC(
  what: string,
  functions: readonly string[],
  usual: readonly Kind[] = ["oclgrind", "lanes"],
): void {
  const shop = new Workshop("gcc", ["-w"]);
  afterAll(() => shop.remove());
  const kinds = slow ? [...new Set([...usual, "opencl" as const])] : usual;
  const without = (kind: Kind) => (slow || functions.length < 3 ? kinds : kinds.filter((k) => k !== kind));
  const programs = [
    { some: functions.filter((_, k) => isSimulated(k, functions.length)), on: without("lanes") },
    { some: functions.filter((_, k) => !isSimulated(k, functions.length)), on: without("oclgrind") },
  ];
  describe(what, () => {
    it.each(programs.filter(({ some, on }) => some.length > 0 && on.length > 0))(
      "are what plain C computes, on $on",
      { timeout: 600_000 },
      ({ some, on }) => {
        const found = differences(some, on, shop.archive());
        expect(
          found.map((d) => `${functions[Number(d.function?.slice(1))] ?? ""}\n${d.what}`).join("\n"),
        ).toEqual("");
      },
    );
  });
}
