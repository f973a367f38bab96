/** Outputs reach their places whole, whatever lies there, and nothing of the user's is replaced. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FileTable } from "../../../../core/build/files/files.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { StoredOutput } from "../../../../core/build/key/result.ts";
import type { ActionOutput } from "../../../../core/build/model/action.ts";
import { takeStamp } from "../../../../core/build/model/stat-signature.ts";
import {
  checkPlace,
  isCopied,
  isInside,
  isPlaced,
  isStored,
  Materializer,
  storeFromPlace,
} from "../../../../core/build/store/output-tree.ts";
import { ContentStore } from "../../../../core/build/store/store.ts";

/** How renaming from one folder to another fails, as between file systems. */
const disk = vi.hoisted(() => ({ from: "", code: "" }));
vi.mock(import("node:fs"), async (original) => {
  const fs = await original();
  const renameSync = (from: string, to: string): void => {
    if (disk.code !== "" && from.startsWith(disk.from)) {
      throw Object.assign(new Error(`${disk.code}: rename`), { code: disk.code, syscall: "rename" });
    }
    fs.renameSync(from, to);
  };
  return { ...fs, renameSync } as typeof fs;
});

const folder = mkdtempSync(join(tmpdir(), "arc-outputs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let tests = 0;
let root: string;
let scratch: string;
let store: ContentStore;
let files: FileTable;
beforeEach(() => {
  tests += 1;
  root = join(folder, String(tests));
  scratch = join(root, "scratch");
  mkdirSync(root);
  store = new ContentStore(join(root, "store"));
  files = new FileTable(root);
  disk.code = "";
});
afterEach(() => store.close());

const at = (path: string): string => join(root, path);
const read = (path: string): string => readFileSync(at(path), "utf8");
const place = "out/o";
const declared: ActionOutput & { readonly place: string } = { name: "o", kind: "file", place };
const declaredFolder = { ...declared, kind: "folder" } as const;
const never = (): boolean => false;
const always = (): boolean => true;

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(join(at(path), ".."), { recursive: true });
  writeFileSync(at(path), text);
  chmodSync(at(path), mode);
}

function fileOf(text: string): StoredOutput {
  return { name: "o", kind: "file", digest: store.putBytes(text), size: text.length };
}

/** With a program and a link in it. */
function folderOf(text: string): StoredOutput {
  const made = at("made");
  mkdirSync(join(made, "sub"), { recursive: true });
  mkdirSync(join(made, "none"));
  writeFileSync(join(made, "sub/a"), text);
  writeFileSync(join(made, "run"), text, { mode: 0o755 });
  symlinkSync("sub/a", join(made, "link"));
  const stored = store.putFolder(made, (file) => store.putCopy(file));
  rmSync(made, { recursive: true });
  return { name: "o", kind: "folder", ...stored };
}

function materializer(): Materializer {
  return new Materializer(files, store, scratch);
}

/** By another build. */
const again = (): FileTable => new FileTable(root);

/** What is in a folder, without what the test itself keeps there. */
const listed = (path: string): string[] => (existsSync(at(path)) ? readdirSync(at(path)).sort() : []);

describe("an output is in its place", () => {
  test("if it has no place", () => {
    expect(isPlaced(fileOf("1"), { name: "o", kind: "file" }, files)).toBe(true);
  });

  test("if the file there has its bytes and may be executed as it may", () => {
    const output = fileOf("1");
    expect(isPlaced(output, declared, again())).toBe(false);
    write(place, "1");
    expect(isPlaced(output, declared, again())).toBe(true);
    expect(isPlaced(output, { ...declared, executable: true }, again())).toBe(false);
    write(place, "1", 0o755);
    expect(isPlaced(output, declared, again())).toBe(false);
    expect(isPlaced(output, { ...declared, executable: true }, again())).toBe(true);
    write(place, "2");
    expect(isPlaced(output, declared, again())).toBe(false);
  });

  test("if the folder there has all of it and nothing else", () => {
    const output = folderOf("1");
    materializer().place(output, declaredFolder);
    expect(isPlaced(output, declaredFolder, again())).toBe(true);
    expect(isPlaced(output, { ...declaredFolder, executable: true }, again())).toBe(true);
    write(`${place}/more`, "");
    expect(isPlaced(output, declaredFolder, again())).toBe(false);
  });

  test("only if it is of its kind, even with the same digest", () => {
    const { digest, size } = folderOf("1");
    materializer().place({ name: "o", kind: "folder", digest, size }, declaredFolder);
    expect(isPlaced({ name: "o", kind: "file", digest, size }, declared, again())).toBe(false);
  });

  test("not if a pipe, or a link that leads to itself, is there", () => {
    mkdirSync(at("out"));
    symlinkSync("o", at(place));
    expect(isPlaced(fileOf("1"), declared, again())).toBe(false);
    unlinkSync(at(place));
    execFileSync("mkfifo", [at(place)]);
    expect(isPlaced(fileOf("1"), declared, again())).toBe(false);
  });
});

test("what is inside the output folder lies below it", () => {
  expect(isInside("out/o", "out")).toBe(true);
  for (const path of ["out", "outside/o", "src/out/o"]) expect(isInside(path, "out")).toBe(false);
  expect(isInside("out/o", undefined)).toBe(false);
  expect(isInside("undefined/o", undefined)).toBe(false);
});

describe("a place", () => {
  const inTheWay = (file: string) =>
    expect.objectContaining({
      code: "place-occupied",
      message: expect.stringContaining(file),
      remedy: expect.stringMatching(/^move (?:it|that file) away, or give the output another place$/),
    });

  test("is free if nothing lies there", () => {
    expect(() => checkPlace(declared, never, files, never)).not.toThrow();
    mkdirSync(at("out"));
    expect(() => checkPlace(declared, never, files, never)).not.toThrow();
  });

  test("is the user's if arc did not write what lies there, unless that may go", () => {
    write(place, "mine");
    expect(() => checkPlace(declared, never, files, never)).toThrow(inTheWay(place));
    expect(() => checkPlace(declared, (path) => path === place, files, never)).not.toThrow();
    expect(() => checkPlace(declared, never, files, always)).not.toThrow();
  });

  test("is the user's if a link that leads nowhere is there", () => {
    mkdirSync(at("out"));
    symlinkSync("nowhere", at(place));
    expect(() => checkPlace(declared, never, files, never)).toThrow(inTheWay(place));
  });

  test("is the user's if a folder with something in it replaced arc's file", () => {
    mkdirSync(at(place), { recursive: true });
    expect(() => checkPlace(declared, always, files, never)).not.toThrow();
    write(`${place}/x`, "mine");
    expect(() => checkPlace(declared, always, files, never)).toThrow(inTheWay(place));
    expect(() => checkPlace(declared, always, files, always)).not.toThrow();
    expect(() => checkPlace(declaredFolder, always, files, never)).not.toThrow();
    expect(read(`${place}/x`)).toBe("mine");
  });

  test("below a file is free if arc wrote that file, which then goes", () => {
    write("out", "arc's");
    const deep = { ...declared, place: "out/a/b" };
    expect(() => checkPlace(deep, never, files, always)).toThrow(inTheWay("out is a file"));
    expect(read("out")).toBe("arc's");
    checkPlace(deep, (path) => path === "out", files, never);
    expect(existsSync(at("out"))).toBe(false);
  });

  test("below a file that is below folders names that file alone", () => {
    write("a/b", "mine");
    write("a/c", "mine, too");
    const deep = { ...declared, place: "a/b/c/d" };
    expect(() => checkPlace(deep, (path) => path === "a", files, never)).toThrow(inTheWay("a/b is a file"));
    checkPlace(deep, (path) => path === "a/b", files, never);
    expect(listed("a")).toEqual(["c"]);
  });

  test("below a pipe is no reason to remove a folder around it", () => {
    mkdirSync(at("a"));
    execFileSync("mkfifo", [at("a/pipe")]);
    const deep = { ...declared, place: "a/pipe/c" };
    expect(() => checkPlace(deep, (path) => path === "a", files, never)).toThrow(
      inTheWay("a/pipe is a file"),
    );
    expect(listed("a")).toEqual(["pipe"]);
  });

  test("that cannot be looked at is an error of the file system", () => {
    const name = "x".repeat(300);
    expect(() => checkPlace({ ...declared, place: name }, always, files, always)).toThrow(
      expect.objectContaining({ code: "ENAMETOOLONG" }),
    );
  });
});

describe("what lies in a place can be replaced without loss", () => {
  const known = (path = place): boolean => isCopied(path, again(), store);

  test("if the store has the same file or folder", () => {
    expect(known()).toBe(false);
    write(place, "1");
    expect(known()).toBe(false);
    store.putBytes("1");
    expect(known()).toBe(true);
    unlinkSync(at(place));
    materializer().place(folderOf("2"), declaredFolder);
    expect(known()).toBe(true);
    write(`${place}/mine`, "");
    expect(known()).toBe(false);
  });

  test("but no link, even to such a file", () => {
    store.putBytes("1");
    write("a", "1");
    symlinkSync("a", at("link"));
    expect(known("a")).toBe(true);
    expect(known("link")).toBe(false);
  });

  test("and nothing that cannot be read", () => {
    execFileSync("mkfifo", [at("pipe")]);
    expect(known("pipe")).toBe(false);
  });
});

describe("placing", () => {
  test("writes a copy of its own with the mode that was declared", () => {
    const output = fileOf("1");
    materializer().place(output, declared);
    expect(read(place)).toBe("1");
    expect(statSync(at(place)).mode & 0o111).toBe(0);
    writeFileSync(at(place), "2");
    expect(store.read(output.digest).toString()).toBe("1");
    materializer().place(output, { ...declared, executable: true });
    expect(statSync(at(place)).mode & 0o100).toBe(0o100);
    expect(read(place)).toBe("1");
  });

  test("makes a folder with all that is in it, and nothing of what was there before", () => {
    write(`${place}/old`, "");
    materializer().place(folderOf("1"), declaredFolder);
    expect(listed(place)).toEqual(["link", "none", "run", "sub"]);
    expect([read(`${place}/sub/a`), read(`${place}/link`)]).toEqual(["1", "1"]);
    expect(lstatSync(at(`${place}/link`)).isSymbolicLink()).toBe(true);
    expect(["run", "sub/a"].map((name) => statSync(at(`${place}/${name}`)).mode & 0o100)).toEqual([0o100, 0]);
  });

  test("replaces a file by a folder, and a folder by a file", () => {
    const [one, all] = [fileOf("1"), folderOf("2")];
    const placing = materializer();
    placing.place(one, declared);
    placing.place(all, declaredFolder);
    expect(read(`${place}/sub/a`)).toBe("2");
    placing.place(one, declared);
    expect(read(place)).toBe("1");
  });

  test("replaces a link, and leaves what it leads to", () => {
    write("target", "mine");
    mkdirSync(at("mine"));
    write("mine/x", "mine");
    mkdirSync(at("out"));
    for (const target of ["../target", "../mine", "nowhere"]) {
      for (const kind of ["file", "folder"] as const) {
        rmSync(at(place), { recursive: true, force: true });
        symlinkSync(target, at(place));
        const output = kind === "file" ? fileOf("1") : folderOf("1");
        materializer().place(output, { ...declared, kind });
        expect(lstatSync(at(place)).isSymbolicLink()).toBe(false);
      }
    }
    expect([read("target"), read("mine/x")]).toEqual(["mine", "mine"]);
  });

  test("leaves nothing else: neither in the scratch folder nor beside the place", () => {
    const placing = materializer();
    placing.place(fileOf("1"), declared);
    placing.place(folderOf("1"), { ...declaredFolder, place: "out/d" });
    expect([listed("scratch"), listed("out")]).toEqual([[], ["d", "o"]]);
  });

  test("does nothing for an output without a place", () => {
    materializer().place(fileOf("1"), { name: "o", kind: "file" });
    expect(listed(".")).toEqual(["store"]);
  });

  test.each(["file", "folder"] as const)("tells the build what now lies there: a %s", (kind) => {
    const output = kind === "file" ? fileOf("1") : folderOf("1");
    const how = { ...declared, kind };
    expect(isPlaced(output, how, files)).toBe(false);
    materializer().place(output, how);
    expect(isPlaced(output, how, files)).toBe(true);
    expect(files.stampOf(kind === "file" ? place : `${place}/sub/a`)).toBeDefined();
  });

  test.each([true, undefined])(
    "believes that an output is there which was placed by other means",
    (executable) => {
      const output = fileOf("1");
      const how = { ...declared, ...(executable && { executable }) };
      write(place, "1", executable ? 0o755 : 0o644);
      materializer().place(output, how, takeStamp(at(place)));
      expect(isPlaced(output, how, files)).toBe(true);
      expect(listed("out")).toEqual(["o"]);
      expect(existsSync(scratch)).toBe(false);
    },
  );

  test.each(["EXDEV", "ENOSPC"])("goes by a name beside the place where renaming fails with %s", (code) => {
    disk.code = code;
    disk.from = scratch;
    materializer().place(fileOf("1"), declared);
    materializer().place(folderOf("2"), { ...declaredFolder, place: "out/d" });
    expect([read(place), read("out/d/sub/a")]).toEqual(["1", "2"]);
    expect([listed("scratch"), listed("out")]).toEqual([[], ["d", "o"]]);
  });

  test.each(["EACCES", "EROFS", "EIO"])(
    "fails where the file system says %s, and leaves the old file",
    (code) => {
      write(place, "old");
      disk.code = code;
      disk.from = root;
      const output = fileOfKnown("1");
      expect(() => materializer().place(output, declared)).toThrow(expect.objectContaining({ code }));
      expect(read(place)).toBe("old");
      expect([listed("scratch"), listed("out")]).toEqual([[], ["o"]]);
    },
  );

  test("fails if the store lost the bytes, and leaves the old file", () => {
    write(place, "old");
    for (const [output, how] of [
      [fileOf("1"), declared],
      [folderOf("2"), declaredFolder],
    ] as const) {
      for (const digest of [output.digest, digestBytes("2")]) rmSync(store.path(digest), { force: true });
      expect(() => materializer().place(output, how)).toThrow(
        expect.objectContaining({ code: "blob-missing" }),
      );
      expect(read(place)).toBe("old");
      expect([listed("scratch"), listed("out")]).toEqual([[], ["o"]]);
    }
  });

  test("removes what an earlier build left in the scratch folder", () => {
    const placing = materializer();
    expect(() => placing.sweep()).not.toThrow();
    write("scratch/.arc-1/x", "half");
    placing.sweep();
    expect(listed("scratch")).toEqual([]);
  });
});

/** Stored before renaming fails. */
function fileOfKnown(text: string): StoredOutput {
  const { code } = disk;
  disk.code = "";
  const output = fileOf(text);
  disk.code = code;
  return output;
}

describe("the store has an output", () => {
  test("if it has the file in its length", () => {
    const output = fileOf("1");
    expect(isStored(output, store)).toBe(true);
    expect(isStored({ ...output, size: 2 }, store)).toBe(false);
    rmSync(store.path(output.digest));
    expect(isStored(output, store)).toBe(false);
  });

  test("if it has the folder's list and all files in it", () => {
    const output = folderOf("1");
    expect(isStored(output, store)).toBe(true);
    rmSync(store.path(digestBytes("1")));
    expect(isStored(output, store)).toBe(false);
    rmSync(store.path(output.digest));
    expect(isStored(output, store)).toBe(false);
  });

  test("not if the list of a folder is none", () => {
    expect(isStored({ ...fileOf("no list"), kind: "folder" }, store)).toBe(false);
  });
});

describe("an output that only its place still has", () => {
  const lost = (output: StoredOutput): StoredOutput => {
    rmSync(join(root, "store/cas"), { recursive: true });
    return output;
  };

  test.each(["file", "folder"] as const)("is restored from there: a %s", (kind) => {
    const how = { ...declared, kind };
    const output = kind === "file" ? fileOf("1") : folderOf("1");
    materializer().place(output, how);
    expect(storeFromPlace(lost(output), how, files, store)).toBe(true);
    expect(isStored(output, store)).toBe(true);
    expect(read(kind === "file" ? place : `${place}/link`)).toBe("1");
  });

  test.each(["file", "folder"] as const)("is not restored if something else is there: a %s", (kind) => {
    const how = { ...declared, kind };
    const output = kind === "file" ? fileOf("1") : folderOf("1");
    materializer().place(output, how);
    write(kind === "file" ? place : `${place}/sub/a`, "2");
    expect(storeFromPlace(lost(output), how, files, store)).toBe(false);
    expect(isStored(output, store)).toBe(false);
  });

  test("is not restored if nothing is there, or it has no place", () => {
    for (const output of [fileOf("1"), folderOf("1")]) {
      expect(storeFromPlace(output, { ...declared, kind: output.kind }, files, store)).toBe(false);
      expect(storeFromPlace(output, { name: "o", kind: output.kind }, files, store)).toBe(false);
    }
  });

  test("is not restored if a file is there instead of a folder, or the reverse", () => {
    const [one, all] = [fileOf("1"), folderOf("1")];
    materializer().place(all, declaredFolder);
    expect(storeFromPlace(one, declared, files, store)).toBe(false);
    materializer().place(one, declared);
    expect(storeFromPlace(all, declaredFolder, files, store)).toBe(false);
  });

  test.each([declared, declaredFolder])("is not waited for where a named pipe is there, %j", (how) => {
    const output = how.kind === "file" ? fileOf("1") : folderOf("1");
    mkdirSync(at(how.kind === "file" ? "out" : place), { recursive: true });
    execFileSync("mkfifo", [at(how.kind === "file" ? place : `${place}/pipe`)]);
    expect(storeFromPlace(output, how, files, store)).toBe(false);
  });
});
