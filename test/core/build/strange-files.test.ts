/**
 * Folders and named pipes in place of files of arc or of a project: nothing waits forever, and the impossible is
 * reported.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Action } from "../../../core/build/model/action.ts";
import { shell, Workshop } from "./workshop.ts";

const actions: Action[] = [
  shell("upper", "tr a-z A-Z < a > A", { a: "a" }, ["A"]),
  shell("twice", "cat A A > AA", { A: ["upper", "A"] }, ["AA"]),
];

const strange = {
  folder: (path: string): void => {
    mkdirSync(join(path, "with/more"), { recursive: true });
  },
  "named pipe": (path: string): void => {
    expect(spawnSync("mkfifo", [path]).status).toBe(0);
  },
};

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function built(shop: Workshop): Promise<string> {
  try {
    const again = await shop.again();
    if (again === "up to date") return "";
    const whole = again === "graph may have changed" ? await shop.build(actions) : again;
    return whole
      .of("failed")
      .map(({ message }) => message)
      .join("\n");
  } catch (error) {
    return (error as Error).message;
  }
}

const kinds = Object.keys(strange) as (keyof typeof strange)[];

test.each(kinds)("a %s in place of a file that arc keeps is reported, or repaired", async (kind) => {
  const shop = new Workshop();
  shop.write("a", "a\n");
  expect(await built(shop)).toBe("");
  await shop.restart();
  const inStore = filesIn(shop.store).filter((path) => !path.startsWith(`${shop.store}/tmp/`));
  const kept = [...filesIn(shop.path(".arc")), ...inStore];
  const names = [...kept, ...["claims", "index", "lock"].map((name) => shop.path(`.arc/${name}`))];
  expect(names.length).toBeGreaterThan(8);
  for (const [round, path] of names.entries()) {
    const aside = join(shop.directory, "aside");
    const wasThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
    if (wasThere) renameSync(path, aside);
    strange[kind](path);
    shop.write("a", `${"x".repeat(round + 2)}\n`);
    const failure = await built(shop);
    if (failure !== "") expect(failure).toContain(`${path} is no file`);
    else expect(shop.read("out/AA")).toBe(`${"X".repeat(round + 2)}\n`.repeat(2));
    await shop.restart();
    rmSync(path, { recursive: true, force: true });
    if (wasThere) renameSync(aside, path);
    expect(await built(shop)).toBe("");
    expect(shop.read("out/AA")).toBe(`${"X".repeat(round + 2)}\n`.repeat(2));
    await shop.restart();
  }
});

test.each(kinds)("a %s in place of all blobs is removed, and they are made again", async (kind) => {
  const shop = new Workshop();
  shop.write("a", "a\n");
  await built(shop);
  await shop.restart();
  for (const blob of filesIn(`${shop.store}/cas`)) {
    rmSync(blob);
    strange[kind](blob);
  }
  rmSync(shop.path("out"), { recursive: true });
  expect(await built(shop)).toBe("");
  expect(shop.read("out/AA")).toBe("A\nA\n");
});

test.each(kinds)("a %s in the place of an output is reported, and stays", async (kind) => {
  const shop = new Workshop({ outputFolder: "elsewhere" });
  shop.write("a", "a\n");
  mkdirSync(shop.path("out"));
  strange[kind](shop.path("out/A"));
  expect(await built(shop)).toContain("out/A is in the way of an output: arc did not write it");
  expect(statSync(shop.path("out/A")).isFile()).toBe(false);
});

test("a named pipe in an input folder is reported", async () => {
  const shop = new Workshop();
  shop.write("data/x", "x\n");
  strange["named pipe"](shop.path("data/pipe"));
  const list = shell("list", "ls data > l", { data: "data" }, ["l"]);
  const failed = await shop.build([list]);
  expect(failed.of("failed")[0]?.message).toContain("data/pipe");
});

test("a source that is a device is reported, and the null device is an empty file", async () => {
  const shop = new Workshop();
  symlinkSync("/dev/zero", shop.path("a"));
  expect(await built(shop)).toContain("a is a device");
  rmSync(shop.path("a"));
  symlinkSync("/dev/null", shop.path("a"));
  expect(await built(shop)).toBe("");
  expect(shop.read("out/AA")).toBe("");
});
