import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { structureOf } from "../../../../core/compiler/driver/structure.ts";
import { workItemId } from "../../../../targets/shared/device/device.ts";

const data = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom(undefined, null, true, false, 0, -0, Number.NaN, "", "0", "}", 0n, 1n),
    fc.integer({ min: 0, max: 3 }),
    fc.string({ maxLength: 2 }),
  ),
  any: fc.oneof(
    { maxDepth: 3 },
    tie("leaf"),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "kind"), tie("any"), { noNullPrototype: true }),
    fc.array(fc.tuple(tie("leaf"), tie("any")), { maxLength: 2 }).map((entries) => new Map(entries)),
    fc.uniqueArray(tie("leaf"), { maxLength: 2 }).map((elements) => new Set(elements)),
  ),
})).any;

/** Another object for each, with fields and elements in one order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value instanceof Map) return new Map([...value].map(([k, v]) => [k, ordered(v)]));
  if (value instanceof Set) return new Set(value);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([k, v]) => [k, ordered(v)]));
}
const inOrder = (value: unknown): string =>
  value instanceof Set || value instanceof Map ? "" : structureOf(value);

describe("a structure", () => {
  it("is equal for a copy, and for nothing that differs", () => {
    fc.assert(
      fc.property(data, data, (a, b) => {
        expect(structureOf(ordered(a))).toBe(structureOf(ordered(ordered(a))));
        // Equality takes maps and sets for equal in any order.
        if (!isDeepStrictEqual(a, b)) expect(structureOf(ordered(a))).not.toBe(structureOf(ordered(b)));
        else expect(inOrder(ordered(a))).toBe(inOrder(ordered(b)));
      }),
      { numRuns: 300 },
    );
  });

  it("distinguishes shared references from equal objects", () => {
    const one = { a: 1 };
    const ring = (length: number) => {
      const first: { next?: object } = {};
      let last = first;
      for (let k = 1; k < length; k++) last = last.next = {};
      last.next = first;
      return first;
    };
    expect(structureOf([one, one])).not.toBe(structureOf([one, { a: 1 }]));
    expect(structureOf(ring(3))).toBe(structureOf(ring(3)));
    expect(structureOf(ring(3))).not.toBe(structureOf(ring(2)));
  });

  it("takes functions and objects of classes for what they are only if they are the same", () => {
    class Hidden {
      readonly #value = 1;
      value(): number {
        return this.#value;
      }
    }
    const [one, other] = [new Hidden(), new Hidden()];
    const [f, g] = [() => 1, () => 1];
    expect(structureOf([one, f])).toBe(structureOf([one, f]));
    expect(structureOf(one)).not.toBe(structureOf(other));
    expect(structureOf(f)).not.toBe(structureOf(g));
  });

  it("leaves out serial numbers of symbols, but not whether one is a place in the launch", () => {
    const numbered = (id: number) => ({ kind: "var", id, name: "x" });
    expect(structureOf(numbered(1))).toBe(structureOf(numbered(2)));
    const [here] = [workItemId("item")].flatMap((e) => (e.kind === "ident" ? [e.sym] : []));
    expect(structureOf(here)).not.toBe(structureOf({ ...here }));
  });
});
