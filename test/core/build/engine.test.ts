import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createEngine } from "../../../core/build/engine.ts";
import { FileTable } from "../../../core/build/files/files.ts";
import { digestBytes } from "../../../core/build/key/digest.ts";
import type { Action } from "../../../core/build/model/action.ts";
import type { Event } from "../../../core/build/model/event.ts";
import type { Finding } from "../../../core/build/model/finding.ts";
import { shell, Workshop } from "./workshop.ts";

const chain = [
  shell("upper", "tr a-z A-Z < a.txt > upper.txt", { "a.txt": "a.txt" }, ["upper.txt"]),
  shell("twice", "cat upper.txt upper.txt > twice.txt", { "upper.txt": ["upper", "upper.txt"] }, [
    "twice.txt",
  ]),
];

test("a first build runs everything in order and puts outputs in place", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  const built = await shop.build(chain);
  expect(built.ok).toBe(true);
  expect(built.ran).toEqual(["upper", "twice"]);
  expect(shop.read("out/twice.txt")).toBe("HELLO\nHELLO\n");
  expect(shop.engine.read("twice", "twice.txt").toString()).toBe("HELLO\nHELLO\n");
});

test("a second build runs nothing, in the same process and in a new one", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  await shop.build(chain);
  expect((await shop.build(chain)).counts).toMatchObject({ ran: 0, cached: 0, upToDate: 2 });
  shop.restart();
  expect((await shop.build(chain)).counts).toMatchObject({ ran: 0, cached: 0, upToDate: 2 });
});

test("results that another arc built in the meantime are recognised, and not treated as damage", async () => {
  const shop = new Workshop();
  shop.write("a", "1");
  const actions = [shell("copy", "cat a > o", { a: "a" }, ["o"])];
  const registry = { steps: shop.steps, expansions: shop.expansions };
  const other = createEngine({ root: shop.root, store: shop.store, registry });
  expect(() => other.explain("copy")).toThrow(/not built/);
  await shop.build(actions);
  const warnings: Event[] = [];
  const { counts } = await other.build(actions, {
    onEvent: (event) => void (event.type === "warning" && warnings.push(event)),
  });
  await other.close();
  expect({ counts, warnings }).toMatchObject({ counts: { upToDate: 1, ran: 0, cached: 0 }, warnings: [] });
});

test("a changed source runs what depends on it, and the reason names the input", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  await shop.build(chain);
  shop.write("a.txt", "world\n");
  const built = await shop.build(chain);
  expect(built.ran).toEqual(["upper", "twice"]);
  expect(built.of("running")[0]?.reason).toMatchObject({ kind: "input-changed", input: "a.txt" });
  expect(built.of("running")[1]?.reason).toMatchObject({
    kind: "input-changed",
    input: "upper.txt",
    by: "upper",
    before: digestBytes("HELLO\n"),
    after: digestBytes("WORLD\n"),
  });
  expect(shop.read("out/twice.txt")).toBe("WORLD\nWORLD\n");
});

test("an output with the same bytes stops the rebuild", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  await shop.build(chain);
  shop.write("a.txt", "HELLO\n");
  const built = await shop.build(chain);
  expect(built.ran).toEqual(["upper"]);
  expect(built.of("done").find((done) => done.address === "upper")?.unchanged).toBe(true);
});

test("a change back to what was built before is served from the cache", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  await shop.build(chain);
  shop.write("a.txt", "world\n");
  await shop.build(chain);
  shop.write("a.txt", "hello\n");
  const built = await shop.build(chain);
  expect(built.counts).toMatchObject({ ran: 0, cached: 2 });
  expect(shop.read("out/twice.txt")).toBe("HELLO\nHELLO\n");
});

test("a deleted output is restored without running anything", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  await shop.build(chain);
  rmSync(shop.path("out/twice.txt"));
  const built = await shop.build(chain);
  expect(built.ran).toEqual([]);
  expect(shop.read("out/twice.txt")).toBe("HELLO\nHELLO\n");
});

test("a damaged output is restored", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  await shop.build(chain);
  shop.write("out/twice.txt", "HELLO\nHELLo\n");
  const built = await shop.build(chain);
  expect(built.ran).toEqual([]);
  expect(built.outcomes.get("twice")?.reason).toEqual({ kind: "output-changed", output: "out/twice.txt" });
  expect(shop.read("out/twice.txt")).toBe("HELLO\nHELLO\n");
});

test("a second project with the same sources runs no action if it shares the store", async () => {
  const first = new Workshop();
  first.write("a.txt", "hello\n");
  await first.build(chain);
  const second = new Workshop({ store: first.store });
  second.write("a.txt", "hello\n");
  const built = await second.build(chain);
  expect(built.counts).toMatchObject({ ran: 0, cached: 2 });
  expect(second.read("out/twice.txt")).toBe("HELLO\nHELLO\n");
});

test("after a lost state no action runs again", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  await shop.build(chain);
  rmSync(shop.path(".arc"), { recursive: true });
  shop.restart();
  expect((await shop.build(chain)).counts).toMatchObject({ ran: 0, cached: 2 });
});

test("a corrupt state is reported and rebuilt, never a crash", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  await shop.build(chain);
  shop.restart();
  writeFileSync(shop.path(".arc/journal"), "not a journal");
  const built = await shop.build(chain);
  expect(built.of("warning")).toHaveLength(1);
  expect(built.counts).toMatchObject({ ran: 0, cached: 2 });
});

test("an action does not see files that it does not declare", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  shop.write("secret.txt", "x\n");
  const built = await shop.build([shell("peek", "cat secret.txt > o", { "a.txt": "a.txt" }, ["o"])]);
  expect(built.ok).toBe(false);
  expect(built.of("failed")[0]?.log).toContain("secret.txt");
});

test("a deterministic failure is replayed from the cache with its log", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  const bad = [shell("bad", "echo does not fit >&2; exit 3", { "a.txt": "a.txt" }, ["o"])];
  const first = await shop.build(bad);
  expect(first.of("failed")[0]).toMatchObject({ cached: false, log: "does not fit\n" });
  const second = await shop.build(bad);
  expect(second.ran).toEqual([]);
  expect(second.of("failed")[0]).toMatchObject({ cached: true, log: "does not fit\n" });
  expect((await shop.build(bad, { force: true })).ran).toEqual(["bad"]);
});

test("a nondeterministic command that failed runs again in the next build", async () => {
  const shop = new Workshop();
  const bad = [shell("bad", "exit 3", {}, ["o"], { deterministic: false })];
  await shop.build(bad);
  expect((await shop.build(bad)).ran).toEqual(["bad"]);
});

test("actions that depend on a failure are skipped and name it; the others continue on request", async () => {
  const shop = new Workshop();
  const actions = [
    shell("bad", "exit 1", {}, ["b"]),
    shell("after", "cat b > c", { b: ["bad", "b"] }, ["c"]),
    shell("last", "cat c > d", { c: ["after", "c"] }, ["d"]),
    shell("other", "echo fine > e", {}, ["e"]),
  ];
  const built = await shop.build(actions, { keepGoing: true });
  expect(built.counts).toMatchObject({ ran: 1, failed: 1, skipped: 2 });
  expect(built.of("skipped").map((event) => [event.address, event.because])).toEqual([
    ["after", "bad"],
    ["last", "bad"],
  ]);
});

test("an action without its tool is skipped with all that needs it, and the build succeeds", async () => {
  const shop = new Workshop();
  const built = await shop.build([
    shell("synth", "x", {}, ["a"], { skip: "no Vivado here" }),
    shell("report", "cat a > b", { a: ["synth", "a"] }, ["b"]),
  ]);
  expect(built.ok).toBe(true);
  expect(built.of("skipped").map((event) => event.reason)).toEqual(["no Vivado here", "no Vivado here"]);
});

test("consumers of a step that is not deterministic are keyed on it, not on its bytes", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "one\n");
  const actions = [
    shell("synth", "cat a.txt > net; date +%N >> net", { "a.txt": "a.txt" }, ["net"], {
      deterministic: false,
    }),
    shell("report", "wc -l < net > lines", { net: ["synth", "net"] }, ["lines"]),
  ];
  await shop.build(actions);
  rmSync(shop.path("out/net"));
  const again = await shop.build(actions);
  expect(again.ran).toEqual([]);
  const forced = await shop.build(actions, { force: ["synth"] });
  expect(forced.ran).toEqual(["synth", "report"]);
});

test("an action that is never cached always runs", async () => {
  const shop = new Workshop();
  const run = [shell("run", "echo hi > o", {}, ["o"], { cache: false })];
  await shop.build(run);
  const again = await shop.build(run);
  expect(again.ran).toEqual(["run"]);
  expect(again.of("running")[0]?.reason).toEqual({ kind: "not-cacheable" });
});

test("a dry run reports what a build would do and does nothing", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  const fresh = await shop.build(chain, { dryRun: true });
  expect(fresh.of("planned").map((event) => [event.address, event.verdict])).toEqual([
    ["upper", "run"],
    ["twice", "unknown"],
  ]);
  expect(shop.exists("out")).toBe(false);
  await shop.build(chain);
  const after = await shop.build(chain, { dryRun: true });
  expect(after.of("planned").map((event) => event.verdict)).toEqual(["up-to-date", "up-to-date"]);
});

test("only targets and what they need are built", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  const built = await shop.build([...chain, shell("other", "echo x > x", {}, ["x"])], { targets: ["twice"] });
  expect(built.ran).toEqual(["upper", "twice"]);
});

test("an in-process step reads, writes, logs and reports progress", async () => {
  const shop = new Workshop();
  shop.write("a.txt", "hello\n");
  shop.step({
    name: "shout",
    digest: digestBytes("shout 1"),
    async run(context) {
      context.progress("shouting", 0.5);
      context.log("shouted\n");
      await context.writeOutput("o", (await context.readInput("in")).toString().toUpperCase());
      return { ok: true };
    },
  });
  const actions = [
    shell("shout", "", { in: "a.txt" }, ["o"]),
    shell("copy", "cat o > p", { o: ["shout", "o"] }, ["p"]),
  ].map((action) => {
    if (action.address !== "shout") return action;
    const { command: _, ...rest } = action;
    return { ...rest, step: "shout" };
  });
  const built = await shop.build(actions);
  expect(shop.read("out/p")).toBe("HELLO\n");
  expect(built.of("progress")[0]).toMatchObject({ phase: "shouting", fraction: 0.5 });
  expect(shop.engine.log("shout")).toBe("shouted\n");
});

test("warnings of a success are reported when it runs and when it comes from the cache, not when it is up to date", async () => {
  const shop = new Workshop();
  const loc = { file: "a.c", line: 1, col: 1 };
  const warnings: Finding[] = [{ severity: "warning", code: "careful", message: "careful", loc }];
  shop.step({
    name: "warn",
    digest: digestBytes("warn"),
    async run(context) {
      await context.writeOutput("o", "");
      return { ok: true, diagnostics: warnings };
    },
  });
  const { command: _, ...action } = shell("warn", "", {}, ["o"]);
  const build = () => shop.build([{ ...action, step: "warn" }]);
  expect((await build()).of("done")[0]).toMatchObject({ how: "ran", diagnostics: warnings });
  const again = (await build()).of("done")[0];
  expect(again?.how).toBe("up-to-date");
  rmSync(`${shop.root}/.arc`, { recursive: true });
  shop.restart();
  expect((await build()).of("done")[0]).toMatchObject({ how: "cached", diagnostics: warnings });
});

test("a discovered header is an input, and so is a header name that was not found", async () => {
  const shop = new Workshop();
  shop.write("a.c", '#include "a.h"\n');
  shop.write("lib/a.h", "one\n");
  shop.step({
    name: "preprocess",
    digest: digestBytes("preprocess"),
    async run(context) {
      const { readFileSync, existsSync } = await import("node:fs");
      const first = `${context.root}/a.h`;
      const header = existsSync(first) ? first : `${context.root}/lib/a.h`;
      if (header !== first) context.discoverMissing(first);
      context.discover(header);
      await context.writeOutput("i", readFileSync(header));
      return { ok: true };
    },
  });
  const actions = [
    {
      address: "pre",
      step: "preprocess",
      inputs: [{ name: "a.c", from: { file: "a.c" } }],
      outputs: [{ name: "i", kind: "file" as const, place: "out/i" }],
    },
  ];
  await shop.build(actions);
  expect((await shop.build(actions)).ran).toEqual([]);
  shop.write("lib/a.h", "two\n");
  const changed = await shop.build(actions);
  expect(changed.of("running")[0]?.reason).toMatchObject({ kind: "input-changed", input: "lib/a.h" });
  shop.write("lib/a.h", "one\n");
  expect((await shop.build(actions)).counts).toMatchObject({ ran: 0, cached: 1 });
  shop.write("a.h", "shadow\n");
  const shadowed = await shop.build(actions);
  expect(shadowed.of("running")[0]?.reason).toEqual({ kind: "input-added", input: "a.h" });
  expect(shop.read("out/i")).toBe("shadow\n");
});

test("a file that was just written is settled after a short, known time", async () => {
  const shop = new Workshop();
  const files = new FileTable(shop.root);
  expect(files.settlesIn("h")).toBe(0);
  shop.write("h", "new");
  const waits = [files.settlesIn("h")];
  expect(waits[0]).toBeGreaterThan(0);
  // A timer and the clock that stamps files may disagree by a millisecond or two.
  for (let wait = waits[0] ?? 0; wait > 0 && waits.length < 5; waits.push(wait)) {
    await new Promise((done) => setTimeout(done, wait));
    wait = files.settlesIn("h");
  }
  expect(waits.at(-1)).toBe(0);
  expect(waits.slice(1).every((wait) => wait < 10)).toBe(true);
});

test("a discovered file that is written once while it is read does not keep changing", async () => {
  const shop = new Workshop();
  let tries = 0;
  let writeAt = 0;
  shop.step({
    name: "look",
    digest: digestBytes("look"),
    run: async (context) => {
      tries += 1;
      context.discover("h");
      if (tries === writeAt) shop.write("h", "new");
      await context.writeOutput("o", shop.read("h"));
      return { ok: true };
    },
  });
  const actions: Action[] = [
    { address: "look", step: "look", inputs: [], outputs: [{ name: "o", kind: "file" }], cache: false },
  ];
  shop.write("h", "old");
  // Attempts follow each other as quickly as in a long build, in which all code was used before.
  for (let k = 0; k < 20; k += 1) await shop.build(actions);
  tries = 0;
  writeAt = 1;
  const built = await shop.build(actions);
  expect(built.of("failed")).toEqual([]);
  expect(tries).toBe(2);
  expect(shop.engine.read("look", "o").toString()).toBe("new");
});

test("an expansion adds actions, and other actions may wait for the promised ones", async () => {
  const shop = new Workshop();
  shop.write("list", "x y\n");
  shop.expansion({
    rule: "each-word",
    digest: digestBytes("each-word"),
    async expand(_, read) {
      const words = (await read("words")).toString().trim().split(" ");
      return [
        ...words.map((word) => shell(`word/${word}`, `echo ${word}! > ${word}`, {}, [word])),
        shell(
          "all",
          `cat ${words.join(" ")} > all`,
          Object.fromEntries(words.map((word) => [word, [`word/${word}`, word]])),
          ["all"],
        ),
      ];
    },
  });
  const actions = [
    shell("use", "wc -c < all > size", { all: ["all", "all"] }, ["size"]),
    shell("scan", "cat list > words", { list: "list" }, ["words"], {
      expand: { rule: "each-word", promises: ["all"] },
    }),
  ];
  const first = await shop.build(actions);
  expect([...first.ran].sort()).toEqual(["all", "scan", "use", "word/x", "word/y"]);
  expect(shop.read("out/size").trim()).toBe("6");
  expect((await shop.build(actions)).counts).toMatchObject({ ran: 0, upToDate: 5 });
  shop.write("list", "x y zz\n");
  const grown = await shop.build(actions);
  expect([...grown.ran].sort()).toEqual(["all", "scan", "use", "word/zz"]);
  const plan = await shop.build(actions, { dryRun: true });
  expect(plan.of("planned").every((event) => event.verdict === "up-to-date")).toBe(true);
  shop.write("list", "x\n");
  const unknown = await shop.build(actions, { dryRun: true });
  expect(unknown.outcomes.get("all")?.verdict).toBe("unknown");
  expect(unknown.outcomes.get("use")?.verdict).toBe("unknown");
});

test("an abort stops children, and the next build redoes only what was unfinished", async () => {
  const shop = new Workshop();
  const controller = new AbortController();
  const actions = [
    shell("quick", "echo q > q", {}, ["q"]),
    shell("slow", "cat q > s; test -e /nonexistent || sleep 60", { q: ["quick", "q"] }, ["s"]),
  ];
  const built = await shop.build(actions, {
    signal: controller.signal,
    onEvent: (event) => {
      if (event.type === "running" && event.address === "slow") controller.abort();
    },
  });
  expect(built).toMatchObject({ ok: false, interrupted: true });
  const planned = await shop.build(actions, { dryRun: true });
  expect(planned.outcomes.get("quick")?.verdict).toBe("up-to-date");
  expect(planned.outcomes.get("slow")?.verdict).toBe("run");
});

test("stopping an action also stops its processes that left its process group", async () => {
  const shop = new Workshop();
  const pid = join(shop.directory, "pid");
  const controller = new AbortController();
  const building = shop.build(
    [shell("daemon", `setsid sh -c 'echo $$ > "${pid}"; sleep 1000' & wait`, {}, ["o"])],
    {
      signal: controller.signal,
    },
  );
  while (!existsSync(pid) || readFileSync(pid, "utf8") === "")
    await new Promise((done) => setTimeout(done, 5));
  controller.abort();
  expect((await building).interrupted).toBe(true);
  const command = `/proc/${readFileSync(pid, "utf8").trim()}/cmdline`;
  // A zombie has no command line.
  while (existsSync(command) && readFileSync(command, "utf8") !== "")
    await new Promise((done) => setTimeout(done, 5));
});

test("a command over its time limit is stopped, and the failure is not cached", async () => {
  const shop = new Workshop();
  const slow = [
    shell("slow", "sleep 1000", {}, ["o"], { command: { argv: ["sleep", "1000"], timeoutSeconds: 0.1 } }),
  ];
  const built = await shop.build(slow);
  expect(built.of("failed")[0]?.message).toBe("sleep was stopped after 0.1 s, its time limit");
  expect((await shop.build(slow)).ran).toEqual(["slow"]);
});

test("a command over its memory limit fails, and the failure is not cached", async () => {
  const shop = new Workshop();
  const script = "x=a; while :; do x=$x$x; done";
  const big = [
    shell("big", "", {}, ["o"], { command: { argv: ["sh", "-c", script], memoryLimitBytes: 64 * 2 ** 20 } }),
  ];
  expect((await shop.build(big)).ok).toBe(false);
  expect((await shop.build(big)).ran).toEqual(["big"]);
});

test("what a command prints is passed on while it runs", async () => {
  const shop = new Workshop();
  const controller = new AbortController();
  const built = await shop.build([shell("talk", "echo first; sleep 1000", {}, ["o"])], {
    signal: controller.signal,
    onEvent: (event) => {
      if (event.type === "log") controller.abort();
    },
  });
  expect(built.of("log")[0]).toMatchObject({ address: "talk", text: "first\n" });
});

test("a very long log keeps its beginning and its end", async () => {
  const shop = new Workshop();
  const filler = "head -c 40000000 /dev/zero | tr '\\0' x";
  let heard = "";
  const built = await shop.build(
    [shell("talk", `echo first; ${filler}; echo; echo last; echo > o`, {}, ["o"])],
    {
      onEvent: (event) => {
        if (event.type === "log") heard += event.text;
      },
    },
  );
  expect(built.ok).toBe(true);
  for (const text of [heard, shop.engine.log("talk")]) {
    expect([text.slice(0, 8), text.slice(-6)]).toEqual(["first\nxx", "\nlast\n"]);
    const left = Number(/\n\(arc left out (\d+) bytes here\)\n/.exec(text)?.[1]);
    expect(text.replace(/\n\(arc.*\)\n/, "").length + left).toBe(40_000_012);
    expect(left).toBeGreaterThan(5_000_000);
  }
});

test("stdout can be an output", async () => {
  const shop = new Workshop();
  const talk = shell("talk", "", {}, ["o"], {
    command: { argv: ["sh", "-c", "echo out; echo err >&2"], stdout: "o" },
  });
  await shop.build([talk]);
  expect([shop.read("out/o"), shop.engine.log("talk")]).toEqual(["out\n", "err\n"]);
});

test("an action sees only the environment that it declares", async () => {
  const shop = new Workshop({ environment: { ...process.env, SECRET: "s", LICENSE: "l", TZ: "Asia/Tokyo" } });
  const show = shell("show", "", {}, ["o"], {
    command: {
      argv: ["sh", "-c", "env | sed 's/=.*//' | sort > o"],
      env: { MINE: "1" },
      passEnv: ["LICENSE"],
    },
  });
  await shop.build([show]);
  expect(shop.read("out/o").trim().split("\n")).toEqual([
    "HOME",
    "LANG",
    "LICENSE",
    "MINE",
    "PATH",
    "PWD",
    "TMPDIR",
    "TZ",
  ]);
});

test("executable outputs and executable sources stay executable", async () => {
  const shop = new Workshop();
  shop.write("tool.sh", "#!/bin/sh\necho made by $0\n", 0o755);
  const make = shell("make", "", { "tool.sh": "tool.sh" }, [], {
    command: { argv: ["./tool.sh"], stdout: "log" },
    outputs: [{ name: "log", kind: "file", place: "out/log", executable: true }],
  });
  await shop.build([make]);
  expect(statSync(shop.path("out/log")).mode & 0o111).toBe(0o111 & ~process.umask());
  chmodSync(shop.path("tool.sh"), 0o644);
  expect((await shop.build([make])).ran).toEqual(["make"]);
});

test("an output is executable if it was written so, also when it comes from the cache", async () => {
  for (const size of [1, 200_000]) {
    const shop = new Workshop();
    const write = `(printf '#!/bin/sh\\necho %s\\nexit\\n' $(cat a); head -c ${size} /dev/zero) > o`;
    const make = (mode: string): Action =>
      shell("make", `${write}; chmod ${mode} o`, { a: "a" }, [], {
        outputs: [{ name: "o", kind: "file", place: "out/o", executable: "as-written" }],
      });
    shop.write("a", "hi\n");
    const isExecutable = (): boolean => (statSync(shop.path("out/o")).mode & 0o100) !== 0;
    await shop.build([make("755")]);
    expect(isExecutable()).toBe(true);
    expect(execFileSync(shop.path("out/o"), { encoding: "utf8" })).toBe("hi\n");
    rmSync(shop.path("out/o"));
    expect((await shop.build([make("755")])).ran).toEqual([]);
    expect(isExecutable()).toBe(true);
    await shop.build([make("644")]);
    expect(isExecutable()).toBe(false);
    chmodSync(shop.path("out/o"), 0o755);
    await shop.build([make("644")]);
    expect(isExecutable()).toBe(false);
  }
});

test("a folder output replaces the old folder completely", async () => {
  const shop = new Workshop();
  shop.write("names", "x y\n");
  const make = shell(
    "make",
    "for n in $(cat names); do mkdir -p d/$n; echo $n > d/$n/f; done; mkdir d/empty",
    { names: "names" },
    [],
    {
      outputs: [{ name: "d", kind: "folder", place: "out/d" }],
    },
  );
  const { readdirSync } = await import("node:fs");
  await shop.build([make]);
  expect(readdirSync(shop.path("out/d")).sort()).toEqual(["empty", "x", "y"]);
  shop.write("names", "y\n");
  await shop.build([make]);
  expect(readdirSync(shop.path("out/d")).sort()).toEqual(["empty", "y"]);
  shop.write("out/d/stranger", "");
  expect((await shop.build([make])).counts).toMatchObject({ cached: 1 });
  expect(readdirSync(shop.path("out/d")).sort()).toEqual(["empty", "y"]);
});

test("an action whose generated header is made by another waits for it, without naming it", async () => {
  const shop = new Workshop();
  shop.write("h.in", "one\n");
  shop.step({
    name: "preprocess",
    digest: digestBytes("preprocess"),
    async run(context) {
      const { existsSync, readFileSync } = await import("node:fs");
      const header = `${context.root}/out/h`;
      if (!existsSync(header)) {
        context.discoverMissing(header);
        return { ok: false, fact: false, message: "no header" };
      }
      context.discover(header);
      await context.writeOutput("i", readFileSync(header));
      return { ok: true };
    },
  });
  const pre = {
    address: "pre",
    step: "preprocess",
    inputs: [],
    outputs: [{ name: "i", kind: "file" as const, place: "out/i" }],
  };
  const actions = [pre, shell("gen", "cat in > h", { in: "h.in" }, ["h"])];
  expect((await shop.build(actions)).of("failed")).toEqual([]);
  expect(shop.read("out/i")).toBe("one\n");
  shop.write("h.in", "two\n");
  await shop.build(actions);
  expect(shop.read("out/i")).toBe("two\n");
  shop.write("h.in", "three\n");
  const again = await shop.again();
  expect(typeof again === "string" ? again : again.ran).toEqual(["gen", "pre"]);
  expect(shop.read("out/i")).toBe("three\n");
});

test("keys do not depend on the folder, the order of declaration, the number of jobs, time zone or language", async () => {
  const outcomes: string[][] = [];
  for (const [at, environment] of [
    { TZ: "UTC", LANG: "C" },
    { TZ: "Asia/Tokyo", LANG: "de_DE.UTF-8" },
  ].entries()) {
    const shop = new Workshop({ jobs: 1 + 7 * at, environment: { ...process.env, ...environment } });
    shop.write("a", "a\n");
    shop.write("b", "b\n");
    const inputs = at === 0 ? { a: "a", b: "b" } : { b: "b", a: "a" };
    const actions = [
      shell("one", "cat a b; date > /dev/null; cat a b > o", inputs, ["o"], {
        options: at === 0 ? { x: 1, y: 2 } : { y: 2, x: 1 },
      }),
      shell("two", "sort o > p", { o: ["one", "o"] }, ["p"]),
    ];
    await shop.build(at === 0 ? actions : [...actions].reverse());
    outcomes.push(["one", "two"].map((address) => shop.engine.explain(address).key));
  }
  expect(outcomes[0]).toEqual(outcomes[1]);
});

test("an action sees nothing of the one before it, whatever that did to its folders", async () => {
  const shop = new Workshop({ jobs: 1 });
  shop.write("a", "a\n");
  const outputs = [{ name: "out/deep/o", kind: "file" as const }];
  const before: [string, string][] = [
    [
      "tidy",
      'mkdir -p out/deep more/x; cp in/deep/a out/deep/o; touch more/x/junk .hidden in/extra "$TMPDIR/t"',
    ],
    ["mover", "cp in/deep/a out/deep/o; mv in elsewhere"],
    ["remover", "cp in/deep/a out/deep/o; rm -r in"],
    ["linker", "cp in/deep/a out/deep/o; rm -r in; ln -s /etc in; ln -s nowhere dangling"],
    [
      "locker",
      "cp in/deep/a out/deep/o; mkdir locked; touch locked/f; chmod 555 locked in/deep; chmod 000 in/deep/a",
    ],
    ["swapper", "cp in/deep/a out/deep/o; rm -r in; echo file > in"],
  ];
  for (const [address, script] of before) {
    const first = shell(address, script, { "in/deep/a": "a" }, [], { outputs });
    const list =
      'find . "$TMPDIR" | sed "s,$TMPDIR,T," | grep -v out/list | sort > out/list; cat in/deep/a > /dev/null';
    const second = shell(`after ${address}`, list, { "in/deep/a": "a" }, [], {
      options: address,
      outputs: [{ name: "out/list", kind: "file", place: "list" }],
      deterministic: false,
    });
    const built = await shop.build([
      first,
      {
        ...second,
        inputs: [...second.inputs, { name: "f", from: { action: address, output: "out/deep/o" } }],
      },
    ]);
    expect([address, built.of("failed").map((event) => event.message)]).toEqual([address, []]);
    expect([address, shop.read("list").trim().split("\n")]).toEqual([
      address,
      [".", "./f", "./in", "./in/deep", "./in/deep/a", "./out", "T"],
    ]);
  }
});
