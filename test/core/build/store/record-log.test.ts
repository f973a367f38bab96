/** Logs and their indices: whatever is lost, old, damaged, of another log or written meanwhile, no record is ever missed. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { RecordLog } from "../../../../core/build/store/record-log.ts";
import { cases } from "../../../cases.ts";

/**
 * How the disk behaves: reads fail, or the next write takes only so many bytes; what was read, how often written and
 * synced.
 */
const disk = vi.hoisted(() => ({
  fails: "",
  takes: Number.POSITIVE_INFINITY,
  read: 0,
  written: 0,
  synced: 0,
}));
vi.mock(import("node:fs"), async (original) => {
  const fs = await original();
  const readSync = (...args: unknown[]): number => {
    if (disk.fails !== "") throw Object.assign(new Error(disk.fails), { code: disk.fails, syscall: "read" });
    const count = (fs.readSync as (...all: unknown[]) => number)(...args);
    disk.read += count;
    return count;
  };
  const writeSync = (file: number, bytes: Buffer, from = 0, count = bytes.length): number => {
    const length = Math.min(count, disk.takes);
    disk.takes = Number.POSITIVE_INFINITY;
    disk.written += 1;
    return fs.writeSync(file, bytes, from, length);
  };
  const fsyncSync = (file: number): void => {
    disk.synced += 1;
    fs.fsyncSync(file);
  };
  return { ...fs, readSync, writeSync, fsyncSync } as typeof fs;
});

/** Points at which tests let the machine fail: those passed, and one at which this process dies. */
const points = vi.hoisted(() => ({ passed: [] as string[], dies: "" }));
vi.mock("../../../../core/build/model/fault.ts", () => ({
  fault(name: string, damage?: () => void): void {
    points.passed.push(name);
    if (name !== points.dies) return;
    damage?.();
    throw new Error("died");
  },
}));
afterEach(() => Object.assign(points, { dies: "" }));
afterEach(() => Object.assign(disk, { fails: "", takes: Number.POSITIVE_INFINITY }));

const folder = mkdtempSync(path.join(tmpdir(), "arc-log-"));
afterAll(() => rmSync(folder, { recursive: true }));
let logs = 0;
const fresh = (): { log: string; index: string } => {
  logs += 1;
  return { log: path.join(folder, `log-${logs}`), index: path.join(folder, `index-${logs}`) };
};
/** Longer than the unindexed part may be. */
const padding = "x".repeat(70_000);

function newest(log: RecordLog, key: string): string | undefined {
  for (const value of log.get(key)) return value;
  return undefined;
}

function open({ log, index }: { log: string; index: string }): RecordLog {
  const opened = new RecordLog(log, "journal", index);
  opened.refresh();
  return opened;
}

function written(): { log: string; index: string } {
  const files = fresh();
  const log = open(files);
  log.append([
    ["a", "1"],
    ["b", padding],
    ["c", padding],
    ["a", "2"],
  ]);
  log.refresh();
  log.saveIndex();
  log.close();
  return files;
}

describe("a log that is rewritten", () => {
  it("keeps what others append meanwhile, and they find what it is now", () => {
    const files = written();
    const [mine, theirs] = [open(files), open(files)];
    const rewritten = function* (): Generator<readonly [string, string]> {
      yield ["a", "2"];
      theirs.append([["d", "while it is rewritten"]]);
      yield ["b", "short"];
    };
    mine.rewrite(rewritten());
    theirs.append([["e", "after that"]]);
    for (const log of [mine, theirs]) {
      log.refresh();
      expect(["a", "b", "c", "d", "e"].map((key) => newest(log, key))).toEqual([
        "2",
        "short",
        undefined,
        "while it is rewritten",
        "after that",
      ]);
      log.close();
    }
  });
});

describe("the index of a log", () => {
  it("finds the newest records without reading the log, and what was appended later", () => {
    const files = written();
    expect(statSync(files.index).size).toBeLessThan(1000);
    const log = open(files);
    expect([newest(log, "a"), newest(log, "c")?.length, newest(log, "d")]).toEqual([
      "2",
      padding.length,
      undefined,
    ]);
    log.append([["a", "3"]]);
    log.refresh();
    log.close();
    const again = open(files);
    expect([newest(again, "a"), newest(again, "b")?.length, again.records]).toEqual(["3", padding.length, 5]);
    expect([...again.keys()].sort()).toEqual(["a", "b", "c"]);
  });

  it("is not trusted when a byte of it changed", () => {
    const files = written();
    const bytes = readFileSync(files.index);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = (damaged[at] as number) ^ change;
        writeFileSync(files.index, damaged);
        const log = open(files);
        expect([newest(log, "a"), newest(log, "b")?.length]).toEqual(["2", padding.length]);
        log.close();
      }),
      cases(40),
    );
  });

  it("leads to an older record where the newest is damaged", () => {
    const files = written();
    const bytes = readFileSync(files.log);
    bytes.write("7", bytes.length - 1);
    writeFileSync(files.log, bytes);
    const log = open(files);
    expect(newest(log, "a")).toBe("1");
    log.close();
  });

  it("gives no value twice where a part of it is damaged", () => {
    const files = written();
    const index = readFileSync(files.index);
    let damaged = 0;
    for (let at = 0; at < index.length; at += 1) {
      const bytes = Buffer.from(index);
      bytes[at] = (bytes[at] as number) ^ 1;
      writeFileSync(files.index, bytes);
      const log = open(files);
      if (at === 0) log.append([["a", "3"]]);
      log.refresh();
      const values = [...log.get("a")];
      expect([["3", "2", "1"].join(), ["3", "2"].join()]).toContain(values.join());
      damaged += values.length - 2;
      log.close();
    }
    expect(damaged).toBeGreaterThan(0);
  });

  it("is read once, and what follows it only when there is more", () => {
    const files = written();
    const log = open(files);
    disk.read = 0;
    log.refresh();
    expect(disk.read).toBe(0);
    log.append([["e", "5"]]);
    const other = open(files);
    disk.read = 0;
    other.refresh();
    expect([disk.read, newest(other, "e")]).toEqual([0, "5"]);
    for (const one of [log, other]) one.close();
  });

  it("is of one log only: not of one that was put in its place", () => {
    const files = written();
    const index = readFileSync(files.index);
    const log = open(files);
    log.rewrite([["d", "4"]]);
    log.refresh();
    log.append([["a", padding.repeat(3)]]);
    log.close();
    writeFileSync(files.index, index);
    const again = open(files);
    expect([newest(again, "d"), newest(again, "b")]).toEqual(["4", undefined]);
    again.close();
  });

  it("gives what a log without one gives", () => {
    const keys = fc.constantFrom("a", "b", "c", "d", "e");
    const batch = fc.array(fc.tuple(keys, fc.string()), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 6 }), (batches) => {
        const files = fresh();
        for (const records of batches) {
          const log = open(files);
          log.append([...records, ["padding", JSON.stringify(padding + padding)]]);
          log.refresh();
          log.saveIndex();
          log.close();
        }
        const plain = new RecordLog(files.log, "journal");
        plain.refresh();
        const indexed = open(files);
        for (const key of "abcde") expect(newest(indexed, key)).toBe(newest(plain, key));
        expect(indexed.records).toBe(plain.records);
        for (const log of [plain, indexed]) log.close();
      }),
      cases(30),
    );
  });
});

describe("a search of a log", () => {
  const key = fc.constantFrom("a", "b", "aa");
  const record = fc.tuple(key, fc.json({ maxDepth: 1 }));
  const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 });

  it("finds what noting all records finds, in whatever was done to the file", () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1 }), damage, fc.nat(40), (records, changes, torn) => {
        const files = fresh();
        const log = new RecordLog(files.log, "actions");
        for (const one of records) log.append([one]);
        log.close();
        const bytes = readFileSync(files.log);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        writeFileSync(files.log, bytes.subarray(0, Math.max(1, bytes.length - (torn > 20 ? 0 : torn))));
        const noted = new RecordLog(files.log, "actions");
        noted.refresh();
        const searched = new RecordLog(files.log, "actions");
        for (const wanted of ["a", "b", "aa", "c"]) {
          expect([...searched.search(wanted)]).toEqual([...noted.get(wanted)]);
        }
        noted.close();
        searched.close();
      }),
      cases(200),
    );
  });
});

/** All values of a key, by a process of its own, found in either way. */
function valuesOf(file: string, key: string): string[] {
  const log = new RecordLog(file, "actions");
  const searched = [...log.search(key)];
  log.refresh();
  const found = [...log.get(key)];
  log.close();
  expect(searched).toEqual(found);
  return found;
}

const openFiles = (): number => readdirSync("/proc/self/fd").length;

describe("a log", () => {
  it("gives all values of a key, newest first, after the next refresh", () => {
    const { log: file } = fresh();
    const log = new RecordLog(file, "actions");
    log.refresh();
    expect([[...log.get("a")], log.records, log.keyCount]).toEqual([[], 0, 0]);
    log.append([
      ["a", "1"],
      ["ü", '"€"'],
    ]);
    log.append([
      ["aa", "3"],
      ["a", "2"],
    ]);
    expect([...log.get("a")]).toEqual([]);
    log.refresh();
    for (const one of [log, open({ log: file, index: `${file}.none` })]) {
      expect(["a", "ü", "aa", "b"].map((key) => [...one.get(key)])).toEqual([["2", "1"], ['"€"'], ["3"], []]);
      expect([one.records, one.keyCount, [...one.keys()].sort()]).toEqual([4, 3, ["a", "aa", "ü"]]);
      one.close();
    }
    expect(valuesOf(file, "a")).toEqual(["2", "1"]);
  });

  it("gives what several processes append at the same time", () => {
    const { log: file } = fresh();
    const logs = [1, 2, 3].map(() => new RecordLog(file, "actions"));
    const numbers = Array.from({ length: 30 }, (_, at) => at);
    for (const number of numbers) {
      const log = logs[number % 3] as RecordLog;
      log.append([["a", String(number)]]);
      if (number % 4 === 0) log.refresh();
    }
    for (const log of logs) {
      log.refresh();
      expect([...log.get("a")]).toEqual(numbers.map(String).reverse());
      log.close();
    }
  });

  it("does not read back what it appended itself", () => {
    const { log: file } = fresh();
    const log = new RecordLog(file, "actions");
    log.refresh();
    log.append([
      ["a", "1"],
      ["b", "2"],
    ]);
    log.append([["c", "3"]]);
    disk.read = 0;
    log.refresh();
    expect(disk.read).toBe(0);
    expect(["a", "b", "c"].map((key) => newest(log, key))).toEqual(["1", "2", "3"]);
    log.append([["a", "4"]]);
    log.refresh();
    expect([newest(log, "a"), newest(log, "b"), log.records]).toEqual(["4", "2", 4]);
    log.close();
  });

  it("holds records of any length, and as many as there are", () => {
    const { log: file } = fresh();
    const log = new RecordLog(file, "actions");
    // Files are scanned in pieces of 4 MiB.
    const lengths = [0, 2030, 2031, 2032, 5_000_000, 10, 4_194_000, 300, 9_000_000, 1];
    const records = lengths.map((length, at) => [`k${at}`, "y".repeat(length)] as const);
    for (const record of records) log.append([record]);
    log.close();
    const other = open({ log: file, index: `${file}.none` });
    expect(records.map(([key, value]) => newest(other, key) === value)).toEqual(records.map(() => true));
    expect(other.records).toBe(lengths.length);
    other.close();
  });

  it("that is not there has no records, and is made when one is appended", () => {
    const { log: file } = fresh();
    const log = new RecordLog(file, "actions");
    log.refresh();
    expect([[...log.get("a")], [...log.search("a")], [...log.keys()]]).toEqual([[], [], []]);
    expect(existsSync(file)).toBe(false);
    log.append([["a", "1"]]);
    log.refresh();
    expect([...log.get("a")]).toEqual(["1"]);
    log.close();
  });

  it("survives a power loss as soon as a durable record is appended", () => {
    const log = new RecordLog(fresh().log, "actions");
    disk.synced = 0;
    log.append([["a", "1"]]);
    expect(disk.synced).toBe(0);
    log.append([["a", "2"]], true);
    expect(disk.synced).toBe(1);
    log.close();
  });

  it("leaves no file open when closed, and goes on when used again", () => {
    const before = openFiles();
    const files = fresh();
    const log = new RecordLog(files.log, "actions");
    log.append([["a", "1"]]);
    log.refresh();
    log.append([["b", "2"]]);
    expect(openFiles()).toBe(before + 1);
    log.close();
    log.close();
    expect(openFiles()).toBe(before);
    log.append([["c", "3"]]);
    log.refresh();
    expect(["a", "b", "c"].map((key) => newest(log, key))).toEqual(["1", "2", "3"]);
    log.rewrite([["a", "4"]]);
    log.close();
    expect(openFiles()).toBe(before);
  });

  it.each(["folder", "pipe"])("where a %s lies in its place cannot be used, and says what to do", (what) => {
    const { log: file } = fresh();
    if (what === "folder") mkdirSync(file);
    else execFileSync("mkfifo", [file]);
    const log = new RecordLog(file, "actions");
    for (const use of [() => log.refresh(), () => [...log.search("a")], () => log.append([["a", "1"]])]) {
      expect(use).toThrow(
        expect.objectContaining({
          code: "log-unusable",
          message: expect.stringContaining(`${file} is no file`),
          remedy: `remove it: rm -r ${file}`,
        }),
      );
    }
    rmSync(file, { recursive: true });
    log.append([["a", "1"]]);
    expect(valuesOf(file, "a")).toEqual(["1"]);
    log.close();
  });
});

describe("a log that was read before it is written", () => {
  it.each(["stayed", "was replaced"])("and %s meanwhile has the records that are there now", (what) => {
    const before = openFiles();
    const files = written();
    const log = open({ ...files, index: `${files.index}.none` });
    if (what === "was replaced") {
      const other = open(files);
      other.rewrite([["b", "1"]]);
      other.close();
    }
    log.append([["d", "2"]]);
    expect(openFiles()).toBe(before + 1);
    log.refresh();
    const found = ["a", "b", "d"].map((key) => newest(log, key)?.length);
    expect(found).toEqual(what === "stayed" ? [1, padding.length, 1] : [undefined, 1, 1]);
    log.close();
    expect(openFiles()).toBe(before);
  });
});

describe("a log with a damaged record", () => {
  const three = (): string => {
    const { log: file } = fresh();
    const log = new RecordLog(file, "actions");
    for (const key of ["a", "b", "c"]) log.append([[key, `"value of ${key}"`]]);
    log.close();
    return file;
  };

  it("has all others, whichever byte it is", () => {
    const file = three();
    const bytes = readFileSync(file);
    const length = bytes.length / 3;
    for (let at = 0; at < bytes.length; at += 1) {
      for (const value of [0, 1, 0xff]) {
        if (bytes[at] === value) continue;
        const damaged = Buffer.from(bytes);
        damaged[at] = value;
        writeFileSync(file, damaged);
        const log = open({ log: file, index: `${file}.none` });
        const found = ["a", "b", "c"].map((key) => newest(log, key)?.slice(-2, -1) ?? "-");
        log.close();
        expect(found.join("")).toBe("abc".replace("abc"[Math.floor(at / length)] as string, "-"));
      }
    }
  });

  it("has all that were appended after one was torn", () => {
    const file = three();
    const bytes = readFileSync(file);
    for (let length = 0; length < bytes.length; length += 1) {
      writeFileSync(file, bytes.subarray(0, length));
      const log = new RecordLog(file, "actions");
      log.refresh();
      log.append([["d", "1"]]);
      log.append([["e", "2"]]);
      log.refresh();
      const whole = Math.floor((3 * length) / bytes.length);
      for (const one of [log, open({ log: file, index: `${file}.none` })]) {
        const found = ["a", "b", "c", "d", "e"].filter((key) => newest(one, key) !== undefined);
        expect(found).toEqual([...["a", "b", "c"].slice(0, whole), "d", "e"]);
        one.close();
      }
    }
  });

  it("waits for one that another process is still writing", () => {
    const file = three();
    const bytes = readFileSync(file);
    const log = new RecordLog(file, "actions");
    for (let length = 0; length <= bytes.length; length += 1) {
      writeFileSync(file, bytes.subarray(0, length));
      log.refresh();
    }
    expect(["a", "b", "c"].map((key) => [...log.get(key)].length)).toEqual([1, 1, 1]);
    log.close();
  });

  it("is written again if the disk took only a part of it", () => {
    for (const takes of [0, 1, 11, 12, 20]) {
      const { log: file } = fresh();
      const log = new RecordLog(file, "actions");
      log.append([["a", "1"]]);
      disk.takes = takes;
      log.append([
        ["b", "2"],
        ["c", "3"],
      ]);
      log.append([["d", "4"]]);
      log.refresh();
      for (const one of [log, open({ log: file, index: `${file}.none` })]) {
        expect(["a", "b", "c", "d"].map((key) => newest(one, key))).toEqual(["1", "2", "3", "4"]);
        one.close();
      }
    }
  });
});

describe("a log that the disk does not give back", () => {
  const uses = {
    refresh: (log: RecordLog) => log.refresh(),
    get: (log: RecordLog) => [...log.get("a")],
    search: (log: RecordLog) => [...log.search("a")],
    keys: (log: RecordLog) => [...log.keys()],
  };
  it.each(Object.entries(uses))("is removed, and that is told once: %s", (name, use) => {
    const { log: file } = fresh();
    const writer = new RecordLog(file, "actions");
    writer.append([["a", "1"]]);
    writer.close();
    const log = new RecordLog(file, "actions");
    if (name !== "refresh") log.refresh();
    expect(log.takeLost()).toBeUndefined();
    disk.fails = "EIO";
    expect(use(log) ?? []).toEqual([]);
    disk.fails = "";
    expect(existsSync(file)).toBe(false);
    expect([log.takeLost(), log.takeLost()]).toMatchObject([{ code: "EIO" }, undefined]);
    expect([[...log.get("a")], log.records]).toEqual([[], 0]);
    log.append([["a", "2"]]);
    expect(valuesOf(file, "a")).toEqual(["2"]);
    log.close();
  });

  it("stays if only this process may not read it", () => {
    const { log: file } = written();
    const log = new RecordLog(file, "actions");
    disk.fails = "EACCES";
    expect(() => log.refresh()).toThrow(expect.objectContaining({ code: "EACCES", path: file }));
    expect(existsSync(file)).toBe(true);
    expect(log.takeLost()).toBeUndefined();
    log.close();
  });
});

describe("a log whose file is removed", () => {
  it("is made again by who appends to it", () => {
    const { log: file } = fresh();
    const log = new RecordLog(file, "actions");
    log.append([["a", "1"]]);
    rmSync(file);
    log.append([["b", "2"]]);
    log.refresh();
    expect([newest(log, "a"), newest(log, "b"), valuesOf(file, "b")]).toEqual([undefined, "2", ["2"]]);
    log.close();
  });

  it("may also be one that the disk does not give back", () => {
    const { log: file } = fresh();
    const log = new RecordLog(file, "actions");
    log.append([["a", "1"]]);
    log.refresh();
    rmSync(file);
    disk.fails = "EIO";
    expect([newest(log, "a"), (log.takeLost() as NodeJS.ErrnoException).code]).toEqual([undefined, "EIO"]);
    log.close();
  });
});

describe("the points at which tests let the machine fail", () => {
  const passedBy = (work: () => void): readonly string[] => {
    points.passed.length = 0;
    work();
    return [...points.passed];
  };

  it("are before and after each change of the file", () => {
    const log = new RecordLog(fresh().log, "actions");
    const torn = ["actions:before-append", "actions:torn-append", "actions:after-append"];
    expect(passedBy(() => log.append([["a", "1"]]))).toEqual(torn);
    expect(passedBy(() => log.append([["a", "1"]], true))).toEqual([...torn, "actions:after-fsync"]);
    expect(passedBy(() => log.rewrite([["a", "1"]]))).toEqual([
      ...torn.map((point) => point.replace(":", "-rewrite:")),
      "actions:before-rename",
      "actions:after-rename",
    ]);
    log.close();
  });

  it("leave a part of a record if the process dies while it writes one", () => {
    const { log: file } = fresh();
    const log = new RecordLog(file, "actions");
    log.append([["a", "1"]]);
    const { size } = statSync(file);
    points.dies = "actions:torn-append";
    expect(() => log.append([["b", "2"]])).toThrow("died");
    expect(statSync(file).size).toBe(size + Math.floor(size / 2));
    log.close();
  });
});

describe("rewriting a log", () => {
  it("writes many records at a time, but not all at once", () => {
    const log = new RecordLog(fresh().log, "actions");
    disk.written = 0;
    log.rewrite(Array.from({ length: 130 }, (_, at) => [`k${at}`, String(at)] as const));
    expect(disk.written).toBe(3);
    log.close();
  });

  it("leaves exactly the records that are given, however many", () => {
    for (const count of [0, 1, 63, 64, 65, 200]) {
      const files = written();
      const log = open(files);
      log.rewrite(Array.from({ length: count }, (_, at) => [`k${at}`, String(at)] as const));
      log.refresh();
      expect([...log.keys()]).toEqual(Array.from({ length: count }, (_, at) => `k${at}`));
      expect([log.records, existsSync(files.index)]).toEqual([count, false]);
      log.close();
    }
  });

  it("leaves the log as it was if it fails", () => {
    const files = written();
    const before = readFileSync(files.log);
    const log = open(files);
    const failing = function* (): Generator<readonly [string, string]> {
      yield ["a", "9"];
      throw new Error("no more");
    };
    const there = readdirSync(folder).length;
    const descriptors = openFiles();
    expect(() => log.rewrite(failing())).toThrow("no more");
    expect([readdirSync(folder).length, openFiles()]).toEqual([there, descriptors]);
    expect(readFileSync(files.log).equals(before)).toBe(true);
    log.close();
  });

  it("makes one of a log that is not there", () => {
    const { log: file } = fresh();
    const log = new RecordLog(file, "actions");
    log.rewrite([["a", "1"]]);
    expect(valuesOf(file, "a")).toEqual(["1"]);
    log.close();
  });
});

describe("saving the index of a log", () => {
  it("pays only for long logs, and after much was appended", () => {
    const files = fresh();
    const log = open(files);
    log.append([["a", "1"]]);
    log.refresh();
    log.saveIndex();
    expect(existsSync(files.index)).toBe(false);
    log.append([["b", padding]]);
    log.refresh();
    log.saveIndex();
    const saved = readFileSync(files.index);
    log.close();
    const short = open(files);
    short.append([["c", "3"]]);
    short.refresh();
    short.saveIndex();
    short.close();
    expect(readFileSync(files.index).equals(saved)).toBe(true);
    const again = open(files);
    again.append([["d", padding]]);
    again.refresh();
    again.saveIndex();
    again.close();
    const last = open(files);
    expect(["a", "b", "c", "d"].map((key) => newest(last, key)?.length)).toEqual([
      1,
      padding.length,
      1,
      padding.length,
    ]);
    expect([last.records, last.keyCount, [...last.keys()].sort()]).toEqual([4, 4, ["a", "b", "c", "d"]]);
    last.close();
  });

  it("is left to who replaced the log meanwhile", () => {
    const files = fresh();
    const log = open(files);
    log.append([["a", padding]]);
    log.refresh();
    const other = open(files);
    other.rewrite([["b", "1"]]);
    other.close();
    log.saveIndex();
    expect(existsSync(files.index)).toBe(false);
    log.close();
  });

  it("may fail, as it only saves time", () => {
    const { log: file } = fresh();
    const log = new RecordLog(file, "journal", path.join(folder, "none/index"));
    log.refresh();
    log.saveIndex();
    log.append([["a", padding]]);
    log.refresh();
    expect(() => log.saveIndex()).not.toThrow();
    expect(newest(log, "a")).toBe(padding);
    log.close();
  });

  it("spares the next process most of the log", () => {
    const files = written();
    disk.read = 0;
    const log = open(files);
    expect(newest(log, "a")).toBe("2");
    expect(disk.read).toBeLessThan(10_000);
    log.close();
  });
});
