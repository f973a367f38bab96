/** Checked access throws where an element is missing, and never for one that is there, whatever its value. */
import { describe, expect, it } from "vitest";
import { entryOf, firstOf, itemAt, lastOf } from "../../../core/checked/access.ts";
import { mapTuple } from "../../../core/checked/tuples.ts";

describe("checked access", () => {
  it("reads elements that are there, including zeros, empty strings and false", () => {
    expect(itemAt([0, 1], 0)).toBe(0);
    expect(firstOf(["", "b"])).toBe("");
    expect(lastOf([true, false])).toBe(false);
    expect(lastOf(new Float64Array([1, 2]))).toBe(2);
    expect(entryOf(new Map([["a", 0n]]), "a")).toBe(0n);
  });

  it("throws with the place of an element that is not there", () => {
    expect(() => itemAt(["a"], 1)).toThrow("no element 1 in a list of 1");
    expect(() => itemAt(["a"], -1)).toThrow("no element -1 in a list of 1");
    expect(() => firstOf([])).toThrow("no element 0 in a list of 0");
    expect(() => lastOf([])).toThrow("no element -1 in a list of 0");
    expect(() => entryOf(new Map(), "a")).toThrow("no value for a key");
  });
});

describe("tuples", () => {
  it("keep their length in their type when they are mapped", () => {
    const [low, high]: readonly [string, string] = mapTuple([1, 2], (n, at) => `${at}:${n}`);
    expect([low, high]).toEqual(["0:1", "1:2"]);
  });
});
