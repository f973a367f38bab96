/** Values that are equal have one text, values that are not have others. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../../core/build/key/canonical.ts";
import type { Json } from "../../../../core/build/model/action.ts";
import { cases } from "../../../cases.ts";

const value = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

/** The same with the members of objects in another order, and absent ones written out. */
function reversed(of: Json): Json {
  if (Array.isArray(of)) return of.map(reversed);
  if (of === null || typeof of !== "object") return of;
  const members = Object.entries(of).map(([name, member]) => [name, reversed(member as Json)] as const);
  return Object.fromEntries([["absent~", undefined], ...members.reverse()]) as unknown as Json;
}

test("canonical text parses to the value", () => {
  fc.assert(
    fc.property(value, (some) => {
      expect(JSON.parse(canonicalJson(some))).toEqual(JSON.parse(JSON.stringify(some)));
    }),
    cases(300),
  );
});

test("canonical text does not depend on the order of members or on absent ones", () => {
  fc.assert(
    fc.property(value, (some) => {
      expect(canonicalJson(reversed(some))).toBe(canonicalJson(some));
    }),
    cases(300),
  );
});

describe("a value has one canonical text:", () => {
  const texts: readonly (readonly [Json, string])[] = [
    [null, "null"],
    [true, "true"],
    ["a\n", '"a\\n"'],
    ["", '""'],
    [1.5, "1.5"],
    [-0, "0"],
    [[-0, [0]] as Json, "[0,[0]]"],
    [{ a: -0 }, '{"a":0}'],
    [["a", 1, null, true, []], '["a",1,null,true,[]]'],
    [[{ b: 1, a: [{ d: 2, c: 3 }] }, 2], '[{"a":[{"c":3,"d":2}],"b":1},2]'],
    [{}, "{}"],
    [{ b: undefined, a: 1 } as unknown as Json, '{"a":1}'],
  ];
  test.each(texts)("%j has it byte for byte", (some, text) => {
    expect(canonicalJson(some)).toBe(text);
  });
});

describe("a value without canonical text is refused with an alternative:", () => {
  const values = [Number.NaN, Number.POSITIVE_INFINITY, undefined, () => 0, 1n, Symbol("s")];
  test.each(values.flatMap((some) => [[some], [[1, some]], [[{ a: some }, some]]]))("%o", (some) => {
    expect(() => canonicalJson(some as unknown as Json)).toThrow(
      expect.objectContaining({
        code: "not-canonical",
        message: expect.stringContaining("without a canonical form"),
        remedy: expect.stringContaining("finite numbers"),
      }),
    );
  });
});
