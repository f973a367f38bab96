import { existsSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { cleanProject } from "../../../../core/build/state/clean.ts";
import { hasBlob } from "../../../../core/build/store/store.ts";
import { shell, Workshop } from "../workshop.ts";

const copy = shell("copy", "cat a a > o", { a: "a" }, ["o"]);
const tree = shell("tree", "mkdir -p d/deep; cp a d/deep/x; echo y > d/y", { a: "a" }, [], {
  outputs: [{ name: "d", kind: "folder", place: "out/d" }],
});

const storeOf = ({ store }: Workshop) => ({
  has: (digest: Parameters<typeof hasBlob>[1]) => hasBlob(store, digest),
});

test("a folder in which the user changed something is left untouched, and so is a file", async () => {
  const shop = new Workshop();
  shop.write("a", "a\n");
  await shop.build([copy, tree]);
  await shop.engine.close();
  shop.write("out/d/mine", "mine\n");
  // The store has that, too.
  shop.write("out/o", "a\n");
  const retained = ["out/d", "out/o"];
  expect(cleanProject(shop.root, () => storeOf(shop), "out")).toEqual({ removed: [], retained });
  expect([shop.read("out/d/y"), shop.read("out/o")]).toEqual(["y\n", "a\n"]);
  shop.restart();
});

test("an unrecorded file is removed from the output folder if the store has it; other files stay", async () => {
  const shop = new Workshop();
  shop.write("a", "a\n");
  expect((await shop.build([copy, tree])).ok).toBe(true);
  await shop.engine.close();
  // As a kill leaves it that comes before the first records are written.
  rmSync(shop.path(".arc"), { recursive: true });
  shop.write("out/d/mine", "mine\n");
  expect(cleanProject(shop.root, () => storeOf(shop), "out")).toEqual({
    removed: ["out/d/deep/x", "out/d/y", "out/o"],
    retained: [],
  });
  expect([shop.read("out/d/mine"), existsSync(shop.path("out/d/deep")), shop.read("a")]).toEqual([
    "mine\n",
    false,
    "a\n",
  ]);
  shop.restart();
});
