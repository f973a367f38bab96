/** Results are found by base key, newest first, by every process; what is no result of the key is left out and told. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import { resultKey } from "../../../../core/build/key/key.ts";
import type { ActionResult } from "../../../../core/build/key/result.ts";
import type { Action, Digest } from "../../../../core/build/model/action.ts";
import { RefusedRecords } from "../../../../core/build/records/refused.ts";
import { ActionLog } from "../../../../core/build/store/action-cache.ts";
import { RecordLog } from "../../../../core/build/store/record-log.ts";

const disk = vi.hoisted(() => ({ fails: false, synced: 0 }));
vi.mock(import("node:fs"), async (original) => {
  const fs = await original();
  const readSync = (...args: unknown[]): number => {
    if (disk.fails) throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO", syscall: "read" });
    return (fs.readSync as (...all: unknown[]) => number)(...args);
  };
  const fsyncSync = (file: number): void => {
    disk.synced += 1;
    fs.fsyncSync(file);
  };
  return { ...fs, readSync, fsyncSync } as typeof fs;
});

const folder = mkdtempSync(join(tmpdir(), "arc-actions-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let stores = 0;
let store: string;
let refused: RefusedRecords;
beforeEach(() => {
  stores += 1;
  store = join(folder, String(stores));
  refused = new RefusedRecords();
  disk.fails = false;
});

/** Another process. */
const cache = (): ActionLog => new ActionLog(store, refused);
const base = digestBytes("base");
/** In the same log. */
const neighbour = `${base.slice(0, 2)}${digestBytes("other").slice(2)}` as Digest;
/** In another one. */
const elsewhere = digestBytes("elsewhere");

/** A result that discovered a file of this number. */
function resultOf(number: number, of: Digest = base): ActionResult {
  const discovered = { files: [[`h${number}`, digestBytes("")]] as [string, Digest][], missing: [] };
  const outputs = [{ name: "o", kind: "file", digest: digestBytes(String(number)), size: 1 }] as const;
  return { base: of, key: resultKey(of, discovered), discovered, outputs, seconds: number };
}

const found = (log: ActionLog, of: Digest = base, action?: Action): number[] =>
  [...log.candidates(of, action)].map(({ seconds }) => seconds);

/** Lookups of one log: the first few search it, the later ones index it. */
const LOOKUPS = [1, 2, 3, 4, 5, 6, 7];

/** A record that is no result of the key. */
function appendRaw(json: string): void {
  const log = new RecordLog(join(store, "actions", `${base.slice(0, 2)}.log`), "raw");
  log.append([[base, json]]);
  log.close();
}

describe("the results of a key", () => {
  test("are found newest first, at every lookup, by who wrote them and by others", () => {
    const mine = cache();
    expect(found(mine)).toEqual([]);
    for (const number of [1, 2, 3]) mine.append(resultOf(number), false);
    mine.append(resultOf(7, neighbour), false);
    mine.append(resultOf(8, elsewhere), false);
    for (const log of [mine, cache()]) {
      for (const _ of LOOKUPS) expect(found(log)).toEqual([3, 2, 1]);
      expect(found(log, neighbour)).toEqual([7]);
      expect(found(log, elsewhere)).toEqual([8]);
      expect(found(log, digestBytes("none"))).toEqual([]);
    }
  });

  test("are as they were recorded", () => {
    cache().append(resultOf(1), false);
    expect([...cache().candidates(base)]).toEqual([resultOf(1)]);
  });

  test("include what other processes record meanwhile", () => {
    const [mine, theirs] = [cache(), cache()];
    const numbers: number[] = [];
    for (const number of LOOKUPS) {
      theirs.append(resultOf(number), false);
      numbers.unshift(number);
      expect(found(mine)).toEqual(numbers);
    }
  });

  test("are considered only so far, the newest ones", () => {
    const log = cache();
    const numbers = Array.from({ length: 40 }, (_, at) => at);
    for (const number of numbers) log.append(resultOf(number), false);
    const newest = numbers.reverse().slice(0, 32);
    for (const _ of LOOKUPS) expect(found(log)).toEqual(newest);
  });

  test("are still found after the logs were closed", () => {
    const log = cache();
    log.append(resultOf(1), false);
    const open = (): number => readdirSync("/proc/self/fd").length;
    const before = open();
    log.close();
    expect(open()).toBe(before - 1);
    expect(found(log)).toEqual([1]);
    log.close();
  });

  test("need only the log of the key's first byte, which is opened once", () => {
    const log = cache();
    for (const number of [1, 2, 3]) log.append(resultOf(number), false);
    log.append(resultOf(7, neighbour), false);
    log.append(resultOf(8, elsewhere), false);
    const names = [base, elsewhere].map((digest) => `${digest.slice(0, 2)}.log`).sort();
    expect(readdirSync(join(store, "actions")).sort()).toEqual(names);
    const files = readdirSync("/proc/self/fd").length;
    for (const _ of LOOKUPS) found(log);
    expect(readdirSync("/proc/self/fd")).toHaveLength(files);
    log.close();
  });

  test("survive a power loss if they are to", () => {
    const log = cache();
    const before = disk.synced;
    log.append(resultOf(1), false);
    expect(disk.synced).toBe(before);
    log.append(resultOf(2), true);
    expect(disk.synced).toBe(before + 1);
  });
});

describe("what is no result of the key", () => {
  const { key, outputs } = resultOf(1);
  test.each([
    ["no JSON", "{", /no JSON/],
    ["of another form", '{"base":1}', /the result.base is 1, not a digest/],
    ["of another key", JSON.stringify(resultOf(1, neighbour)), /of another action/],
    ["of another result", JSON.stringify({ base, key, outputs, seconds: 1 }), /another key/],
  ])("is left out and told: %s", (_, json, reason) => {
    const log = cache();
    log.append(resultOf(1), false);
    appendRaw(json);
    log.append(resultOf(2), false);
    for (const _again of LOOKUPS) {
      expect(found(log)).toEqual([2, 1]);
      expect(refused.take()).toMatch(reason);
    }
  });

  test("counts among those that are considered", () => {
    const log = cache();
    log.append(resultOf(1), false);
    for (let count = 0; count < 32; count += 1) appendRaw("{");
    expect(found(log)).toEqual([]);
  });

  test("does not fit the action, where one is named", () => {
    const log = cache();
    log.append(resultOf(1), false);
    const action = (name: string): Action => ({
      address: "a",
      step: "s",
      inputs: [],
      outputs: [{ name, kind: "file" }],
    });
    expect(found(log, base, action("o"))).toEqual([1]);
    expect(refused.take()).toBeUndefined();
    expect(found(log, base, action("p"))).toEqual([]);
    expect(refused.take()).toMatch(/"o", which a does not write/);
    expect(found(log)).toEqual([1]);
  });
});

describe("a disk that does not give back what it was given", () => {
  test("costs the results of that log, and is told once", () => {
    const log = cache();
    for (const digest of [base, elsewhere]) log.append(resultOf(1, digest), false);
    expect(log.takeLost()).toBeUndefined();
    disk.fails = true;
    expect(found(log)).toEqual([]);
    disk.fails = false;
    expect(log.takeLost()).toMatchObject({ code: "EIO" });
    expect(log.takeLost()).toBeUndefined();
    expect([found(log), found(log, elsewhere)]).toEqual([[], [1]]);
    log.append(resultOf(2), false);
    expect([found(log), found(cache())]).toEqual([[2], [2]]);
  });

  test("is told whichever log it is", () => {
    const log = cache();
    for (const digest of [base, elsewhere]) log.append(resultOf(1, digest), false);
    disk.fails = true;
    expect(found(log, elsewhere)).toEqual([]);
    expect(log.takeLost()).toMatchObject({ code: "EIO" });
  });
});

test("a torn record hides no other", () => {
  const log = cache();
  for (const number of [1, 2]) log.append(resultOf(number), false);
  log.close();
  const file = join(store, "actions", `${base.slice(0, 2)}.log`);
  writeFileSync(file, readFileSync(file).subarray(0, -1));
  log.append(resultOf(3), false);
  for (const _ of LOOKUPS) expect(found(log)).toEqual([3, 1]);
});

test("a store where a file takes the folder's place cannot be used, and names the remedy", () => {
  mkdirSync(store);
  writeFileSync(join(store, "actions"), "");
  expect(cache).toThrow(
    expect.objectContaining({ code: "store-unusable", remedy: expect.stringContaining("--store") }),
  );
});
