/** Arrays whose size is known when the program runs, of which threads and gangs have copies: on the host, and refused elsewhere. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { arcProgram } from "../cli/rig.ts";
import { diagnosticsOf } from "../targets/translate.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-variable-arrays-"));
afterAll(() => rmSync(folder, { recursive: true }));

const source = path.join(import.meta.dirname, "variable-arrays.c");
const text = readFileSync(source, "utf8");

it("the host has them, with memory of its own too", { timeout: 120_000 }, async () => {
  const program = path.join(folder, "arrays");
  const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
  const args = ["cc", "-acc", "-omp", "-target", "host", "-O0", source, "-o", program];
  const built = await start(arcProgram, args, { env, seconds: 100 });
  expect(built.status, built.err).toBe(0);
  expect((await start(program, [])).out).toBe("0 0\n");
  expect((await start(program, [], { env: { ARC_HOST_MEMORY: "separate" } })).out).toBe("0 0\n");
});

it("OpenCL has none", () => {
  const codes = [...diagnosticsOf(text, "opencl")].map((place) => place.split(" ")[1]);
  expect(new Set(codes)).toEqual(new Set(["variable-array"]));
});

it("a constant variable is a known size, everywhere", () => {
  const known = text
    .replaceAll("(int n)", "(void)")
    .replaceAll("(6 + argc)", "()")
    .replaceAll(/\{\n {2}int (m|w)/g, "{\n  const int n = 7;\n  const int $1")
    .replace("const int w[n], f", "int w[n], f");
  expect(diagnosticsOf(known, "opencl")).toEqual([]);
});
