/**
 * arc is killed at every named point, alone and with another arc beside it, with and without its native part; the
 * next build must do only what was unfinished and leave what a clean build leaves. ARC_CRASHES sets how many times
 * (default 60).
 */
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compileNative } from "../../../../core/build/native/compile.mjs";
import { SANDBOX_LIST } from "../../../../core/build/store/scratch-folder.ts";
import { bundled } from "./bundled.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-crash-"));
const program = join(folder, "victim.mjs");
const crashes = Number(process.env.ARC_CRASHES ?? 60);
const seed = Number(process.env.ARC_SEED ?? 1);
const library = join(folder, "native.node");
const ways =
  compileNative(library) === undefined ? (["portable", "native"] as const) : (["portable"] as const);
type Way = "portable" | "native";

beforeAll(async () => {
  await bundled(folder, "victim.ts");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Run {
  readonly code: number | null;
  readonly signal: string | null;
  readonly lines: readonly string[];
}

function start(root: string, store: string, way: Way, fault?: string): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, root, store], {
      env: {
        ...process.env,
        ARC_DURABLE_SECONDS: "0",
        ARC_NATIVE: way === "native" ? library : "0",
        ...(fault === undefined ? {} : { ARC_FAULT: fault }),
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.on("data", (bytes) => {
      out += bytes;
    });
    child.on("close", (code, signal) => resolve({ code, signal, lines: out.trim().split("\n") }));
  });
}

/** Addresses that a run reported with a given word. */
function addressesWith(run: Run, word: string): string[] {
  return run.lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
}

const versions = [
  { s0: "zero\n", s1: "one\n", s2: "two\n" },
  { s0: "zero\n", s1: "uno\nduo\n", s2: "two\n" },
];

function write(root: string, version: number): void {
  mkdirSync(root, { recursive: true });
  for (const [name, text] of Object.entries(versions[version] as object)) {
    // As a user's editor would: a file that did not change is not touched.
    const path = join(root, name);
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  }
}

function outputs(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(join(root, "out"), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile())
      found[path.slice(root.length)] = `${statSync(path).mode & 0o777} ${readFileSync(path, "utf8")}`;
  }
  return found;
}

/** Files in a store's scratch folders. Those that take what actions print stay, empty, and the list of sandboxes does. */
function leftovers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !(file.endsWith(`/${SANDBOX_LIST}`) && dirname(dirname(file)) === folder))
    .filter((file) => !file.endsWith("/log") || statSync(file).size > 0);
}

/** A small generator, so that a failure can be repeated. */
function randomly(seed_: number): () => number {
  let state = seed_ >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Scenarios: a first build, and a build after an edit. */
const scenarios = ["first", "edit"] as const;

function prepare(
  scenario: (typeof scenarios)[number],
  built: string,
  name: string,
): { root: string; store: string } {
  const home = join(folder, name);
  rmSync(home, { recursive: true, force: true });
  if (scenario === "edit") cpSync(built, home, { recursive: true, preserveTimestamps: true });
  write(join(home, "root"), scenario === "edit" ? 1 : 0);
  return { root: join(home, "root"), store: join(home, "store") };
}

/** How often each point is passed. */
function histogram(trace: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const point of readFileSync(trace, "utf8").trim().split("\n"))
    counts.set(point, (counts.get(point) ?? 0) + 1);
  return counts;
}

test(
  "after a kill at any point the next build does what was unfinished and leaves what a clean one leaves",
  async () => {
    const random = randomly(seed);
    const anyWay = (): Way => ways[Math.floor(random() * ways.length)] as Way;
    const built = join(folder, "built");
    write(join(built, "root"), 0);
    await start(join(built, "root"), join(built, "store"), "portable");
    const wanted: Record<string, string>[] = [];
    const points: { scenario: (typeof scenarios)[number]; way: Way; point: string; passes: number }[] = [];
    for (const scenario of scenarios) {
      for (const way of ways) {
        const { root, store } = prepare(scenario, built, "clean");
        const trace = join(folder, `trace-${scenario}-${way}`);
        expect((await start(root, store, way, `trace:${trace}`)).lines.at(-1)).toBe("ok");
        if (way === "portable") wanted.push(outputs(root));
        else expect(outputs(root)).toEqual(wanted.at(-1));
        const passed = [...histogram(trace)];
        // What does not depend on the way is tried in one of them.
        const own = passed.filter(([point]) => way === "portable" || point.startsWith("native:"));
        for (const [point, passes] of own) points.push({ scenario, way, point, passes });
        expect([way, own.length > 0]).toEqual([way, true]);
      }
    }
    const hits = new Map<string, number>();
    for (let crash = 0; crash < crashes; crash += 1) {
      // Every point gets its turn; where it is passed often, any of the passes may be it.
      const { scenario, way, point, passes } = points[crash % points.length] as (typeof points)[number];
      const pass = 1 + Math.floor(random() * passes);
      const { root, store } = prepare(scenario, built, "crash");
      const label = `${scenario} ${point}:${pass}`;
      const beside = random() < 0.25;
      const [killed, other] = await Promise.all([
        start(root, store, way, `${point}:${pass}`),
        beside ? start(root, store, anyWay()) : undefined,
      ]);
      if (killed.signal === "SIGKILL") hits.set(point, (hits.get(point) ?? 0) + 1);
      else expect([label, beside]).toEqual([label, true]);
      const after = await start(root, store, anyWay());
      expect([label, after.code, after.lines.at(-1)]).toEqual([
        label,
        0,
        expect.stringMatching(/^(ok|up to date)$/),
      ]);
      expect([label, outputs(root)]).toEqual([label, wanted[scenarios.indexOf(scenario)]]);
      const done = new Set([
        ...addressesWith(killed, "done"),
        ...(other === undefined ? [] : addressesWith(other, "done")),
      ]);
      expect([label, addressesWith(after, "ran").filter((address) => done.has(address))]).toEqual([
        label,
        [],
      ]);
      expect([label, (await start(root, store, anyWay())).lines]).toEqual([label, ["up to date"]]);
      expect([label, leftovers(join(store, "tmp"))]).toEqual([label, []]);
    }
    const names = [...new Set(points.map(({ point }) => point))].sort();
    console.log(names.map((name) => `${String(hits.get(name) ?? 0).padStart(4)} ${name}`).join("\n"));
    if (crashes >= 2 * points.length) expect(names.filter((name) => !hits.has(name))).toEqual([]);
  },
  // Each crash takes four starts of node.
  10_000 + crashes * 6_000,
);
