/** An index of a log leads to each key's records, or says that it cannot tell: it never hides one. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { hashOf, RecordOffsets } from "../../../../core/build/files/record-offsets.ts";
import { sha256 } from "../../../../core/build/key/sha256.ts";
import { RecordIndex, writeRecordIndex } from "../../../../core/build/store/record-index.ts";
import { cases } from "../../../cases.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-index-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let tests = 0;
let file: string;
beforeEach(() => {
  tests += 1;
  mkdirSync(join(folder, String(tests)));
  file = join(folder, String(tests), "index");
});

/** An index of records with these keys, one every 100 bytes. */
function write(keys: readonly string[], ino = 7): void {
  const offsets = new RecordOffsets();
  for (const [at, key] of keys.entries()) offsets.note(hashOf(key), 100 * at);
  writeRecordIndex(file, { ino, end: 100 * keys.length }, offsets);
}

/** Newest first. */
const offsetsOf = (keys: readonly string[], key: string): number[] =>
  keys.flatMap((one, at) => (one === key ? [100 * at] : [])).reverse();

const read = (): RecordIndex => RecordIndex.read(file) as RecordIndex;
const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `key ${at}`);

describe("an index", () => {
  test("finds all offsets of a key, newest first, and none of others", () => {
    const key = fc.nat(60).map((number) => `k${number}`);
    fc.assert(
      fc.property(fc.array(key, { maxLength: 200, size: "max" }), (keys) => {
        write(keys);
        const index = read();
        const all = Array.from({ length: 64 }, (_, number) => `k${number}`);
        expect(all.map((one) => [...index.find(one)])).toEqual(all.map((one) => offsetsOf(keys, one)));
        expect(index).toMatchObject({
          ino: 7,
          end: 100 * keys.length,
          records: keys.length,
          keys: new Set(keys).size,
        });
      }),
      cases(40),
    );
  });

  test.each([0, 1, 2, 3, 31, 32, 63, 64, 500])(
    "of %i records is at most half full, and not much larger",
    (count) => {
      const keys = many(count);
      write(keys);
      const index = read();
      expect(keys.map((key) => [...index.find(key)])).toEqual(keys.map((_, at) => [100 * at]));
      expect([...index.find("none")]).toEqual([]);
      // 12 bytes for each slot and 8 for each 64 of them.
      expect(statSync(file).size).toBeLessThan(150 + 50 * (count + 1));
      expect(statSync(file).size).toBeGreaterThan(24 * count);
    },
  );

  test("replaces an older one", () => {
    write(["a"]);
    write(["b", "a"], 8);
    expect([read().ino, ...read().find("a"), ...read().find("b")]).toEqual([8, 100, 0]);
    expect(readdirSync(join(file, ".."))).toEqual(["index"]);
  });

  test("that cannot be written is an error, and leaves nothing", () => {
    mkdirSync(join(file, "x"), { recursive: true });
    expect(() => write(["a"])).toThrow(expect.objectContaining({ code: "EISDIR" }));
    expect(readdirSync(join(file, ".."))).toEqual(["index"]);
  });
});

describe("no index", () => {
  test("is what is not there, or no file", () => {
    expect(read()).toBeUndefined();
    mkdirSync(file);
    expect(read()).toBeUndefined();
  });

  test("is one that is shorter or longer than it was written", () => {
    write(many(40));
    const bytes = readFileSync(file);
    for (const length of [0, 1, 55, 56, 57, 64, 100, bytes.length - 1]) {
      writeFileSync(file, bytes.subarray(0, length));
      expect(read()).toBeUndefined();
    }
    for (const more of [1, 8]) {
      writeFileSync(file, Buffer.concat([bytes, Buffer.alloc(more)]));
      expect(read()).toBeUndefined();
    }
  });

  test("is one of another format", () => {
    write(many(3));
    const bytes = readFileSync(file);
    bytes.writeDoubleLE(bytes.readDoubleLE(0) + 1, 0);
    const slots = bytes.readDoubleLE(40);
    sha256(bytes.subarray(0, 56)).copy(bytes, 56 + 12 * slots, 0, 8);
    writeFileSync(file, bytes);
    expect(read()).toBeUndefined();
  });
});

/** For each key what the index says, or "damaged". */
function answers(keys: readonly string[]): (number[] | "damaged")[] | undefined {
  const index = RecordIndex.read(file);
  return (
    index &&
    keys.map((key) => {
      const found = [...index.find(key)];
      // What it found before it came to the damaged part is right, too.
      return found.includes(undefined) ? "damaged" : (found as number[]);
    })
  );
}

describe("a damaged index", () => {
  const keys = many(100);
  const asked = [...keys, "none"];
  const right = asked.map((key) => offsetsOf(keys, key));

  test("says so for what it cannot tell, and is right about the rest", () => {
    write(keys);
    const bytes = readFileSync(file);
    const parts: string[] = [];
    for (let at = 0; at < bytes.length; at += 37) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 0x40;
      writeFileSync(file, damaged);
      const said = answers(asked);
      parts.push(said === undefined ? "none" : String(said.filter((one) => one === "damaged").length));
      const wrong = said?.filter((one, number) => one !== "damaged" && String(one) !== String(right[number]));
      expect(wrong ?? []).toEqual([]);
      // Each byte counts, and one never costs all.
      expect(said?.every((one) => one === "damaged")).not.toBe(true);
    }
    expect(new Set(parts).size).toBeGreaterThan(3);
    expect(parts).not.toContain("0");
  });

  test("is one that has a part of another", () => {
    write(keys, 8);
    const other = readFileSync(file);
    write(keys);
    const mixed = readFileSync(file);
    const header = 56;
    const blocks = mixed.subarray(header);
    other.copy(blocks, 0, header);
    // With its own header, so that only the blocks are another's.
    const slots = mixed.readDoubleLE(40);
    sha256(mixed.subarray(0, header)).copy(mixed, header + 12 * slots, 0, 8);
    writeFileSync(file, mixed);
    expect(answers(asked)).toEqual(asked.map(() => "damaged"));
  });
});
