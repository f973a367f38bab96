/** Changes at the end of a stamp file: a torn or damaged record, and everything after it, counts as never written. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodePatch, readPatches, type StampChange } from "../../../../core/build/files/stamp-patch.ts";
import { cases } from "../../../cases.ts";

const number = fc.oneof(fc.double(), fc.constantFrom(-1, 0, Number.NaN, 1_700_000_000_000.25));
const change = fc.record({
  row: fc.nat(),
  flags: fc.integer({ min: 0, max: 15 }),
  stamp: fc.array(number, { minLength: 4, maxLength: 4 }),
  digest: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});
const patches = fc.array(fc.array(change, { maxLength: 5 }), { maxLength: 4 });
/** Bytes of the file before, a multiple of eight. */
const START = 24;

function fileOf(encoded: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(START, 7), ...encoded]);
  return Buffer.from(new Uint8Array(bytes).buffer);
}

function read(file: Buffer): { readonly changes: readonly StampChange[]; readonly end: number } {
  const changes: StampChange[] = [];
  const end = readPatches(file, START, ({ row, flags, stamp, digest }) => {
    changes.push({ row, flags, stamp: Array.from(stamp), digest: new Uint8Array(digest) });
  });
  return { changes, end };
}

test("appended records are read back in order", () => {
  fc.assert(
    fc.property(patches, (written) => {
      const file = fileOf(written.map(encodePatch));
      expect(read(file)).toEqual({ changes: written.flat(), end: file.length });
    }),
    cases(100),
  );
});

test("a truncated or damaged file is read up to the damage", () => {
  fc.assert(
    fc.property(patches, fc.nat(), fc.option(fc.integer({ min: 1, max: 255 })), (written, where, flipped) => {
      const encoded = written.map(encodePatch);
      const ends = encoded.map((_, at) =>
        encoded.slice(0, at + 1).reduce((sum, { length }) => sum + length, START),
      );
      const whole = fileOf(encoded);
      if (whole.length === START) return;
      const damagedAt = START + (where % (whole.length - START));
      const kept = ends.filter((end) => end <= damagedAt).length;
      if (flipped !== null) whole[damagedAt] = (whole[damagedAt] as number) ^ flipped;
      const file = flipped === null ? whole.subarray(0, damagedAt) : whole;
      expect(read(file)).toEqual({
        changes: written.slice(0, kept).flat(),
        end: kept === 0 ? START : ends[kept - 1],
      });
    }),
    cases(300),
  );
});
