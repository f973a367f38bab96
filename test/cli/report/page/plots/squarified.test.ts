/** Rectangles of a treemap. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { squarified } from "../../../../../cli/report/page/plots/squarified.ts";

it("has areas equal to its values, fills its rectangle, and has no overlaps", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 30 }), (unsorted) => {
      const values = [...unsorted].sort((a, b) => b - a);
      const place = { x: 5, y: 7, width: 300, height: 100 };
      const made = squarified(values, place);
      const unit = 30_000 / values.reduce((a, b) => a + b, 0);
      for (const [i, { x, y, width, height }] of made.entries()) {
        expect(width * height).toBeCloseTo((values[i] as number) * unit, 3);
        expect(x).toBeGreaterThan(5 - 1e-6);
        expect(y).toBeGreaterThan(7 - 1e-6);
        expect(x + width).toBeLessThan(305 + 1e-6);
        expect(y + height).toBeLessThan(107 + 1e-6);
        for (const other of made.slice(0, i)) {
          const across = Math.min(x + width, other.x + other.width) - Math.max(x, other.x);
          const down = Math.min(y + height, other.y + other.height) - Math.max(y, other.y);
          expect(Math.min(across, down)).toBeLessThan(1e-6);
        }
      }
    }),
    { numRuns: 100, seed: 3 },
  );
});

it("makes equal values nearly square", () => {
  const made = squarified(
    Array.from({ length: 12 }, () => 1),
    { x: 0, y: 0, width: 400, height: 300 },
  );
  for (const { width, height } of made) expect(Math.max(width / height, height / width)).toBeLessThan(1.5);
});
