/** Functions of the C library that device code may call where the device has them, and that are refused by name elsewhere. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { arcProgram } from "../cli/rig.ts";
import { diagnosticsOf, kernelsOf } from "../targets/translate.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-device-calls-"));
afterAll(() => rmSync(folder, { recursive: true }));

const source = path.join(import.meta.dirname, "device-calls.c");
const text = readFileSync(source, "utf8");

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

it("CUDA has both, and its compilers know the assertion by different names", () => {
  const [kernel] = kernelsOf(text, "cuda");
  expect(kernel?.text).toContain("(int *)malloc(");
  expect(kernel?.text).toMatch(/arc_assert_fail\(".*", "a.c", 6, "check"\)/);
  expect(kernel?.text).toContain("#define arc_assert_fail __assert_fail");
});

it("OpenCL has neither", () => {
  expect([...diagnosticsOf(text, "opencl")].sort()).toEqual(["12:16 no-heap", "6:50 no-assert"]);
});
