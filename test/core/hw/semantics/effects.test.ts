/** The graph against C: results and side effects of expressions. */
import { expect, it } from "vitest";
import { cases } from "../../../cases.ts";
import { serialArrays } from "../../../targets/rtl/serial.ts";
import { builtOf } from "./built.ts";
import { randomEffects } from "./random-effects.ts";

it("each side effect of an expression happens once, whatever lvalue is set by it", {
  timeout: 300_000,
}, () => {
  const { numRuns, seed } = cases(60);
  const kernels = Array.from({ length: numRuns }, (_, k) => randomEffects(seed + k));
  const serial = serialArrays(kernels);
  const refused: string[] = [];
  kernels.forEach(({ source, given }, k) => {
    const built = builtOf(source);
    if ("diagnostics" in built) {
      refused.push(`${seed + k}: ${built.diagnostics[0]?.message}`);
      return;
    }
    expect({ ...serial[k], ...built.arrays(given) }, `seed ${seed + k}\n${source}`).toEqual(serial[k]);
  });
  // Where a pointer may lead to what the same statement has stored there is no hardware.
  expect(refused.length, refused.join("\n")).toBeLessThanOrEqual(Math.ceil(numRuns / 20));
});
