import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { holderName } from "../../../../core/build/files/lock-owner.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import { resultKey } from "../../../../core/build/key/key.ts";
import type { ActionResult } from "../../../../core/build/key/result.ts";
import type { Digest } from "../../../../core/build/model/action.ts";
import { encodeFolder } from "../../../../core/build/records/folder.ts";
import { RefusedRecords } from "../../../../core/build/records/refused.ts";
import { ActionLog } from "../../../../core/build/store/action-cache.ts";
import {
  hasRoom,
  keepWithin,
  makeRoom,
  pruneStore,
  storeStats,
  verifyStore,
} from "../../../../core/build/store/housekeeping.ts";
import { RecordLog } from "../../../../core/build/store/record-log.ts";
import { ContentStore } from "../../../../core/build/store/store.ts";
import { shell, Workshop } from "../workshop.ts";

/** A call that fails, on paths that contain a text. */
const disk = vi.hoisted(() => ({ call: "", code: "", path: "" }));
vi.mock(import("node:fs"), async (original) => {
  const fs = await original();
  const failing = (call: "renameSync" | "statSync" | "utimesSync") => {
    const real = fs[call] as (...args: unknown[]) => unknown;
    return (...args: unknown[]): unknown => {
      // A look that must find something, not one that asks whether it is there.
      const isMeant = disk.call === call && (call !== "statSync" || args.length === 1);
      if (isMeant && String(args[0]).includes(disk.path))
        throw Object.assign(new Error(`${disk.code}: ${call}`), { code: disk.code, syscall: call });
      return real(...args);
    };
  };
  const calls = {
    renameSync: failing("renameSync"),
    statSync: failing("statSync"),
    utimesSync: failing("utimesSync"),
  };
  return { ...fs, ...calls } as typeof fs;
});
afterEach(() => void Object.assign(disk, { call: "" }));

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

test("announced runs of processes that were killed long ago are forgotten", async () => {
  const shop = new Workshop();
  await shop.build([shell("a", "echo > o", {}, ["o"])]);
  const folder = join(shop.store, "running");
  for (const [name, days] of [
    ["old", 8],
    ["new", 1],
  ] as const) {
    symlinkSync("1-1-elsewhere", join(folder, name));
    const then = Date.now() / 1000 - days * 86_400;
    lutimesSync(join(folder, name), then, then);
  }
  pruneStore(shop.store, {});
  expect(readdirSync(folder)).toEqual(["new"]);
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
  expect(left[0]).toMatch(/^left-/);
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

/** A store at rest: no process holds it. */
function atRest(): { shop: Workshop; put: (text: string, days?: number) => Digest } {
  const shop = new Workshop();
  const put = (text: string, days = 1): Digest => {
    const store = new ContentStore(shop.store);
    const digest = store.putBytes(text);
    store.close();
    age(shop.store, digest, days);
    return digest;
  };
  put("");
  rmSync(`${shop.store}/cas`, { recursive: true });
  mkdirSync(`${shop.store}/cas`);
  return { shop, put };
}

function record(shop: Workshop, name: string, part: Partial<ActionResult>): ActionResult {
  const key = digestBytes(name);
  const result = { base: key, key, outputs: [], seconds: 1, ...part };
  const log = new ActionLog(shop.store, new RefusedRecords());
  log.append(result, false);
  log.close();
  return result;
}

const output = (digest: Digest, kind: "file" | "folder" = "file") => ({ name: "o", kind, digest, size: 1 });

const secondsOf = (shop: Workshop, name: string): number[] =>
  [...new ActionLog(shop.store, new RefusedRecords()).candidates(digestBytes(name))].map(
    ({ seconds }) => seconds,
  );

describe("the figures of a store", () => {
  test("are zero for one that is empty or not there", () => {
    const none = { blobs: 0, bytes: 0, results: 0, failures: 0 };
    expect(storeStats("/nowhere")).toEqual(none);
    expect(storeStats(atRest().shop.store)).toEqual(none);
  });

  test("count blobs and what clients sent, but no other files, and each result once", () => {
    const { shop, put } = atRest();
    put("1", 3);
    put("22", 7);
    const sent = `${shop.store}/ac/ab/ab${digestBytes("").slice(2)}`;
    mkdirSync(`${shop.store}/ac/ab`, { recursive: true });
    for (const file of [sent, `${shop.store}/ac/ab/other`, `${shop.store}/cas/file`])
      writeFileSync(file, "333");
    for (const seconds of [1, 2]) record(shop, "a", { seconds });
    record(shop, "b", { failure: { message: "no" } });
    const [name = ""] = readdirSync(`${shop.store}/actions`);
    copyFileSync(`${shop.store}/actions/${name}`, `${shop.store}/actions/copy`);
    const { oldest = 0, newest = 0, ...counted } = storeStats(shop.store);
    expect(counted).toEqual({ blobs: 3, bytes: 6, results: 2, failures: 1 });
    expect(Math.round((Date.now() - oldest) / DAY)).toBe(7);
    expect(Math.round((Date.now() - newest) / DAY)).toBe(0);
  });
});

describe("pruning", () => {
  test("removes nothing from a store that just keeps its limits", () => {
    const { shop, put } = atRest();
    const digests = [put("12", 5), put("345", 2)];
    expect(pruneStore(shop.store, { maxBytes: 5, maxAgeMs: 6 * DAY })).toEqual({
      blobs: 0,
      bytes: 0,
      results: 0,
      leftBytes: 5,
      pinnedBytes: 0,
    });
    expect(pruneStore(shop.store, {}).blobs).toBe(0);
    expect(left(shop, digests)).toEqual([true, true]);
  });

  test("obeys both limits, and forgets the results that lost their bytes", () => {
    const { shop, put } = atRest();
    const digests = [put("1", 9), put("22", 8), put("333", 2), put("4444", 1)];
    for (const [at, digest] of digests.entries()) record(shop, String(at), { outputs: [output(digest)] });
    expect(pruneStore(shop.store, { maxBytes: 8, maxAgeMs: 5 * DAY })).toEqual({
      blobs: 2,
      bytes: 3,
      results: 2,
      leftBytes: 7,
      pinnedBytes: 0,
    });
    expect(left(shop, digests)).toEqual([false, false, true, true]);
    expect(["0", "1", "2", "3"].map((name) => secondsOf(shop, name).length)).toEqual([0, 0, 1, 1]);
  });

  test("keeps what is left of a key's results in their order", () => {
    const { shop, put } = atRest();
    const [gone, kept] = [put("1", 9), put("2", 1)];
    const files = (name: string) => ({ files: [], missing: [name] });
    const base = digestBytes("a");
    const of = (name: string, seconds: number, digest: Digest) =>
      record(shop, "a", {
        seconds,
        discovered: files(name),
        key: resultKey(base, files(name)),
        outputs: [output(digest)],
      });
    of("x", 1, kept);
    of("y", 2, gone);
    of("z", 3, kept);
    of("w", 4, kept);
    // Recorded once more: the newest counts.
    of("x", 5, kept);
    record(shop, "b", { outputs: [output(gone)] });
    expect(pruneStore(shop.store, { maxBytes: 1 })).toMatchObject({ blobs: 1, results: 2 });
    expect(secondsOf(shop, "a")).toEqual([5, 4, 3]);
    expect(secondsOf(shop, "b")).toEqual([]);
    expect(storeStats(shop.store).results).toBe(3);
  });

  test("removes what clients sent, too", () => {
    const { shop } = atRest();
    const sent = `${shop.store}/ac/ab/ab${digestBytes("").slice(2)}`;
    mkdirSync(`${shop.store}/ac/ab`, { recursive: true });
    writeFileSync(sent, "1");
    utimesSync(sent, 1, 1);
    expect(pruneStore(shop.store, { maxAgeMs: DAY })).toMatchObject({ blobs: 1, bytes: 1 });
    expect(existsSync(sent)).toBe(false);
  });

  test("of what a server may be sending waits an hour", () => {
    const { shop, put } = atRest();
    const digests = [put("1", 2 / 24), put("2", 0.5 / 24)];
    const server = new ContentStore(shop.store, "serves");
    expect(pruneStore(shop.store, { maxBytes: 0 })).toMatchObject({ blobs: 1, pinnedBytes: 1 });
    expect(left(shop, digests)).toEqual([false, true]);
    server.close();
  });
});

describe("the results of folders", () => {
  test.each([
    ["whose files are all there stay", "1", 0],
    ["of which a file is missing are forgotten", "missing", 1],
  ])("%s", (_, text, forgotten) => {
    const { shop, put } = atRest();
    put("1");
    const list = put(
      encodeFolder([
        { path: "a", kind: "file", digest: digestBytes(text), executable: false },
        { path: "b", kind: "empty" },
        { path: "c", kind: "link", target: "a" },
      ]),
    );
    record(shop, "a", { outputs: [output(list, "folder")] });
    expect(verifyStore(shop.store)).toEqual({ blobs: 2, damaged: [], results: forgotten });
    expect(secondsOf(shop, "a")).toHaveLength(1 - forgotten);
  });

  test("whose lists are none are forgotten", () => {
    const { shop, put } = atRest();
    record(shop, "a", { outputs: [output(put("no list"), "folder")] });
    expect(verifyStore(shop.store)).toEqual({ blobs: 1, damaged: [], results: 1 });
  });
});

describe("verifying", () => {
  test("counts as no use, and leaves what has no digest of its own", () => {
    const { shop, put } = atRest();
    const digest = put("1", 9);
    const sent = `${shop.store}/ac/ab/ab${digestBytes("").slice(2)}`;
    mkdirSync(`${shop.store}/ac/ab`, { recursive: true });
    writeFileSync(sent, "1");
    const path = `${shop.store}/cas/${digest.slice(0, 2)}/${digest}`;
    const { atimeMs, mtimeMs } = statSync(path);
    expect(verifyStore(shop.store)).toEqual({ blobs: 1, damaged: [], results: 0 });
    expect(statSync(path)).toMatchObject({ atimeMs, mtimeMs });
    expect(existsSync(sent)).toBe(true);
  });

  test.each([
    ["ENOENT", "stays"],
    ["EPERM", "stays"],
    ["EIO", "goes"],
  ])("a blob that cannot be read (%s) %s", (code, what) => {
    const { shop, put } = atRest();
    const digest = put("1");
    Object.assign(disk, { call: "statSync", code, path: digest });
    const damaged = what === "goes" ? [digest] : [];
    expect(verifyStore(shop.store)).toEqual({ blobs: 1, damaged, results: 0 });
    expect(left(shop, [digest])).toEqual([what === "stays"]);
  });

  test("a blob of another user's is an error, and stays", () => {
    const { shop, put } = atRest();
    const digest = put("1");
    Object.assign(disk, { call: "statSync", code: "EACCES", path: digest });
    expect(() => verifyStore(shop.store)).toThrow(expect.objectContaining({ code: "EACCES" }));
    expect(left(shop, [digest])).toEqual([true]);
  });

  test("needs no right to set the times of files", () => {
    const { shop, put } = atRest();
    const digest = put("1");
    Object.assign(disk, { call: "utimesSync", code: "EROFS", path: digest });
    expect(verifyStore(shop.store)).toEqual({ blobs: 1, damaged: [], results: 0 });
  });

  test("passes over records that are no results", () => {
    const { shop, put } = atRest();
    const result = record(shop, "a", { outputs: [output(put("1"))] });
    const log = new RecordLog(`${shop.store}/actions/${result.base.slice(0, 2)}.log`, "actions");
    log.append([[result.base, "no result"]]);
    log.close();
    expect(verifyStore(shop.store)).toEqual({ blobs: 1, damaged: [], results: 0 });
    expect(storeStats(shop.store)).toMatchObject({ results: 1 });
    expect(secondsOf(shop, "a")).toEqual([1]);
  });

  test("names a damaged blob, and forgets bad records with the results that need it", () => {
    const { shop, put } = atRest();
    const [good, bad] = [put("1"), put("2")];
    record(shop, "a", { outputs: [output(good)] });
    record(shop, "b", { outputs: [output(good), { ...output(bad), name: "p" }] });
    const path = `${shop.store}/cas/${bad.slice(0, 2)}/${bad}`;
    chmodSync(path, 0o644);
    writeFileSync(path, "3");
    expect(verifyStore(shop.store)).toEqual({ blobs: 2, damaged: [bad], results: 1 });
    expect([left(shop, [good, bad]), secondsOf(shop, "a"), secondsOf(shop, "b")]).toEqual([
      [true, false],
      [1],
      [],
    ]);
  });
});

describe("the limit of a store", () => {
  const usage = (shop: Workshop): number => Number(readFileSync(`${shop.store}/usage`, "utf8"));

  test("is kept by what builds add, which are counted without looking at the blobs", () => {
    const { shop, put } = atRest();
    put("x".repeat(100), 9);
    // A store of unknown size is counted.
    expect(keepWithin(shop.store, 0, 1000)).toBeUndefined();
    expect(usage(shop)).toBe(100);
    expect(keepWithin(shop.store, 400, 1000)).toBeUndefined();
    expect(usage(shop)).toBe(500);
    expect(keepWithin(shop.store, 500, 1000)).toBeUndefined();
    expect(usage(shop)).toBe(1000);
    // It is exceeded by the count; pruning counts what is really there.
    expect(keepWithin(shop.store, 1, 1000)).toMatchObject({ blobs: 0, leftBytes: 100 });
    expect(usage(shop)).toBe(100);
    expect(readdirSync(shop.store).filter((name) => name.startsWith("usage"))).toEqual(["usage"]);
  });

  test("when exceeded is restored to nine tenths, oldest first", () => {
    const { shop, put } = atRest();
    const digests = [9, 8, 7, 6, 5, 4].map((days) => put(String(days).repeat(200), days));
    expect(keepWithin(shop.store, 0, 1100)).toMatchObject({ blobs: 2, leftBytes: 800 });
    expect(left(shop, digests)).toEqual([false, false, true, true, true, true]);
  });

  test("counts only what was added in a store that this process made", () => {
    const { shop, put } = atRest();
    put("x".repeat(100));
    expect(keepWithin(shop.store, 7, 1000, true)).toBeUndefined();
    expect(usage(shop)).toBe(7);
  });

  test.each(["", "many", "Infinity", "5x", "-5"])("is kept where the count is %j", (text) => {
    const { shop, put } = atRest();
    put("x".repeat(100));
    writeFileSync(`${shop.store}/usage`, text);
    expect(hasRoom(shop.store, 900, 1000)).toBe(true);
    expect(hasRoom(shop.store, 901, 1000)).toBe(false);
  });

  test("is kept although its count cannot be written", () => {
    const { shop, put } = atRest();
    put("x".repeat(100));
    Object.assign(disk, { call: "renameSync", code: "ENOSPC", path: "usage" });
    expect(keepWithin(shop.store, 0, 1000)).toBeUndefined();
    expect(readdirSync(shop.store).filter((name) => name.startsWith("usage"))).toEqual([]);
    expect(hasRoom(shop.store, 901, 1000)).toBe(false);
  });

  test("makes room for what does not fit, if that is possible", () => {
    const { shop, put } = atRest();
    const digests = [put("1".repeat(500), 9), put("2".repeat(300), 1)];
    expect(makeRoom(shop.store, 200, 1000)).toBe(true);
    expect(left(shop, digests)).toEqual([true, true]);
    expect(hasRoom(shop.store, 201, 1000)).toBe(false);
    expect(makeRoom(shop.store, 201, 1000)).toBe(true);
    expect(left(shop, digests)).toEqual([false, true]);
    expect(makeRoom(shop.store, 1001, 1000)).toBe(false);
    put("3", 2);
    expect(makeRoom(shop.store, 1000, 1000)).toBe(true);
    expect(left(shop, digests)).toEqual([false, false]);
  });
});
