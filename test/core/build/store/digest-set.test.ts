/** A set of digests holds what a Set of their texts holds. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Digest } from "../../../../core/build/model/action.ts";
import { DigestSet } from "../../../../core/build/store/digest-set.ts";
import { cases } from "../../../cases.ts";

const many = (count: number, name = ""): Digest[] =>
  Array.from({ length: count }, (_, at) => digestBytes(`${name}${at}`));

/** Digests of which many are looked for in one place, and which differ in one digit anywhere. */
const colliding = fc
  .tuple(fc.constantFrom("00", "01", "3f", "40", "ff"), fc.nat(61), fc.constantFrom("0", "1"))
  .map(([start, at, digit]) => {
    const rest = "0".repeat(62);
    return `${start}${rest.slice(0, at)}${digit}${rest.slice(at + 1)}` as Digest;
  });

const change = fc.tuple(fc.constantFrom("add" as const, "delete" as const), colliding);

test("after any additions and removals a digest is in the set as it is in a Set", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 400, size: "max" }), colliding, (changes, other) => {
      const [set, model] = [new DigestSet(), new Set<Digest>()];
      const isSame = (digest: Digest): boolean => set.has(digest) === model.has(digest);
      const atOnce = changes.filter(([what, digest]) => {
        set[what](digest);
        model[what](digest);
        return isSame(digest);
      });
      expect(atOnce.length).toBe(changes.length);
      expect([other, ...changes.map(([, changed]) => changed)].every(isSame)).toBe(true);
    }),
    cases(60),
  );
});

test("a set grows to any size and keeps what it has, without what was removed", () => {
  const set = new DigestSet();
  const digests = many(3000);
  for (const digest of digests) set.add(digest);
  digests.forEach((digest, at) => {
    if (at % 3 === 0) set.delete(digest);
  });
  for (const digest of many(3000, "more")) set.add(digest);
  expect(digests.map((digest) => set.has(digest))).toEqual(digests.map((_, at) => at % 3 !== 0));
  expect(many(3000, "more").every((digest) => set.has(digest))).toBe(true);
  expect(many(3000, "none").some((digest) => set.has(digest))).toBe(false);
});

test("removing what is not there takes no room", () => {
  const set = new DigestSet();
  for (const digest of many(1000)) set.delete(digest);
  expect(many(1000).some((digest) => set.has(digest))).toBe(false);
});

test("one set knows nothing of another", () => {
  const [one, other] = [new DigestSet(), new DigestSet()];
  const [digest] = many(1) as [Digest];
  one.add(digest);
  expect(other.has(digest)).toBe(false);
});
