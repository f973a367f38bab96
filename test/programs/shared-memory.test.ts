/** Memory that the device shares: nothing of it need be mapped with `requires unified_shared_memory`, or as a whole. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { arcProgram } from "../cli/rig.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-shared-memory-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("regions use unmapped memory, or the run is stopped", { timeout: 120_000 }, async () => {
  const program = path.join(folder, "shared");
  const source = path.join(import.meta.dirname, "devices/shared.c");
  const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
  const built = await start(arcProgram, ["cc", "-omp", "-O0", source, "-o", program], { env, seconds: 100 });
  expect(built.status, built.err).toBe(0);
  expect((await start(program, [])).out).toBe("100 119 7\n");
  const apart = await start(program, [], { env: { ARC_HOST_MEMORY: "separate" } });
  expect(apart.status).toBe(1);
  expect(apart.out).toBe("");
  expect(apart.err).toContain(
    "shared.c:4: error[unified-shared-memory]: requires unified_shared_memory: host:0",
  );
  expect(apart.err).toContain("ARC_DEVICE=host");
});

it("regions use more of an array than is mapped, or the run is stopped", { timeout: 120_000 }, async () => {
  const program = path.join(folder, "in-part");
  const source = path.join(import.meta.dirname, "devices/in-part.c");
  const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
  const built = await start(arcProgram, ["cc", "-acc", "-O0", source, "-o", program], { env, seconds: 100 });
  expect(built.status, built.err).toBe(0);
  expect((await start(program, [])).out).toBe("2 27 101\n");
  const apart = await start(program, [], { env: { ARC_HOST_MEMORY: "separate" } });
  expect(apart.status).toBe(1);
  expect(apart.err).toContain("in-part.c:8: error[partly-present]: parallel loop: a (400 bytes");
});

it("regions read a structure of which only members are mapped, or the run is stopped", {
  timeout: 120_000,
}, async () => {
  const program = path.join(folder, "structure");
  const source = path.join(import.meta.dirname, "devices/unmapped-structure.c");
  const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
  const built = await start(arcProgram, ["cc", "-acc", "-O0", source, "-o", program], { env, seconds: 100 });
  expect(built.status, built.err).toBe(0);
  expect((await start(program, [])).out).toBe("1 10\n");
  const apart = await start(program, [], { env: { ARC_HOST_MEMORY: "separate" } });
  expect(apart.status).toBe(1);
  expect(apart.err).toContain("unmapped-structure.c:7: error[not-present]: parallel loop: g (at ");
});
