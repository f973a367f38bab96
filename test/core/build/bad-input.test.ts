import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { expect, test } from "vitest";
import { createEngine } from "../../../core/build/engine.ts";
import { digestBytes } from "../../../core/build/key/digest.ts";
import type { Action } from "../../../core/build/model/action.ts";
import { EngineError } from "../../../core/build/model/error.ts";
import { type Built, shell, Workshop } from "./workshop.ts";

function failure(built: Built): string {
  expect(built.ok).toBe(false);
  return built
    .of("failed")
    .map((event) => event.message)
    .join("\n");
}

const copy = [shell("copy", "cat in > o", { in: "a" }, ["o"])];

test("a missing source is named, and its appearance repairs the build", async () => {
  const shop = new Workshop();
  expect(failure(await shop.build(copy))).toContain("copy needs a, which does not exist");
  shop.write("a", "x\n");
  expect((await shop.build(copy)).ok).toBe(true);
});

test("an output that was not written is named, with what was written instead", async () => {
  const shop = new Workshop();
  const built = await shop.build([shell("bad", "echo x > other; mkdir -p d; echo > d/deep", {}, ["o"])]);
  expect(failure(built)).toContain("did not write the file o (it wrote other, d/deep)");
  // Its step, not a user, declares what it writes.
  expect(failure(built)).toContain("step command expects other files of its tool than it writes");
});

test("a folder where a file was declared, and the reverse, are rejected", async () => {
  const shop = new Workshop();
  expect(failure(await shop.build([shell("bad", "mkdir o", {}, ["o"])]))).toContain(
    "did not write the file o",
  );
  const folder = shell("bad2", "rmdir o; echo > o", {}, [], { outputs: [{ name: "o", kind: "folder" }] });
  expect(failure(await shop.build([folder]))).toContain("did not write the folder o");
});

test("undeclared outputs do not reach the project", async () => {
  const shop = new Workshop();
  await shop.build([shell("messy", "echo x > o; echo y > junk", {}, ["o"])]);
  expect(readdirSync(shop.path("out"))).toEqual(["o"]);
});

test("an output that is a link to itself was not written", async () => {
  const shop = new Workshop();
  expect(failure(await shop.build([shell("loop", "ln -s o o", {}, ["o"])]))).toContain(
    "loop did not write the file o",
  );
});

test("a source that is removed before an action reads it is reported as missing", async () => {
  const shop = new Workshop();
  shop.write("a", "a\n");
  shop.write("folder/b", "b\n");
  const go = (source: string) => (event: { type: string }) => {
    if (event.type === "running") rmSync(shop.path(source), { recursive: true });
  };
  expect(failure(await shop.build(copy, { onEvent: go("a") }))).toContain(
    "copy needs a, which does not exist",
  );
  const list = shell("list", "ls folder > o", { folder: "folder" }, ["o"]);
  expect(failure(await shop.build([list], { onEvent: go("folder") }))).toContain(
    "list needs folder, which does not exist",
  );
});

test("the failure of an action whose folder somebody removed is not cached", async () => {
  const shop = new Workshop();
  const fail = shell("fail", 'rm -rf "$PWD"; exit 3', {}, ["o"]);
  expect(failure(await shop.build([fail]))).toContain("the folder that it ran in was removed");
  expect((await shop.build([fail])).of("failed")[0]?.cached).toBe(false);
});

test("an optional output may be left out, and its consumers see that it is absent", async () => {
  const shop = new Workshop();
  shop.write("a", "plain\n");
  const actions = [
    shell("maybe", "if grep -q report in; then echo r > r; fi; echo o > o", { in: "a" }, [], {
      outputs: [
        { name: "o", kind: "file" },
        { name: "r", kind: "file", optional: true },
      ],
    }),
    shell("use", "if test -e r; then cat r; else echo none; fi > u", { r: ["maybe", "r"] }, ["u"]),
  ];
  await shop.build(actions);
  expect(shop.read("out/u")).toBe("none\n");
  shop.write("a", "report\n");
  await shop.build(actions);
  expect(shop.read("out/u")).toBe("r\n");
});

test("a link that leads back to itself is reported as an error", async () => {
  const shop = new Workshop();
  symlinkSync("b", shop.path("a"));
  symlinkSync("a", shop.path("b"));
  expect(failure(await shop.build(copy))).toContain("a is a link that leads back to itself");
});

test("a named pipe in a file's place is an error, and is not waited for", async () => {
  const shop = new Workshop();
  execFileSync("mkfifo", [shop.path("a")]);
  expect(failure(await shop.build(copy))).toContain("a is a named pipe or a socket");
});

test("links inside an input folder stay links, even when they lead nowhere or in a circle", async () => {
  const shop = new Workshop();
  shop.write("d/real", "r\n");
  symlinkSync("real", shop.path("d/good"));
  symlinkSync("self", shop.path("d/self"));
  symlinkSync("nowhere", shop.path("d/dangling"));
  const built = await shop.build([
    shell("list", "cat d/good > o; readlink d/self d/dangling >> o", { d: "d" }, ["o"]),
  ]);
  expect(built.ok).toBe(true);
  expect(shop.read("out/o")).toBe("r\nself\nnowhere\n");
});

test("a link out of an input folder brings the file it leads to, and a link to a folder outside is an error", async () => {
  const shop = new Workshop();
  shop.write("outside", "x\n");
  mkdirSync(shop.path("d"));
  symlinkSync("../outside", shop.path("d/in"));
  const list = [shell("list", "cat d/in > o; test ! -L d/in", { d: "d" }, ["o"])];
  expect((await shop.build(list)).ok).toBe(true);
  shop.write("outside", "y\n");
  await shop.build(list);
  expect(shop.read("out/o")).toBe("y\n");
  mkdirSync(shop.path("elsewhere"));
  symlinkSync("../elsewhere", shop.path("d/dir"));
  expect(failure(await shop.build(list))).toContain("is a link out of its folder");
});

test("names may have spaces, quotes, newlines, glob characters and non-ASCII letters", async () => {
  const shop = new Workshop();
  const names = [
    "a b",
    "it's",
    'say "hi"',
    "line\nbreak",
    "*?[x]",
    "größe",
    "日本",
    "-n",
    "$HOME",
    "a\\b",
    "emoji😀",
  ];
  for (const name of names) shop.write(`src/${name}`, `${name}\n`);
  const actions = names.map((name, at) =>
    shell(`copy ${name}`, `cat "$(cat name)" > "o-$(cat name)"`, { [name]: `src/${name}` }, [`o-${name}`], {
      inputs: [
        { name, from: { file: `src/${name}` } },
        { name: "name", from: { text: name } },
      ],
      command: { argv: ["sh", "-c", `cat -- "$1" > "o-$1"`, "sh", name.startsWith("-") ? name : name] },
      resources: { cpu: 1 + (at % 2) },
    }),
  );
  const built = await shop.build(actions);
  expect(built.of("failed")).toEqual([]);
  for (const name of names) expect(shop.read(`out/o-${name}`)).toBe(`${name}\n`);
  shop.restart();
  expect(await shop.again()).toBe("up to date");
  shop.write("src/日本", "new\n");
  const again = await shop.again();
  expect(typeof again === "string" ? again : again.ran).toEqual(["copy 日本"]);
});

test("a name that is not valid text is reported as an error, in input and output folders", async () => {
  const shop = new Workshop();
  const strange = Buffer.concat([Buffer.from(shop.path("d/x")), Buffer.of(0xff)]);
  mkdirSync(shop.path("d"));
  writeFileSync(strange, "");
  const read = shell("read", "ls d > o", { d: "d" }, ["o"]);
  expect(failure(await shop.build([read]))).toMatch(
    /in .*\/d the name of x\ufffd is no text in UTF-8; rename/,
  );
  const write = shell("write", "touch \"$(printf 'e/\\377')\"", {}, [], {
    outputs: [{ name: "e", kind: "folder", place: "out/e" }],
  });
  expect(failure(await shop.build([write]))).toMatch(/the name of \ufffd is no text in UTF-8/);
});

test("a file of the user's in the place of an output is an error before anything runs", async () => {
  const shop = new Workshop();
  shop.write("out/o", "mine\n");
  const built = await shop.build([shell("make", "echo x > o", {}, ["o"])]);
  expect(failure(built)).toContain("out/o is in the way of an output: arc did not write it");
  expect(built.ran).toEqual([]);
  expect(shop.read("out/o")).toBe("mine\n");
});

test("a folder of the user's that took the place of an output is not removed, one that arc made is", async () => {
  const shop = new Workshop();
  const make = (kind: "file" | "folder", script: string): Action =>
    shell("make", script, {}, [], { outputs: [{ name: "o", kind, place: "made/o" }] });
  const file = make("file", "echo x > o");
  await shop.build([file]);
  rmSync(shop.path("made/o"));
  shop.write("made/o/mine", "mine\n");
  expect(failure(await shop.build([file]))).toContain(
    "made/o is in the way of an output: arc did not write it",
  );
  expect(shop.read("made/o/mine")).toBe("mine\n");
  rmSync(shop.path("made/o/mine"));
  expect((await shop.build([file])).ok).toBe(true);
  expect((await shop.build([make("folder", "mkdir -p o; echo y > o/y")])).ok).toBe(true);
  expect((await shop.build([file])).ok).toBe(true);
  expect(shop.read("made/o")).toBe("x\n");
});

test("a file of the user's where an output's folder should be is an error", async () => {
  const shop = new Workshop();
  shop.write("out", "mine\n");
  expect(failure(await shop.build([shell("make", "echo x > o", {}, ["o"])]))).toContain(
    "out is a file, and arc did not write it",
  );
  expect(shop.read("out")).toBe("mine\n");
});

test("after the state is lost, what the store holds may be replaced, what it does not may not", async () => {
  const shop = new Workshop();
  shop.write("a", "one\n");
  await shop.build(copy);
  shop.write("a", "two\n");
  rmSync(shop.path(".arc"), { recursive: true });
  shop.restart();
  expect((await shop.build(copy)).ok).toBe(true);
  expect(shop.read("out/o")).toBe("two\n");
});

test("an output does not replace a source, even one whose bytes the store has", async () => {
  const shop = new Workshop();
  shop.write("a", "mine\n");
  await shop.build([shell("read", "cat in > o", { in: "a" }, ["o"])]);
  const wipe = shell("wipe", "touch a", {}, [], { outputs: [{ name: "a", kind: "file", place: "a" }] });
  expect(failure(await shop.build([wipe]))).toContain("a is in the way of an output: arc did not write it");
  expect(shop.read("a")).toBe("mine\n");
});

test("an output outside arc's folder is recognised after the state is lost, and no other file is mistaken for it", async () => {
  const shop = new Workshop();
  const make = (text: string) =>
    shell("make", `echo ${text} > o`, {}, [], { outputs: [{ name: "o", kind: "file", place: "data/o" }] });
  const lose = () => {
    rmSync(shop.path(".arc"), { recursive: true });
    shop.restart();
  };
  await shop.build([make("one")]);
  lose();
  expect(await shop.build([make("one")])).toMatchObject({ ok: true, ran: [] });
  expect((await shop.build([make("two")])).ok).toBe(true);
  lose();
  expect(failure(await shop.build([make("three")]))).toContain("data/o is in the way");
  expect(shop.read("data/o")).toBe("two\n");
});

test("an action that writes to its input fails, and the input is restored", async () => {
  const shop = new Workshop();
  const first = shell("first", "echo good > g", {}, ["g"]);
  const vandal = shell("vandal", "chmod u+w g; echo bad > g; cp g o", { g: ["first", "g"] }, ["o"]);
  const built = await shop.build([first, vandal]);
  expect(failure(built)).toContain("vandal wrote to one of its inputs");
  expect(shop.read("out/g")).toBe("good\n");
  const after = await shop.build([first, shell("reader", "cat g > o", { g: ["first", "g"] }, ["o"])]);
  expect(after.ok).toBe(true);
  expect(shop.read("out/o")).toBe("good\n");
});

test.each([
  ["removes it", "rm g"],
  ["replaces it", "cp g o; rm g; echo other > g"],
  ["fails", "exit 3"],
  ["is killed", "kill -9 $$"],
])("an action that writes to its input and then %s fails, and the input is restored", async (_, then) => {
  const shop = new Workshop();
  const first = shell("first", "echo good > g", {}, ["g"]);
  const vandal = shell("vandal", `chmod u+w g; echo bad > g; echo > o; ${then}`, { g: ["first", "g"] }, [
    "o",
  ]);
  expect(failure(await shop.build([first, vandal]))).toContain("vandal wrote to one of its inputs");
  const after = await shop.build([first, shell("reader", "cat g > o", { g: ["first", "g"] }, ["o"])]);
  expect(after.ok).toBe(true);
  expect(shop.read("out/o")).toBe("good\n");
});

test("an action that removes its input's permissions does not affect other actions' inputs", async () => {
  const shop = new Workshop();
  const first = shell("first", "echo good > g", {}, ["g"]);
  const miser = shell("miser", "cp g o; chmod 000 g", { g: ["first", "g"] }, ["o"]);
  const second = shell("second", "cp g p; chmod 000 g; rm g", { g: ["first", "g"] }, ["p"]);
  expect((await shop.build([first, miser, second])).ok).toBe(true);
  expect(statSync(shop.engine.path("first", "g").path).mode & 0o777).toBe(0o555);
});

test("an action that writes through its input does not change the source", async () => {
  const shop = new Workshop();
  shop.write("a", "mine\n");
  await shop.build([shell("vandal", "chmod u+w in; echo bad >> in; cp in o", { in: "a" }, ["o"])]);
  expect(shop.read("a")).toBe("mine\n");
});

test("a flipped bit in the store is detected, and the damaged result is built again", async () => {
  const shop = new Workshop();
  shop.write("a", "good\n");
  await shop.build(copy);
  const blob = shop.engine.path("copy", "o").path;
  chmodSync(blob, 0o644);
  writeFileSync(blob, "goof\n");
  shop.write("out/o", "damaged too\n");
  shop.restart();
  const built = await shop.build(copy);
  expect(built.ok).toBe(true);
  expect(shop.read("out/o")).toBe("good\n");
});

test("a store that lost blobs costs work, never the build", async () => {
  const shop = new Workshop();
  shop.write("a", "good\n");
  const chain = [...copy, shell("again", "cat o o > oo", { o: ["copy", "o"] }, ["oo"])];
  await shop.build(chain);
  rmSync(`${shop.store}/cas`, { recursive: true });
  shop.write("out/oo", "damaged\n");
  shop.restart();
  expect((await shop.build(chain)).ok).toBe(true);
  expect(shop.read("out/oo")).toBe("good\ngood\n");
});

test("blobs that disappear while a build runs are restored or rebuilt", async () => {
  const shop = new Workshop({ jobs: 1 });
  shop.write("a", "good\n");
  const folder: Action = shell("folder", "mkdir -p d; cat a > d/x", { a: "a" }, [], {
    outputs: [{ name: "d", kind: "folder" }],
  });
  const chain = [
    ...copy,
    shell("again", "cat o o > oo", { o: ["copy", "o"] }, ["oo"]),
    folder,
    shell("list", "cat d/* > l", { d: ["folder", "d"] }, ["l"]),
  ];
  const readers = new Set(["again", "list"]);
  const lose = (event: { type: string; address?: string }): void => {
    if (event.type !== "running" || !readers.delete(event.address ?? "")) return;
    rmSync(`${shop.store}/cas`, { recursive: true });
  };
  const built = await shop.build(chain, { onEvent: lose });
  expect(built.of("failed")).toEqual([]);
  expect([shop.read("out/oo"), shop.read("out/l")]).toEqual(["good\ngood\n", "good\n"]);
});

test("a damaged action cache is skipped over", async () => {
  const shop = new Workshop();
  shop.write("a", "good\n");
  await shop.build(copy);
  shop.restart();
  rmSync(shop.path(".arc"), { recursive: true });
  const folder = `${shop.store}/actions`;
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(`${folder}/${name}`);
    bytes[bytes.length - 3] = (bytes.at(-3) as number) ^ 1;
    writeFileSync(`${folder}/${name}`, Buffer.concat([Buffer.from("junk"), bytes]));
  }
  expect((await shop.build(copy)).ran).toEqual(["copy"]);
  for (const name of readdirSync(folder))
    truncateSync(`${folder}/${name}`, readFileSync(`${folder}/${name}`).length - 5);
  shop.restart();
  rmSync(shop.path(".arc"), { recursive: true });
  expect((await shop.build(copy)).ok).toBe(true);
});

test("a store that cannot be made is an error with a remedy", () => {
  const shop = new Workshop();
  shop.write("file", "");
  const make = (): unknown =>
    createEngine({
      root: shop.root,
      store: `${shop.path("file")}/store`,
      registry: { steps: new Map(), expansions: new Map() },
    });
  expect(make).toThrow(EngineError);
  expect(make).toThrow(/cannot be used/);
});

test("a source dated in the future and a clock set back rebuild nothing", async () => {
  const shop = new Workshop();
  shop.write("a", "one\n");
  const future = Date.now() / 1000 + 1e6;
  utimesSync(shop.path("a"), future, future);
  await shop.build(copy);
  expect((await shop.build(copy)).ran).toEqual([]);
  shop.write("a", "two\n");
  utimesSync(shop.path("a"), 1, 1);
  await shop.build(copy);
  expect(shop.read("out/o")).toBe("two\n");
});

test("an unknown target and an unknown step are errors that name them", async () => {
  const shop = new Workshop();
  await expect(shop.build(copy, { targets: ["nope"] })).rejects.toThrow("there is no action nope");
  await expect(shop.build([{ ...(copy[0] as (typeof copy)[0]), step: "nope" }])).rejects.toThrow(
    "there is no step nope",
  );
});

test("a missing program is named, and the failure is not cached", async () => {
  const shop = new Workshop();
  const bad = [shell("bad", "", {}, ["o"], { command: { argv: ["no-such-program-here"] } })];
  expect(failure(await shop.build(bad))).toContain("no-such-program-here cannot be started");
  expect((await shop.build(bad)).ran).toEqual(["bad"]);
});

test("an expansion that does not add a promised action is an error that names both", async () => {
  const shop = new Workshop();
  shop.expansion({ rule: "none", digest: digestBytes("none"), expand: async () => [] });
  const built = await shop.build([
    shell("liar", "echo > o", {}, ["o"], { expand: { rule: "none", promises: ["promised"] } }),
    shell("hopeful", "cat p > q", { p: ["promised", "p"] }, ["q"]),
  ]);
  expect(failure(built)).toContain("liar promised promised, but did not add it");
});

test("read-only folders that an action leaves are removed", async () => {
  const shop = new Workshop();
  await shop.build([shell("ro", "mkdir -p x/y; touch x/y/z; chmod 555 x/y x; echo > o", {}, ["o"])]);
  const left = readdirSync(`${shop.store}/tmp`, { recursive: true, encoding: "utf8" });
  expect(left.filter((name) => /\/x$/.test(name))).toEqual([]);
});

/** `from` copied to places outside of arc's folder. */
const scattered = (names: readonly string[]): Action[] =>
  names.map((name) =>
    shell(name, "cat a > o", { a: "a" }, [], {
      outputs: [{ name: "o", kind: "file", place: `data/${name}` }],
    }),
  );

test("after the journal alone is lost, outputs that the store has are arc's again, also where they must change", async () => {
  const shop = new Workshop();
  shop.write("a", "one\n");
  expect((await shop.build(scattered(["x", "y"]))).ok).toBe(true);
  await shop.restart();
  rmSync(shop.path(".arc/journal"));
  shop.write("a", "two\n");
  expect((await shop.build(scattered(["x", "y"]))).ok).toBe(true);
  expect([shop.read("data/x"), shop.read("data/y")]).toEqual(["two\n", "two\n"]);
});

test("everything in the way of outputs is reported at once, with the command that moves it away", async () => {
  const shop = new Workshop();
  shop.write("a", "one\n");
  for (const name of ["x", "y", "it's"]) shop.write(`data/${name}`, `my ${name}\n`);
  const graph = scattered(["x", "y", "z", "it's"]);
  const message = failure(await shop.build(graph));
  for (const name of ["x", "y", "it's"]) expect(message).toContain(`data/${name}`);
  expect(message).not.toContain("data/z");
  const [command = ""] = /tar .*$/m.exec(message) ?? [];
  expect(spawnSync("sh", ["-c", command], { cwd: shop.root, encoding: "utf8" }).status).toBe(0);
  expect((await shop.build(graph)).ok).toBe(true);
  expect(shop.read("data/it's")).toBe("one\n");
  expect(shop.exists("in-the-way.tar")).toBe(true);
});

test("an action that changes what it reads is told to declare that", async () => {
  const shop = new Workshop();
  shop.write("a", "x\n");
  const append: Action = {
    address: "append",
    step: "command",
    command: { argv: ["sh", "-c", "echo x >> a; cat a"], inProject: true, stdout: "o" },
    inputs: [{ name: "a", from: { file: "a" } }],
    outputs: [{ name: "o", kind: "file", place: "out/o" }],
  };
  expect(failure(await shop.build([append]))).toBe(
    "a keeps changing while append reads it; if the action writes it, declare it as an output",
  );
  expect(shop.exists("out/o")).toBe(false);
});

test("an executor that is not there is named", async () => {
  const shop = new Workshop();
  shop.write("a", "x\n");
  const [action] = copy;
  expect(failure(await shop.build([{ ...(action as Action), executor: "moon" }]))).toBe(
    "copy: there is no executor moon; declare it",
  );
});

test("a store inside a folder that an action reads is named, with what to do", async () => {
  const shop = new Workshop();
  shop.write("src/a", "a\n");
  const store = shop.path("src/store");
  const inside = new Workshop({ root: shop.root, store });
  const reads = shell("reads", "ls src | sort > o", { src: "src" }, ["o"]);
  const [failed] = (await inside.build([reads])).of("failed");
  expect(failed?.message).toContain(`the store ${store} lies in src, which reads reads`);
  expect(failed?.message).toContain("put the store elsewhere");
});
