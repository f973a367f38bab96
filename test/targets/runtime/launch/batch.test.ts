/** Consecutive launches, passed to the driver as graphs, on the stand-in for CUDA's driver. */
import { mkdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { execute, runtime, Workshop } from "../harness.ts";
import { gpuRegions, standInKernels } from "../regions.ts";
import { sized } from "../stand-in-code.ts";

const shops = {
  addresses: new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]),
  threads: new Workshop("gcc", ["-fsanitize=thread"]),
};
afterAll(() => {
  for (const shop of Object.values(shops)) shop.remove();
});

/** Launches of the program: one by one on three queues, passed on, and after the address query. */
const launches = 700 + 700 + 3 + 1400 + 101;
const chain = 32;

describe.each(["addresses", "threads"] as const)("under the sanitizer of %s", (kind) => {
  const shop = shops[kind];
  const drivers = shop.path("drivers");
  mkdirSync(drivers);
  shop.library("cuda_stand_in", `${drivers}/libcuda.so.1`);
  const images = shop.image("cuda", gpuRegions("cuda", "cubin", sized(shop.kernels(standInKernels))));
  const log = shop.path("calls");
  const usual = shop.program("launch/repeat");
  const run = (more: Record<string, string> = {}, words: string[] = [], program = usual) => {
    const ran = execute([program, ...words], {
      env: { ARC_IMAGES: images, LD_LIBRARY_PATH: drivers, STAND_IN_LOG: log, ...more },
    });
    const calls = readFileSync(log, "utf8").trim().split("\n");
    const count = (name: string) => calls.filter((call) => call.startsWith(name)).length;
    const [plain, graphs] = [count("cuLaunchKernel"), count("cuGraphLaunch")];
    return { ...ran, plain, graphs, made: plain + chain * graphs, count };
  };
  const right = { code: 0, stdout: "right\n", stderr: "" };

  it("most launches are in graphs, and all of them are made", () => {
    // However busy this machine is, its launches follow one another faster than the device's thread looks for them.
    const patient = shop.program(
      "launch/repeat",
      "-DARC_PATIENCE=300000000",
      `${runtime}/src/backend/gpu/gpu_batch.c`,
    );
    const ran = run({}, [], patient);
    expect(ran).toMatchObject({ ...right, made: launches });
    expect(ran.graphs * chain).toBeGreaterThan(launches / 2);
    // Graphs are made once for each place in each queue, and changed where launches differ.
    expect(ran.count("cuGraphInstantiate")).toBeLessThanOrEqual(4 * 4);
    expect(ran.count("cuGraphExecKernelNodeSetParams")).toBeGreaterThan(0);
  });

  it("an incomplete batch is launched even if the program makes no further calls", () => {
    expect(run({}, ["left"])).toMatchObject({ made: 150 });
  });

  it("none is deferred in a queue whose stream the program has, which may add its own work", () => {
    expect(run({}, ["shown"])).toMatchObject({ ...right, plain: 700, graphs: 0 });
  });

  it.each([
    ["that are each waited for", { ARC_WAIT: "each" }],
    ["that are timed", { ARC_TRACE: "/dev/null" }],
    ["without graphs", { ARC_GRAPHS: "0" }],
    ["of a driver that refuses graphs", { STAND_IN_NO_GRAPHS: "1" }],
  ])("launches %s are made one by one", (_, more) => {
    expect(run(more)).toMatchObject({ ...right, plain: launches, graphs: 0 });
  });
});
