/** The store gives back the bytes that it was given, or says that it has them no more: never others. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Digest } from "../../../../core/build/model/action.ts";
import { SHARED_FOLDERS } from "../../../../core/build/records/folder.ts";
import { BadRecord } from "../../../../core/build/records/schema.ts";
import {
  isScratchHeld,
  isServer,
  SANDBOX,
  SANDBOX_LIST,
} from "../../../../core/build/store/scratch-folder.ts";
import { ContentStore, hasBlob } from "../../../../core/build/store/store.ts";

/** A call that fails, on paths that contain a text; files that were synced to disk, or whose times were set. */
const disk = vi.hoisted(() => ({
  call: "",
  code: "",
  path: "",
  synced: [] as string[],
  touched: [] as string[],
}));
vi.mock(import("node:fs"), async (original) => {
  const fs = await original();
  const failing = <F extends (...args: never[]) => unknown>(call: string, real: F): F =>
    ((...args: Parameters<F>) => {
      if (call === "utimesSync") disk.touched.push(String(args[0]));
      if (disk.call === call && String(args[0]).includes(disk.path)) {
        throw Object.assign(new Error(`${disk.code}: ${call}`), { code: disk.code, syscall: call });
      }
      return real(...args);
    }) as F;
  const fsyncSync = (file: number): void => {
    disk.synced.push(fs.readlinkSync(`/proc/self/fd/${file}`));
    fs.fsyncSync(file);
  };
  const names = ["linkSync", "renameSync", "readSync", "writeFileSync", "utimesSync", "openSync"] as const;
  const calls = names.map((name) => [name, failing(name, fs[name] as never)]);
  return { ...fs, ...Object.fromEntries(calls), fsyncSync } as typeof fs;
});

function failWith(call: string, code: string, path = ""): void {
  Object.assign(disk, { call, code, path });
}

const folder = mkdtempSync(join(tmpdir(), "arc-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let tests = 0;
let root: string;
let directory: string;
const opened: ContentStore[] = [];
beforeEach(() => {
  tests += 1;
  root = join(folder, String(tests));
  directory = join(root, "store");
  mkdirSync(root);
});
afterEach(() => {
  failWith("", "");
  for (const store of opened.splice(0)) store.close();
});

/** Another process. */
function open(use: "builds" | "serves" = "builds"): ContentStore {
  const store = new ContentStore(directory, use);
  opened.push(store);
  return store;
}

const at = (path: string): string => join(root, path);
const fails = (code: string) => expect.objectContaining({ code });
const long = "x".repeat(300_000);
/** Around the length up to which bytes are copied through memory. */
const lengths = [0, 1, 131_071, 131_072, 131_073, 300_000];

/** Changes a stored blob behind arc's back. */
function damage(store: ContentStore, digest: Digest, text = "damaged"): void {
  chmodSync(store.path(digest), 0o644);
  writeFileSync(store.path(digest), text);
}

/** In seconds. */
const MADE = Math.floor(Date.now() / 1000) - 30 * 86_400;

/** Makes a blob look as if made long ago and last used so many hours ago; then reading it alone does not move its time. */
function age(store: ContentStore, digest: Digest, hours: number): number {
  const seconds = Math.floor(Date.now() / 1000 - hours * 3600);
  utimesSync(store.path(digest), seconds, MADE);
  return seconds * 1000;
}

const lastAccess = (store: ContentStore, digest: Digest): number => statSync(store.path(digest)).atimeMs;

describe("a store", () => {
  test("is made where there is none, and knows whether it is new", () => {
    directory = at("some/where");
    expect(open().isNew).toBe(true);
    expect(open().isNew).toBe(false);
    expect(readdirSync(directory).sort()).toEqual(["cas", "tmp"]);
  });

  test("gives each process a folder of its own, which is held and empty", () => {
    const [one, other] = [open(), open()];
    expect(one.scratch).not.toBe(other.scratch);
    for (const { scratch, sandboxList } of [one, other]) {
      expect(sandboxList).toBeUndefined();
      expect(dirname(scratch)).toBe(join(directory, "tmp"));
      expect(readdirSync(scratch)).toEqual([]);
      expect(isScratchHeld(scratch)).toBe(true);
      expect(isServer(scratch)).toBe(false);
    }
    expect(isServer(open("serves").scratch)).toBe(true);
    expect(one.newScratchFile()).not.toBe(one.newScratchFile());
    expect(dirname(one.newScratchFile())).toBe(one.scratch);
  });

  test.each(["store", "store/cas", "store/tmp"])(
    "that cannot be used is an error with a remedy: a file in place of %s",
    (path) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), "");
      expect(() => {
        open().putBytes("1");
      }).toThrow();
      if (path !== "store/cas")
        expect(open).toThrow(
          expect.objectContaining({
            code: "store-unusable",
            message: expect.stringContaining(`the store ${directory} cannot be used: `),
            remedy: expect.stringContaining("--store"),
          }),
        );
    },
  );

  test("on a file system that accepts folders but no files cannot be used", () => {
    failWith("writeFileSync", "EDQUOT", "/try");
    expect(open).toThrow(
      expect.objectContaining({ code: "store-unusable", message: expect.stringContaining("quota") }),
    );
  });
});

describe("the folder of a process that ended", () => {
  /** The names of sandboxes that are left for the next process. */
  function leave(): string {
    const store = new ContentStore(directory);
    mkdirSync(join(store.scratch, `${SANDBOX}1`));
    mkdirSync(join(store.scratch, "other/deep"), { recursive: true });
    writeFileSync(join(store.scratch, "file"), "");
    writeFileSync(join(store.scratch, SANDBOX_LIST), "the list");
    const { ino } = statSync(store.scratch);
    store.close();
    return String(ino);
  }

  test("is the next one's, with its sandboxes and their list, and nothing else", () => {
    const left = leave();
    const store = open();
    expect(String(statSync(store.scratch).ino)).toBe(left);
    expect(readdirSync(store.scratch)).toEqual([`${SANDBOX}1`]);
    expect(store.sandboxList).toBe("the list");
    expect(readdirSync(join(directory, "tmp"))).toHaveLength(1);
  });

  test("is the next one's also without a list, or where that cannot be read", () => {
    leave();
    const [name = ""] = readdirSync(join(directory, "tmp"));
    const list = join(directory, "tmp", name, SANDBOX_LIST);
    rmSync(list);
    const store = new ContentStore(directory);
    expect(store.sandboxList).toBeUndefined();
    mkdirSync(join(store.scratch, SANDBOX_LIST, "x"), { recursive: true });
    store.close();
    const next = open();
    expect(next.sandboxList).toBeUndefined();
    expect(readdirSync(next.scratch)).toEqual([`${SANDBOX}1`]);
  });

  test("is removed if the next one has another already", () => {
    const stores = [open(), open(), open()];
    for (const store of stores) {
      writeFileSync(join(store.scratch, "x"), "");
      store.close();
    }
    expect(readdirSync(join(directory, "tmp"))).toHaveLength(3);
    const store = open();
    expect(readdirSync(join(directory, "tmp"))).toHaveLength(1);
    expect(readdirSync(store.scratch)).toEqual([]);
  });

  test("may be taken by another one meanwhile", () => {
    leave();
    failWith("renameSync", "ENOENT", "/tmp/left-");
    const store = open();
    failWith("", "");
    expect(readdirSync(store.scratch)).toEqual([]);
  });

  test("that cannot be taken is an error of the store", () => {
    leave();
    failWith("renameSync", "EACCES", "/tmp/left-");
    expect(open).toThrow(fails("store-unusable"));
  });

  test("is not taken from one that lives", () => {
    const living = open();
    writeFileSync(join(living.scratch, "x"), "");
    open();
    expect(existsSync(join(living.scratch, "x"))).toBe(true);
  });

  test("is told from a file and from a link to a folder of the user's", () => {
    open().close();
    writeFileSync(join(directory, "tmp/0-file"), "");
    mkdirSync(at("mine"));
    writeFileSync(at("mine/x"), "mine");
    symlinkSync(at("mine"), join(directory, "tmp/0-link"));
    const store = open();
    expect(readdirSync(store.scratch)).toEqual([]);
    expect(readFileSync(at("mine/x"), "utf8")).toBe("mine");
    expect(readdirSync(join(directory, "tmp"))).toHaveLength(1);
  });

  test("may be gone when that ends", () => {
    const store = new ContentStore(directory);
    rmSync(store.scratch, { recursive: true });
    expect(() => store.close()).not.toThrow();
  });

  test("of another machine is held as long as that touches it, and a day longer", () => {
    open();
    const elsewhere = join(directory, "tmp/7-100-elsewhere~1.1");
    mkdirSync(elsewhere);
    expect(isScratchHeld(elsewhere)).toBe(true);
    const hours = (count: number): number => Date.now() / 1000 - count * 3600;
    utimesSync(elsewhere, hours(23), hours(23));
    expect(isScratchHeld(elsewhere)).toBe(true);
    utimesSync(elsewhere, hours(25), hours(25));
    expect(isScratchHeld(elsewhere)).toBe(false);
    // Touched before a clock was set back.
    utimesSync(elsewhere, hours(-25), hours(-25));
    expect(isScratchHeld(elsewhere)).toBe(false);
    expect(isScratchHeld(`${elsewhere}2`)).toBe(false);
  });
});

describe("bytes", () => {
  test.each(lengths)("are given back as they were put, to every process: %i of them", (length) => {
    const text = long.slice(0, length);
    const store = open();
    const digest = store.putBytes(text);
    expect(digest).toBe(digestBytes(text));
    for (const one of [store, open()]) {
      expect(one.read(digest).toString()).toBe(text);
      expect([one.has(digest), one.hasWhole(digest, length), one.sizeOf(digest)]).toEqual([
        true,
        true,
        length,
      ]);
      expect(one.hasWhole(digest, length + 1)).toBe(false);
    }
    expect(hasBlob(directory, digest)).toBe(true);
  });

  test("lie in a file of their digest's name that nobody may write and everybody may execute", () => {
    const store = open();
    const digest = store.putBytes("1");
    expect(store.path(digest)).toBe(`${directory}/cas/${digest.slice(0, 2)}/${digest}`);
    expect(store.path(digest)).toBe(`${store.blobs}${digest.slice(0, 2)}/${digest}`);
    writeFileSync(at("f"), "2");
    const copied = store.putCopy(at("f"));
    for (const one of [digest, copied.digest]) expect(statSync(store.path(one)).mode & 0o777).toBe(0o555);
    expect(readdirSync(store.scratch)).toEqual([]);
  });

  test("count as added once", () => {
    const store = open();
    for (const text of ["123", "123", "45"]) store.putBytes(text);
    writeFileSync(at("f"), "6789");
    expect(store.putCopy(at("f"))).toEqual({ digest: digestBytes("6789"), size: 4 });
    store.putCopy(at("f"));
    expect(store.added).toBe(9);
    store.noteWritten(digestBytes("other"), 10);
    expect(store.added).toBe(19);
  });

  test("of a file are copied, or taken over with the file", () => {
    const store = open();
    for (const _ of [1, 2]) {
      writeFileSync(at("f"), "1");
      expect(store.putCopy(at("f"))).toEqual({ digest: digestBytes("1"), size: 1 });
      expect(readFileSync(at("f"), "utf8")).toBe("1");
      writeFileSync(at("g"), "2");
      expect(store.putOwned(at("g"))).toEqual({ digest: digestBytes("2"), size: 1 });
      expect(existsSync(at("g"))).toBe(false);
    }
    expect(["1", "2"].map((text) => store.read(digestBytes(text)).toString())).toEqual(["1", "2"]);
    expect(readdirSync(store.scratch)).toEqual([]);
  });

  test("of a file are taken over only if they are those that were expected", () => {
    const store = open();
    writeFileSync(at("f"), "1");
    expect(store.putOwned(at("f"), digestBytes("2"))).toEqual({ digest: digestBytes("1"), size: 1 });
    expect([existsSync(at("f")), store.has(digestBytes("1")), store.has(digestBytes("2"))]).toEqual([
      true,
      false,
      false,
    ]);
    store.putOwned(at("f"), digestBytes("1"));
    expect([existsSync(at("f")), store.has(digestBytes("1"))]).toEqual([false, true]);
  });

  test("that were damaged are replaced by the same bytes in hand", () => {
    const first = open();
    damage(first, first.putBytes("1"));
    const store = open();
    const digest = store.putBytes("1");
    expect(store.read(digest).toString()).toBe("1");
    rmSync(store.path(digest));
    expect(store.putBytes("1")).toBe(digest);
    expect(store.read(digest).toString()).toBe("1");
  });

  test.each(["folder", "pipe"])("find their place though a %s is there", (what) => {
    const store = open();
    const digest = digestBytes("1");
    mkdirSync(dirname(store.path(digest)), { recursive: true });
    if (what === "folder") mkdirSync(join(store.path(digest), "x"), { recursive: true });
    else execFileSync("mkfifo", [store.path(digest)]);
    expect(store.putBytes("1")).toBe(digest);
    expect(open().read(digest).toString()).toBe("1");
  });

  test.each(["EACCES", "ENOSPC"])("that the disk does not take (%s) are an error", (code) => {
    const store = open();
    failWith("renameSync", code, store.scratch);
    expect(() => store.putBytes("1")).toThrow(fails(code));
    expect(store.isKnown(digestBytes("1"))).toBe(false);
  });

  test("survive a power loss if they are to, with the name that they have", () => {
    const store = open();
    const digest = store.putBytes("1");
    expect(disk.synced).toEqual([]);
    const files = readdirSync("/proc/self/fd").length;
    store.makeDurable(digest);
    expect(disk.synced.splice(0)).toEqual([store.path(digest), dirname(store.path(digest))]);
    expect(readdirSync("/proc/self/fd")).toHaveLength(files);
  });
});

describe("a blob that is not there", () => {
  const digest = digestBytes("none");
  const missing = expect.objectContaining({
    code: "blob-missing",
    message: `${digest} is not in the store`,
    remedy: "build again: what is missing is made anew",
  });

  test("is not had, and an error where it is needed", () => {
    const store = open();
    expect([
      store.has(digest),
      store.hasWhole(digest, 0),
      store.isKnown(digest),
      hasBlob(directory, digest),
    ]).toEqual(Array(4).fill(false));
    expect(store.recheck(digest)).toBe(true);
    expect(() => store.read(digest)).toThrow(missing);
    expect(() => store.verify(digest)).toThrow(missing);
    expect(() => store.copyTo(digest, at("f"), false)).toThrow(missing);
    expect(() => store.linkTo(digest, at("f"))).toThrow(missing);
    expect(existsSync(at("f"))).toBe(false);
  });

  test.each(["folder", "pipe"])("is not a %s in its place, which goes", (what) => {
    const store = open();
    for (const ask of [
      () => expect(store.has(digest)).toBe(false),
      () => expect(store.hasWhole(digest, 0)).toBe(false),
      () => expect(() => store.verify(digest)).toThrow(fails("blob-missing")),
    ]) {
      mkdirSync(dirname(store.path(digest)), { recursive: true });
      if (what === "folder") mkdirSync(join(store.path(digest), "x"), { recursive: true });
      else execFileSync("mkfifo", [store.path(digest)]);
      ask();
      expect(existsSync(store.path(digest))).toBe(false);
    }
  });

  test("after it was known is an error where it is linked", () => {
    const store = open();
    const gone = store.putBytes("1");
    rmSync(store.path(gone));
    expect(() => store.linkTo(gone, at("f"))).toThrow(fails("blob-missing"));
    expect(() => store.copyTo(gone, at("f"), false)).toThrow(fails("blob-missing"));
  });
});

describe("a blob with other bytes than its name says", () => {
  const uses = {
    read: (store: ContentStore, digest: Digest) => void store.read(digest),
    verified: (store: ContentStore, digest: Digest) => store.verify(digest),
    copied: (store: ContentStore, digest: Digest) => store.copyTo(digest, at("f"), false),
    linked: (store: ContentStore, digest: Digest) => store.linkTo(digest, at("f")),
  };
  test.each(Object.entries(uses))("is an error when %s, and removed", (_, use) => {
    for (const text of ["short", long]) {
      const first = open();
      const digest = first.putBytes(text);
      damage(first, digest, text.replace(/.$/, "!"));
      const store = open();
      expect(() => use(store, digest)).toThrow(
        expect.objectContaining({
          code: "blob-corrupt",
          message: `the stored bytes of ${digest} were damaged`,
          remedy: "build again: the damaged copy was removed",
        }),
      );
      expect([store.has(digest), store.isKnown(digest), existsSync(at("f"))]).toEqual([false, false, false]);
    }
  });

  test("is found although it was known, if it is checked again", () => {
    const store = open();
    const digest = store.putBytes("1");
    expect(store.recheck(digest)).toBe(true);
    damage(store, digest);
    expect(store.recheck(digest)).toBe(false);
    expect(store.has(digest)).toBe(false);
    expect(store.recheck(digest)).toBe(true);
  });

  test("is looked for once in each process", () => {
    for (const use of [uses.read, uses.verified]) {
      const digest = open().putBytes("1");
      const store = open();
      expect(store.isKnown(digest)).toBe(false);
      use(store, digest);
      expect(store.isKnown(digest)).toBe(true);
      damage(store, digest);
      expect(() => store.verify(digest)).not.toThrow();
      expect(() => store.read(digest)).toThrow(fails("blob-corrupt"));
      expect(store.isKnown(digest)).toBe(false);
    }
  });

  test("is forgotten when discarded", () => {
    const store = open();
    const digest = store.putBytes("1");
    store.discard(digest);
    expect([store.has(digest), store.isKnown(digest)]).toEqual([false, false]);
    expect(() => store.discard(digest)).not.toThrow();
  });
});

describe("a disk", () => {
  test.each(Object.entries({ EIO: false, EACCES: true }))(
    "that fails with %s to read a blob keeps it: %s",
    (code, stays) => {
      const store = open();
      const digest = store.putBytes("1");
      const call = code === "EIO" ? "readSync" : "openSync";
      failWith(call, code, call === "openSync" ? digest : "");
      for (const use of [() => store.read(digest), () => store.copyTo(digest, at("f"), false)]) {
        expect(use).toThrow(
          expect.objectContaining({
            code: "blob-missing",
            message: expect.stringContaining("the store cannot be read: "),
            remedy: expect.not.stringContaining("made anew"),
          }),
        );
        expect(store.has(digest)).toBe(stays);
        if (!stays) break;
      }
    },
  );
});

describe("a copy", () => {
  test.each(lengths)("has %i bytes, is writable, and is no part of the store", (length) => {
    const digest = open().putBytes(long.slice(0, length));
    const store = open();
    store.copyTo(digest, at("data"), false);
    store.copyTo(digest, at("program"), true);
    for (const [name, mode] of [
      ["data", 0o666],
      ["program", 0o777],
    ] as const) {
      expect(statSync(at(name)).mode & 0o777).toBe((mode & ~0o022 & ~process.umask()) | 0);
      expect(readFileSync(at(name), "utf8")).toBe(long.slice(0, length));
      writeFileSync(at(name), "mine");
    }
    expect(store.read(digest).length).toBe(length);
  });

  test.each(["short", long])("does not replace a file", (text) => {
    const store = open();
    const digest = store.putBytes(text);
    writeFileSync(at("f"), "mine");
    expect(() => store.copyTo(digest, at("f"), false)).toThrow(fails("EEXIST"));
    expect(readFileSync(at("f"), "utf8")).toBe("mine");
  });

  test("leaves no file open", () => {
    const store = open();
    const digests = ["1", long].map((text) => store.putBytes(text));
    const files = readdirSync("/proc/self/fd").length;
    for (const [number, digest] of digests.entries()) store.copyTo(digest, at(String(number)), false);
    expect(readdirSync("/proc/self/fd")).toHaveLength(files);
  });
});

describe("a view of a blob", () => {
  test("is the blob itself, or a copy where the file system has no such link", () => {
    const store = open();
    const digest = store.putBytes("1");
    store.linkTo(digest, at("f"));
    expect(statSync(at("f")).ino).toBe(statSync(store.path(digest)).ino);
    for (const code of ["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "ENOENT"]) {
      failWith("linkSync", code);
      store.linkTo(digest, at(code));
      expect(readFileSync(at(code), "utf8")).toBe("1");
      expect(statSync(at(code)).ino).not.toBe(statSync(store.path(digest)).ino);
      expect(() => store.linkTo(digest, at(code))).toThrow(fails("EEXIST"));
    }
  });

  test("is had while another process puts the same bytes in its place", async () => {
    const store = open();
    const digest = store.putBytes("1");
    // Linux finds no file to link where the one of that name was replaced since it was looked up.
    const replacing = new Worker(
      `const { renameSync, writeFileSync } = require("node:fs");
      const [blob, other] = require("node:worker_threads").workerData;
      for (;;) { writeFileSync(other, "1"); renameSync(other, blob); }`,
      { eval: true, workerData: [store.path(digest), at("other")] },
    );
    await once(replacing, "online");
    for (let k = 0; k < 5000; k++) {
      store.linkTo(digest, at("f"));
      rmSync(at("f"));
    }
    await replacing.terminate();
  });

  test("replaces no file, and is an error where the file system says so", () => {
    const store = open();
    const digest = store.putBytes("1");
    writeFileSync(at("f"), "mine");
    expect(() => store.linkTo(digest, at("f"))).toThrow(fails("EEXIST"));
    expect(() => store.linkTo(digest, at("none/f"))).toThrow(fails("ENOENT"));
    expect(readFileSync(at("f"), "utf8")).toBe("mine");
  });
});

describe("the use of a blob", () => {
  const uses = {
    "found whole": (store: ContentStore, digest: Digest) => void store.hasWhole(digest, 1),
    read: (store: ContentStore, digest: Digest) => void store.read(digest),
    verified: (store: ContentStore, digest: Digest) => store.verify(digest),
    copied: (store: ContentStore, digest: Digest) => store.copyTo(digest, at(`copy of ${digest}`), false),
    "in a folder": (store: ContentStore, digest: Digest) => {
      const list = store.putBytes(JSON.stringify([["x", "f", digest]]));
      expect(store.hasFolder(list)).toBe(true);
    },
  };

  test.each(Object.entries(uses))("is noted when it is %s, if the last one was an hour ago", (_, use) => {
    const [old, recent] = ["1", "2"].map((text) => open().putBytes(text)) as [Digest, Digest];
    const store = open();
    age(store, old, 2);
    age(store, recent, 0.5);
    disk.touched.length = 0;
    for (const digest of [old, recent]) use(store, digest);
    expect(disk.touched).not.toContain(store.path(recent));
    expect(lastAccess(store, old)).toBeGreaterThan(Date.now() - 60_000);
    expect(statSync(store.path(old)).mtimeMs).toBe(MADE * 1000);
  });

  test("is looked at once by a build, and each time by a server", () => {
    for (const [use, isNoted] of [
      ["builds", false],
      ["serves", true],
    ] as const) {
      const digest = open().putBytes("1");
      const store = open(use);
      store.hasWhole(digest, 1);
      const then = age(store, digest, 2);
      store.hasWhole(digest, 1);
      expect(lastAccess(store, digest) > then).toBe(isNoted);
    }
  });

  test("is not noted where only another length was looked for", () => {
    const digest = open().putBytes("1");
    const store = open();
    const then = age(store, digest, 2);
    expect(store.hasWhole(digest, 2)).toBe(false);
    expect(lastAccess(store, digest)).toBe(then);
  });

  test("need not be noted in a store that may only be read", () => {
    const digest = open().putBytes("1");
    const store = open();
    age(store, digest, 2);
    failWith("utimesSync", "EROFS");
    expect(store.hasWhole(digest, 1)).toBe(true);
  });
});

describe("a folder", () => {
  function put(store: ContentStore, text = "1"): { digest: Digest; size: number } {
    const made = at(`made of ${text}`);
    mkdirSync(join(made, "sub"), { recursive: true });
    mkdirSync(join(made, "none"), { recursive: true });
    writeFileSync(join(made, "sub/data"), text);
    writeFileSync(join(made, "program"), `${text}${text}`, { mode: 0o755 });
    symlinkSync("sub/data", join(made, "link"));
    return store.putFolder(made, (file) => store.putCopy(file));
  }

  test("is given back with what is in it, and which files may be executed", () => {
    const { digest, size } = put(open());
    expect(size).toBe(3);
    const store = open();
    expect(store.hasFolder(digest)).toBe(true);
    expect(store.readFolder(digest)).toEqual([
      { path: "link", kind: "link", target: "sub/data" },
      { path: "none", kind: "empty" },
      { path: "program", kind: "file", digest: digestBytes("11"), executable: true },
      { path: "sub/data", kind: "file", digest: digestBytes("1"), executable: false },
    ]);
    store.copyFolderTo(digest, at("copy"));
    expect(readdirSync(at("copy"), { recursive: true }).sort()).toEqual([
      "link",
      "none",
      "program",
      "sub",
      "sub/data",
    ]);
    expect(readFileSync(at("copy/link"), "utf8")).toBe("1");
    expect(["program", "sub/data"].map((name) => statSync(at(`copy/${name}`)).mode & 0o100)).toEqual([
      0o100, 0,
    ]);
  });

  test("is there only with all its files", () => {
    const store = open();
    const { digest } = put(store);
    rmSync(store.path(digestBytes("11")));
    expect(store.hasFolder(digest)).toBe(false);
    expect(() => store.copyFolderTo(digest, at("copy"))).toThrow(fails("blob-missing"));
    rmSync(store.path(digest));
    expect(store.hasFolder(digest)).toBe(false);
    expect(() => store.readFolder(digest)).toThrow(fails("blob-missing"));
  });

  test("whose list is none is an error that is told once", () => {
    const store = open();
    const digest = store.putBytes("no list");
    for (const use of [
      () => store.readFolder(digest),
      () => store.hasFolder(digest),
      () => store.copyFolderTo(digest, at("copy")),
    ]) {
      expect(use).toThrow(
        expect.objectContaining({
          code: "bad-record",
          message: expect.stringContaining(`${digest} in the store is no list of a folder: `),
          remedy: "build again: the folder is made anew",
        }),
      );
    }
    expect(store.refused.take()).toBe("it is no JSON");
    expect(store.refused.take()).toBeUndefined();
    expect(existsSync(at("copy"))).toBe(false);
  });

  test.each(["EEXIST", "ENAMETOOLONG", "ENOTDIR", "EISDIR", "EINVAL", "EILSEQ", "ELOOP"])(
    "with names that the file system rejects (%s) is one that cannot be laid out",
    (code) => {
      const store = open();
      const { digest } = put(store);
      failWith("writeFileSync", code, "copy/");
      expect(() => store.copyFolderTo(digest, at("copy"))).toThrow(fails("bad-record"));
      failWith("", "");
      expect(() => store.readFolder(digest)).toThrow(
        expect.objectContaining({
          code: "bad-record",
          message: expect.stringContaining("could not be laid out"),
        }),
      );
      expect(store.refused.take()).toContain(code);
      // Another file system may take them.
      expect(open().hasFolder(digest)).toBe(true);
    },
  );

  test("that the disk has no room for is an error of the disk, and none of the folder", () => {
    const store = open();
    const { digest } = put(store);
    failWith("writeFileSync", "ENOSPC", "copy/");
    expect(() => store.copyFolderTo(digest, at("copy"))).toThrow(fails("ENOSPC"));
    failWith("", "");
    expect(store.hasFolder(digest)).toBe(true);
  });

  test("from others is read within their limits", () => {
    const store = open();
    const { digest } = put(store);
    expect(store.parseFolder(digest, SHARED_FOLDERS)).toEqual(store.readFolder(digest));
    const size = store.sizeOf(digest);
    expect(store.parseFolder(digest, { ...SHARED_FOLDERS, bytes: size })).toHaveLength(4);
    expect(() => store.parseFolder(digest, { ...SHARED_FOLDERS, bytes: size - 1 })).toThrow(BadRecord);
    expect(() => store.parseFolder(digest, { ...SHARED_FOLDERS, entries: 3 })).toThrow(BadRecord);
    expect(() => store.parseFolder(digestBytes("none"), SHARED_FOLDERS)).toThrow(fails("blob-missing"));
  });
});
