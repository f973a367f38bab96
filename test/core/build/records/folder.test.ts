/** Lists of folders that others may have written: refused, or laid out in their folder and nowhere else. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { layTree, readTree } from "../../../../core/build/files/tree.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import {
  encodeFolder,
  OWN_FOLDERS,
  parseFolder,
  SHARED_FOLDERS,
  type TreeEntry,
} from "../../../../core/build/records/folder.ts";
import { BadRecord } from "../../../../core/build/records/schema.ts";
import { cases } from "../../../cases.ts";
import { hostileFolders } from "./hostile.ts";
import { snapshot } from "./snapshot.ts";

const temporary: string[] = [];
afterEach(() => {
  for (const folder of temporary.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "arc-records-"));
  temporary.push(folder);
  return folder;
}

const D = digestBytes("x");
const isProgram = (path: string): boolean => path.endsWith("x");

function lay(entries: readonly TreeEntry[], folder: string): void {
  layTree(entries, folder, (_, file, executable) =>
    writeFileSync(file, "x", { flag: "wx", mode: executable ? 0o755 : 0o644 }),
  );
}

const readBack = (folder: string): TreeEntry[] =>
  readTree(folder, (file) => ({ digest: D, executable: isProgram(file) }));

describe("the list of a folder", () => {
  test.each(Object.entries(hostileFolders("/nowhere/at/all")))("with %s is refused in no time", (_, list) => {
    const start = performance.now();
    expect(() => parseFolder(Buffer.from(list), SHARED_FOLDERS)).toThrow(BadRecord);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test("that is honest is read as it was written", () => {
    const entries: TreeEntry[] = [
      { path: "a", kind: "empty" },
      { path: "a-b", kind: "file", digest: D, executable: false },
      { path: "b/c/ä ö\n", kind: "file", digest: D, executable: true },
      { path: "b/d", kind: "link", target: "../a" },
      { path: "b/e", kind: "link", target: "d/./../b" },
      { path: "c", kind: "link", target: "nothing/here" },
      { path: "d", kind: "link", target: "e" },
      { path: "e", kind: "link", target: "d/../.." },
    ];
    for (const limits of [OWN_FOLDERS, SHARED_FOLDERS])
      expect(parseFolder(Buffer.from(encodeFolder(entries)), limits)).toEqual(entries);
  });

  const part = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("a", "b", "c", "A", "s", "x", "é", "e\u0301") },
    { weight: 1, arbitrary: fc.constantFrom("", ".", "..", "\0", "\ud800", "n".repeat(255), "~", "C:") },
  );
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const target = fc
    .array(fc.constantFrom("a", "b", "s", "x", "..", "..", ".", ""), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join("/"));
  const row = fc.oneof(
    fc.tuple(path, fc.constantFrom("f", "x"), fc.constant<string>(D)),
    fc.tuple(path, fc.constant("l"), target),
    fc.tuple(path, fc.constant("e")),
    fc.tuple(path, fc.constantFrom("f", "l"), fc.constantFrom<unknown>("../x", null, 7, [])),
  );
  const sorted = (rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] =>
    [...rows].sort((a, b) => ordered(String(a[0]).split("/"), String(b[0]).split("/")));

  test("of random rows is refused, or becomes that folder and changes nothing around it", () => {
    let laid = 0;
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), fc.boolean(), (rows, inOrder) => {
        const bytes = Buffer.from(JSON.stringify(inOrder ? sorted(rows) : rows));
        let entries: TreeEntry[];
        try {
          entries = parseFolder(bytes, SHARED_FOLDERS);
        } catch (error) {
          expect(error).toBeInstanceOf(BadRecord);
          return;
        }
        const around = newFolder();
        mkdirSync(join(around, "in/here"), { recursive: true });
        for (const name of ["a", "b", "x", "in/a"]) writeFileSync(join(around, name), "kept");
        const before = snapshot(around);
        lay(entries, join(around, "in/here/laid"));
        const again = readBack(join(around, "in/here/laid"));
        const named = entries.map((entry) =>
          entry.kind === "file" ? { ...entry, executable: isProgram(entry.path) } : entry,
        );
        expect(again).toEqual(named);
        rmSync(join(around, "in/here/laid"), { recursive: true });
        expect(snapshot(around)).toEqual(before);
        rmSync(around, { recursive: true });
        laid += 1;
      }),
      cases(2000),
    );
    // Not all of it is refused for nothing.
    expect(laid).toBeGreaterThan(100);
  });
});

function ordered(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [left = "", right = ""] = [a[at], b[at]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
