/** Programs for several devices at once: the host as several, and PoCL as two. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { arcProgram } from "../cli/rig.ts";
import { hasOpenCl } from "./devices.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-several-devices-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** `apart`: the devices do not share the program's memory. */
const ways = [
  { devices: 1, apart: false, env: { ARC_TARGET: "host" } },
  { devices: 2, apart: false, env: { ARC_TARGET: "host", ARC_HOST_DEVICES: "2" } },
  {
    devices: 3,
    apart: true,
    env: { ARC_TARGET: "host", ARC_HOST_DEVICES: "3", ARC_HOST_MEMORY: "separate" },
  },
  ...(hasOpenCl
    ? [
        {
          devices: 2,
          apart: true,
          env: { ARC_TARGET: "opencl", ARC_OPENCL_PLATFORM: "Portable", POCL_DEVICES: "pthread pthread" },
        },
      ]
    : []),
];

describe("several devices", () => {
  it.each([
    { language: "openmp", option: "-fopenmp" },
    { language: "openacc", option: "-acc" },
  ])("each have their data, in $language", { timeout: 120_000 }, async ({ language, option }) => {
    const program = path.join(folder, language);
    const source = path.join(import.meta.dirname, "devices", `${language}.c`);
    const targets = ["host", ...(hasOpenCl ? ["opencl"] : [])].flatMap((target) => ["-target", target]);
    const store = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
    const built = await start(arcProgram, ["cc", option, "-O0", ...targets, source, "-o", program], {
      env: store,
      seconds: 100,
    });
    expect(built.status, built.err).toBe(0);
    for (const { devices, apart, env } of ways) {
      // OpenACC's program shows what shared memory cannot: each device's own values.
      if (language === "openacc" && !apart && devices > 1) continue;
      const ran = await start(program, apart ? ["apart"] : [], { env });
      expect(ran.out + ran.err, JSON.stringify(env)).toBe(`${devices} devices\n`);
      expect(ran.status).toBe(0);
    }
  });
});
