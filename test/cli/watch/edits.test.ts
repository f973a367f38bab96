/** Which saves a watch builds for. */
import { beforeEach, expect, it } from "vitest";
import { type Edit, Edits } from "../../../cli/watch/edits.ts";
import type { Check } from "../../../core/build/files/up-to-date.ts";
import type { BuildResult } from "../../../core/build/graph/build-result.ts";

/** The project: what the last build that succeeded looked at, and what has changed of that since. */
let looked: readonly string[] | undefined;
let changed: readonly string[];
/** Of that, what changed while a build went on. */
let late: readonly string[];
/** Of arc.yaml, and what it names. */
let project: readonly string[] | undefined;
let told: (readonly string[])[];
let edits: Edits;
let save: (files: readonly string[]) => void;

const check = (): Check | undefined => {
  if (looked === undefined) return undefined;
  const rows = { paths: looked } as unknown as NonNullable<Check["rows"]>;
  const now = new Map(changed.map((file) => [(looked ?? []).indexOf(file), new Float64Array(4)] as const));
  return now.size === 0 ? { upToDate: true, rows } : { upToDate: false, rows, changed: now, time: 0 };
};

const ended = (how: "done" | "failed" | "interrupted"): BuildResult =>
  ({
    ok: how === "done",
    interrupted: how === "interrupted",
    graph: { nodes: () => [] },
    outcomes: new Map(),
  }) as unknown as BuildResult;

function build(how: "done" | "failed" | "interrupted", failures = ""): readonly string[] | undefined {
  edits.buildBegins();
  return edits.buildEnds(ended(how), failures)?.files;
}

/** What an edit is, once there is one; batches of saves come one after the other. */
async function editOf(...batches: readonly (readonly string[])[]): Promise<readonly string[]> {
  const next: Promise<Edit> = edits.next();
  for (const files of batches) {
    save(files);
    await Promise.resolve();
    await Promise.resolve();
  }
  return (await next).files;
}

beforeEach(() => {
  looked = ["a.c", "data"];
  changed = [];
  late = [];
  project = ["arc.yaml"];
  told = [];
  edits = new Edits({
    saves: () => new Promise((resolve) => (save = resolve)),
    check,
    lookedAt: (files, since) =>
      (since === undefined ? looked : late)?.some((known) =>
        files.some((file) => file === known || file.startsWith(`${known}/`)),
      ),
    areOfProject: (files) => project?.some((name) => files.includes(name)),
    onUnread: (files) => told.push(files),
  });
});

it("all, before anything was built", async () => {
  looked = undefined;
  expect(await editOf(["x"])).toEqual(["x"]);
  edits.buildBegins();
  expect(await editOf(["y"])).toEqual(["y"]);
});

it("ignores files that nothing depends on, and says so once between two builds", async () => {
  build("done");
  const edit = editOf(["x"], ["y"], ["a.c"]);
  changed = [];
  setTimeout(() => {
    changed = ["a.c"];
    save(["z"]);
  });
  // Of what was heard of first no action reads anything; what has changed is named.
  expect(await edit).toEqual(["a.c"]);
  expect(told).toEqual([["x"]]);
  changed = [];
  build("done");
  const later = editOf(["x"]);
  setTimeout(() => {
    changed = ["data"];
    save(["data/1"]);
  });
  expect(await later).toEqual(["data/1"]);
  expect(told).toEqual([["x"], ["x"]]);
});

it("none, while a build goes on, of what the one before did not look at; but what it reads itself is built for then", async () => {
  build("done");
  edits.buildBegins();
  changed = ["a.c"];
  expect(await editOf(["x"], ["new.h"], ["a.c"])).toEqual(["a.c"]);
  expect(edits.buildEnds(ended("interrupted"), "")).toBeUndefined();
  edits.buildBegins();
  looked = ["a.c", "new.h"];
  changed = ["new.h"];
  expect(edits.buildEnds(ended("done"), "")?.files).toEqual(["new.h", "x"]);
  changed = [];
  expect(build("done")).toBeUndefined();
});

it("none, while a build goes on, of what it knew before it began", async () => {
  build("done");
  changed = ["a.c"];
  edits.buildBegins(check());
  changed = ["a.c", "data"];
  late = ["data"];
  expect(await editOf(["a.c"], ["data/1"])).toEqual(["data/1"]);
});

it("none after a build that failed of what cannot mend it, which is said once", async () => {
  build("done");
  changed = [];
  build("failed", "a.c:1: error in include/y.h\nld: cannot find -lfast");
  const edit = editOf(["log.txt"], ["notes"], ["deep/y.h"]);
  expect(await edit).toEqual(["deep/y.h"]);
  expect(told).toEqual([["log.txt"]]);
  for (const mends of ["a.c", "data/1", "lib/libfast.a", "arc.yaml"])
    expect(await editOf(["log.txt"], ["libslow.a"], [mends])).toEqual([mends]);
});

it("after a first build that failed, of what its actions read, did not find, or named", async () => {
  looked = undefined;
  edits.buildBegins();
  const action = { address: "a", inputs: [{ name: "i", from: { file: "in.txt" } }] };
  const failed = {
    ...ended("failed"),
    graph: { nodes: () => [{ action }] },
    outcomes: new Map([["a", { address: "a", status: "failed", read: ["b.h", "include/c.h"] }]]),
  } as unknown as BuildResult;
  expect(edits.buildEnds(failed, "")).toBeUndefined();
  for (const mends of ["in.txt", "b.h", "include/c.h", "include"])
    expect(await editOf(["log.txt"], ["c.h"], [mends])).toEqual([mends]);
});

it("all where nobody knows why there could be no build, else those of arc.yaml and what it names", async () => {
  edits.buildBegins();
  project = ["arc.yaml", "src/none.c"];
  edits.buildEnds(undefined, "");
  expect(await editOf(["log.txt"], ["src/none.c"])).toEqual(["src/none.c"]);
  project = undefined;
  expect(await editOf(["log.txt"])).toEqual(["log.txt"]);
});
