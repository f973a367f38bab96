/** Records as bytes: whatever stands between them, and however much of the log there is at a time, none that is intact is missed. */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { sha256 } from "../../../../core/build/key/sha256.ts";
import {
  encode,
  findRecords,
  readRecord,
  recordLength,
  scanRecords,
} from "../../../../core/build/store/record-bytes.ts";
import { cases } from "../../../cases.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-records-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Keys that look like the start of a record are among them. */
const key = fc.oneof(
  fc.constantFrom("a", "b", "arc\n", "xarc\n\x01"),
  fc.string({ maxLength: 5 }).filter((s) => !s.includes("\0")),
);
const record = fc
  .tuple(key, fc.json({ maxDepth: 1 }))
  .map(([name, json]) => ({ key: name, json, bytes: encode([[name, json]]) }));
/** What a crash, a full disk or a bad one leaves between records. */
const damage = fc.oneof(
  fc.tuple(record, fc.nat()).map(([{ bytes }, n]) => bytes.subarray(0, n % bytes.length)),
  fc.tuple(record, fc.nat(), fc.integer({ min: 1, max: 255 })).map(([{ bytes }, n, by]) => {
    const changed = Buffer.from(bytes);
    changed[n % bytes.length] = (changed[n % bytes.length] as number) ^ by;
    return changed;
  }),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(..."arc\n arc\narc\n a arcarc\n".split(" ")).map((text) => Buffer.from(text)),
);

type Piece = { readonly key: string; readonly json: string; readonly bytes: Buffer } | Buffer;
const bytesOf = (piece: Piece): Buffer => (Buffer.isBuffer(piece) ? piece : piece.bytes);

/** The intact records among pieces, as offset, key and value. */
function intact(pieces: readonly Piece[]): [offset: number, key: string, json: string][] {
  let at = 0;
  return pieces.flatMap((piece): [number, string, string][] => {
    const offset = at;
    at += bytesOf(piece).length;
    return Buffer.isBuffer(piece) ? [] : [[offset, piece.key, piece.json]];
  });
}

/** The records of a file that a scan reports and that can be read, oldest first. `sizes`: how long the file seems, one scan each. */
function scanned(bytes: Buffer, sizes: readonly number[], chunk: number): [number, string, string][] {
  const file = path.join(folder, "log");
  writeFileSync(file, bytes);
  const handle = openSync(file, "r");
  try {
    const found: [number, string, string][] = [];
    let done = 0;
    for (const size of sizes) {
      done = scanRecords(
        handle,
        done,
        size,
        (read, start, end, offset) => {
          const name = read.toString("utf8", start, end);
          const json = readRecord(handle, offset, name);
          if (json !== undefined) found.push([offset, name, json]);
        },
        chunk,
      );
      expect(done).toBeLessThanOrEqual(size);
    }
    return found;
  } finally {
    closeSync(handle);
  }
}

describe("a scan of records", () => {
  const pieces = fc.array(fc.oneof<fc.Arbitrary<Piece>[]>(record, record, damage), { maxLength: 8 });

  it("finds exactly the intact ones, whatever stands between them and however much is read at a time", () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 300 }), (parts, chunk) => {
        const bytes = Buffer.concat(parts.map(bytesOf));
        expect(scanned(bytes, [bytes.length], chunk)).toEqual(intact(parts));
      }),
      cases(2000),
    );
  });

  it("finds them as well when the file grows from scan to scan", () => {
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(), { maxLength: 4 }), (parts, cuts) => {
        const bytes = Buffer.concat(parts.map(bytesOf));
        const sizes = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
        expect(scanned(bytes, [...sizes, bytes.length], 4096)).toEqual(intact(parts));
      }),
      cases(2000),
    );
  });

  it("does not report one without a key", () => {
    const keyless = encode([["", ""]]);
    keyless.set(sha256(Buffer.from("x")).subarray(0, 4), 8);
    keyless.write("x", 12);
    for (const follows of [Buffer.alloc(0), encode([["a", "1"]])]) {
      const bytes = Buffer.concat([keyless, follows]);
      writeFileSync(path.join(folder, "keyless"), bytes);
      const handle = openSync(path.join(folder, "keyless"), "r");
      const keys: string[] = [];
      scanRecords(handle, 0, bytes.length, (read, start, end) =>
        keys.push(read.toString("utf8", start, end)),
      );
      expect(keys).toEqual(follows.length === 0 ? [] : ["a"]);
      closeSync(handle);
    }
  });

  it("goes on after the last whole record", () => {
    const whole = encode([["a", "1"]]);
    const torn = encode([["b", "2"]]).subarray(0, -1);
    const reports: number[] = [];
    writeFileSync(path.join(folder, "torn"), Buffer.concat([whole, torn]));
    const handle = openSync(path.join(folder, "torn"), "r");
    const size = whole.length + torn.length;
    expect(scanRecords(handle, 0, size, (_bytes, _start, _end, offset) => reports.push(offset))).toBe(
      whole.length,
    );
    expect(reports).toEqual([0]);
    closeSync(handle);
  });
});

describe("a search for a key", () => {
  it("gives the values of the intact records of that key, newest first", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof<fc.Arbitrary<Piece>[]>(record, record, damage), { maxLength: 8 }),
        (parts) => {
          const bytes = Buffer.concat(parts.map(bytesOf));
          for (const wanted of ["a", "b", "arc\n", "", ...intact(parts).map(([, name]) => name)])
            expect([...findRecords(bytes, wanted)]).toEqual(
              intact(parts)
                .filter(([, name]) => name === wanted)
                .map(([, , json]) => json)
                .reverse(),
            );
        },
      ),
      cases(1000),
    );
  });
});

describe("the length of a record", () => {
  it("is that of what was encoded, and none where no record begins", () => {
    const bytes = encode([["key", "[1]"]]);
    expect(recordLength(bytes, 0)).toBe(bytes.length);
    expect(recordLength(bytes.subarray(0, 12), 0)).toBe(bytes.length);
    expect(recordLength(bytes.subarray(0, 11), 0)).toBeUndefined();
    expect(recordLength(Buffer.concat([Buffer.from("x"), bytes]), 1)).toBe(bytes.length);
    expect(recordLength(bytes, 1)).toBeUndefined();
  });
});
