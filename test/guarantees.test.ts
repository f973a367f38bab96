/** docs/guarantees.md names tests: they are there, in those words. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const rows = readFileSync(path.join(root, "docs/guarantees.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| promise "))
  .map((line) => line.slice(2, -2).split(" | "));

describe("each promise", () => {
  test("is in the table", () => expect(rows.length).toBeGreaterThan(15));

  test.each(rows)("%s: %s", (_, held = "") => {
    const [, file = "", words = ""] = /^`([^`]+)`: (.+)$/.exec(held) ?? [];
    expect(readFileSync(path.join(root, "test", file), "utf8")).toContain(words);
  });
});
