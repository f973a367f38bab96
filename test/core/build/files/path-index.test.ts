import fc from "fast-check";
import { expect, test } from "vitest";
import { PathIndex, pathIndexBytes, writePathIndex } from "../../../../core/build/files/path-index.ts";
import { cases } from "../../../cases.ts";

const name = fc.oneof(fc.stringMatching(/^[a-c/.]{1,4}$/), fc.string({ unit: "grapheme", minLength: 1 }));
const paths = fc.uniqueArray(
  name.filter((path) => !path.includes("\0")),
  { maxLength: 60 },
);

test("the index finds every path by text and by number, and no other path", () => {
  fc.assert(
    fc.property(paths, name, (all, other) => {
      const bytes = writePathIndex(all);
      expect(bytes.length).toBe(pathIndexBytes(all.length));
      const index = new PathIndex(Buffer.from(all.map((path) => `${path}\0`).join("")), bytes, all.length);
      for (const [number, path] of all.entries()) {
        expect(index.find(path)).toBe(number);
        expect(index.path(number)).toBe(path);
      }
      if (!all.includes(other)) expect(index.find(other)).toBeUndefined();
    }),
    cases(100),
  );
});
