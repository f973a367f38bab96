import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { type ListFolder, matchingFiles } from "../../../schema/document/patterns.ts";

const root = mkdtempSync(path.join(tmpdir(), "arc-patterns-"));
afterAll(() => rmSync(root, { recursive: true }));

const files = ["a.c", "b.c", "ab.h", ".hidden.c", "s/a.c", "s/t/a.c", "s/t/u/b.c", "s/.git/a.c", "é x/a+b.c"];
for (const file of files) {
  mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(root, file), "");
}
symlinkSync("none", path.join(root, "lost.c"));

const links = ["linked", "up"];
const list: ListFolder = (folder) => {
  try {
    return readdirSync(path.join(root, folder), { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      kind: entry.isDirectory() ? "folder" : links.includes(entry.name) ? "link-to-folder" : "file",
    }));
  } catch {
    return [];
  }
};

/** The files that a shell finds for patterns; folders are filtered out. */
function inShell(patterns: readonly string[]): readonly (readonly string[])[] {
  const script = `shopt -s globstar nullglob; export LC_ALL=C.UTF-8; IFS=
    for pattern; do for file in $pattern; do [ -d "$file" ] || printf '%s\\n' "$file"; done; echo; done`;
  const out = execFileSync("bash", ["-c", script, "bash", ...patterns], { cwd: root, encoding: "utf8" });
  return out
    .slice(0, -1)
    .split(/^\n/m)
    .map((names) => [...new Set(names.split("\n").filter(Boolean))].sort());
}

it("patterns find what they find in a shell", () => {
  const segment = fc.constantFrom(
    "*",
    "?",
    "**",
    "s",
    "t",
    "*.c",
    "a*",
    "?.c",
    ".*",
    ".g*",
    "*b*",
    "a.c",
    "l*",
    "é*",
    "a+*",
  );
  const pattern = fc
    .array(segment, { minLength: 1, maxLength: 4 })
    .map((segments) => segments.join("/"))
    .filter((text) => /[*?]/.test(text));
  const patterns = fc.sample(pattern, 200);
  const found = patterns.map((text) => [text, matchingFiles(text, list, () => false)]);
  const wanted = inShell(patterns);
  expect(found).toEqual(patterns.map((text, at) => [text, wanted[at]]));
});

it("excluded files and folders are not found, nor anything inside", () => {
  expect(matchingFiles("**/a.c", list, (name) => name === "s/t" || name === "a.c")).toEqual(
    ["s/a.c", "é x/a.c"].filter((name) => files.includes(name)),
  );
});

it("links to folders are only followed if named explicitly, so that cycles are impossible", () => {
  symlinkSync("s/t", path.join(root, "linked"));
  symlinkSync("..", path.join(root, "s/up"));
  const find = (pattern: string) => matchingFiles(pattern, list, () => false);
  expect(find("*/a.c")).toEqual(["linked/a.c", "s/a.c"]);
  expect(find("s/up/s/*.c")).toEqual(["s/up/s/a.c"]);
  expect(find("s/**/*.c")).toEqual(["s/a.c", "s/t/a.c", "s/t/u/b.c"]);
});
