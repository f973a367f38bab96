/** What one compiler warns of is the next one's error, and then there is no native part, without a word. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const folders = ["core/build/native", "cli/native"];
const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".c"))
    .map((name) => join(folder, name)),
);

test.for(sources)("%s compiles without a warning", (source) => {
  // Passed by build.mjs.
  const macros = ['-DARC_BUILD="build"', '-DSNAPSHOT_FLAGS="--flag"', '-DCOMPILER_FLAGS="--flag"'];
  const flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-fsyntax-only"];
  const { stderr, error } = spawnSync("cc", [...flags, ...macros, source], { cwd: root, encoding: "utf8" });
  expect(error).toBeUndefined();
  expect(stderr).toBe("");
});
