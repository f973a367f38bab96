/**
 * `npm run docs`: writes anew what commands and tests make of pages in docs/. Figures that need a machine of their own, a
 * GPU or a quiet processor, name their command, commit and machine beside them and are not among these.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { madeParts } from "./made-parts.mjs";

const root = path.join(import.meta.dirname, "..");

/** Tests that hold a page against what is true, and write it where they are told to. */
const tests = [
  "test/conformance/conformance.test.ts",
  "test/core/compiler/estimate/tables.test.ts",
  "test/core/lint/page.test.ts",
  "test/edits/edits.test.ts",
];

const commands = [
  ...new Set(madeParts().map(({ command }) => command)),
  `npx vitest run -u ${tests.join(" ")}`,
];
for (const command of commands) {
  console.log(`$ ${command}`);
  const run = spawnSync("sh", ["-c", command], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, UPDATE: "1", ARC_UPDATE: "1" },
  });
  if (run.status !== 0) process.exit(run.status ?? 1);
}
