import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { holderName } from "../../../../core/build/files/lock-owner.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Digest } from "../../../../core/build/model/action.ts";
import { pruneStore, storeStats, verifyStore } from "../../../../core/build/store/housekeeping.ts";
import { ContentStore } from "../../../../core/build/store/store.ts";
import { shell, Workshop } from "../workshop.ts";

const DAY = 86_400_000;

/** Makes blobs look as if last used the given number of days ago. */
function age(store: string, digest: Digest, days: number): void {
  const time = (Date.now() - days * DAY) / 1000;
  utimesSync(`${store}/cas/${digest.slice(0, 2)}/${digest}`, time, time);
}

/** A store with blobs of 1000 bytes, by their age in days; no build runs on it. */
function aged(shop: Workshop, days: readonly number[]): Digest[] {
  const store = new ContentStore(shop.store);
  const digests = days.map((_, at) => store.putBytes(String(at).padStart(1000)));
  for (const [at, digest] of digests.entries()) age(shop.store, digest, days[at] as number);
  return digests;
}

function left(shop: Workshop, digests: readonly Digest[]): boolean[] {
  return digests.map((digest) => existsSync(`${shop.store}/cas/${digest.slice(0, 2)}/${digest}`));
}

test("what was not used for longest goes first, and no more than must", () => {
  const shop = new Workshop();
  const digests = aged(shop, [1, 9, 3, 7, 5]);
  expect(pruneStore(shop.store, { maxBytes: 3000 })).toMatchObject({
    blobs: 2,
    bytes: 2000,
    leftBytes: 3000,
  });
  expect(left(shop, digests)).toEqual([true, false, true, false, true]);
  expect(pruneStore(shop.store, { maxAgeMs: 4 * DAY })).toMatchObject({ blobs: 1 });
  expect(left(shop, digests)).toEqual([true, false, true, false, false]);
});

test("a blob used from time to time stays, however old it is", async () => {
  const shop = new Workshop();
  shop.write("a", "a\n");
  const actions = [
    shell("copy", "cat a > o; mkdir -p d; echo in d > d/x; echo said", { a: "a" }, [], {
      outputs: [
        { name: "o", kind: "file" },
        { name: "d", kind: "folder" },
      ],
    }),
  ];
  await shop.build(actions);
  const { log, outputs } = shop.engine.explain("copy").result;
  const inside = digestBytes("in d\n");
  const used = [...outputs.map((output) => output.digest), inside];
  for (const digest of used) age(shop.store, digest, 30);
  shop.restart();
  await shop.build(actions);
  await shop.engine.close();
  shop.restart();
  expect(storeStats(shop.store).oldest).toBeGreaterThan(Date.now() - 31 * DAY);
  pruneStore(shop.store, { maxAgeMs: 10 * DAY });
  expect(left(shop, used)).toEqual([true, true, true]);
  // Its output is printed when it comes from the cache.
  age(shop.store, log as Digest, 30);
  rmSync(shop.path(".arc"), { recursive: true });
  shop.restart();
  await shop.build(actions);
  await shop.engine.close();
  pruneStore(shop.store, { maxAgeMs: 10 * DAY });
  expect(left(shop, [log as Digest])).toEqual([true]);
});

test("nothing is removed that a running build has used or made", async () => {
  const shop = new Workshop();
  const old = aged(shop, [9]);
  // Another process that builds on this store.
  const other = spawn("sleep", ["1000"]);
  const name = holderName().replace(/^\d+-\d*/, () => {
    const stat = readFileSync(`/proc/${other.pid}/stat`, "latin1");
    return `${other.pid}-${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}`;
  });
  mkdirSync(`${shop.store}/tmp/${name}.1`, { recursive: true });
  const store = new ContentStore(shop.store);
  const fresh = store.putBytes("made just now");
  expect(pruneStore(shop.store, { maxBytes: 0 })).toMatchObject({ blobs: 1, pinnedBytes: 13 });
  expect(left(shop, [...old, fresh])).toEqual([false, true]);
  other.kill("SIGKILL");
  await new Promise((done) => other.on("exit", done));
  // This process itself made it not long ago, too.
  for (const held of readdirSync(`${shop.store}/tmp`))
    rmSync(`${shop.store}/tmp/${held}`, { recursive: true });
  age(shop.store, fresh, 1);
  expect(pruneStore(shop.store, { maxBytes: 0 })).toMatchObject({ blobs: 1 });
});

test("what a build on another machine may need stays while that lives, and not a day longer", async () => {
  const shop = new Workshop();
  await shop.build([shell("make", "echo 1 > o", {}, ["o"])]);
  await shop.engine.close();
  shop.restart();
  const elsewhere = `${shop.store}/tmp/7-100-elsewhere~1.1`;
  mkdirSync(elsewhere);
  expect(pruneStore(shop.store, { maxBytes: 0 })).toMatchObject({ blobs: 0 });
  expect(existsSync(elsewhere)).toBe(true);
  const days = (count: number): number => Date.now() / 1000 - count * 86_400;
  utimesSync(elsewhere, days(2), days(2));
  expect(pruneStore(shop.store, { maxBytes: 0 })).toMatchObject({ blobs: 1, pinnedBytes: 0 });
  new ContentStore(shop.store).close();
  expect(existsSync(elsewhere)).toBe(false);
});

test("a finished build protects nothing in a store, whichever machine it ran on", async () => {
  const shop = new Workshop();
  await shop.build([shell("make", "echo 1 > o", {}, ["o"])]);
  expect(readdirSync(`${shop.store}/tmp`)[0]).toContain(hostname());
  await shop.engine.close();
  shop.restart();
  const left = readdirSync(`${shop.store}/tmp`);
  expect(left).toHaveLength(1);
  expect(left[0]).not.toContain(hostname());
  // The next one takes it over, with the folders that actions run in.
  await shop.build([shell("make", "echo 2 > o", {}, ["o"])]);
  expect(readdirSync(`${shop.store}/tmp`)).toHaveLength(1);
});

test("results whose bytes went are forgotten, and the build after it makes them again", async () => {
  const shop = new Workshop();
  shop.write("a", "a\n");
  const copy = shell("copy", "cat a > o", { a: "a" }, ["o"]);
  const bad = shell("bad", "exit 3", { a: "a" }, ["b"]);
  await shop.build([copy, bad], { keepGoing: true });
  await shop.engine.close();
  shop.restart();
  expect(storeStats(shop.store)).toMatchObject({ results: 2, failures: 1 });
  for (const entry of readdirSync(`${shop.store}/cas`, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) age(shop.store, entry.name as Digest, 1);
  }
  expect(pruneStore(shop.store, { maxBytes: 0 }).results).toBe(1);
  expect(storeStats(shop.store)).toMatchObject({ blobs: 0, results: 1, failures: 1 });
  rmSync(shop.path("out"), { recursive: true });
  expect((await shop.build([copy])).ran).toEqual(["copy"]);
  expect(shop.read("out/o")).toBe("a\n");
});

test("a store is kept within its limit by the builds that fill it", async () => {
  const shop = new Workshop({ storeLimit: 300_000 });
  for (let round = 0; round < 8; round += 1) {
    const make = shell("make", `head -c 100000 /dev/zero | tr '\\0' '${round}' > o`, {}, ["o"]);
    expect((await shop.build([make])).ok).toBe(true);
    await shop.engine.close();
    shop.restart();
    for (const entry of readdirSync(`${shop.store}/cas`, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) age(shop.store, entry.name as Digest, 8 - round);
    }
  }
  expect(storeStats(shop.store).bytes).toBeLessThanOrEqual(400_000);
});

test("damaged blobs are found and removed, with the results that need them", async () => {
  const shop = new Workshop();
  await shop.build([shell("one", "echo 1 > o", {}, ["o"]), shell("two", "echo 2 > p", {}, ["p"])]);
  const { path, digest } = shop.engine.path("one", "o");
  expect(verifyStore(shop.store)).toMatchObject({ damaged: [], results: 0 });
  chmodSync(path, 0o644);
  writeFileSync(path, "x\n");
  expect(verifyStore(shop.store)).toMatchObject({ damaged: [digest], results: 1 });
  expect(storeStats(shop.store).results).toBe(1);
});
