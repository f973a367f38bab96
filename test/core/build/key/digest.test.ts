/** Digests are SHA-256, with the native part and without it. */
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { loadedWith, noLibrary, WAYS } from "../ways.ts";

/** The most bytes that the disk gives at once, as some network file systems do. */
const disk = vi.hoisted(() => ({ most: Number.POSITIVE_INFINITY }));
vi.mock(import("node:fs"), async (original) => {
  const fs = await original();
  const readSync = (file: number, bytes: Buffer, at: number, length: number, position: number): number =>
    fs.readSync(file, bytes, at, Math.min(length, disk.most), position);
  return { ...fs, readSync } as typeof fs;
});
afterEach(() => {
  disk.most = Number.POSITIVE_INFINITY;
  vi.restoreAllMocks();
});

const folder = mkdtempSync(join(tmpdir(), "arc-digest-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe.each(WAYS)("%s", async (way) => {
  const { digestBytes, digestOf, hashFile, isDigest } = await loadedWith(
    way,
    () => import("../../../../core/build/key/digest.ts"),
  );
  const parts = await loadedWith(way, () => import("../../../../core/build/key/sha256.ts"));

  test("the digest of bytes and of text is their SHA-256", ({ skip }) => {
    if (way === "native" && noLibrary !== undefined) skip(noLibrary);
    for (const some of ["", "a", "ü€\n", randomBytes(1), randomBytes(100_000)]) {
      expect(digestBytes(some)).toBe(sha256(some));
      expect(parts.sha256(some).toString("hex")).toBe(sha256(some));
    }
    // Each in memory of its own.
    const [a, b] = [parts.sha256("a"), parts.sha256("b")];
    expect([a, b].map((bytes) => bytes.toString("hex"))).toEqual(["a", "b"].map(sha256));
    expect(digestOf({ b: [1], a: null })).toBe(sha256('{"a":null,"b":[1]}'));
  });

  // Around the size of the buffer that files are read into.
  test.each([0, 1, 262_143, 262_144, 262_145, 600_000])(
    "the digest of a file of %i bytes is its SHA-256",
    (size) => {
      const bytes = randomBytes(size);
      const file = join(folder, `${way}-${size}`);
      writeFileSync(file, bytes);
      expect(hashFile(file)).toEqual({ digest: sha256(bytes), size });
    },
  );

  test("a file that the disk gives piece by piece is hashed to its end, and closed", () => {
    const file = join(folder, `${way}-pieces`);
    const bytes = randomBytes(300_000);
    writeFileSync(file, bytes);
    const open = readdirSync("/proc/self/fd").length;
    for (const most of [100_000, 299_999, 300_000]) {
      disk.most = most;
      expect(hashFile(file)).toEqual({ digest: sha256(bytes), size: bytes.length });
    }
    expect(readdirSync("/proc/self/fd")).toHaveLength(open);
  });

  test("hashing a missing file or a folder fails with the file system's error", () => {
    expect(() => hashFile(join(folder, "none"))).toThrow(expect.objectContaining({ code: "ENOENT" }));
    expect(() => hashFile(folder)).toThrow(expect.objectContaining({ code: "EISDIR" }));
  });

  test.skipIf(way === "portable" || noLibrary !== undefined)(
    "with the native part node:crypto is not loaded",
    () => {
      const loaded = createRequire(import.meta.url)("node:crypto");
      const used = [vi.spyOn(loaded, "hash"), vi.spyOn(loaded, "createHash")];
      const file = join(folder, "by the native part");
      writeFileSync(file, randomBytes(600_000));
      for (const some of ["", "a", randomBytes(100_000)]) digestBytes(some);
      parts.sha256("a");
      hashFile(file);
      for (const calls of used) expect(calls).not.toHaveBeenCalled();
    },
  );

  test("only 64 lower-case hexadecimal digits are a digest", () => {
    expect(isDigest(sha256(""))).toBe(true);
    for (const text of [
      "",
      "a".repeat(63),
      "a".repeat(65),
      "A".repeat(64),
      "g".repeat(64),
      `${"a".repeat(64)}\n`,
    ])
      expect(isDigest(text)).toBe(false);
    expect(isDigest(`x${"a".repeat(64)}`)).toBe(false);
  });
});
