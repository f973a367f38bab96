import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type * as Remove from "../../../../core/build/files/remove.ts";
import { SANDBOX_LIST } from "../../../../core/build/store/scratch-folder.ts";
import { ContentStore } from "../../../../core/build/store/store.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder that an action had. */
const inSandbox = join("sandbox-1", "work", "src");

/** Called while a tree is removed. */
const meanwhile = vi.hoisted(() => ({ does: (): void => {} }));

vi.mock("../../../../core/build/files/remove.ts", async (original) => {
  const real = await original<typeof Remove>();
  const removeTree = (path: string): void => {
    const sandbox = join(path, dirname(inSandbox));
    if (existsSync(sandbox)) rmSync(sandbox, { recursive: true });
    meanwhile.does();
    real.removeTree(path);
  };
  return { ...real, removeTree };
});

beforeEach(() => {
  meanwhile.does = () => {};
});

test("of processes that start at once, none removes the scratch folder that another adopts", () => {
  const directory = join(folder, "store");
  for (const name of ["left-a", "left-b", "left-c"]) {
    mkdirSync(join(directory, "tmp", name, inSandbox), { recursive: true });
    writeFileSync(join(directory, "tmp", name, SANDBOX_LIST), name);
  }
  const others: ContentStore[] = [];
  meanwhile.does = () => {
    meanwhile.does = () => {};
    others.push(new ContentStore(directory));
  };
  const stores = [new ContentStore(directory), ...others];
  expect(others).toHaveLength(1);
  for (const { scratch, sandboxList } of stores)
    expect(existsSync(join(scratch, inSandbox))).toBe(sandboxList !== undefined);
  expect(stores.some(({ sandboxList }) => sandboxList !== undefined)).toBe(true);
  for (const store of stores) store.close();
});
