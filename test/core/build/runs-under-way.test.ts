/** Processes that share a store and want the same result at the same time. Engines stand for processes here. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Digest } from "../../../core/build/model/action.ts";
import { RunsUnderWay } from "../../../core/build/store/runs-under-way.ts";
import { shell, Workshop } from "./workshop.ts";

/** Appends a line to `log` when it runs, and ends when `go` exists. */
const slow = (log: string, go: string, end = "") =>
  shell("slow", `echo run >> ${log}; while ! test -e ${go}; do sleep 0.02; done; ${end} echo made > s`, {}, [
    "s",
  ]);

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise((wait) => setTimeout(wait, 10));
};

function pair(more: { readonly jobs?: number } = {}) {
  const first = new Workshop(more);
  const second = new Workshop({ ...more, store: first.store });
  const [log, go] = [join(first.directory, "log"), join(first.directory, "go")];
  writeFileSync(log, "");
  const runs = () => readFileSync(log, "utf8").split("\n").length - 1;
  return { first, second, log, go, runs, end: () => writeFileSync(go, "") };
}

const underWay = (shop: Workshop) => readdirSync(join(shop.store, "running"));

test("an action that another process runs is not run, and takes its result; the others go on", async () => {
  const { first, second, log, go, runs, end } = pair({ jobs: 1 });
  const one = first.build([slow(log, go)]);
  await until(() => runs() === 1);
  const other = shell("other", "echo > o", {}, ["o"]);
  const seen: string[] = [];
  const two = second.build([slow(log, go), other], {
    onEvent: (event) => {
      if (event.type === "elsewhere") seen.push(`${event.address} ${event.by.replace(/ \d+ on .*/, "")}`);
      // With one job: what waits for another process needs none.
      if (event.type === "done" && event.address === "other") end();
    },
  });
  expect((await one).counts).toMatchObject({ ran: 1 });
  expect((await two).counts).toMatchObject({ ran: 1, cached: 1 });
  expect(second.engine.read("slow", "s").toString()).toBe("made\n");
  expect(runs()).toBe(1);
  expect(seen).toEqual(["slow process"]);
  expect(underWay(first)).toEqual([]);
});

test("five processes that begin together run each long action once", async () => {
  const shops = [new Workshop()];
  for (let k = 1; k < 5; k++) shops.push(new Workshop({ store: shops[0]?.store as string }));
  const log = join(shops[0]?.directory as string, "log");
  const actions = Array.from({ length: 6 }, (_, k) =>
    shell(`a${k}`, `echo ${k} >> ${log}; sleep 0.3; echo > o${k}`, {}, [`o${k}`]),
  );
  const built = await Promise.all(shops.map((shop) => shop.build(actions)));
  expect(built.every(({ ok }) => ok)).toBe(true);
  expect(readFileSync(log, "utf8").trim().split("\n").sort()).toEqual(["0", "1", "2", "3", "4", "5"]);
});

test("if the other run leaves no result, the next process runs the action", async () => {
  const { first, second, log, go, runs, end } = pair();
  const mark = join(first.directory, "mark");
  // A signal is no fact about the inputs: nothing is kept of it.
  const action = slow(log, go, `test -e ${mark} || { touch ${mark}; kill -9 $$; };`);
  const one = first.build([action]);
  await until(() => runs() === 1);
  const two = second.build([action], { onEvent: ({ type }) => type === "elsewhere" && end() });
  expect((await one).counts).toMatchObject({ failed: 1 });
  expect((await two).counts).toMatchObject({ ran: 1 });
  expect(runs()).toBe(2);
});

test("a failure that is kept is the failure of all", async () => {
  const { first, second, log, go, runs, end } = pair();
  const one = first.build([slow(log, go, "exit 3;")]);
  await until(() => runs() === 1);
  const two = second.build([slow(log, go, "exit 3;")], {
    onEvent: ({ type }) => type === "elsewhere" && end(),
  });
  expect((await one).counts).toMatchObject({ failed: 1 });
  expect((await two).counts).toMatchObject({ failed: 1 });
  expect(runs()).toBe(1);
});

test("a build that fails or is interrupted meanwhile does not wait for the other process", async () => {
  const { first, second, log, go, runs, end } = pair();
  const one = first.build([slow(log, go)]);
  await until(() => runs() === 1);
  const bad = await second.build([slow(log, go), shell("bad", "sleep 0.2; exit 1", {}, ["b"])]);
  expect(bad.counts).toMatchObject({ failed: 1, ran: 0 });
  const stop = new AbortController();
  const stopped = second.build([slow(log, go)], {
    signal: stop.signal,
    onEvent: ({ type }) => type === "elsewhere" && stop.abort(),
  });
  expect((await stopped).interrupted).toBe(true);
  end();
  expect((await one).ok).toBe(true);
  expect(runs()).toBe(1);
});

test.each([
  ["killed", "SIGKILL"],
  ["stopped", "SIGSTOP"],
] as const)("a process that was %s holds nothing", async (_, signal) => {
  const { first, log, go, runs, end } = pair();
  const child = spawn("sleep", ["100"]);
  const holder = new RunsUnderWay(first.store);
  await first.build([shell("quick", "echo > q", {}, ["q"])]);
  end();
  const key = await keyOf(first, slow(log, go));
  expect(holder.begin(key)).toBeUndefined();
  const [link, name] = [join(first.store, "running", key), holder.begin(key) as string];
  rmSync(link);
  const start = readFileSync(`/proc/${child.pid}/stat`, "latin1").split(") ")[1]?.split(" ")[19];
  symlinkSync(name.replace(/^\d+-\d+/, `${child.pid}-${start}`), link);
  writeFileSync(log, "");
  const waiting = first.build([slow(log, go)]);
  await new Promise((wait) => setTimeout(wait, 300));
  expect(runs()).toBe(0);
  const ended = once(child, "exit");
  child.kill(signal);
  expect((await waiting).counts).toMatchObject({ ran: 1 });
  child.kill("SIGKILL");
  await ended;
});

test.each(["a file", "a folder of another kind", "nonsense"])(
  "%s where a run is announced is no run",
  async (what) => {
    const { first, log, go, end } = pair();
    end();
    const key = await keyOf(first, slow(log, go));
    const folder = join(first.store, "running");
    if (what === "a file") {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, "");
    } else if (what === "nonsense") symlinkSync("../../../etc", join(folder, key));
    else writeFileSync(join(folder, key), "");
    expect((await first.build([slow(log, go)])).counts).toMatchObject({ ran: 1 });
  },
);

/** The key of an action, by a run of it in another project with the same store, which is forgotten. */
async function keyOf(shop: Workshop, action: ReturnType<typeof slow>): Promise<Digest> {
  const keys: Digest[] = [];
  const watcher = setInterval(() => keys.push(...(underWay(shop) as Digest[])), 1);
  const other = new Workshop({ store: shop.store });
  await other.build([action]);
  clearInterval(watcher);
  rmSync(join(shop.store, "actions"), { recursive: true });
  return keys[0] as Digest;
}
