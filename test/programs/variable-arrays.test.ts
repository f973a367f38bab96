/** Variable-length arrays of which threads and gangs have copies: on the host and on OpenCL. */
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

it.each([
  ["host", "with memory of its own too", [{}, { ARC_HOST_MEMORY: "separate" }]],
  ["opencl", "in memory that the launch allocates", [{ POCL_CACHE_DIR: path.join(folder, "pocl") }]],
] as const)("%s has them, %s", { timeout: 120_000 }, async (kind, _, environments) => {
  const program = path.join(folder, kind);
  const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
  const args = ["cc", "-acc", "-omp", "-target", kind, "-O0", source, "-o", program];
  const built = await start(arcProgram, args, { env, seconds: 100 });
  expect(built.status, built.err).toBe(0);
  for (const env of environments) expect((await start(program, [], { env })).out).toBe("0 0\n");
});

it("a constant variable is a known size, everywhere", () => {
  const known = text
    .replaceAll("(int n)", "(void)")
    .replaceAll("(6 + argc)", "()")
    .replaceAll(/\{\n {2}int (m|w)/g, "{\n  const int n = 7;\n  const int $1")
    .replace("const int w[n], f", "int w[n], f");
  expect(diagnosticsOf(known, "opencl")).toEqual([]);
});
