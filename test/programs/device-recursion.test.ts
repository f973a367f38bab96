/** Functions of regions that call themselves run where a device has a call stack, and are refused by name elsewhere. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { arcProgram } from "../cli/rig.ts";
import { diagnosticsOf, kernelsOf } from "../targets/translate.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-device-recursion-"));
afterAll(() => rmSync(folder, { recursive: true }));

const source = path.join(import.meta.dirname, "device-recursion.c");
const text = readFileSync(source, "utf8");

describe("a function that calls itself", () => {
  it("is right on the host, with memory of its own too", { timeout: 120_000 }, async () => {
    const program = path.join(folder, "recursion");
    const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
    const args = ["cc", "-fopenmp", "-target", "host", "-O1", source, "-o", program];
    const built = await start(arcProgram, args, { env, seconds: 100 });
    expect(built.status, built.err).toBe(0);
    expect((await start(program, [])).status).toBe(0);
    expect((await start(program, [], { env: { ARC_HOST_MEMORY: "separate" } })).status).toBe(0);
  });

  it("is a device function of CUDA and HIP", () => {
    for (const kind of ["cuda", "hip"] as const)
      expect(kernelsOf(text, kind).map((kernel) => kernel.text)).toContainEqual(
        expect.stringMatching(/__device__ int fib_\(int n\) \{\n.*fib_\(n - 1\) \+ fib_\(n - 2\)/),
      );
  });

  it("is refused where no stack grows with the data", () => {
    const refused = ["4:57", "5:92", "10:58", "23:3", "26:83"].map((place) => `${place} recursive-routine`);
    expect(new Set(diagnosticsOf(text, "opencl"))).toEqual(new Set(refused));
  });
});
