/** OpenMP's `target_device` selectors: host code asks for the default device when it runs, regions for their own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { arcProgram } from "../cli/rig.ts";
import { hasOpenCl } from "./devices.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-target-device-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ways = [
  { env: { ARC_TARGET: "host" } },
  { env: { ARC_TARGET: "host", ARC_HOST_MEMORY: "separate" } },
  ...(hasOpenCl ? [{ env: { ARC_TARGET: "opencl", ARC_OPENCL_PLATFORM: "Portable" } }] : []),
];

it.each(["-omp", "-fopenmp"])(
  "selects by what the device is, with %s",
  { timeout: 120_000 },
  async (option) => {
    const program = path.join(folder, `program${option}`);
    const source = path.join(import.meta.dirname, "devices/target-device.c");
    const targets = ["host", ...(hasOpenCl ? ["opencl"] : [])].flatMap((target) => ["-target", target]);
    const store = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
    const built = await start(arcProgram, ["cc", option, "-O0", ...targets, source, "-o", program], {
      env: store,
      seconds: 100,
    });
    expect(built.status, built.err).toBe(0);
    expect(built.err).not.toContain("context-not-taken");
    for (const { env } of ways) {
      const ran = await start(program, [], { env });
      expect(ran.out + ran.err, JSON.stringify(env)).toBe(
        "metadirective no gpu\nvariant cpu\nregion cpu\nhost host 1\n",
      );
      expect(ran.status).toBe(0);
    }
  },
);
