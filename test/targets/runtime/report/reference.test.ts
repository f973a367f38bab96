/** ARC_CHECK=kernels: what is said where a kernel and the host make different things of the same data, on each back end. */
import { mkdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { hasOpenCl } from "../../../programs/devices.ts";
import { execute, Workshop } from "../harness.ts";
import { gpuRegions, hostKernels, hostRegions, openclRegions, standInKernels } from "../regions.ts";
import { sized } from "../stand-in-code.ts";

const shop = new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
afterAll(() => shop.remove());

const program = shop.program("report/reference");
const drivers = shop.path("drivers");
mkdirSync(drivers);
shop.library("cuda_stand_in", `${drivers}/libcuda.so.1`);

const backends = [
  {
    name: "host",
    here: true,
    env: {
      ARC_IMAGES: shop.image("host", hostRegions(shop.kernels(hostKernels))),
      ARC_HOST_MEMORY: "separate",
    },
  },
  {
    name: "opencl",
    here: hasOpenCl,
    env: {
      ARC_IMAGES: shop.image("opencl", openclRegions),
      ARC_OPENCL_PLATFORM: "Portable",
      ASAN_OPTIONS: "detect_leaks=0",
    },
  },
  {
    name: "cuda, by the stand-in",
    here: true,
    env: {
      ARC_IMAGES: shop.image("cuda", gpuRegions("cuda", "cubin", sized(shop.kernels(standInKernels)))),
      LD_LIBRARY_PATH: drivers,
      STAND_IN_LOG: shop.path("calls"),
    },
  },
];

describe.each(backends.filter((b) => b.here))("$name", ({ env }) => {
  const run = (what: string, more: Record<string, string> = {}) => {
    const { stdout, stderr } = execute([program, what], { env: { ...env, ARC_CHECK: "kernels", ...more } });
    expect(stdout).toBe("done\n");
    return stderr.replace(/^.*?(\w+\.c):\d+/gm, "$1:LINE");
  };

  it("reports nothing if the results agree", () => {
    expect(run("right")).toBe("");
  });

  it("names kernel, variable, index and both values, once, and how often", () => {
    expect(run("other")).toBe(
      "reference.c:LINE: warning[kernel-result]: parallel loop: add: a[3][2] is 1 on the device and 3 on the host (2 of 100 values differ)\n" +
        "reference.c:LINE: warning[kernel-result]: parallel loop: a: 3 times in all\n",
    );
  });

  it("reports that a program was not built for it", () => {
    expect(run("not built for it")).toContain(
      "warning[check]: parallel loop: ARC_CHECK=kernels: the program was not built",
    );
  });

  it("has no effect when it is off", () => {
    const { stdout, stderr } = execute([program, "other"], { env });
    expect({ stdout, stderr }).toEqual({ stdout: "done\n", stderr: "" });
  });
});
