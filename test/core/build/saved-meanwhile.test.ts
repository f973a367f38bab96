/** A file saved during a build is seen only by some of its actions: the next build reruns the others. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { FileTable } from "../../../core/build/files/files.ts";
import { digestBytes } from "../../../core/build/key/digest.ts";
import type { Action, ActionInput } from "../../../core/build/model/action.ts";
import { type Moment, thisMoment } from "../../../core/build/model/clock.ts";
import { shell, Workshop } from "./workshop.ts";

/** More than a tick of the clock that files are stamped by. */
const pause = () => new Promise((done) => setTimeout(done, 60));

const HOUR_MS = 3_600_000;

const before = ({ wall, monotonic }: Moment, ms: number): Moment => ({
  wall: wall - ms,
  monotonic: monotonic - ms,
});

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
  const moment = before(thisMoment(), 10);
  expect(files.mayHaveChangedSince("h", moment)).toBe(true);
  // As if it were an hour ago.
  files.clockSkewMs = -HOUR_MS;
  expect(files.mayHaveChangedSince("h", moment)).toBe(false);
});

test("a file saved after the clock was set back during a run counts as changing, one from before the run does not", async () => {
  const shop = new Workshop();
  shop.write("old", "1\n");
  await pause();
  const { wall, monotonic } = thisMoment();
  const whenAnHourAhead = { wall: wall + HOUR_MS, monotonic };
  await pause();
  shop.write("h", "1\n");
  const files = new FileTable(shop.root);
  expect(files.mayHaveChangedSince("h", whenAnHourAhead)).toBe(true);
  expect(files.mayHaveChangedSince("old", whenAnHourAhead)).toBe(false);
  expect(files.recordMissing("h", whenAnHourAhead)).toBe(true);
  expect(files.recordMissing("old", whenAnHourAhead)).toBe(false);
});

test("a file saved during a run, before the clock was set back, counts as changing", async () => {
  const shop = new Workshop();
  shop.write("old", "1\n");
  await pause();
  const moment = thisMoment();
  await pause();
  shop.write("h", "1\n");
  const files = new FileTable(shop.root);
  const now = vi.spyOn(Date, "now").mockReturnValue(Date.now() - HOUR_MS);
  try {
    expect(files.mayHaveChangedSince("h", moment)).toBe(true);
    expect(files.mayHaveChangedSince("old", moment)).toBe(false);
  } finally {
    now.mockRestore();
  }
});
