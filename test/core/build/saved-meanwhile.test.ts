/** A file saved during a build is seen only by some of its actions: the next build reruns the others. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FileTable } from "../../../core/build/files/files.ts";
import { digestBytes } from "../../../core/build/key/digest.ts";
import type { Action, ActionInput } from "../../../core/build/model/action.ts";
import { monotonicMs } from "../../../core/build/model/clock.ts";
import { shell, Workshop } from "./workshop.ts";

/** More than a tick of the clock that files are stamped by. */
const pause = () => new Promise((done) => setTimeout(done, 60));

const after = (address: string, output: string): ActionInput => ({
  name: output,
  from: { action: address, output },
});

/** Reads `lib/h`, or notes that it is not there, as a preprocessor would. */
const includes = (address: string, ...inputs: ActionInput[]): Action => ({
  address,
  step: "include",
  inputs,
  outputs: [{ name: address, kind: "file", place: `out/${address}` }],
});

/** Of a folder and all that is in it. */
const takes = (address: string): Action =>
  shell(address, `cat lib/* > ${address}`, { lib: "lib" }, [address]);

interface Edit {
  readonly what: string;
  readonly first: Action;
  readonly second: Action;
  readonly change: (shop: Workshop) => void;
  /** By the first one, in the end. */
  readonly made: string;
}

const edits: Edit[] = [
  {
    what: "a header that two actions find",
    first: includes("a"),
    second: includes("b", after("edit", "t")),
    change: (shop) => shop.write("lib/h", "2\n"),
    made: "2\n",
  },
  {
    what: "a header that appears where the first did not find it",
    first: includes("a"),
    second: includes("b", after("edit", "t")),
    change: (shop) => shop.write("lib/first", "first\n"),
    made: "first\n1\n",
  },
  {
    what: "a header that the first found and that is gone",
    first: includes("a"),
    second: includes("b", after("edit", "t")),
    change: (shop) => rmSync(shop.path("lib/h")),
    made: "",
  },
  {
    what: "a file that is in the folder that the first takes and that the second finds",
    first: takes("a"),
    second: includes("b", after("edit", "t")),
    change: (shop) => shop.write("lib/h", "2\n"),
    made: "2\nother\n",
  },
];

describe.each(edits)("$what", ({ first, second, change, made }) => {
  test("is seen by the next build and the next process", async () => {
    const shop = new Workshop({ jobs: 1 });
    shop.step({
      name: "include",
      digest: digestBytes("include"),
      async run(context) {
        const found = ["lib/first", "lib/h"].filter((name) => {
          const isThere = existsSync(shop.path(name));
          if (isThere) context.discover(name);
          else context.discoverMissing(name);
          return isThere;
        });
        const text = found.map((name) => readFileSync(shop.path(name), "utf8")).join("");
        await context.writeOutput(context.action.address, text);
        return { ok: true };
      },
    });
    let edited = false;
    shop.step({
      name: "edit",
      digest: digestBytes("edit"),
      async run(context) {
        await pause();
        if (!edited) change(shop);
        edited = true;
        await pause();
        await context.writeOutput("t", "");
        return { ok: true };
      },
    });
    shop.write("lib/h", "1\n");
    shop.write("lib/other", "other\n");
    await pause();
    const edit: Action = {
      address: "edit",
      step: "edit",
      inputs: [after(first.address, first.address)],
      outputs: [{ name: "t", kind: "file" }],
    };
    const graph = [first, edit, second];
    expect((await shop.build(graph)).ok).toBe(true);
    expect(shop.read("out/a")).not.toBe(made);
    if ((await shop.again()) === "graph may have changed") await shop.build(graph);
    expect(shop.read("out/a")).toBe(made);
    await shop.again();
    expect(await shop.again()).toBe("up to date");
  });
});

test("a file saved before the clock was set back does not count as changing", () => {
  const shop = new Workshop();
  shop.write("h", "1\n");
  const files = new FileTable(shop.root);
  const [wall, monotonic] = [Date.now() - 10, monotonicMs() - 10];
  expect(files.mayHaveChangedSince("h", wall, monotonic)).toBe(true);
  // As if it were an hour ago.
  files.clockSkewMs = -3_600_000;
  expect(files.mayHaveChangedSince("h", wall, monotonic)).toBe(false);
});
