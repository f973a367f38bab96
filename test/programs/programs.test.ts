/**
 * `arc cc` builds every program of acc/ for each kind of target; where a device of the kind is here, the
 * program runs, and its trace must show that the work happened there. All kinds share an executable. ARC_PROGRAMS=reduction-,tile-
 * narrows the programs by the beginnings of their names.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { arcProgram } from "../cli/rig.ts";
import { sampled } from "../sampled.ts";
import { type Program, programsIn } from "./catalogue.ts";
import { hasGpu, hasNvcc, hasOpenCl } from "./devices.ts";
import { pending } from "./pending.ts";
import { type Outcome, start } from "./process.ts";

const programs = programsIn(path.join(import.meta.dirname, "acc"));

const folder = mkdtempSync(path.join(tmpdir(), "arc-programs-"));
const environment = {
  ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store"),
  POCL_CACHE_DIR: path.join(folder, "pocl"),
};
/**
 * Compilation goes the fast ways: by a process that stays, and without drivers that would make a binary of each OpenCL
 * source (PoCL takes a second for one). omp.test.ts and the examples run binaries, made by processes of their own.
 */
const compiling = {
  ...environment,
  ARC_RESIDENT: "1",
  ARC_RESIDENT_MINUTES: "2",
  OCL_ICD_VENDORS: path.join(folder, "no-drivers"),
};
afterAll(() => rmSync(folder, { recursive: true }));

const beginnings = process.env.ARC_PROGRAMS?.split(",") ?? [""];
const chosen = programs.filter((p) => beginnings.some((beginning) => p.name.startsWith(beginning)));

const kinds = [
  { kind: "host", how: "runs", compiles: true, runs: true },
  { kind: "opencl", how: "runs", compiles: true, runs: hasOpenCl },
  { kind: "cuda", how: "compiles", compiles: hasNvcc, runs: false },
] as const;
type Kind = (typeof kinds)[number]["kind"];

/** Programs in several files, and one of `step` others: neighbours by name are about one construct. */
const some = (step: number) =>
  new Set([...programs.filter(({ sources }) => sources.length > 1), ...sampled(programs, step)]);

/**
 * A kernel takes PoCL as long as all the rest of a program takes. NVIDIA's compiler takes as long as all others together:
 * where no GPU could run its binaries it makes a few; clang compiles more of the kernels (test/targets/clang.test.ts).
 */
const madeFor: Readonly<Record<Kind, ReadonlySet<Program>>> = {
  host: new Set(programs),
  opencl: hasGpu || process.env.ARC_PROGRAMS !== undefined ? new Set(programs) : some(2),
  cuda: hasGpu ? new Set(programs) : some(10),
};

interface Built {
  readonly exe: string;
  readonly outcome: Outcome;
}

const isPending = (program: Program, kind: Kind) => pending[program.name]?.includes(kind) ?? false;

const isMade = (program: Program, kind: Kind) => madeFor[kind].has(program);

/** For what a program of several kinds is made at once: a start of arc costs as much as what one kind adds. */
function together(program: Program, kind: Kind): readonly Kind[] {
  const compiled = kinds
    .filter((k) => k.compiles && isMade(program, k.kind) && !isPending(program, k.kind))
    .map((k) => k.kind);
  return compiled.includes(kind) ? compiled : [kind];
}

/** One version of each kernel of the host, and quickly made. */
const quick = process.arch === "x64" ? ["-O0", "-mavx"] : ["-O0"];

const builds = new Map<string, Promise<Built>>();

function build(program: Program, kind: Kind): Promise<Built> {
  const targets = together(program, kind);
  const exe = path.join(folder, `${program.name}.${targets.join("-")}`);
  const known = builds.get(exe);
  if (known !== undefined) return known;
  const options = targets.flatMap((target) => ["-target", target]);
  const args = ["cc", "-acc", ...options, ...quick, ...program.sources, "-o", exe, "-lm"];
  const made = start(arcProgram, args, { env: compiling, seconds: 120 }).then((outcome) => ({
    exe,
    outcome,
  }));
  builds.set(exe, made);
  return made;
}

interface Launch {
  readonly device: string;
  readonly grid: readonly number[];
  readonly group: readonly number[];
}

interface TraceEvent {
  readonly cat?: string;
  readonly args: Launch & { readonly async?: number };
}

const product = (numbers: readonly number[]) => numbers.reduce((a, b) => a * b, 1);
const workItems = ({ grid, group }: Launch) => product(grid) * product(group);

const synchronous = -2;

async function runAndCheck(program: Program, kind: Kind, exe: string): Promise<void> {
  const trace = `${exe}.${kind}.json`;
  const env = { ...environment, ARC_TRACE: trace, ARC_TARGET: kind };
  const ran = await start(exe, program.args, { env });
  if (program.aborts !== undefined) {
    expect(ran.status, "it must fail").not.toBe(0);
    expect(ran.err).toContain(program.aborts);
    return;
  }
  expect(ran.status, ran.err).toBe(0);
  for (const text of program.prints) expect(ran.out).toContain(text);

  const events = JSON.parse(readFileSync(trace, "utf8")) as readonly TraceEvent[];
  const launches = events.filter((event) => event.cat === "launch").map((event) => event.args);
  expect([...new Set(launches.map((launch) => launch.device))]).toEqual(launches.length > 0 ? [kind] : []);
  if (program.noRegion) expect(launches).toEqual([]);
  if (program.parallel) expect(Math.max(0, ...launches.map(workItems)), "work-items").toBeGreaterThan(1);
  if (program.async) {
    const queues = events.map((event) => event.args.async ?? synchronous);
    expect(queues.some((queue) => queue !== synchronous)).toBe(true);
  }
}

// Libarcrt is built for the first program; the others find it in the store.
beforeAll(async () => {
  const [first] = programs;
  if (first) await build(first, "host");
}, 120_000);

describe.each(kinds)("$kind", ({ kind, how, compiles, runs }) => {
  for (const program of chosen) {
    const settings = {
      timeout: 180_000,
      concurrent: true,
      skip: !compiles || !isMade(program, kind) || (how === "runs" && !runs),
      fails: isPending(program, kind),
    };
    it(`${program.name}: ${program.shows}`, settings, async () => {
      const { exe, outcome } = await build(program, kind);
      expect(outcome.status, outcome.err).toBe(0);
      if (runs) await runAndCheck(program, kind, exe);
    });
  }
});
