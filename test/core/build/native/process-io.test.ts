/** The work around a process (inputs, outputs, the sandbox) is the same with and without the native part. */
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Engine } from "../../../../core/build/engine-interface.ts";
import type { Action } from "../../../../core/build/model/action.ts";
import { verifyStore } from "../../../../core/build/store/housekeeping.ts";
import { loadedWith, noLibrary, WAYS } from "../ways.ts";

describe.each(WAYS)("around a process, %s", async (way) => {
  const { Workshop, shell } = await loadedWith(way, () => import("../workshop.ts"));
  const { doesErrands } = await import("../../../../core/build/native/native.ts");

  /** Files in the sandboxes of a store, but for the logs, and how long these are. */
  function left(store: string): string[] {
    return readdirSync(join(store, "tmp"), { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.endsWith("/log") || statSync(file).size > 0);
  }

  const blobOf = (engine: Engine, address: string, output = "o"): string => engine.path(address, output).path;

  const placed = (address: string, script: string, more: Partial<Action> = {}): Action =>
    shell(address, script, {}, ["o"], more);

  test("the native part is used exactly in the native run", ({ skip }) => {
    if (way === "native" && noLibrary !== undefined) skip(noLibrary);
    expect(doesErrands()).toBe(way === "native");
  });

  test("outputs are read-only in the store, and copies of them in their places", async () => {
    const shop = new Workshop();
    const tool = shell("tool", "echo one > t; chmod 600 t", {}, [], {
      outputs: [{ name: "t", kind: "file", place: "out/deep/down/t", executable: true }],
    });
    expect((await shop.build([tool, placed("plain", "echo two > o")])).ok).toBe(true);
    expect(shop.read("out/deep/down/t")).toBe("one\n");
    const allowed = 0o777 & ~process.umask();
    expect(statSync(shop.path("out/deep/down/t")).mode & 0o777).toBe(0o755 & allowed);
    expect(statSync(shop.path("out/o")).mode & 0o777).toBe(0o644 & allowed);
    const blob = blobOf(shop.engine, "plain");
    expect([readFileSync(blob, "utf8"), statSync(blob).mode & 0o777, statSync(blob).nlink]).toEqual([
      "two\n",
      0o555,
      1,
    ]);
    writeFileSync(shop.path("out/o"), "mine\n");
    expect(readFileSync(blob, "utf8")).toBe("two\n");
    expect(left(shop.store)).toEqual([]);
    expect(await shop.again()).not.toBe("up to date");
    expect(shop.read("out/o")).toBe("two\n");
    expect(await shop.again()).toBe("up to date");
  });

  test("outputs of any size are as private as the user's umask", async () => {
    const shop = new Workshop();
    const before = process.umask(0o077);
    try {
      const write = "echo x > small; head -c 200000 /dev/zero > large; mkdir -p d/e; cat large > d/large";
      const outputs = ["small", "large"].map((name) => ({
        name,
        kind: "file" as const,
        place: `out/${name}`,
      }));
      const folder = { name: "d", kind: "folder" as const, place: "out/d" };
      await shop.build([shell("make", write, {}, [], { outputs: [...outputs, folder] })]);
    } finally {
      process.umask(before);
    }
    const modeOf = (file: string): string => (statSync(shop.path(file)).mode & 0o777).toString(8);
    const files = ["out/small", "out/large", "out/d/large"];
    expect([...files, "out/d", "out/d/e"].map(modeOf)).toEqual(["600", "600", "600", "700", "700"]);
  });

  test("small, large, empty and identical outputs have the bytes that were written", async () => {
    const shop = new Workshop();
    const sizes = [0, 1, 131_071, 131_072, 131_073, 1_000_000];
    const names = sizes.map((size) => `o${size}`);
    const write = sizes.map((size) => `head -c ${size} /dev/zero | tr '\\0' x > o${size}`).join(";");
    const built = await shop.build([
      shell("sizes", write, {}, names),
      shell("same", "printf x > a; printf x > b", {}, ["a", "b"]),
    ]);
    expect(built.of("failed")).toEqual([]);
    for (const size of sizes) expect(shop.read(`out/o${size}`)).toBe("x".repeat(size));
    expect([shop.read("out/a"), shop.read("out/b")]).toEqual(["x", "x"]);
    const { digest, size } = shop.engine.path("sizes", "o131072");
    expect(size).toBe(131_072);
    expect(blobOf(shop.engine, "sizes", "o131072")).toContain(digest);
    expect(left(shop.store)).toEqual([]);
  });

  test("a damaged blob with the name of an output is replaced", async () => {
    const shop = new Workshop();
    await shop.build([placed("a", "echo a > o")]);
    const blob = blobOf(shop.engine, "a");
    await shop.engine.close();
    writeFileSync(blob, "b\n");
    shop.restart();
    // Another action that writes the same bytes.
    expect((await shop.build([placed("other", "echo a > o; true")])).ran).toEqual(["other"]);
    expect(readFileSync(blob, "utf8")).toBe("a\n");
  });

  test("hundreds of inputs and outputs are staged and collected", async () => {
    const shop = new Workshop();
    const names = Array.from({ length: 100 }, (_, at) => `f${at}`);
    for (const name of names) shop.write(`src/${name}`, `${name}\n`);
    const inputs = Object.fromEntries(names.map((name) => [`in/${name}`, `src/${name}`]));
    const script = "for f in in/*; do cp $f $(basename $f); done";
    expect((await shop.build([shell("many", script, inputs, names)])).of("failed")).toEqual([]);
    for (const name of names) expect(shop.read(`out/${name}`)).toBe(`${name}\n`);
    expect(left(shop.store)).toEqual([]);
  });

  test("a source is stored once, as it was when its digest was taken", async () => {
    const shop = new Workshop();
    shop.write("a", "first\n");
    const readers = ["r0", "r1", "r2"].map((name) => shell(name, `cat a > ${name}`, { a: "a" }, [name]));
    await shop.build(readers);
    for (const name of ["r0", "r1", "r2"]) expect(shop.read(`out/${name}`)).toBe("first\n");
    shop.write("a", "second\n");
    // The edit after the look is the one that counts.
    const built = await shop.build(readers, {
      onEvent: (event) => {
        if (event.type === "running" && !existsSync(shop.path("edited"))) {
          writeFileSync(shop.path("edited"), "");
          shop.write("a", "third\n");
        }
      },
    });
    expect(built.of("failed")).toEqual([]);
    await shop.build(readers);
    for (const name of ["r0", "r1", "r2"]) expect(shop.read(`out/${name}`)).toBe("third\n");
  });

  test("a change that a process makes to an input never reaches another action", async () => {
    const shop = new Workshop();
    shop.write("a", "good\n");
    const vandal = placed("vandal", "chmod u+w a; echo bad > a; echo o > o", {
      inputs: [{ name: "a", from: { file: "a" } }],
    });
    const built = await shop.build([vandal]);
    expect(built.of("failed")[0]?.message).toContain("vandal wrote to one of its inputs");
    expect(existsSync(shop.path("out/o"))).toBe(false);
    await shop.build([shell("reader", "cat a > p", { a: "a" }, ["p"])]);
    expect(shop.read("out/p")).toBe("good\n");
    expect(left(shop.store)).toEqual([]);
  });

  test("another process reading the store or marking a blob as used does not count as writing", async () => {
    const shop = new Workshop();
    shop.write("a", "good\n");
    shop.write("folder/b", "good\n");
    await shop.build([shell("first", "cat a folder/b > first", { a: "a", folder: "folder" }, ["first"])]);
    const slow = (address: string, inputs: Record<string, string>): Action =>
      shell(address, `sleep 0.3; cat a > ${address}`, { a: "a", ...inputs }, [address]);
    const building = shop.build([slow("one", {}), slow("two", { folder: "folder" })]);
    await new Promise((done) => setTimeout(done, 100));
    expect(verifyStore(shop.store).damaged).toEqual([]);
    const built = await building;
    expect(built.of("failed")).toEqual([]);
    expect([shop.read("out/one"), shop.read("out/two")]).toEqual(["good\n", "good\n"]);
    expect(left(shop.store)).toEqual([]);
  });

  test("links, hard links and folders in the sandbox are neither collected nor left", async () => {
    const shop = new Workshop();
    shop.write("a", "a\n");
    const built = await shop.build([
      shell("link", "echo elsewhere > x; ln -s x o", {}, ["o"]),
      shell("twice", "echo p > p; ln p other; mkdir -p more/of/it; echo > more/of/it/x", {}, ["p"]),
      shell("input", "ln a q", { a: "a" }, ["q"]),
    ]);
    expect(built.of("failed")).toEqual([]);
    expect(["o", "p", "q"].map((name) => shop.read(`out/${name}`))).toEqual(["elsewhere\n", "p\n", "a\n"]);
    expect(statSync(blobOf(shop.engine, "twice", "p")).nlink).toBe(1);
    expect(left(shop.store)).toEqual([]);
  });

  test("an action finds its folders, and no file or folder of the one before", async () => {
    const shop = new Workshop({ jobs: 1 });
    const steps = [
      'echo > in/x; echo > "$TMPDIR/y"; mkdir in/deep',
      "rmdir in 2> /dev/null || true",
      'mkdir -p "$TMPDIR/z"; echo > "$TMPDIR/z/a"',
    ];
    const actions = [...steps, "true"].map((script, at) =>
      shell(`a${at}`, `found=$(find . "$TMPDIR" -mindepth 1); echo "$found" > out${at}; ${script}`, {}, [], {
        outputs: [
          { name: `out${at}`, kind: "file", place: `out/${at}` },
          { name: "in/optional", kind: "file", optional: true },
        ],
      }),
    );
    expect((await shop.build(actions)).of("failed")).toEqual([]);
    for (const at of [0, 1, 2, 3]) {
      expect([at, shop.read(`out/${at}`)]).toEqual([at, "./in\n"]);
    }
    expect(left(shop.store)).toEqual([]);
  });

  test("accepted exit codes, output to a file, and printed output are kept", async () => {
    const shop = new Workshop();
    const action: Action = {
      ...placed("talk", ""),
      command: { argv: ["sh", "-c", "echo said; echo warned >&2; exit 3"], ok: [3], stdout: "o" },
    };
    const built = await shop.build([action, shell("fails", "echo > p; echo why >&2; exit 3", {}, ["p"])], {
      keepGoing: true,
    });
    expect(shop.read("out/o")).toBe("said\n");
    expect(shop.engine.log("talk")).toBe("warned\n");
    expect(built.of("failed").map(({ address, log }) => [address, log])).toEqual([["fails", "why\n"]]);
    expect(left(shop.store)).toEqual([]);
  });

  test("a missing output is reported with the files written instead; an optional one may be missing", async () => {
    const shop = new Workshop();
    const optional = shell("optional", "echo > o", {}, [], {
      outputs: [
        { name: "o", kind: "file", place: "out/o" },
        { name: "extra", kind: "file", place: "out/extra", optional: true },
      ],
    });
    const built = await shop.build([optional, shell("wrong", "echo > q", {}, ["p"])], { keepGoing: true });
    expect(built.of("failed").map(({ address, message }) => [address, message])).toEqual([
      ["wrong", expect.stringContaining("did not write the file p (it wrote q)")],
    ]);
    expect([shop.exists("out/o"), shop.exists("out/extra")]).toEqual([true, false]);
    expect(left(shop.store)).toEqual([]);
  });

  test("places behind a link to a folder, and places where a folder was, are written", async () => {
    const shop = new Workshop();
    shop.write("real/keep", "");
    symlinkSync("real", shop.path("out"));
    await shop.build([placed("a", "echo a > o")]);
    expect(shop.read("real/o")).toBe("a\n");
    const folder = shell("f", "mkdir p; echo > p/x", {}, [], {
      outputs: [{ name: "p", kind: "folder", place: "out/p" }],
    });
    await shop.build([folder]);
    expect((await shop.build([shell("f", "echo p > p", {}, ["p"])])).of("failed")).toEqual([]);
    expect(shop.read("real/p")).toBe("p\n");
  });
});
