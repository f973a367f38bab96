/**
 * Every decision about an action, by what happened to the project, its memory and the store since it was built: a dry
 * run says it with its reason, and a build then does so.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import type { EngineBuildOptions } from "../../../../core/build/engine-interface.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Action } from "../../../../core/build/model/action.ts";
import type { Reason, Verdict } from "../../../../core/build/model/event.ts";
import { ContentStore } from "../../../../core/build/store/store.ts";
import { shell, Workshop } from "../workshop.ts";

/** Reads `a`, finds `h` where no `first.h` is, and makes an output of a place and one that only the store has. */
const work: Action = {
  address: "work",
  step: "finds",
  inputs: [{ name: "a", from: { file: "a" } }],
  outputs: [
    { name: "o", kind: "file", place: "out/o" },
    { name: "p", kind: "file" },
  ],
};
const reader = shell("reader", "cat p > q", { p: ["work", "p"] }, ["q"]);

function shopWith(): Workshop {
  const shop = new Workshop();
  shop.step({
    name: "finds",
    digest: digestBytes("finds"),
    async run(context) {
      context.discoverMissing(`${context.root}/first.h`);
      context.discover(`${context.root}/h`);
      const found = `${context.root}/${existsSync(`${context.root}/first.h`) ? "first.h" : "h"}`;
      const a = String(await context.readInput("a"));
      if (a === "bad") return { ok: false, fact: true, message: "a is bad" };
      await context.writeOutput("o", `o of ${a}${readFileSync(found, "utf8")}`);
      await context.writeOutput("p", `p of ${a}`);
      return { ok: true };
    },
  });
  shop.write("a", "a");
  shop.write("h", "h");
  return shop;
}

function loseBlob(shop: Workshop, text: string): void {
  const store = new ContentStore(shop.store);
  rmSync(store.path(digestBytes(text)));
  store.close();
}

async function loseMemory(shop: Workshop): Promise<void> {
  await shop.restart();
  rmSync(shop.path(".arc"), { recursive: true });
}

interface Row {
  /** What happens after the first build. */
  readonly after: string;
  readonly does: (shop: Workshop) => void | Promise<void>;
  readonly verdict: Verdict;
  readonly reason?: Reason;
  readonly action?: Partial<Action>;
  readonly options?: EngineBuildOptions;
  /** What `out/o` then holds. */
  readonly left?: string;
}

const hChanged: Reason = {
  kind: "input-changed",
  input: "h",
  before: digestBytes("h"),
  after: digestBytes("other"),
};

const rows: readonly Row[] = [
  { after: "nothing", does: () => undefined, verdict: "up-to-date" },
  {
    after: "nothing, where it is to run in any case,",
    does: () => undefined,
    options: { force: true },
    verdict: "run",
    reason: { kind: "forced" },
  },
  {
    after: "nothing, where its results are not to be kept,",
    does: () => undefined,
    action: { cache: false },
    verdict: "run",
    reason: { kind: "not-cacheable" },
  },
  {
    after: "its output is removed",
    does: (shop) => rmSync(shop.path("out/o")),
    verdict: "cached",
    reason: { kind: "output-missing", output: "out/o" },
  },
  {
    after: "its output is overwritten",
    does: (shop) => shop.write("out/o", "scribble"),
    verdict: "cached",
    reason: { kind: "output-changed", output: "out/o" },
  },
  {
    after: "a link that leads to itself is in the place of its output",
    does: (shop) => {
      rmSync(shop.path("out/o"));
      symlinkSync("o", shop.path("out/o"));
    },
    verdict: "cached",
    reason: { kind: "output-changed", output: "out/o" },
  },
  {
    after: "the store loses an output without a place",
    does: (shop) => loseBlob(shop, "p of a"),
    verdict: "run",
    reason: { kind: "output-missing", output: "p" },
  },
  {
    after: "the store loses an output that is in its place",
    does: (shop) => loseBlob(shop, "o of ah"),
    verdict: "up-to-date",
  },
  {
    after: "an output is lost in its place and in the store",
    does: (shop) => {
      rmSync(shop.path("out/o"));
      loseBlob(shop, "o of ah");
    },
    verdict: "run",
    reason: { kind: "output-missing", output: "out/o" },
  },
  {
    after: "the project forgets it, and its output is in its place",
    does: loseMemory,
    verdict: "cached",
    reason: { kind: "never-built" },
  },
  {
    after: "the project forgets it, and the store lost what is in its place",
    does: async (shop) => {
      await loseMemory(shop);
      loseBlob(shop, "o of ah");
    },
    verdict: "cached",
    reason: { kind: "never-built" },
  },
  {
    after: "the project forgets it, and another of arc's files is in its place",
    does: async (shop) => {
      await loseMemory(shop);
      shop.write("out/o", "p of a");
    },
    verdict: "cached",
    reason: { kind: "never-built" },
  },
  {
    after: "what it found changes",
    does: (shop) => shop.write("h", "other"),
    verdict: "run",
    reason: hChanged,
    left: "o of aother",
  },
  {
    after: "what it found changes and is as before again",
    does: async (shop) => {
      shop.write("h", "other");
      await shop.build([work, reader]);
      shop.write("h", "h");
    },
    verdict: "cached",
    reason: { ...hChanged, before: digestBytes("other"), after: digestBytes("h") },
  },
  {
    after: "what it did not find appears",
    does: (shop) => shop.write("first.h", "first"),
    verdict: "run",
    reason: { kind: "input-added", input: "first.h" },
    left: "o of afirst",
  },
  {
    after: "the project forgets it, and a folder is where it found a file",
    does: async (shop) => {
      await loseMemory(shop);
      rmSync(shop.path("h"));
      mkdirSync(shop.path("h"));
      shop.write("first.h", "first");
    },
    verdict: "run",
    reason: { kind: "never-built" },
    left: "o of afirst",
  },
];

for (const { after, does, verdict, reason, action = {}, options = {}, left = "o of ah" } of rows)
  test(`after ${after} it is ${verdict}`, async () => {
    const shop = shopWith();
    expect((await shop.build([work, reader])).ok).toBe(true);
    await does(shop);
    const graph = [{ ...work, ...action }, reader];
    const planned = (await shop.build(graph, { ...options, dryRun: true })).of("planned")[0];
    expect(planned).toMatchObject({ address: "work", verdict });
    expect(planned?.reason).toEqual(reason);
    const built = await shop.build(graph, options);
    expect(built.ok).toBe(true);
    const running = built.of("running").find(({ address }) => address === "work");
    expect(running?.reason).toEqual(verdict === "run" ? reason : undefined);
    if (verdict !== "run")
      expect(built.of("done").find(({ address }) => address === "work")?.how).toBe(verdict);
    expect(shop.read("out/o")).toBe(left);
    expect(shop.read("out/q")).toBe("p of a");
  });

test("what is known to fail fails without another run, and its outputs stay", async () => {
  const shop = shopWith();
  await shop.build([work]);
  shop.write("a", "bad");
  expect((await shop.build([work])).ran).toEqual(["work"]);
  const planned = (await shop.build([work], { dryRun: true })).of("planned")[0];
  expect(planned).toMatchObject({ verdict: "failed", reason: { kind: "never-built" } });
  const again = await shop.build([work]);
  expect(again.ran).toEqual([]);
  expect(again.of("failed")[0]).toMatchObject({ cached: true });
  expect(shop.read("out/o")).toBe("o of ah");
});

test("nothing is decided while a file that it found or did not find is made", async () => {
  for (const name of ["h", "first.h"]) {
    const shop = shopWith();
    await shop.build([work]);
    const slow = shell("slow", "sleep 0.2; echo made > f", {}, [], {
      outputs: [{ name: "f", kind: "file", place: name }],
    });
    rmSync(shop.path("h"));
    if (name === "first.h") shop.write("h", "h");
    const planned = (await shop.build([work, slow], { dryRun: true })).of("planned");
    expect(planned.find(({ address }) => address === "work")).toMatchObject({
      verdict: "unknown",
      because: "slow",
    });
    expect((await shop.build([work, slow])).ok).toBe(true);
    expect(shop.read("out/o")).toBe("o of amade\n");
  }
});

test("a user's files in the places of outputs are named all at once, and stay", async () => {
  const shop = new Workshop();
  const graph = ["one", "two", "three"].map((name) =>
    shell(name, `echo ${name} > o`, {}, [], { outputs: [{ name: "o", kind: "file", place: `gen/${name}` }] }),
  );
  for (const name of ["one", "three"]) shop.write(`gen/${name}`, "mine\n");
  const failed = (await shop.build(graph)).of("failed").map(({ message }) => message);
  expect(failed).toHaveLength(1);
  expect(failed[0]).toMatch(/gen\/(one|three)/);
  expect(failed[0]).toMatch(/; so is gen\/(one|three)\b/);
  expect(failed[0]).not.toContain("gen/two");
  for (const name of ["one", "three"]) expect(shop.read(`gen/${name}`)).toBe("mine\n");
});
