/**
 * A real arc is recorded while it builds, edits between builds included: Node, the native part and the commands of
 * actions. Then states that a loss of power may leave of all those files (sources, outputs, `.arc`, the store) are laid
 * out, with the inodes and times that files had, and arc builds again on another boot: outputs must be those of a
 * build in an empty world. `ARC_POWER_LOSS=10000:7` tries so many states, from that seed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compileNative, compileProgram } from "../../../../core/build/native/compile.mjs";
import { bundled } from "./bundled.ts";
import { type Loss, lay, MODES, rowsOf, stateAfter } from "./loss-states.ts";
import { cannotRecord, Recording } from "./recording.ts";
import type { Edit } from "./victim.ts";

const [states = 40, seed = 1] = (process.env.ARC_POWER_LOSS ?? "").split(":").filter(Boolean).map(Number);
/** Of each recording. */
const STATES = Math.max(20, Math.min(200, Math.round(states / 10)));

const folder = realpathSync(mkdtempSync(join(tmpdir(), "arc-power-")));
const world = join(folder, "world");
const library = join(folder, "native.node");
const why = cannotRecord() ?? compileNative(library);

beforeAll(async () => {
  await bundled(folder, "victim.ts", "recoverer.ts");
  const lies = join(import.meta.dirname, "stat-lies.c");
  expect(compileProgram(join(folder, "lies.so"), [lies], ["-shared", "-fPIC", "-ldl"])).toBeUndefined();
  writeFileSync(join(folder, "lies"), Buffer.alloc(1 << 20));
  writeFileSync(join(folder, "boot"), "00000000-1111-2222-3333-444444444444\n");
});

/** An arc that was told to end may still write there: what is not gone at once goes a little later. */
const removed = (path: string): void => rmSync(path, { recursive: true, force: true, maxRetries: 20 });

afterAll(() => removed(folder));

type Random = () => number;

function randomly(from: number): Random {
  let state = from >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const oneOf = <T>(all: readonly T[], random: Random): T => all[Math.floor(random() * all.length)] as T;

const TEXTS = ["zero\n", "uno\nduo\n", "two\n", "six\n", "ten\n", "a longer text\n"];

function anyEdits(random: Random): Edit[] {
  return Array.from({ length: 1 + Math.floor(random() * 2) }, () => ({
    file: oneOf(["s0", "s1", "s2"], random),
    text: oneOf(TEXTS, random),
    way: oneOf(["into", "anew", "renamed"] as const, random),
  }));
}

function record(random: Random, way: "native" | "portable"): Recording {
  removed(world);
  mkdirSync(join(world, "root"), { recursive: true });
  for (const [at, text] of ["zero\n", "one\n", "two\n"].entries())
    writeFileSync(join(world, "root", `s${at}`), text);
  const recording = new Recording(world);
  const env = {
    ...process.env,
    ARC_NATIVE: way === "native" ? library : "0",
    ...(random() < 0.3 ? { ARC_DURABLE_SECONDS: "0" } : {}),
  };
  const builds = 1 + Math.floor(random() * 3);
  for (let at = 0; at <= builds; at += 1) {
    const edits = JSON.stringify(at === 0 ? [] : anyEdits(random));
    const victim = [join(folder, "victim.mjs"), join(world, "root"), join(world, "store"), edits];
    const said = recording.run([process.execPath, ...victim], env);
    if (!/^(ok|up to date)$/m.test(said)) throw new Error(`the build that is recorded failed: ${said}`);
  }
  return recording;
}

function files(at: string): Record<string, string> {
  const found: Record<string, string> = {};
  if (!existsSync(at)) return found;
  for (const entry of readdirSync(at, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile())
      found[path.slice(at.length)] = `${statSync(path).mode & 0o777} ${readFileSync(path, "utf8")}`;
  }
  return found;
}

interface Built {
  readonly failed: readonly string[];
  readonly isUpToDate: boolean;
}

/** An arc that builds on command. */
class Recoverer {
  readonly #process: ChildProcess;
  readonly #lines: Interface;

  constructor(way: "native" | "portable") {
    this.#process = spawn(process.execPath, [join(folder, "recoverer.mjs")], {
      env: {
        ...process.env,
        ARC_NATIVE: way === "native" ? library : "0",
        LD_PRELOAD: join(folder, "lies.so"),
        STAT_LIES: join(folder, "lies"),
        STAT_LIES_BOOT: join(folder, "boot"),
      },
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#lines = createInterface({ input: this.#process.stdout as NodeJS.ReadableStream });
  }

  async build(root: string, store: string, lies: Buffer): Promise<Built> {
    const file = join(folder, "lies");
    writeFileSync(file, lies, { flag: "r+" });
    const answer = once(this.#lines, "line");
    this.#process.stdin?.write(`${root}\t${store}\n`);
    const late = new Promise<void>((done) => {
      setTimeout(done, PATIENCE_MS).unref();
    });
    const said = (await Promise.race([answer, late])) as [string] | undefined;
    return said === undefined ? { failed: [HANGS], isUpToDate: false } : (JSON.parse(said[0]) as Built);
  }

  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    const ended = exitCode ?? signalCode ?? once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }
}

/** Of a machine that has much else to do. */
const PATIENCE_MS = 60_000;
const NO_LIES = Buffer.alloc(8);
const HANGS = "it hangs";

test(
  "what a loss of power leaves of a recorded build is built as in an empty world",
  async ({ skip }) => {
    if (why !== undefined) skip(why);
    const random = randomly(seed);
    const clean = new Map<string, { failed: boolean; outputs: Record<string, string> }>();
    const counts = new Map<string, number>();
    const wrong: string[] = [];
    let done = 0;
    try {
      while (done < states) {
        const way = oneOf(["native", "portable"] as const, random);
        const recording = record(random, way);
        let arc = new Recoverer(oneOf(["native", "portable"] as const, random));
        const first = recording.operations.findIndex(({ kind }) => kind !== "names") + 10;
        for (let at = 0; at < STATES && done < states; at += 1, done += 1) {
          const total = recording.operations.length;
          const loss: Loss = {
            mode: oneOf(MODES, random),
            end: random() < 0.4 ? total : first + Math.floor(random() * (total - first)),
            share: oneOf([0, 500, 800, 950, 990], random),
            random,
          };
          const label = `${seed}: state ${done}, ${way}, ${loss.mode} ${loss.end}/${total} ${loss.share}`;
          const lies = rowsOf(lay(world, recording, stateAfter(recording, loss), loss));
          const root = join(world, "root");
          const store = join(world, "store");
          const sources = Object.fromEntries(
            Object.entries(files(root)).filter(([name]) => /^\/s\d$/.test(name)),
          );
          const key = JSON.stringify(sources);
          let wanted = clean.get(key);
          if (wanted === undefined) {
            const empty = join(folder, `empty-${clean.size}`);
            mkdirSync(join(empty, "root"), { recursive: true });
            for (const name of Object.keys(sources))
              writeFileSync(join(empty, "root", name), readFileSync(join(root, name)));
            const { failed } = await arc.build(join(empty, "root"), join(empty, "store"), NO_LIES);
            if (failed.includes(HANGS)) throw new Error(`${label}: a build in an empty world hangs`);
            wanted = { failed: failed.length > 0, outputs: files(join(empty, "root/out")) };
            clean.set(key, wanted);
            removed(empty);
          }
          let built = await arc.build(root, store, lies);
          for (let tries = 0; tries < 20; tries += 1) {
            const inTheWay = built.failed.flatMap(
              (message) => /^(\S+) is in the way/.exec(message)?.[1] ?? [],
            );
            if (inTheWay.length === 0) break;
            // Nothing records any more who wrote it, so it is moved away, as arc requests.
            for (const place of inTheWay) rmSync(join(root, place), { recursive: true, force: true });
            counts.set("in the way", (counts.get("in the way") ?? 0) + 1);
            built = await arc.build(root, store, NO_LIES);
          }
          counts.set(loss.mode, (counts.get(loss.mode) ?? 0) + 1);
          if (built.isUpToDate) counts.set("up to date", (counts.get("up to date") ?? 0) + 1);
          const outputs = files(join(root, "out"));
          const isRight = wanted.failed
            ? built.failed.length > 0
            : built.failed.length === 0 && sameOutputs(outputs, wanted.outputs);
          if (built.failed.includes(HANGS)) {
            await arc.close();
            arc = new Recoverer(way);
          }
          if (!isRight) wrong.push(`${label}: ${JSON.stringify({ built, outputs, wanted, sources })}`);
        }
        await arc.close();
      }
    } finally {
      // Also of a run that ends in an error: what was tried counts.
      if (states > 100)
        console.log(
          `${done} states, ${clean.size} worlds`,
          Object.fromEntries(counts),
          `${wrong.length} wrong`,
        );
    }
    expect(wrong.slice(0, 5)).toEqual([]);
  },
  60_000 + states * 3_000,
);

/** Leftovers of an older graph are not errors. */
function sameOutputs(there: Record<string, string>, wanted: Record<string, string>): boolean {
  return Object.entries(wanted).every(([name, text]) => there[name] === text);
}
