import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inRegisters } from "../../../../targets/rtl/verilog/text/waiting.ts";
import { cases } from "../../../cases.ts";

const result = fc.record({
  result: fc.constantFrom("sum", "product"),
  from: fc.integer({ min: 1, max: 60 }),
  kept: fc.integer({ min: 1, max: 20 }),
});

describe("results that wait in registers", () => {
  it("have one register each, which never holds two however many iterations are under way", () => {
    fc.assert(
      fc.property(fc.array(result, { maxLength: 12 }), fc.integer({ min: 1, max: 20 }), (list, interval) => {
        const waiting = list.map(({ result, from, kept }, k) => ({
          name: `value${k}`,
          result,
          bits: 32,
          takes: `valid${from}`,
          from,
          until: from + Math.min(kept, interval),
        }));
        const registers = inRegisters(waiting, interval);
        expect(registers.flatMap((r) => r.users.map((u) => u.name)).sort()).toEqual(
          waiting.map((w) => w.name).sort(),
        );
        for (const { result, users } of registers) {
          expect(users.every((u) => u.result === result)).toBe(true);
          // Ten iterations, each an interval after the one before.
          const held = Array.from({ length: 10 }, (_, k) => k * interval).flatMap((entered) =>
            users.flatMap(({ from, until }) =>
              Array.from({ length: until - from }, (_, k) => entered + from + 1 + k),
            ),
          );
          expect(new Set(held).size).toBe(held.length);
        }
      }),
      cases(200),
    );
  });

  it("share one where one comes after the other", () => {
    const one = { result: "sum", bits: 32, takes: "" };
    const registers = inRegisters(
      [
        { ...one, name: "a", from: 3, until: 5 },
        { ...one, name: "b", from: 5, until: 6 },
        { ...one, name: "c", from: 10, until: 12 },
        { ...one, name: "d", from: 4, until: 5 },
      ],
      7,
    );
    // c is there in cycles 11 and 12, which are 4 and 5 of the interval: those of a.
    expect(registers.map(({ users }) => users.map(({ name }) => name))).toEqual([["a", "b"], ["d"], ["c"]]);
  });
});
