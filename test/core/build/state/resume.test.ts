import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readStampRows } from "../../../../core/build/files/up-to-date.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Action } from "../../../../core/build/model/action.ts";
import { type Built, shell, Workshop } from "../workshop.ts";

/** a, b -> upper-a, upper-b -> both; plus one that nothing touches. */
const actions: Action[] = [
  shell("upper-a", "tr a-z A-Z < a > A", { a: "a" }, ["A"]),
  shell("upper-b", "tr a-z A-Z < b > B", { b: "b" }, ["B"]),
  shell("both", "cat A B > AB", { A: ["upper-a", "A"], B: ["upper-b", "B"] }, ["AB"]),
  shell("alone", "echo alone > alone", {}, ["alone"]),
];

async function started(): Promise<Workshop> {
  const shop = new Workshop();
  shop.write("a", "a\n");
  shop.write("b", "b\n");
  expect((await shop.build(actions)).ok).toBe(true);
  shop.restart();
  return shop;
}

async function resumed(shop: Workshop, options = {}): Promise<Built> {
  const again = await shop.again(options);
  if (typeof again === "string") throw new Error(again);
  return again;
}

test("after a successful build only stamps are checked", async () => {
  const shop = await started();
  expect(await shop.again()).toBe("up to date");
});

test("another kind of call is not answered by the stamps of this one", async () => {
  const shop = await started();
  expect(await shop.again({ context: "other" })).toBe("graph may have changed");
});

test("what the last success looked at is known by name, and what of it changed after a check", async () => {
  const shop = await started();
  const { engine } = shop;
  expect(["a", "new", "out/AB"].map((path) => engine.lookedAt("default", [path]))).toEqual([
    true,
    false,
    true,
  ]);
  expect(engine.lookedAt("default", ["new", "a"])).toBe(true);
  expect(engine.lookedAt("other", ["a"])).toBeUndefined();
  shop.write("a", "x\n");
  const check = engine.check("default");
  expect(engine.lookedAt("default", ["a", "b"], check)).toBe(false);
  shop.write("a", "longer\n");
  expect(engine.lookedAt("default", ["a", "new"], check)).toBe(true);
  expect(engine.lookedAt("default", ["b", "new"], check)).toBe(false);
});

test("a changed source runs only what it reaches; the rest counts as up to date", async () => {
  const shop = await started();
  shop.write("a", "x\n");
  const built = await resumed(shop);
  expect(built.ran).toEqual(["upper-a", "both"]);
  expect(built.counts).toMatchObject({ ran: 2, upToDate: 2 });
  expect(built.of("start")[0]?.total).toBe(2);
  expect(shop.read("out/AB")).toBe("X\nB\n");
  expect(await shop.again()).toBe("up to date");
});

test("a touched source runs no action, and is not examined twice", async () => {
  const shop = await started();
  utimesSync(shop.path("a"), 1, 1);
  const built = await resumed(shop);
  expect(built.ran).toEqual([]);
  expect(await shop.again()).toBe("up to date");
});

test("an edit and its reversal are both seen, though size and time of the file stay", async () => {
  const shop = await started();
  for (const text of ["x\n", "y\n", "a\n"]) {
    writeFileSync(shop.path("a"), text);
    utimesSync(shop.path("a"), 1, 1);
    await resumed(shop);
    expect(shop.read("out/AB")).toBe(`${text.toUpperCase()}B\n`);
  }
});

test("every change made at once after a build is seen", async () => {
  const shop = await started();
  for (let round = 0; round < 30; round += 1) {
    writeFileSync(shop.path("a"), round % 2 === 0 ? "x\n" : "y\n");
    await resumed(shop);
    expect(shop.read("out/AB")).toBe(round % 2 === 0 ? "X\nB\n" : "Y\nB\n");
  }
});

test("a deleted or damaged output is restored, and what needs it is left alone", async () => {
  const shop = await started();
  rmSync(shop.path("out/A"));
  writeFileSync(shop.path("out/alone"), "damaged");
  const built = await resumed(shop);
  expect(built.ran).toEqual([]);
  expect(built.counts).toMatchObject({ cached: 2, upToDate: 2 });
  expect([shop.read("out/A"), shop.read("out/alone")]).toEqual(["A\n", "alone\n"]);
  expect(await shop.again()).toBe("up to date");
});

test("a failed build is tried again, and the repaired one is up to date", async () => {
  const shop = await started();
  rmSync(shop.path("a"));
  const failed = await resumed(shop);
  expect(failed.ok).toBe(false);
  expect((await resumed(shop)).ok).toBe(false);
  shop.write("a", "a\n");
  expect((await resumed(shop)).ok).toBe(true);
  expect(await shop.again()).toBe("up to date");
});

test("a changed dependency of the graph itself requires a new graph", async () => {
  const shop = new Workshop();
  shop.write("arc.yaml", "one");
  shop.write("a", "a\n");
  shop.write("b", "b\n");
  utimesSync(shop.path("arc.yaml"), 1, 1);
  shop.engine.depend("arc.yaml");
  shop.engine.depend("globbed");
  await shop.build(actions);
  // The dependency may have been written in the tick in which it was read: only a later build trusts it.
  await untilTrusted(shop);
  expect(await shop.again()).toBe("up to date");
  shop.write("arc.yaml", "two");
  expect(await shop.again()).toBe("graph may have changed");
  await untilTrusted(shop);
  shop.write("globbed/new", "");
  expect(await shop.again()).toBe("graph may have changed");
});

async function untilTrusted(shop: Workshop): Promise<void> {
  while ((await shop.again()) !== "up to date") {
    shop.restart();
    shop.engine.depend("arc.yaml");
    shop.engine.depend("globbed");
    await shop.build(actions);
  }
}

test("a targeted build is resumed without what it does not want", async () => {
  const shop = new Workshop();
  shop.write("a", "a\n");
  shop.write("b", "b\n");
  await shop.build(actions, { targets: ["upper-a"] });
  shop.restart();
  expect(await shop.again()).toBe("up to date");
  shop.write("a", "x\n");
  const built = await resumed(shop);
  expect(built.ran).toEqual(["upper-a"]);
  expect(built.counts.upToDate).toBe(0);
});

test("files added to and removed from an input folder are seen", async () => {
  const shop = new Workshop();
  shop.write("data/x", "x\n");
  shop.write("data/deep/y", "y\n");
  const list = [shell("list", "find data -type f | sort > list", { data: "data" }, ["list"])];
  await shop.build(list);
  await settled(shop, list);
  shop.write("data/deep/z", "z\n");
  expect((await resumed(shop)).ran).toEqual(["list"]);
  expect(shop.read("out/list")).toBe("data/deep/y\ndata/deep/z\ndata/x\n");
  await settled(shop, list);
  rmSync(shop.path("data/deep/z"));
  await resumed(shop);
  expect(shop.read("out/list")).toBe("data/deep/y\ndata/x\n");
  await settled(shop, list);
  renameSync(shop.path("data/x"), shop.path("data/w"));
  await resumed(shop);
  expect(shop.read("out/list")).toBe("data/deep/y\ndata/w\n");
});

test("a file that is removed before the build that read it is over is missed", async () => {
  const shop = await started();
  shop.write("a", "new\n");
  const remove = (event: { type: string }): void => {
    if (event.type === "end") rmSync(shop.path("a"));
  };
  await shop.again({ onEvent: remove });
  expect(await shop.again()).not.toBe("up to date");
});

/** Folders that changed within a tick of the look at them are looked at once more. */
async function settled(shop: Workshop, graph: readonly Action[]): Promise<void> {
  while ((await shop.again()) !== "up to date") await shop.build(graph);
}

test("an expansion that comes out the same is cut off, one that does not changes the graph in its place", async () => {
  const shop = new Workshop();
  shop.write("list", "x y\n");
  shop.expansion({
    rule: "each-word",
    digest: digestBytes("each-word"),
    async expand(_, read) {
      const words = (await read("words")).toString().trim().split(" ");
      return words.map((word) =>
        shell(`word/${word}`, `cat words > ${word}`, { words: ["scan", "words"] }, [word]),
      );
    },
  });
  const scan = shell("scan", "grep -v '#' list > words", { list: "list" }, ["words"], {
    expand: { rule: "each-word", promises: [] },
  });
  await shop.build([scan]);
  shop.restart();
  shop.write("list", "# a comment\nx y\n");
  const cut = await resumed(shop);
  expect(cut.ran).toEqual(["scan"]);
  expect(cut.counts).toMatchObject({ ran: 1, upToDate: 2 });
  expect(await shop.again()).toBe("up to date");
  shop.write("list", "x y z\n");
  const grown = await resumed(shop);
  expect([...grown.ran].sort()).toEqual(["scan", "word/x", "word/y", "word/z"]);
  expect(await shop.again()).toBe("up to date");
  shop.restart();
  shop.write("list", "x\n");
  const shrunk = await resumed(shop);
  expect(shrunk.ran).toEqual(["scan", "word/x"]);
  expect(shrunk.counts).toMatchObject({ ran: 2, upToDate: 0 });
  expect(await shop.again()).toBe("up to date");
  shop.restart();
  expect((await shop.build([scan])).counts).toMatchObject({ ran: 0, upToDate: 2 });
});

test("of what an expansion adds only that is built again which was wanted before", async () => {
  const shop = new Workshop();
  shop.write("list", "x\n");
  shop.expansion({
    rule: "words",
    digest: digestBytes("words"),
    async expand(_, read) {
      const word = (await read("words")).toString().trim();
      const make = (address: string, output: string): Action =>
        shell(address, `cat words > ${output}`, { words: ["scan", "words"] }, [output]);
      return [
        make(`word/${word}`, word),
        shell("all", `cat ${word} > all`, { [word]: [`word/${word}`, word] }, ["all"]),
        shell(
          "proof",
          "cat words prover > proof",
          { words: ["scan", "words"], prover: ["prover", "prover"] },
          ["proof"],
        ),
      ];
    },
  });
  const scan = shell("scan", "cat list > words", { list: "list" }, ["words"], {
    expand: { rule: "words", promises: ["all", "proof"] },
  });
  const graph = [scan, shell("prover", "echo > prover", {}, ["prover"])];
  expect((await shop.build(graph, { targets: ["all"] })).ran).toEqual(["scan", "word/x", "all"]);
  for (const word of ["y", "z"]) {
    shop.restart();
    shop.write("list", `${word}\n`);
    expect((await resumed(shop)).ran).toEqual(["scan", `word/${word}`, "all"]);
    expect(await shop.again()).toBe("up to date");
  }
  await shop.build(graph, { targets: ["proof"], context: "proofs" });
  shop.restart();
  shop.write("list", "w\n");
  expect((await resumed(shop, { context: "proofs" })).ran).toEqual(["scan", "proof"]);
});

test("an expansion may need an action that was not needed before: then the complete graph is required", async () => {
  const shop = new Workshop();
  shop.write("list", "plain\n");
  shop.expansion({
    rule: "tools",
    digest: digestBytes("tools"),
    async expand(_, read) {
      const isPlain = (await read("words")).toString() === "plain\n";
      const tool = { tool: ["tool", "tool"] } as const;
      return [shell("all", isPlain ? "echo > all" : "cat tool > all", isPlain ? {} : tool, ["all"])];
    },
  });
  const graph = [
    shell("scan", "cat list > words", { list: "list" }, ["words"], {
      expand: { rule: "tools", promises: ["all"] },
    }),
    shell("tool", "echo tool > tool", {}, ["tool"]),
  ];
  expect((await shop.build(graph, { targets: ["all"] })).ran).toEqual(["scan", "all"]);
  shop.restart();
  shop.write("list", "with the tool\n");
  expect(await shop.again()).toBe("graph may have changed");
  const whole = await shop.build(graph, { targets: ["all"] });
  expect(whole.ok).toBe(true);
  expect(shop.read("out/all")).toBe("tool\n");
});

test("damaged stamps, graph or journal cost a build of the complete graph, never a wrong result", async () => {
  for (const file of ["graph", "journal", "stamps"]) {
    const shop = await started();
    const path = file === "stamps" ? stampFile(shop) : shop.path(`.arc/${file}`);
    const bytes = readFileSync(path);
    const damages = [bytes.subarray(0, bytes.length >> 1), Buffer.alloc(bytes.length), Buffer.alloc(0)];
    for (const [round, damage] of damages.entries()) {
      shop.write("a", `x${round}\n`);
      shop.restart();
      writeFileSync(path, damage);
      const again = await shop.again();
      if (typeof again === "string") {
        expect(again).toBe("graph may have changed");
        await shop.build(actions);
      }
      expect(shop.read("out/AB")).toBe(`X${round}\nB\n`);
    }
  }
});

test("one wrong bit anywhere in stamps or graph never makes a wrong answer", async () => {
  for (const file of ["graph", "stamps"]) {
    const shop = await started();
    for (let round = 0; round < 25; round += 1) {
      const path = file === "stamps" ? stampFile(shop) : shop.path(`.arc/${file}`);
      const bytes = readFileSync(path);
      const at = Math.floor((bytes.length * round) / 25);
      bytes[at] = (bytes[at] as number) ^ (1 << (round % 8));
      shop.write("a", `x${round}\n`);
      await shop.restart();
      writeFileSync(path, bytes);
      if ((await shop.again()) === "graph may have changed") await shop.build(actions);
      expect(shop.read("out/AB")).toBe(`X${round}\nB\n`);
    }
  }
});

function stampFile(shop: Workshop): string {
  const [name] = readdirSync(shop.path(".arc/stamps")).filter((file: string) => file.endsWith(".bin"));
  return shop.path(`.arc/stamps/${name}`);
}

test("a path that only has to exist may change, and its loss requires a new graph", async () => {
  const shop = new Workshop();
  shop.write("a", "a\n");
  shop.write("b", "b\n");
  shop.write("named", "one");
  for (const path of ["a", "named", "nowhere"]) shop.engine.depend(path, "existence");
  await shop.build(actions);
  shop.restart();
  shop.write("named", "two");
  expect(await shop.again()).toBe("up to date");
  shop.write("a", "x\n");
  expect((await resumed(shop)).ran).toEqual(["upper-a", "both"]);
  rmSync(shop.path("named"));
  expect(await shop.again()).toBe("graph may have changed");
  shop.write("named", "");
  expect(await shop.again()).toBe("up to date");
  rmSync(shop.path("a"));
  expect(await shop.again()).toBe("graph may have changed");
  shop.write("a", "x\n");
  shop.write("nowhere", "");
  expect(await shop.again()).toBe("graph may have changed");
});

test("a resumed build counts what it did not look at, skipped actions too", async () => {
  const shop = new Workshop();
  shop.write("a", "a\n");
  shop.write("b", "b\n");
  const skipped = shell("synth", "", { B: ["upper-b", "B"] }, [], { skip: "no tool" });
  await shop.build([...actions, skipped]);
  shop.restart();
  shop.write("a", "x\n");
  expect((await resumed(shop)).counts).toMatchObject({ ran: 2, upToDate: 2, skipped: 1 });
  shop.write("b", "y\n");
  expect((await resumed(shop)).counts).toMatchObject({ ran: 2, upToDate: 2, skipped: 1 });
});

test("what a caller carries comes back with the check", async () => {
  const shop = new Workshop();
  await shop.build([shell("x", "echo > x", {}, ["x"])], {
    carry: () => "settings größe",
    summary: () => "all is well",
  });
  const rows = readStampRows(stampFile(shop), undefined, undefined);
  expect([rows?.carry, rows?.summary]).toEqual(["settings größe", "all is well"]);
});

/** Reads `h`, and on the way looks for others that are not used when they are there. */
function including(shop: Workshop, beside: () => unknown = () => {}): Action {
  shop.step({
    name: "include",
    digest: digestBytes("include"),
    async run(context) {
      const found = ["first/h", "lib/h"].find((name) => shop.exists(name)) as string;
      beside();
      if (found !== "first/h") context.discoverMissing("first/h");
      context.discoverMissing("passed-over/h");
      context.discover(found);
      await context.writeOutput("i", shop.read(found));
      return { ok: true };
    },
  });
  shop.write("lib/h", "lib\n");
  return {
    address: "include",
    step: "include",
    inputs: [],
    outputs: [{ name: "i", kind: "file", place: "out/i" }],
  };
}

test("a file that a first build did not find is used when it appears", async () => {
  const shop = new Workshop();
  await shop.build([including(shop)]);
  expect(await shop.again()).toBe("up to date");
  shop.write("first/h", "first\n");
  expect((await resumed(shop)).ran).toEqual(["include"]);
  expect(shop.read("out/i")).toBe("first\n");
  expect(await shop.again()).toBe("up to date");
});

test("what appears while an action looks for it is found by the next build", async () => {
  const shop = new Workshop();
  // Once: to the next run it is there, and a file written while an action reads it has the action run again.
  const action = including(shop, () => shop.exists("first/h") || shop.write("first/h", "first\n"));
  // Otherwise it would run twice: it is unknown whether the header was saved before it was found.
  await new Promise((done) => setTimeout(done, 60));
  expect((await shop.build([action])).ok).toBe(true);
  expect(shop.read("out/i")).toBe("lib\n");
  expect((await resumed(shop)).ran).toEqual(["include"]);
  expect(shop.read("out/i")).toBe("first\n");
});

test("what an action passes over is no matter to it", async () => {
  const shop = new Workshop();
  shop.write("passed-over/h", "never read\n");
  // By when the clock of the file system has moved on.
  await new Promise((done) => setTimeout(done, 2100 - (Date.now() % 1000)));
  const action = including(shop);
  await shop.build([action]);
  shop.write("passed-over/h", "nor now\n");
  expect(await shop.again()).toBe("up to date");
  expect((await shop.build([action])).ran).toEqual([]);
});

test("a truncated journal gives no answers about lost records", async () => {
  const shop = await started();
  const journal = shop.path(".arc/journal");
  const first = readFileSync(journal).length;
  shop.write("a", "x\n");
  await resumed(shop);
  shop.write("a", "yy\n");
  await resumed(shop);
  shop.restart();
  writeFileSync(journal, readFileSync(journal).subarray(0, first));
  shop.write("b", "new\n");
  expect(await shop.again()).toBe("graph may have changed");
  expect((await shop.build(actions)).ok).toBe(true);
  expect(shop.read("out/AB")).toBe("YY\nNEW\n");
});

test("what a failed build found to be read reaches its readers after the next success", async () => {
  const shop = new Workshop();
  shop.step({
    name: "include",
    digest: digestBytes("include"),
    async run(context) {
      const text = (await context.readInput("main")).toString();
      let all = text;
      for (const [, name] of text.matchAll(/<(\w+)>/g)) {
        context.discover(name as string);
        all += shop.read(name as string);
      }
      await context.writeOutput("i", all);
      return { ok: true };
    },
  });
  const graph: Action[] = [
    {
      address: "include",
      step: "include",
      inputs: [{ name: "main", from: { file: "main" } }],
      outputs: [{ name: "i", kind: "file" }],
    },
    shell("check", "! grep error i && cat i > o", { i: ["include", "i"] }, ["o"]),
  ];
  shop.write("h", "one\n");
  shop.write("main", "plain\n");
  expect((await shop.build(graph)).ok).toBe(true);
  shop.restart();
  shop.write("main", "<h> error\n");
  expect((await resumed(shop)).ok).toBe(false);
  shop.restart();
  shop.write("main", "<h>\n");
  expect((await resumed(shop)).ok).toBe(true);
  shop.restart();
  shop.write("h", "two\n");
  const again = await shop.again();
  if (again === "graph may have changed") await shop.build(graph);
  expect(shop.read("out/o")).toBe("<h>\ntwo\n");
});

test("a journal of few long records is rewritten when most of its bytes are superseded", async () => {
  const shop = new Workshop();
  const names = Array.from({ length: 20_000 }, (_, at) => `in/d${at % 50}/${"f".repeat(50)}${at}`);
  for (const name of names) shop.write(name, "");
  const all = shell("all", "echo > o", Object.fromEntries(names.map((name) => [name, name])), ["o"]);
  let one = 0;
  for (let builds = 0; builds < 8; builds += 1) {
    shop.write(names[0] as string, `${builds}`);
    await shop.build([all]);
    await shop.restart();
    const { size } = statSync(shop.path(".arc/journal"));
    one ||= size;
    expect(size).toBeLessThan(4 * one + 5 * 2 ** 20);
  }
  expect(await shop.again()).toBe("up to date");
}, 60_000);
