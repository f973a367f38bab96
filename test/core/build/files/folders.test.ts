/** Folders that can be created, and those that never can: nothing waits for them. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeFolders } from "../../../../core/build/files/folders.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-folders-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = join(folder, "store.mjs");
beforeAll(async () => {
  await build({
    stdin: {
      contents: `import { ContentStore } from "./core/build/store/store.ts";
        try { new ContentStore(process.argv[2]).close(); } catch (error) { console.log(error.code); }`,
      resolveDir: join(import.meta.dirname, "../../../.."),
    },
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
});

test("making a folder makes missing parents and accepts an existing folder", () => {
  const deep = join(folder, "a/b/c");
  for (const path of [deep, deep, join(folder, "a/b/d"), "/"]) makeFolders(path);
  expect(statSync(deep).isDirectory()).toBe(true);
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolders(join(folder, "file"))).toThrow(/EEXIST/);
  expect(() => makeFolders(join(folder, "file/in/it"))).toThrow(/ENOTDIR/);
});

// In a separate process, which can be ended: a call that never returns cannot be interrupted from within.
test.each([
  "/proc/x",
  "/proc/self/x/y",
  "/proc/self/fd/999/x",
  "/dev/null/x",
  "/dev/null",
  "FIFO",
  "LOOP/x",
  "LONG",
])("%s is refused as the store at once", (name) => {
  if (name.startsWith("/proc") && !existsSync("/proc/self")) return;
  const fifo = join(folder, "fifo");
  if (!existsSync(fifo)) spawnSync("mkfifo", [fifo]);
  const loop = join(folder, "loop");
  rmSync(loop, { force: true });
  symlinkSync("loop", loop);
  const path = name
    .replace("FIFO", fifo)
    .replace("LOOP", loop)
    .replace("LONG", join(folder, "x".repeat(300)));
  const run = spawnSync(process.execPath, [program, path], { encoding: "utf8", timeout: 20_000 });
  expect({ signal: run.signal, said: run.stdout.trim() }).toEqual({ signal: null, said: "store-unusable" });
});
