/** What the tests that kill arc share: a build in a process of its own, and what it leaves. */
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { compileNative } from "../../../../core/build/native/compile.mjs";
import { SANDBOX_LIST } from "../../../../core/build/store/scratch-folder.ts";
import { bundled } from "./bundled.ts";

export type Way = "portable" | "native";

/** A first build, and a build after an edit. */
export const SCENARIOS = ["first", "edit"] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** One point at which arc can be killed, and how often a build passes it. */
export interface Point {
  readonly scenario: Scenario;
  readonly way: Way;
  readonly point: string;
  readonly passes: number;
}

interface Run {
  readonly code: number | null;
  readonly signal: string | null;
  readonly lines: readonly string[];
}

const VERSIONS = [
  { s0: "zero\n", s1: "one\n", s2: "two\n" },
  { s0: "zero\n", s1: "uno\nduo\n", s2: "two\n" },
];

/** Addresses that a run reported with a given word. */
export function addressesWith(run: Run, word: string): string[] {
  return run.lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
}

/** Writes a project's sources. */
export function writeSources(root: string, version: number): void {
  mkdirSync(root, { recursive: true });
  for (const [name, text] of Object.entries(VERSIONS[version] as object)) {
    // As a user's editor would: a file that did not change is not touched.
    const path = join(root, name);
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  }
}

/** Mode and text of each output. */
export function outputs(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(join(root, "out"), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile())
      found[path.slice(root.length)] = `${statSync(path).mode & 0o777} ${readFileSync(path, "utf8")}`;
  }
  return found;
}

/** Files in a store's scratch folders. Those that take what actions print stay, empty, and the list of sandboxes does. */
export function leftovers(store: string): string[] {
  const folder = join(store, "tmp");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !(file.endsWith(`/${SANDBOX_LIST}`) && dirname(dirname(file)) === folder))
    .filter((file) => !file.endsWith("/log") || statSync(file).size > 0);
}

/** A small generator, so that a failure can be repeated. */
export function randomly(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How often each point is passed. */
function histogram(trace: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const point of readFileSync(trace, "utf8").trim().split("\n"))
    counts.set(point, (counts.get(point) ?? 0) + 1);
  return counts;
}

/** Builds below a folder of the test. */
export class Trials {
  readonly folder: string;
  readonly ways: readonly Way[];
  readonly #library: string;

  constructor(folder: string) {
    this.folder = folder;
    this.#library = join(folder, "native.node");
    this.ways = compileNative(this.#library) === undefined ? ["portable", "native"] : ["portable"];
  }

  /** To be called before any build. */
  async open(): Promise<void> {
    await bundled(this.folder, "victim.ts");
    const built = join(this.folder, "built");
    writeSources(join(built, "root"), 0);
    await this.start(join(built, "root"), join(built, "store"), "portable");
  }

  /** `killedAt`: a point and which of its passes (`store:7`), or after so many milliseconds. */
  start(root: string, store: string, way: Way, killedAt?: string | number): Promise<Run> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [join(this.folder, "victim.mjs"), root, store], {
        env: {
          ...process.env,
          ARC_DURABLE_SECONDS: "0",
          ARC_NATIVE: way === "native" ? this.#library : "0",
          ...(typeof killedAt === "string" ? { ARC_FAULT: killedAt } : {}),
        },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const kill =
        typeof killedAt === "number" ? setTimeout(() => child.kill("SIGKILL"), killedAt) : undefined;
      let out = "";
      child.stdout.on("data", (bytes) => {
        out += bytes;
      });
      child.on("close", (code, signal) => {
        clearTimeout(kill);
        resolve({ code, signal, lines: out.trim().split("\n") });
      });
    });
  }

  /** A project with its store, in a folder of this name. */
  prepare(scenario: Scenario, name: string): { root: string; store: string } {
    const home = join(this.folder, name);
    rmSync(home, { recursive: true, force: true });
    if (scenario === "edit")
      cpSync(join(this.folder, "built"), home, { recursive: true, preserveTimestamps: true });
    writeSources(join(home, "root"), scenario === "edit" ? 1 : 0);
    return { root: join(home, "root"), store: join(home, "store") };
  }

  /** What a clean build leaves in each scenario, and all points that builds pass. */
  async points(): Promise<{ readonly wanted: readonly Record<string, string>[]; readonly points: Point[] }> {
    const wanted: Record<string, string>[] = [];
    const points: Point[] = [];
    for (const scenario of SCENARIOS) {
      for (const way of this.ways) {
        const { root, store } = this.prepare(scenario, "clean");
        const trace = join(this.folder, `trace-${scenario}-${way}`);
        expect((await this.start(root, store, way, `trace:${trace}`)).lines.at(-1)).toBe("ok");
        if (way === "portable") wanted.push(outputs(root));
        else expect(outputs(root)).toEqual(wanted.at(-1));
        const passed = [...histogram(trace)];
        // What does not depend on the way is tried in one of them.
        const own = passed.filter(([point]) => way === "portable" || point.startsWith("native:"));
        for (const [point, passes] of own) points.push({ scenario, way, point, passes });
        expect([way, own.length > 0]).toEqual([way, true]);
      }
    }
    return { wanted, points };
  }
}
