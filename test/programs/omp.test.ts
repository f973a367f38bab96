/**
 * The programs of omp/ check themselves: as plain C, and by arc on devices, where the trace must show that the work
 * happened there. OpenMP's directives give OpenACC's regions (test/core/ir/omp/identity.test.ts), which acc/ runs
 * everywhere: of these a few run with OpenCL; with ARC_SLOW_TESTS all do, and gcc's OpenMP is the judge of them.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { arcProgram } from "../cli/rig.ts";
import { hasOpenCl } from "./devices.ts";
import { start } from "./process.ts";

const home = path.join(import.meta.dirname, "omp");
const folder = mkdtempSync(path.join(tmpdir(), "arc-omp-"));
const environment = {
  ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store"),
  POCL_CACHE_DIR: path.join(folder, "pocl"),
};
afterAll(() => rmSync(folder, { recursive: true }));

const definitions = readFileSync(path.join(home, "programs.def"), "utf8");
const names = [...definitions.matchAll(/PROGRAM\((\w+)\)/g)].map(([, name = ""]) => name);
const sources = readdirSync(home)
  .filter((name) => name.endsWith(".c"))
  .map((name) => path.join(home, name));
/** What serial code cannot show: that a region has private variables. */
const ofRegions = ["scalars", "device_routines"];
const onOpenCl = process.env.ARC_SLOW_TESTS
  ? names
  : ["device_routines", "one_team", "shuffle", "simd_order", "thread_blocks"];

async function gcc(label: string, flags: readonly string[]): Promise<string> {
  const exe = path.join(folder, label);
  const args = ["-O1", "-Wall", "-Werror", "-Wno-unknown-pragmas", ...flags, ...sources, "-o", exe, "-lm"];
  const built = await start("gcc", args);
  expect(built.status, built.err).toBe(0);
  return exe;
}

it("are right as plain C", async () => {
  const exe = await gcc("plain", []);
  const ran = await start(
    exe,
    names.filter((name) => !ofRegions.includes(name)),
  );
  expect(ran.status, ran.err).toBe(0);
});

it.runIf(process.env.ARC_SLOW_TESTS)("are right by gcc's OpenMP", async () => {
  const exe = await gcc("gcc", ["-fopenmp"]);
  const ran = await start(exe, [], { env: { OMP_NUM_THREADS: "3" } });
  expect(ran.status, ran.err).toBe(0);
});

interface TraceEvent {
  readonly cat?: string;
  readonly args: { readonly device: string };
}

describe.each([
  { kind: "host", chosen: names, skip: false },
  { kind: "opencl", chosen: onOpenCl, skip: !hasOpenCl },
])("by arc on $kind", ({ kind, chosen, skip }) => {
  const exe = path.join(folder, kind);
  const own = sources.filter(
    (file) => chosen.length === names.length || [...chosen, "main"].includes(path.basename(file, ".c")),
  );

  it.skipIf(skip)(
    "they compile without messages except about lost directives",
    { timeout: 180_000 },
    async () => {
      const left = names.filter((name) => !chosen.includes(name)).map((name) => `-DNO_${name}`);
      const args = ["cc", "-fopenmp", "-target", kind, "-O1", ...left, ...own, "-o", exe, "-lm"];
      const { status, err } = await start(arcProgram, args, { env: environment, seconds: 170 });
      expect(status, err).toBe(0);
      expect([...err.matchAll(/(?:warning|error)\[([\w-]+)\]/g)].map(([, code]) => code)).toEqual(
        chosen.includes("scalars") ? ["lost-value"] : [],
      );
    },
  );

  it.skipIf(skip).each(chosen)("%s", async (name) => {
    const trace = path.join(folder, `${kind}.${name}.json`);
    const env = { ...environment, ARC_TRACE: trace, ARC_HOST_MEMORY: "separate" };
    const ran = await start(exe, [name], { env, seconds: 60 });
    expect(ran.status, ran.err).toBe(0);
    const events = JSON.parse(readFileSync(trace, "utf8")) as readonly TraceEvent[];
    const launches = events.filter((event) => event.cat === "launch").map((event) => event.args.device);
    expect([...new Set(launches)]).toEqual([kind]);
  });
});
