import { rmSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { cleanProject } from "../../../../core/build/state/clean.ts";
import { hasBlob } from "../../../../core/build/store/store.ts";
import { type Built, shell, Workshop } from "../workshop.ts";

const make = (place: string, address = "make", kind: "file" | "folder" = "file") =>
  shell(address, kind === "file" ? "cat a > o" : "rmdir o; mkdir o; cat a > o/x", { a: "a" }, [], {
    outputs: [{ name: "o", kind, place }],
  });
const use = (source: string) => shell("use", "cat -- s/* s > u 2>/dev/null || true", { s: source }, ["u"]);
const other = shell("other", "echo x > p", {}, ["p"]);

const summary = (built: Built): string =>
  built
    .of("failed")
    .map(({ message }) => message)
    .join();

async function shopWith(...graph: readonly ReturnType<typeof make>[]): Promise<Workshop> {
  const shop = new Workshop();
  shop.write("a", "a\n");
  expect((await shop.build(graph)).ok).toBe(true);
  return shop;
}

/** Who read what an action wrote into a file or a folder, after the action went, or wrote elsewhere. */
const written = ["file", "folder"] as const;
const changes = {
  went: () => [other],
  "writes elsewhere": (kind: "file" | "folder") => [make("gen/a0.new", "make", kind)],
} as const;
const readers = {
  "the file": (kind: "file" | "folder") => use(kind === "file" ? "gen/a0" : "gen/a0/x"),
  "the folder around it": () => use("gen"),
} as const;

for (const kind of written)
  for (const [change, after] of Object.entries(changes))
    for (const [how, reader] of Object.entries(readers)) {
      // There a folder is read in which the action writes: that is another error.
      if (change === "writes elsewhere" && how === "the folder around it") continue;
      test(`a ${kind} that an action left which ${change} is no source of one that reads ${how}`, async () => {
        const shop = await shopWith(make("gen/a0", "make", kind));
        for (const again of [1, 2]) {
          // A build between, and a new process, forget nothing.
          if (again === 2) {
            expect((await shop.build(after(kind))).ok).toBe(true);
            await shop.restart();
          }
          expect(summary(await shop.build([...after(kind), reader(kind)]))).toMatch(
            /use reads gen\/a0\S*, which arc wrote for an action that is no more/,
          );
        }
        const file = kind === "file" ? "gen/a0" : "gen/a0/x";
        // Touched, it is the user's.
        const later = new Date(Date.now() + 5000);
        utimesSync(shop.path(file), later, later);
        expect((await shop.build([...after(kind), reader(kind)])).ok).toBe(true);
      });
    }

test("a leftover that was changed, or removed and made anew, is a source", async () => {
  const shop = await shopWith(make("gen/a0"));
  expect(summary(await shop.build([use("gen/a0")]))).toContain("`touch` it");
  shop.write("gen/a0", "mine\n");
  expect((await shop.build([use("gen/a0")])).ok).toBe(true);
  // The store has these bytes by now, from the user.
  expect((await shop.build([use("gen/a0"), other])).ok).toBe(true);
});

test("what a failed build wrote is a leftover, too", async () => {
  const shop = await shopWith(other);
  const bad = shell("bad", "exit 1", { o: ["make", "o"] }, ["b"]);
  expect((await shop.build([make("gen/a0"), bad])).ok).toBe(false);
  await shop.restart();
  expect(summary(await shop.build([use("gen/a0")]))).toContain("which arc wrote");
});

test("a header that an action left is refused where another one finds it", async () => {
  const shop = new Workshop();
  shop.write("a", "a\n");
  shop.step({
    name: "find",
    digest: "f".repeat(64) as never,
    async run(context) {
      const list = (await context.readInput("list")).toString().trim();
      for (const file of list.split(" ").filter((name) => name !== "")) context.discover(file);
      await context.writeOutput("f", "");
      return { ok: true };
    },
  });
  const find = (list: string) => {
    shop.write("list", list);
    return {
      address: "find",
      step: "find",
      inputs: [{ name: "list", from: { file: "list" } }],
      outputs: [{ name: "f", kind: "file" as const }],
    };
  };
  expect((await shop.build([make("gen/h"), make("gen/k", "two"), find("gen/h")])).ok).toBe(true);
  // Known and unchanged, but no action writes it any more.
  expect(summary(await shop.build([make("gen/k", "two"), find("gen/h")]))).toContain("find reads gen/h");
  expect((await shop.build([make("gen/k", "two"), find("")])).ok).toBe(true);
  // A build of a part knows that it cannot know.
  find("gen/h gen/k");
  expect(await shop.again()).toBe("graph may have changed");
  find("gen/k");
  expect(await shop.again()).toBe("graph may have changed");
  expect((await shop.build([make("gen/k", "two"), find("gen/k")])).ok).toBe(true);
});

test("leftover outputs are removed by a clean, except those touched since", async () => {
  const shop = await shopWith(make("gen/a0"), make("gen/b0", "two"), make("gen/c0", "three"));
  await shop.build([make("gen/a1"), make("gen/b1", "two")]);
  const later = new Date(Date.now() + 5000);
  utimesSync(shop.path("gen/b0"), later, later);
  await shop.engine.close();
  const store = { has: (digest: Parameters<typeof hasBlob>[1]) => hasBlob(shop.store, digest) };
  expect(cleanProject(shop.root, () => store)).toEqual({
    removed: ["gen/a0", "gen/a1", "gen/b1", "gen/c0"],
    retained: ["gen/b0"],
  });
  shop.restart();
});

test("without a journal the store identifies leftover outputs", async () => {
  const shop = await shopWith(make("gen/a0"));
  await shop.restart();
  rmSync(shop.path(".arc/journal"));
  rmSync(shop.path(".arc/index"), { force: true });
  expect(summary(await shop.build([use("gen/a0")]))).toContain("use reads gen/a0");
  await shop.restart();
  rmSync(shop.path(".arc/journal"), { force: true });
  const store = { has: (digest: Parameters<typeof hasBlob>[1]) => hasBlob(shop.store, digest) };
  expect(cleanProject(shop.root, () => store).removed).toContain("gen/a0");
});
