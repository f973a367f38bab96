/** Functions of the C library that device code may call where the device has them, and that are refused by name elsewhere. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { arcProgram } from "../cli/rig.ts";
import { diagnosticsOf, kernelsOf } from "../targets/translate.ts";
import { hasOpenCl } from "./devices.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-device-calls-"));
afterAll(() => rmSync(folder, { recursive: true }));

const source = path.join(import.meta.dirname, "device-calls.c");
const text = readFileSync(source, "utf8");
const clock = path.join(import.meta.dirname, "device-clock.c");
const clockText = readFileSync(clock, "utf8");

it("the host allocates, and an assertion that does not hold ends the run where it stands", {
  timeout: 120_000,
}, async () => {
  const program = path.join(folder, "calls");
  const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
  const args = ["cc", "-acc", "-target", "host", "-O0", source, "-o", program];
  const built = await start(arcProgram, args, { env, seconds: 100 });
  expect(built.status, built.err).toBe(0);
  expect(built.err).toBe("");
  expect((await start(program, ["18"])).out).toBe("3 5 7 9 11 13 15 17 ");
  const failed = await start(program, ["17"]);
  expect(failed.status).not.toBe(0);
  expect(failed.err).toContain('device-calls.c:6: check: Assertion `value < most && "small"\' failed.');
});

it("regions of the host read the clock, and end the program with a status", {
  timeout: 120_000,
}, async () => {
  const program = path.join(folder, "clock");
  const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
  const built = await start(arcProgram, ["cc", "-fopenmp", "-O1", clock, "-o", program], {
    env,
    seconds: 100,
  });
  expect(built.status, built.err).toBe(0);
  for (const memory of ["shared", "separate"])
    for (const status of [0, 7])
      expect(await start(program, [`${status}`], { env: { ARC_HOST_MEMORY: memory } })).toMatchObject({
        status,
        out: "1 1 1\n",
      });
});

it("CUDA has a clock, OpenCL has none, and neither ends the program with a status", () => {
  expect(kernelsOf(clockText.replace(/\bleave\(status\);/, ";"), "cuda")[0]?.text).toContain("%%globaltimer");
  expect([...diagnosticsOf(clockText, "cuda")]).toEqual(["7:33 no-exit"]);
  expect([...diagnosticsOf(clockText, "hip")].sort()).toEqual([
    "16:26 no-clock",
    "21:10 no-clock",
    "7:33 no-exit",
  ]);
  expect([...diagnosticsOf(clockText, "opencl")].sort()).toEqual([
    "16:26 no-clock",
    "21:10 no-clock",
    "7:33 no-exit",
  ]);
});

it("CUDA has both, and its compilers know the assertion by different names", () => {
  const [kernel] = kernelsOf(text, "cuda");
  expect(kernel?.text).toContain("(int *)malloc(");
  expect(kernel?.text).toMatch(/arc_assert_fail\(".*", "a.c", 6, "check"\)/);
  expect(kernel?.text).toContain("#define arc_assert_fail __assert_fail");
});

it("OpenCL has neither", () => {
  expect([...diagnosticsOf(text, "opencl")].sort()).toEqual(["12:16 no-heap", "6:50 no-assert"]);
  const zeroed = text.replace("malloc(4 * sizeof *own)", "calloc(4, sizeof *own)");
  expect([...diagnosticsOf(zeroed, "opencl")].sort()).toEqual(["12:16 no-heap", "6:50 no-assert"]);
});

it("a call through a pointer to a function that is for no device ends the run with a word about it", {
  timeout: 120_000,
}, async () => {
  const program = path.join(folder, "unmarked");
  const unmarked = path.join(import.meta.dirname, "bad/function-unmarked.c");
  const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
  const args = ["cc", "-acc", "-target", "host", "-O0", unmarked, "-o", program];
  const built = await start(arcProgram, args, { env, seconds: 100 });
  expect(built.status, built.err).toBe(0);
  expect((await start(program, [])).out).toBe("11\n");
  const failed = await start(program, ["other"]);
  expect(failed.status).not.toBe(0);
  expect(failed.err).toMatch(/^arc: main_\w+ calls through a pointer that leads to no function for devices/);
});

describe.runIf(hasOpenCl)(
  "OpenCL's kernels cannot end the program, and after such a call the runtime does",
  () => {
    const calls = path.join(import.meta.dirname, "stray-calls.c");
    const lineOf = (what: string): number =>
      readFileSync(calls, "utf8")
        .split("\n")
        .findIndex((line) => line.includes(what)) + 1;

    it.each([
      { how: "PoCL", env: { ARC_OPENCL_PLATFORM: "Portable" } },
      { how: "Oclgrind", env: { ARC_OPENCL_LIBRARY: "/usr/lib/oclgrind/liboclgrind-rt.so" } },
    ])("naming the call: $how", { timeout: 120_000 }, async ({ env }) => {
      const program = path.join(folder, "stray");
      const store = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
      const args = ["cc", "-acc", "-target", "opencl", calls, "-o", program];
      const built = await start(arcProgram, args, { env: store, seconds: 100 });
      expect(built.status, built.err).toBe(0);
      expect(await start(program, [], { env })).toMatchObject({ status: 0, out: "6 5 53\n", err: "" });
      const [inFunction, inRegion] = [lineOf("return f(x)"), lineOf("g(&r[i])")];
      for (const [arguments_, line] of [
        [["a"], inFunction],
        [["a", "b"], inRegion],
        [["a", "b", "c"], inFunction],
      ] as const) {
        const { status, out, err } = await start(program, arguments_, { env });
        expect(status).toBe(1);
        expect(out).toBe("");
        expect(err).toContain(
          `stray-calls.c:${line}: error[stray-call]: parallel loop: the pointer leads to no function`,
        );
      }
    });
  },
);
