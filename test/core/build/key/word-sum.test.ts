/** One checksum, in JavaScript and in C. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { wordSum } from "../../../../core/build/key/word-sum.ts";
import { cases } from "../../../cases.ts";
import { loadedWith, noLibrary } from "../ways.ts";

const words = fc.uint32Array({ maxLength: 300, size: "max" });

test.skipIf(noLibrary !== undefined)("the native part sums as JavaScript does", async () => {
  const { native } = await loadedWith("native", () => import("../../../../core/build/native/native.ts"));
  if (native === undefined) throw new Error("no native part");
  const { wordSum: sum } = native;
  fc.assert(
    fc.property(words, fc.integer({ min: 0, max: 2 ** 32 - 1 }), (some, seed) => {
      expect(sum(some, seed)).toBe(wordSum(some, undefined, seed));
    }),
    cases(300),
  );
});

test("changing any bit changes the sum", () => {
  fc.assert(
    fc.property(words, fc.nat(), fc.nat(31), (some, at, bit) => {
      if (some.length === 0) return;
      const other = some.slice();
      other[at % some.length] = (some[at % some.length] as number) ^ (1 << bit);
      expect(wordSum(other)).not.toBe(wordSum(some));
    }),
    cases(300),
  );
});

test("many words are left to the native part, and few are not, as a call would take longer", () => {
  const fast = { wordSum: (some: Uint32Array, seed: number) => some.length + seed };
  expect(wordSum(new Uint32Array(1000), fast, 1)).toBe(1001);
  const few = new Uint32Array(8);
  expect(wordSum(few, fast, 1)).toBe(wordSum(few, undefined, 1));
});
