/** Events that a watch receives while folders replace each other. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Changes } from "../../../cli/watch/changes.ts";

let root: string;
let changes: Changes;
const put = (file: string, text: string) => writeFileSync(path.join(root, file), text);

let replaced = 0;

/** Another folder in the place of one. */
function replace(folder: string): void {
  replaced += 1;
  mkdirSync(path.join(root, "out/fresh"));
  renameSync(path.join(root, folder), path.join(root, `out/old-${replaced}`));
  renameSync(path.join(root, "out/fresh"), path.join(root, folder));
}

/** Batches until one has the file. */
async function heardOf(file: string): Promise<boolean> {
  for (;;) if ((await changes.next()).includes(file)) return true;
}

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "arc-changes-"));
  for (const folder of ["out", "made", "src"]) mkdirSync(path.join(root, folder));
  put("a.c", "before");
  changes = new Changes(root);
  changes.ignore(["made"]);
});

afterEach(() => {
  changes.close();
  rmSync(root, { recursive: true });
});

// Wherever between two watchers, or after them, a save falls.
it.each(["made", "src"])("is every save after another %s took the place of one", async (folder) => {
  for (let delay = 80; delay <= 140; delay += 6) {
    replace(folder);
    await sleep(delay);
    put("a.c", `after ${folder} ${delay}`);
    expect(await heardOf("a.c")).toBe(true);
    await sleep(60);
  }
});

it("is a save among links that lead in circles, which appear and go", async () => {
  symlinkSync(root, path.join(root, "src/around"));
  symlinkSync("around/src", path.join(root, "src/again"));
  symlinkSync("self", path.join(root, "src/self"));
  put("src/b.c", "one");
  expect(await heardOf("src/b.c")).toBe(true);
  for (const link of ["around", "again", "self"]) rmSync(path.join(root, "src", link));
  put("src/b.c", "two");
  expect(await heardOf("src/b.c")).toBe(true);
  await sleep(60);
});
