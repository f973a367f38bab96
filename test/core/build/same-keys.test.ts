/** Actions of one build that have the same key. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Action } from "../../../core/build/model/action.ts";
import { shell, Workshop } from "./workshop.ts";

/** Actions that differ only in their names and output paths; each run of the script appends a line to a file. */
function alike(shop: Workshop, count: number, more: Partial<Action> = {}, end = ""): Action[] {
  const script = `echo run >> ${join(shop.directory, "runs")}; echo made | tee o; sleep 0.1; ${end}`;
  return Array.from({ length: count }, (_, k) =>
    shell(`same${k}`, script, {}, [], { outputs: [{ name: "o", kind: "file", place: `out/${k}` }], ...more }),
  );
}

const runs = (shop: Workshop): number =>
  readFileSync(join(shop.directory, "runs"), "utf8").split("\n").length - 1;

test.each([1, 2, 4])(
  "four actions with one key run once with %i jobs, and all get the result",
  async (jobs) => {
    const shop = new Workshop({ jobs });
    const built = await shop.build(alike(shop, 4));
    expect(built.counts).toMatchObject({ ran: 1, cached: 3, failed: 0 });
    expect(runs(shop)).toBe(1);
    for (let k = 0; k < 4; k += 1) expect(shop.read(`out/${k}`)).toBe("made\n");
    expect((await shop.build(alike(shop, 4))).counts).toMatchObject({ upToDate: 4 });
  },
);

test("actions with the key of a failed one fail likewise", async () => {
  const shop = new Workshop({ jobs: 2 });
  const built = await shop.build(alike(shop, 3, {}, "exit 1"), { keepGoing: true });
  expect(built.counts).toMatchObject({ failed: 3 });
  expect(runs(shop)).toBe(1);
});

test("after a failure the next action with the key tries again", async () => {
  const shop = new Workshop({ jobs: 2 });
  const first = join(shop.directory, "first");
  const once = alike(shop, 3, {}, `test -e ${first} || { touch ${first}; kill -9 $$; }`);
  const built = await shop.build(once, { keepGoing: true });
  expect(built.counts).toMatchObject({ ran: 1, cached: 1, failed: 1 });
  expect(runs(shop)).toBe(2);
});

test("uncached and forced actions run each time", async () => {
  const shop = new Workshop({ jobs: 2 });
  expect((await shop.build(alike(shop, 2, { cache: false }))).counts).toMatchObject({ ran: 2 });
  expect((await shop.build(alike(shop, 2), { force: true })).counts).toMatchObject({ ran: 2 });
});

test("the store is checked again when an action gets its turn: another arc may have made the result", async () => {
  const shop = new Workshop({ jobs: 1 });
  const go = join(shop.directory, "go");
  const slow = shell("slow", `while ! test -e ${go}; do sleep 0.02; done; echo > s`, {}, ["s"]);
  const other = new Workshop({ store: shop.store });
  const waiting = shop.build([slow, ...alike(shop, 1)], {
    onEvent: (event) => {
      if (event.type !== "running" || event.address !== "slow") return;
      void other.build(alike(shop, 1)).then(() => writeFileSync(go, ""));
    },
  });
  expect((await waiting).counts).toMatchObject({ ran: 1, cached: 1 });
  expect(runs(shop)).toBe(1);
});
