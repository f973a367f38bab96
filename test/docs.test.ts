/**
 * Pages in docs/ that commands generated: nobody edited them, and their inputs are unchanged (`npm run docs` generates
 * them again).
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { madeParts } from "../scripts/made-parts.mjs";

const root = path.resolve(import.meta.dirname, "..");
const parts = madeParts();

it.each(parts)("docs/$page is what `$command` writes", ({ digest, right, command }) => {
  expect(digest, `stale or edited by hand: run \`${command}\``).toBe(right);
});

it("there are such parts, and each command is there", () => {
  expect(parts.length).toBeGreaterThan(0);
  for (const { command } of parts)
    expect(readFileSync(path.join(root, command.split(" ")[1] ?? ""), "utf8")).toContain("writeMade(");
});
